import type { JournalEntry } from '../../src-shared/ipc/operation-view'

/**
 * One item of a history as it is told: a step, or a row of attempts that all ended alike. A sale that waited through a
 * day without a network was tried a thousand times: that is one sentence, not two thousand.
 */
export interface Chapter {
  /** The step; of attempts, the last of them. */
  entry: JournalEntry
  attempts: { count: number; firstAt: string } | null
}

/** As few attempts as these are told one by one. */
const fewest = 3

/** Tells a journal, which is oldest first, in short. */
export function tell(entries: JournalEntry[]): Chapter[] {
  const chapters: Chapter[] = []
  for (let at = 0; at < entries.length;) {
    const run = attemptsFrom(entries, at)
    const last = entries[at + 2 * run - 1]
    const entry = entries[at]
    if (!entry) break
    if (last && run >= fewest) {
      chapters.push({ entry: last, attempts: { count: run, firstAt: entry.at } })
      at += 2 * run
    } else {
      chapters.push({ entry, attempts: null })
      at += 1
    }
  }
  return chapters
}

/** Each step by itself. */
export const tellEach = (entries: JournalEntry[]): Chapter[] => entries.map((entry) => ({ entry, attempts: null }))

/** How many attempts in a row, from a place on, ended as the first of them did. */
function attemptsFrom(entries: JournalEntry[], start: number): number {
  const first = entries[start + 1]
  let count = 0
  while (
    isAttempt(entries[start + 2 * count], entries[start + 2 * count + 1]) &&
    isAlike(first, entries[start + 2 * count + 1])
  )
    count += 1
  return count
}

const isAttempt = (claim: JournalEntry | undefined, end: JournalEntry | undefined) =>
  claim?.what === 'claimed' && (end?.what === 'retry' || end?.what === 'unknown')

const isAlike = (one: JournalEntry | undefined, other: JournalEntry | undefined) =>
  one?.what === other?.what && one?.reason?.code === other?.reason?.code
