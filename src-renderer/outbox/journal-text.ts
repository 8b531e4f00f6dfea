import type { JournalEntry, OperationState } from '../../src-shared/ipc/operation-view'
import type { ChipTone } from '../design/tones'
import { explain } from '../messages/errors'
import { exactMoment } from '../messages/moments'
import type { Text } from '../messages/text.svelte'
import type { Chapter } from './journal-story'

/** A step of a history in plain words. */
export interface ChapterText {
  tone: ChipTone
  what: Text
  when: Text
  who: Text
  states: Text
  /** Why an attempt did not succeed, or what a person wrote. */
  why: Text[]
}

const tones: Record<JournalEntry['what'], ChipTone> = {
  saved: 'waiting',
  claimed: 'working',
  identified: 'working',
  accepted: 'good',
  rejected: 'bad',
  retry: 'attention',
  unknown: 'attention',
  withdrawn: 'plain',
  'sent again': 'waiting',
  corrected: 'waiting',
  reopened: 'plain',
  dismissed: 'plain',
  confirmed: 'good',
  'found sending at start': 'attention',
  salvaged: 'attention',
  other: 'plain',
}

export function chapterText({ entry, attempts }: Chapter): ChapterText {
  const { what, at, actor } = entry
  return {
    tone: tones[what],
    what: attempts
      ? { key: 'journal.attempts', values: { count: attempts.count, until: exactMoment(at) } }
      : whatHappened(entry),
    when: exactMoment(attempts?.firstAt ?? at),
    who: { key: `journal.actor.${actor}` },
    states: statesOf(entry),
    why: [...(attempts ? [whatHappened(entry)] : []), ...whyOf(entry)],
  }
}

function whatHappened({ what, because }: JournalEntry): Text {
  // How it was found out stands where else a person's words do.
  if (what === 'accepted' && (because === 'already-processed' || because === 'found-by-reading'))
    return { key: `journal.accepted.${because}` }
  return { key: `journal.${what}` }
}

function whyOf({ what, reason, shown, because, actor }: JournalEntry): Text[] {
  const words: Text[] = []
  if (reason) {
    const { what: reasonWhat, means } = explain(reason)
    // A refusal names what it was about; a fault was told in full by its first words.
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

/** `cancelled` is withdrawn, dismissed or put back into the cart: the step itself says which. */
const stateText = (state: OperationState): Text => ({
  key: state === 'cancelled' ? 'journal.state.closed' : `operation.state.${state}`,
})
