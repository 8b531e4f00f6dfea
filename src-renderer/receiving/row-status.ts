import type { AppError } from '../../src-shared/errors'
import type { CaseState, CaseView } from '../../src-shared/ipc/contract/receiving'
import { explain } from '../text/errors'
import type { Text } from '../text/text.svelte'
import type { ChipTone } from '../ui/tones'
import { caseCoaChip, chipOf, countChip, type StateChip } from './case-text'

/** What the status of a case is decided by. */
export interface StatusFacts {
  importState: CaseState
  view: CaseView | null
  error: AppError | null
  isReading: boolean
  /** What an import of it still needs: its package, POS ids, or nothing. */
  lacks: 'package' | 'ids' | null
  /** Whether the primary action imports it. */
  isTicked: boolean
}

export interface RowStatus extends StateChip {
  /** What it means for the person, where the chip does not say it all. */
  means?: Text
}

const plain = (tone: ChipTone, key: Text['key']): StateChip => ({ tone, text: { key } })

/** What can be said of a case, the gravest first: the first that applies is its one status. */
const statuses: ((facts: StatusFacts, now: Date) => RowStatus | null)[] = [
  ({ view, isReading }) => (!view && isReading ? plain('working', 'receiving.loading') : null),
  ({ view, error }) => (!view && error ? { tone: 'attention', text: explain(error).what } : null),
  // Refused, on its way, or in the inventory of another dispensary: nothing else counts.
  ({ importState }, now) =>
    ['to-import', 'unknown', 'partly', 'imported-here'].includes(importState.kind) ? null : chipOf(importState, now),
  ({ view }) => (view?.packagedProducts.length === 0 ? plain('attention', 'delivery.no-items') : null),
  ({ view, isTicked }) => {
    const coa = view?.packagedProducts.some(isOpenWithBadCoa) ? caseCoaChip(view) : null
    return coa && { ...coa, means: { key: isTicked ? 'case.status.coa.selected' : 'case.status.coa' } }
  },
  ({ view }) => {
    const count = view && isOpen(view) ? countChip(view) : null
    return count?.tone === 'attention' ? { ...count, means: { key: 'case.status.count' } } : null
  },
  ({ importState }, now) => (importState.kind === 'partly' ? chipOf(importState, now) : null),
  ({ importState, view, isTicked }) =>
    importState.kind === 'to-import' && !isTicked && view?.packagedProducts.some(isUndone)
      ? { ...plain('plain', 'delivery.import-undone'), means: { key: 'case.status.undone' } }
      : null,
  ({ importState, view, lacks }) =>
    importState.kind === 'to-import' && view && lacks
      ? { ...plain('plain', `delivery.lacks.${lacks}`), means: { key: `case.status.lacks.${lacks}` } }
      : null,
  ({ importState, view, isTicked }) =>
    importState.kind === 'to-import' && view && isOpen(view)
      ? plain('plain', isTicked ? 'delivery.ready' : 'delivery.not-selected')
      : null,
]

const isOpen = ({ packagedProducts }: CaseView) => packagedProducts.some(({ canImport }) => canImport)

const isUndone = ({ canImport, heldBack }: CaseView['packagedProducts'][number]) => canImport && heldBack === 'undone'

const isOpenWithBadCoa = ({ canImport, coa: { word } }: CaseView['packagedProducts'][number]) =>
  canImport && (word === 'failed' || word === 'expired')

/** The one status of a case that matters most; the pane says the others among its facts. */
export function statusOf(facts: StatusFacts, now = new Date()): RowStatus {
  for (const status of statuses) {
    const found = status(facts, now)
    if (found) return found
  }
  return chipOf(facts.importState, now)
}
