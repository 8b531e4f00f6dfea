/** A scanner that keeps a code in view reads it again and again; a person who means a second scan needs longer, in ms. */
export const repeatWindow = 1_200

/** The last scan of each reader. */
export type Reads = ReadonlyMap<string, { text: string; at: number }>

/**
 * Whether a reader gave the same code within the window again, and what to remember for the next time. Each repeat opens
 * the window anew, so that a code that stays in view stays one scan; another code in between makes it a new one.
 */
export function noteRead(reads: Reads, reader: string, text: string, at: number): { reads: Reads; isRepeat: boolean } {
  const last = reads.get(reader)
  const isRepeat = last?.text === text && at >= last.at && at - last.at < repeatWindow
  return { reads: new Map(reads).set(reader, { text, at }), isRepeat }
}
