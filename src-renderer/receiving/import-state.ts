import type { OperationView } from '../../src-shared/ipc/operation-view'
import type { CaseView, ImportState, PackagedProductView } from '../../src-shared/ipc/receiving-view'
import { assertNever } from '../../src-shared/result'
import type { ChipTone } from '../design/tones'
import { dateOf, isToday } from '../messages/moments'
import { explain } from '../messages/errors'
import type { Text } from '../messages/text.svelte'

/** How a state is shown: in colour, icon and words. */
export interface StateChip {
  tone: ChipTone
  text: Text
}

/** The chip of one import state. `now` decides whether an import of today is shown by its time alone. */
export function chipOf(state: ImportState, now: Date): StateChip {
  switch (state.kind) {
    case 'to-import':
      return { tone: 'plain', text: { key: 'import-state.to-import' } }
    case 'pending':
      return pendingChip(state.operation)
    case 'imported-here':
      return { tone: 'good', text: when('import-state.imported-here', state.at, now) }
    case 'imported-by-company': {
      const text = when('import-state.imported-by-company', state.at, now)
      return { tone: 'attention', text: { ...text, values: { ...text.values, dispensary: state.dispensary } } }
    }
    case 'imported-elsewhere':
      return { tone: 'attention', text: when('import-state.imported-elsewhere', state.at, now) }
    case 'refused':
      return { tone: 'bad', text: refusedText(state.operation) }
    case 'unknown':
      return { tone: 'attention', text: { key: 'import-state.unknown' } }
    default:
      return assertNever(state)
  }
}

function pendingChip({ kind, state }: OperationView): StateChip {
  if (kind === 'import-removal') return { tone: 'working', text: { key: 'import-state.removing' } }
  if (state === 'sending') return { tone: 'working', text: { key: 'import-state.importing' } }
  if (state === 'unknown') return { tone: 'attention', text: { key: 'import-state.no-answer' } }
  return { tone: 'waiting', text: { key: 'import-state.waiting' } }
}

function refusedText({ kind, reason }: OperationView): Text {
  if (kind === 'import-removal') return { key: 'import-state.removal-refused' }
  return reason ? explain(reason).what : { key: 'import-state.refused' }
}

type DatedState = 'import-state.imported-here' | 'import-state.imported-by-company' | 'import-state.imported-elsewhere'

/** A text with the time when it was today, the date when it was earlier, neither when nobody knows. */
function when(key: DatedState, at: string | null, now: Date): Text {
  const date = at === null ? undefined : dateOf(at)
  if (!date) return { key }
  return { key: isToday(date, now) ? `${key}.today` : `${key}.earlier`, values: { date } }
}

/** The chip of a whole case: that of its products when they agree, otherwise what is still to be done. */
export function caseChip(view: CaseView, fallback: ImportState, now: Date): StateChip {
  const states = view.packagedProducts.map((product) => product.importState)
  const [first] = states
  if (!first) return chipOf(fallback, now)
  const urgent = states.find(({ kind }) => kind === 'refused') ?? states.find(({ kind }) => kind === 'pending')
  if (urgent) return chipOf(urgent, now)
  const imported = states.filter(({ kind }) => kind === 'imported-here').length
  if (imported > 0 && imported < states.length) {
    return { tone: 'attention', text: { key: 'import-state.partly', values: { imported, total: states.length } } }
  }
  return chipOf(states.find(({ kind }) => kind === 'to-import') ?? first, now)
}

/** Whether a product may be imported now: also when nobody could be asked, for the outbox keeps it until somebody can. */
export function isImportable(state: ImportState): boolean {
  if (state.kind === 'refused') return state.operation.kind === 'import'
  return state.kind === 'to-import' || state.kind === 'unknown'
}

/** The operation behind a state, where there is one. */
export function operationOf(state: ImportState): OperationView | null {
  return 'operation' in state ? state.operation : null
}

/** The state of a product after its import or its removal got further; `before` is kept where nothing can be said. */
export function stateAfter(operation: OperationView, before: ImportState): ImportState {
  const isImport = operation.kind === 'import'
  switch (operation.state) {
    case 'queued':
    case 'sending':
    case 'unknown':
      return { kind: 'pending', operation }
    case 'accepted':
      return isImport
        ? { kind: 'imported-here', at: operation.performedAt, packageUid: operation.packageUid, operation }
        : { kind: 'to-import' }
    case 'rejected':
      return { kind: 'refused', operation }
    case 'cancelled':
      return isImport ? { kind: 'to-import' } : before
    default:
      return assertNever(operation.state)
  }
}

/**
 * The product of a case that an import or a removal is of: the one that carries it, the only one, or the only one of its
 * name. Undefined when that can't be told, or when a later operation speaks for the product.
 */
export function productOf(operation: OperationView, view: CaseView): PackagedProductView | undefined {
  const { packagedProducts } = view
  const carrier = packagedProducts.find(({ importState }) => operationOf(importState)?.id === operation.id)
  if (carrier) return carrier
  const named = packagedProducts.filter(({ productName }) => productName === operation.productName)
  const [product, ...others] = packagedProducts.length === 1 ? packagedProducts : named
  if (!product || others.length > 0) return undefined
  return (operationOf(product.importState)?.seq ?? 0) > operation.seq ? undefined : product
}

/** The product of a case that is shown first: the first one that is still to be imported. */
export function firstProduct(view: CaseView): PackagedProductView | undefined {
  return view.packagedProducts.find(({ importState }) => isImportable(importState)) ?? view.packagedProducts[0]
}
