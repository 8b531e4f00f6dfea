/** A piece of a scanned text: as it stands, or the name of a character that nobody can see. */
export interface RawPart {
  text: string
  isUnseen: boolean
}

/** Controls and marks without a shape of their own; some turn the text behind them round. */
const unseen = /([\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}])/u

const controls =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(
    ' ',
  )

/** A scanned text in pieces, so that every character of it can be shown: GS, CR, and those without a name as U+202E. */
export const rawParts = (text: string): RawPart[] =>
  text
    .split(unseen)
    .map((piece, place) => ({ text: place % 2 === 1 ? nameOf(piece) : piece, isUnseen: place % 2 === 1 }))
    .filter((part) => part.text !== '')

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return controls[code] ?? (code === 0x7f ? 'DEL' : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`)
}
