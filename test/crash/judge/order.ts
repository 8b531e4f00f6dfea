import { lotOfTag } from '../store'
import type { Complain, Findings } from './evidence'
import { nameOf } from './evidence'
import type { Match } from './holdings'

/** What shares an order, an item or a case was taken in the order in which it was saved. */
export function judgeOrder(matches: readonly Match[], { wasRefused }: Findings, complain: Complain): void {
  const lastOf = new Map<string, Match>()
  for (const match of matches) {
    for (const key of keysOf(match)) {
      const last = lastOf.get(key)
      if (last && last.operation.seq > match.operation.seq) complainOf(last, match, key, complain)
      lastOf.set(key, match)
    }
  }
  // A sale only shares its case, and one that was refused lets go of it: then an import may pass.
  const unrefused = matches.map((match, at) => ({ ...match, at })).filter((one) => !wasRefused(one.operation))
  for (const sale of unrefused) {
    if (!('orderId' in sale.entry)) continue
    const cases = new Set(sale.entry.tagIds.map((tagId) => lotOfTag(tagId)?.caseId))
    for (const other of unrefused) {
      if (!('caseId' in other.entry) || ![...cases].some((one) => one === other.operation.caseId)) continue
      if (sale.operation.seq < other.operation.seq === sale.at < other.at) continue
      const [first, then] = sale.at < other.at ? [sale, other] : [other, sale]
      complainOf(first, then, `case:${other.operation.caseId ?? ''}`, complain)
    }
  }
}

function keysOf({ entry }: Match): string[] {
  if ('caseId' in entry) return [`case:${entry.caseId}`]
  return [`order:${entry.orderId}`, ...entry.tagIds.map((tagId) => `tag:${tagId}`)]
}

const complainOf = (first: Match, then: Match, key: string, complain: Complain) => {
  complain(
    'out of order',
    `${nameOf(first.operation)} was taken before ${nameOf(then.operation)}, and both hold ${key}`,
  )
}
