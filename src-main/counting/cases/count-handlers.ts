import type { LimitFunction } from 'p-limit'
import { err, ok } from '../../../src-shared/result'
import type { HandlersOf } from '../../ipc/handlers'
import type { Lookup } from '../../memory/lookup'
import type { Memory } from '../../memory/store'
import type { Gates } from '../../security/gates'
import type { CaseCounts } from './count'
import type { SharedCounts } from './shared-counts'

/** Calls about counting what came, item by item. */
export function countHandlers(
  counts: CaseCounts,
  shared: SharedCounts | undefined,
  { lookup, seen }: { lookup: Pick<Lookup, 'case'>; seen: Pick<Memory, 'case'> },
  gates: Gates,
  limit: LimitFunction,
) {
  /** What a count of another station holds may never have been seen here: without it, its items have no names. */
  const learnCases = () => {
    for (const { caseId } of counts.openCount()?.cases ?? [])
      if (!seen.case(caseId)) void limit(() => lookup.case(caseId))
  }
  const joined = async <Done extends { ok: boolean }>(join: Promise<Done>): Promise<Done> => {
    const answer = await join
    if (answer.ok) learnCases()
    return answer
  }
  return {
    'receiving.openCount': () => ok(counts.openCount()),
    'receiving.startCount': ({ caseId }) => (shared ? joined(shared.start(caseId)) : counts.startCount(caseId)),
    'receiving.storeCounts': () => ok(shared?.listed() ?? []),
    'receiving.joinCount': ({ countId }) =>
      shared ? joined(shared.joinCount(countId)) : err({ code: 'hub/unreachable' }),
    'receiving.countTag': ({ countId, tagId }) => counts.countTag(countId, tagId),
    'receiving.uncountTag': ({ countId, tagId }) => counts.uncountTag(countId, tagId),
    'receiving.finishCount': ({ countId }) => counts.finishCount(countId),
    'receiving.reopenCount': ({ countId }) => counts.reopenCount(countId),
    'receiving.countDetail': async ({ countId }) => {
      const detail = await counts.details.detail(countId)
      return detail.ok ? ok({ ...detail.value, behind: (await shared?.behind(detail.value.count.id)) ?? [] }) : detail
    },
    'receiving.resolve': ({ approval, ...what }) =>
      gates.pass(counts.details.gateOf(what), approval, async (because) => {
        const settles = (await shared?.settle(what.countId)) ?? ok(null)
        return settles.ok ? counts.details.resolve(what, because) : settles
      }),
    'receiving.takeOverSettling': async ({ countId, approval }) => {
      const no = await gates.objection('pin', approval ?? {})
      if (no) return err(no)
      return shared ? shared.takeOverSettling(countId, approval?.reason ?? '') : err({ code: 'hub/unreachable' })
    },
    'receiving.exportCount': ({ countId }) => counts.details.export(countId),
  } satisfies Partial<HandlersOf<'receiving'>>
}
