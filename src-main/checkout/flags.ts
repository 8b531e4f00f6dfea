import type { AppError } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import type { CartMode, ItemFlag } from '../../src-shared/ipc/checkout-view'
import type { Result } from '../../src-shared/result'
import type { TagFacts } from '../../src-shared/service/facts'
import type { Lookup } from '../memory/lookup'
import type { Outbox } from '../outbox/outbox'
import { caseKey } from '../outbox/payload'
import type { History } from './history'
import { isSoldElsewhere } from './sold-elsewhere'

/** What is to be said about an item before it is sold. */
export interface Flags {
  /** By what is remembered alone. */
  byMemory(mode: CartMode, tagId: TagId): ItemFlag | null
  /** By the service's answer; without one, what is remembered still holds. */
  byAnswer(mode: CartMode, tagId: TagId, answer: Result<TagFacts, AppError>): ItemFlag | null
}

/** The service has no such item, or it is another kind of thing. */
export const isNoItem = ({ code }: AppError) => code === 'service/not-found' || code === 'scan/wrong-place'

export function createFlags(lookup: Lookup, outbox: Outbox, history: History): Flags {
  /** Our own import of its case may be on its way, or newer than what is remembered. */
  const hasOwnImport = ({ caseId }: TagFacts) => {
    if (caseId === null) return false
    const imports = outbox.read
      .byKey(caseKey(caseId))
      .filter(({ kind }) => kind === 'import' || kind === 'import-removal')
    const last = imports.findLast((one) => one.state !== 'cancelled' && one.state !== 'rejected')
    return last?.kind === 'import'
  }
  const of = (mode: CartMode, facts: TagFacts): ItemFlag | null =>
    mode === 'sale' && facts.isImported === false && !hasOwnImport(facts) ? 'not-imported' : null
  const byMemory = (mode: CartMode, tagId: TagId): ItemFlag | null => {
    const remembered = lookup.remembered(tagId)
    return remembered ? of(mode, remembered) : 'unchecked'
  }

  return {
    byMemory,
    byAnswer(mode, tagId, answer) {
      if (!answer.ok) return isNoItem(answer.error) ? 'unknown-to-service' : byMemory(mode, tagId)
      // Only of an answer: what is remembered of a sale may be long over.
      const isSold = mode === 'sale' && isSoldElsewhere(answer.value.soldOn, history.reportsOf(tagId))
      return isSold ? 'sold-elsewhere' : of(mode, answer.value)
    },
  }
}
