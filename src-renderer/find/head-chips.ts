import type { Thing, ThingView } from '../../src-shared/ipc/find-view'
import { coaChip, countChip } from '../receiving/case-facts'
import type { StateChip } from '../receiving/import-state'

/** What a person should know of a thing before reading on; nothing where all is well. */
export function headChips(view: ThingView): StateChip[] {
  switch (view.kind) {
    case 'tag':
      return [...(view.sale ? [sold] : []), ...faultsOf(view.coas)]
    case 'collection':
      return [...(view.isRemoved ? [removed] : []), ...wrongCount(view), ...faultsOf(view.coas)]
    case 'batch':
      return faultsOf(view.coas)
    case 'package':
    case 'product':
    case 'coa':
      return []
  }
}

const sold: StateChip = { tone: 'plain', text: { key: 'find.item.sold' } }
const removed: StateChip = { tone: 'attention', text: { key: 'find.removed' } }

/** Each fault once, however many certificates have it. */
const faultsOf = (coas: Thing<'batch'>['coas']): StateChip[] => [
  ...new Map(
    coas
      .map(coaChip)
      .filter(({ tone }) => tone === 'bad')
      .map((chip) => [chip.text.key, chip]),
  ).values(),
]

function wrongCount({ facts, itemCount }: Thing<'collection'>): StateChip[] {
  const required = facts.find(({ name }) => name === 'required-count')
  if (!required) return []
  const chip = countChip({ tagCount: itemCount, requiredCount: Number(required.value) })
  return chip.tone === 'good' ? [] : [chip]
}
