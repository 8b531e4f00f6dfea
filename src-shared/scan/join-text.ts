import { readAim } from './aim'

/**
 * A join code lets another station join the store. Its text is this prefix and Base32, capitals and digits only, so that a
 * keyboard-mode scanner types it on any layout. It holds a password: the text is never shown, logged or kept.
 */
export const joinPrefix = 'CTJOIN1'

/** A QR code holds 4,296 of these characters. */
export const longestJoinText = 4_200

/** A scanner that pauses, or ends at a fixed length, sends a join code in parts. No other code is that long and looks so. */
const isPartOfCode = (text: string): boolean => /^[A-Z2-7]{100,}$/i.test(text) && /[2-7]/.test(text)

/** Room for what a scanner sends before the code. */
const lookedAt = 60

/** Whether a scanned text is a join code or a part of one, by its form alone. */
export const isJoinText = (text: string, symbology?: string | null): boolean =>
  text.length <= longestJoinText + lookedAt &&
  (beginsLikeJoin(readAim(text.slice(0, lookedAt), symbology).text) || isPartOfCode(readAim(text, symbology).text))

/** Whether a text that is still being typed begins as a join code, whatever the scanner sends before it. */
export const isJoinBeginning = (text: string): boolean => text.slice(0, lookedAt).toUpperCase().includes(joinPrefix)

const beginsLikeJoin = (text: string) => text.slice(0, joinPrefix.length).toUpperCase() === joinPrefix
