import type { JournalEntry } from '../../src-shared/ipc/contract/outbox'
import type { Text } from '../text/text.svelte'

/** Who did it, and who permitted it. */
export function whoText({ actor, name, approvedBy }: Pick<JournalEntry, 'actor' | 'name' | 'approvedBy'>): Text {
  const who: Text = name === null ? { key: `journal.actor.${actor}` } : { key: 'journal.by', values: { name } }
  return approvedBy === null ? who : { key: 'journal.by.approved', values: { who, approvedBy } }
}
