import { lotOfTag } from '../store'
import type { Complain, Findings } from './evidence'
import { nameOf } from './evidence'
import type { Match } from './holdings'

/** Reports that share an order, an item or a case were accepted in the order in which they were saved. */
export function judgeOrder(matches: readonly Match[], { wasRefused }: Findings, complain: Complain): void {
  const lastOf = new Map<string, Match>()
  for (const match of matches) {
    for (const key of keysOf(match)) {
      const last = lastOf.get(key)
      if (last && last.operation.seq > match.operation.seq) complainOf(last, match, key, complain)
      lastOf.set(key, match)
    }
  }
  // A sale or a change only shares its case, and a refused one stops blocking it: then an import may overtake it.
  const unrefused = matches.map((match, at) => ({ ...match, at })).filter((one) => !wasRefused(one.operation))
  for (const shared of unrefused) {
    if ('posInventoryId' in shared.entry) continue
    const cases = new Set<string | undefined>(
      'tagId' in shared.entry ? [shared.entry.caseId] : shared.entry.tagIds.map((tagId) => lotOfTag(tagId)?.caseId),
    )
    for (const other of unrefused) {
      if (!('posInventoryId' in other.entry) || ![...cases].some((one) => one === other.operation.caseId)) continue
      if (shared.operation.seq < other.operation.seq === shared.at < other.at) continue
      const [first, then] = shared.at < other.at ? [shared, other] : [other, shared]
      complainOf(first, then, `case:${other.operation.caseId ?? ''}`, complain)
    }
  }
}

function keysOf({ entry }: Match): string[] {
  if ('tagId' in entry) return [`tag:${entry.tagId}`]
  if ('caseId' in entry) return [`case:${entry.caseId}`]
  return [`order:${entry.orderId}`, ...entry.tagIds.map((tagId) => `tag:${tagId}`)]
}

const complainOf = (first: Match, then: Match, key: string, complain: Complain) => {
  complain(
    'out of order',
    `${nameOf(first.operation)} was taken before ${nameOf(then.operation)}, and both hold ${key}`,
  )
}
