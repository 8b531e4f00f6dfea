import type { AppError } from '../../../src-shared/errors'
import type { CannotTakeOut, Difference, DifferenceGroup } from '../../../src-shared/ipc/contract/count'

/** A difference before it is put into a group. */
export type Ungrouped = Omit<Difference, 'group' | 'canCorrect'> & {
  /** Why our account can't correct it; null if it can. */
  objection: CannotTakeOut | null
  /** Its report was refused, and no person has settled that; for this reason, if one was given. */
  isRefused: boolean
  reason: AppError | null
}

export interface Grouped {
  groups: DifferenceGroup[]
  differences: Difference[]
}

const causes: readonly DifferenceGroup['cause'][] = ['refused', 'missing', 'stranger', 'settled']

function causeOf({ resolution, isRefused, kind }: Ungrouped): DifferenceGroup['cause'] {
  if (resolution !== 'open') return 'settled'
  return isRefused ? 'refused' : kind
}

/** Differences of one key have one cause, and a person can settle them together. */
function keyOf(one: Ungrouped): string {
  const cause = causeOf(one)
  if (cause === 'settled') return cause
  return JSON.stringify([cause, one.kind, one.caseId, cause === 'refused' ? one.reason : null])
}

/** Puts differences into groups by their cause: what needs a person first, what is settled last. Keeps their order. Pure. */
export function grouped(all: readonly Ungrouped[]): Grouped {
  const byKey = [...Map.groupBy(all, keyOf)].flatMap(([key, members]) => {
    const [first] = members
    return first ? [{ key, first, members, cause: causeOf(first) }] : []
  })
  const ordered = byKey.toSorted((a, b) => causes.indexOf(a.cause) - causes.indexOf(b.cause))
  return {
    groups: ordered.map(({ key, first, members, cause }) => {
      const isSettled = cause === 'settled'
      return {
        key,
        cause,
        count: members.length,
        caseId: isSettled ? null : first.caseId,
        identifier: isSettled ? null : first.identifier,
        objection: isSettled ? null : first.objection,
        reason: cause === 'refused' ? first.reason : null,
      }
    }),
    differences: ordered.flatMap(({ key, members }) =>
      members.map(({ objection, isRefused: _isRefused, reason: _reason, ...difference }) => ({
        ...difference,
        group: key,
        canCorrect: difference.resolution === 'open' && objection === null,
      })),
    ),
  }
}
