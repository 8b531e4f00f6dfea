import type { JournalEntry, OperationState } from '../../src-shared/ipc/contract/outbox'
import type { ChipTone } from '../ui/tones'
import { explain } from '../text/errors'
import { whoText } from './who-text'
import { isKeptBack } from './operation-text'
import { exactMoment } from '../text/moments'
import type { Text } from '../text/text.svelte'

/**
 * One entry of a history on the screen: a step, or a series of attempts with the same outcome. A sale that waited
 * through a day without a network was tried a thousand times: one sentence instead of two thousand.
 */
export interface Chapter {
  /** The step; for a series of attempts, the last one. */
  entry: JournalEntry
  attempts: { count: number; firstAt: string } | null
}

/** Shorter series of attempts are shown one by one. */
const fewest = 3

/** Sums up a journal, oldest first. */
export function chaptersOf(entries: JournalEntry[]): Chapter[] {
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
export const eachStep = (entries: JournalEntry[]): Chapter[] => entries.map((entry) => ({ entry, attempts: null }))

/** How many attempts in a row, from `start` on, have the same outcome as the first. */
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

/** A step of a history in words. */
interface ChapterText {
  tone: ChipTone
  what: Text
  when: Text
  who: Text
  states: Text
  /** Why an attempt failed, or the text that a person entered. */
  why: Text[]
}

const tones: Record<JournalEntry['what'], ChipTone> = {
  saved: 'waiting',
  permitted: 'waiting',
  claimed: 'working',
  identified: 'working',
  accepted: 'good',
  rejected: 'bad',
  retry: 'attention',
  unknown: 'attention',
  withdrawn: 'plain',
  'sent again': 'waiting',
  corrected: 'waiting',
  dated: 'waiting',
  reopened: 'attention',
  resent: 'plain',
  'missing again': 'attention',
  dismissed: 'plain',
  confirmed: 'good',
  'found sending at start': 'attention',
  salvaged: 'attention',
  other: 'plain',
}

export function chapterText({ entry, attempts }: Chapter): ChapterText {
  const { what, at } = entry
  return {
    tone: tones[what],
    what: attempts
      ? { key: 'journal.attempts', values: { count: attempts.count, until: exactMoment(at) } }
      : whatHappened(entry),
    when: exactMoment(attempts?.firstAt ?? at),
    who: whoText(entry),
    states: statesOf(entry),
    why: [...(attempts ? [whatHappened(entry)] : []), ...whyOf(entry)],
  }
}

function whatHappened({ what, because, reason }: JournalEntry): Text {
  if (what === 'rejected' && isKeptBack(reason)) return { key: 'journal.kept-back' }
  // `because` says how the outcome was found here; on other steps it is text that a person entered.
  if (what === 'accepted' && (because === 'already-processed' || because === 'found-by-reading'))
    return { key: `journal.accepted.${because}` }
  return { key: `journal.${what}` }
}

function whyOf({ what, reason, shown, because, actor }: JournalEntry): Text[] {
  const words: Text[] = []
  if (reason) {
    const { what: reasonWhat, means } = explain(reason)
    // A refusal names its items; for a fault, its first words are enough.
    words.push(reasonWhat, ...(what === 'rejected' ? [means] : []))
  }
  if (shown) words.push({ key: 'journal.shown', values: { shown: { key: `outbox.shown.${shown}` } } })
  if (because !== null && actor === 'person') words.push({ key: 'journal.because', values: { because } })
  return words
}

function statesOf({ from, to }: JournalEntry): Text {
  if (from === null) return { key: 'journal.states.first', values: { to: stateText(to) } }
  return { key: 'journal.states', values: { from: stateText(from), to: stateText(to) } }
}

/**
 * `cancelled`: withdrawn, dismissed or put back into the cart; `rejected`: refused or kept back. The step itself says which.
 */
const stateText = (state: OperationState): Text => {
  if (state === 'cancelled') return { key: 'journal.state.closed' }
  return { key: state === 'rejected' ? 'journal.state.attention' : `operation.state.${state}` }
}
