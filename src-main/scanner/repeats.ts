/** A scanner that keeps a code in view reads it again and again; a person who means a second scan needs longer, in ms. */
export const repeatWindow = 1_200

/**
 * A code that stays in view is read again sooner than this, in ms: makers set 50 to 750. A person who points, pulls and waits
 * for the beep needs longer.
 */
const inViewWindow = 800

/** What a reader gave last: when it was taken for a scan, and when it was read, which may be a repeat. */
export interface Read {
  text: string
  scannedAt: number
  readAt: number
}
export type Reads = ReadonlyMap<string, Read>

/**
 * Whether a reader gave the same code within the window again, and what to remember for the next time. Each repeat opens
 * the window anew, so that a code that stays in view stays one scan; another code in between makes it a new one.
 *
 * An action may ask to be scanned again (clear the order), and whoever answers must be heard: of an action only a read that
 * follows another at the rate of a code in view opens the window anew. One that comes later counts once the window of the
 * scan is over.
 */
export function noteRead(
  reads: Reads,
  reader: string,
  text: string,
  at: number,
  { isAction = false } = {},
): { reads: Reads; isRepeat: boolean } {
  const last = reads.get(reader)
  const isSame = last?.text === text && at >= last.readAt
  const isInView = isSame && at - last.readAt < (isAction ? inViewWindow : repeatWindow)
  const isRepeat = isInView || (isSame && at - last.scannedAt < repeatWindow)
  const scannedAt = isRepeat ? last.scannedAt : at
  return { reads: new Map(reads).set(reader, { text, scannedAt, readAt: at }), isRepeat }
}
