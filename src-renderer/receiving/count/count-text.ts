import type {
  CountScanResult,
  CountView,
  CountedCase,
  Difference,
  DifferenceGroup,
} from '../../../src-shared/ipc/contract/count'
import type { OperationView } from '../../../src-shared/ipc/contract/outbox'
import { assertNever } from '../../../src-shared/result'
import { explain } from '../../text/errors'
import { type Text, t } from '../../text/text.svelte'
import { operationChip } from '../../outbox/operation-text'
import type { ScanOutcome } from '../../scan/strip.svelte'
import type { StateChip } from '../case-text'

/** Name of a case of a count. */
export const nameOf = ({ productName, identifier }: Pick<CountedCase, 'productName' | 'identifier'>): string =>
  productName ?? identifier

/** "7 of 24 counted", for the whole count. */
export const countedSoFar = ({ counted, total }: Pick<CountView, 'counted' | 'total'>): Text => ({
  key: 'count.so-far',
  values: { counted, total },
})

/** The result of one scan of a count, for the scan strip. */
export function scanOutcome(result: CountScanResult, count: CountView): ScanOutcome {
  switch (result.kind) {
    case 'counted': {
      const { counted, tagCount } = result.case
      const what = { key: 'count.found', values: { name: nameOf(result.case), counted, total: tagCount } } as const
      if (count.counted === count.total) return { tone: 'good', what, detail: { key: 'count.found.all' } }
      if (counted === tagCount) return { tone: 'good', what, detail: { key: 'count.found.case-complete' } }
      return count.cases.length > 1 ? { tone: 'good', what, detail: countedSoFar(count) } : { tone: 'good', what }
    }
    case 'repeat': {
      const { station } = result
      const values = { at: new Date(result.at), by: station === null ? 'here' : 'other', station: station ?? '' }
      const detail = { key: 'count.repeat.detail', values } as const
      if (result.productName === null) return { tone: 'attention', what: { key: 'count.repeat' }, detail }
      return { tone: 'attention', what: { key: 'count.repeat.named', values: { name: result.productName } }, detail }
    }
    case 'stranger':
      return { tone: 'bad', what: unexpectedItemText(result, count), detail: { key: 'count.stranger.detail' } }
    case 'unknown':
      return { tone: 'attention', what: { key: 'count.unknown' }, detail: explain(result.error).what }
    default:
      return assertNever(result)
  }
}

/** Where an item belongs that is not part of the count. */
export function unexpectedItemText(
  { identifier, productName }: Pick<Difference, 'identifier' | 'productName'>,
  count: Pick<CountView, 'caseId'>,
): Text {
  const what = count.caseId === null ? 'delivery' : 'case'
  if (identifier === null) return { key: `count.stranger.none.${what}`, values: { name: nameOrItem(productName) } }
  return { key: `count.stranger.${what}`, values: { name: nameOrItem(productName), identifier } }
}

export const nameOrItem = (name: string | null): string | Text => name ?? { key: 'label.tag' }

/** How far a case is counted. Items count as missing only once the count is finished. */
export function countedChip({ counted, tagCount }: CountedCase, isFinished: boolean): StateChip {
  const difference = Math.abs(tagCount - counted)
  const values = { count: difference }
  if (counted === tagCount) return { tone: 'good', text: { key: 'count.chip.match' } }
  if (counted > tagCount) return { tone: 'bad', text: { key: 'count.chip.over', values } }
  if (isFinished) return { tone: 'bad', text: { key: 'count.chip.short', values } }
  return counted === 0
    ? { tone: 'plain', text: { key: 'count.chip.none' } }
    : { tone: 'waiting', text: { key: 'count.chip.open', values } }
}

/** A difference in a sentence. */
export function differenceText(difference: Difference, count: CountView): Text {
  const { kind, productName, identifier, resolution } = difference
  const values = { name: nameOrItem(productName), identifier: identifier ?? '' }
  if (kind === 'missing') return { key: 'difference.missing', values }
  // A stranger that was added to a case belongs there now.
  return resolution === 'added' ? { key: 'difference.added-to', values } : unexpectedItemText(difference, count)
}

/** What the differences of a group have in common. */
export function groupText({ cause, count, identifier }: DifferenceGroup): Text {
  if (cause === 'refused' || cause === 'settled') return { key: `differences.group.${cause}`, values: { count } }
  if (identifier === null) return { key: 'differences.group.stranger.none', values: { count } }
  return { key: `differences.group.${cause}`, values: { count, identifier } }
}

/** Why the differences of a group can only be ignored; null if the service can be told. */
export function objectionText({ objection }: DifferenceGroup): Text | null {
  if (!objection) return null
  const { why, company } = objection
  if (why === 'no-account') return { key: 'differences.objection.no-account' }
  return company === null
    ? { key: 'differences.objection.other-company.unnamed' }
    : { key: 'differences.objection.other-company', values: { company } }
}

/** What was done about a difference. `inverse`: the operation that undoes it, if any. */
export function resolutionChip(difference: Difference, inverse: OperationView | null): StateChip {
  switch (difference.resolution) {
    case 'open':
      return difference.kind === 'missing'
        ? { tone: 'bad', text: { key: 'difference.chip.missing' } }
        : { tone: 'bad', text: { key: 'difference.chip.stranger' } }
    case 'ignored':
      return { tone: 'plain', text: { key: 'difference.chip.ignored' } }
    case 'removed':
    case 'added':
      return inverse
        ? { tone: 'working', text: { key: 'difference.chip.undoing' } }
        : { tone: 'good', text: { key: `difference.chip.${difference.resolution}` } }
  }
}

/** The state of the report of a difference. */
export function reportChip(operation: OperationView): StateChip {
  const { tone, text } = operationChip(operation)
  return { tone, text: { key: 'difference.report', values: { state: text } } }
}

const usual = {
  missing: ['label', 'damaged', 'other-place'],
  stranger: ['not-recorded', 'label', 'other-place'],
} as const

/** The reasons that are given most for ignoring differences, of all their kinds. */
export const usualReasons = (differences: readonly Difference[]): string[] =>
  [...new Set(differences.flatMap(({ kind }) => usual[kind]))].map((reason) => t(`stock.reason.${reason}`))
