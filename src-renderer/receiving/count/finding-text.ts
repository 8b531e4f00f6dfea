import type { CountFinding, CountView, CountedCase } from '../../../src-shared/ipc/count-view'
import { assertNever } from '../../../src-shared/result'
import { explain } from '../../messages/errors'
import type { Text } from '../../messages/text.svelte'
import type { Outcome } from '../../scan/strip.svelte'
import type { StateChip } from '../import-state'

/** What a case of a count is called. */
export const nameOf = ({ productName, identifier }: Pick<CountedCase, 'productName' | 'identifier'>): string =>
  productName ?? identifier

/** "7 of 24 counted" of the whole count. */
export const countedSoFar = ({ counted, total }: Pick<CountView, 'counted' | 'total'>): Text => ({
  key: 'count.so-far',
  values: { counted, total },
})

/** What one scan of a count was, for the strip. */
export function findingOutcome(finding: CountFinding, count: CountView): Outcome {
  switch (finding.kind) {
    case 'counted': {
      const { counted, tagCount } = finding.case
      const what = { key: 'count.found', values: { name: nameOf(finding.case), counted, total: tagCount } } as const
      if (count.counted === count.total) return { tone: 'good', what, detail: { key: 'count.found.all' } }
      if (counted === tagCount) return { tone: 'good', what, detail: { key: 'count.found.case-complete' } }
      return count.cases.length > 1 ? { tone: 'good', what, detail: countedSoFar(count) } : { tone: 'good', what }
    }
    case 'repeat': {
      const detail = { key: 'count.repeat.detail', values: { at: new Date(finding.at) } } as const
      if (finding.productName === null) return { tone: 'attention', what: { key: 'count.repeat' }, detail }
      return { tone: 'attention', what: { key: 'count.repeat.named', values: { name: finding.productName } }, detail }
    }
    case 'stranger':
      return { tone: 'bad', what: strangerText(finding, count), detail: { key: 'count.stranger.detail' } }
    case 'unknown':
      return { tone: 'attention', what: { key: 'count.unknown' }, detail: explain(finding.error).what }
    default:
      return assertNever(finding)
  }
}

interface Belonging {
  identifier: string | null
  productName: string | null
}

/** Where an item belongs that is not part of the count. */
export function strangerText({ identifier, productName }: Belonging, count: Pick<CountView, 'caseId'>): Text {
  const what = count.caseId === null ? 'delivery' : 'case'
  if (identifier === null) return { key: `count.stranger.none.${what}`, values: { name: nameOrItem(productName) } }
  return { key: `count.stranger.${what}`, values: { name: nameOrItem(productName), identifier } }
}

export const nameOrItem = (name: string | null): string | Text => name ?? { key: 'count.item' }

/** How a case of a count stands: while it is counted nothing is missing yet. */
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
