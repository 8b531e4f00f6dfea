import type { CaseId, TagId } from '../../../src-shared/ids'
import type { Difference } from '../../../src-shared/ipc/count-view'

/** Main takes no more in one request. */
const mostAtOnce = 500

/** What is asked for together: the items of one case. Those of which the case is not known are left out. */
export function requestsOf(
  differences: Difference[],
  caseOf: (difference: Difference) => CaseId | null,
): { caseId: CaseId; tagIds: TagId[] }[] {
  const groups = new Map<CaseId, TagId[]>()
  for (const difference of differences) {
    const caseId = caseOf(difference)
    if (caseId === null) continue
    const tagIds = groups.get(caseId) ?? []
    tagIds.push(difference.tagId)
    groups.set(caseId, tagIds)
  }
  return [...groups].flatMap(([caseId, tagIds]) =>
    Array.from({ length: Math.ceil(tagIds.length / mostAtOnce) }, (_, part) => ({
      caseId,
      tagIds: tagIds.slice(part * mostAtOnce, (part + 1) * mostAtOnce),
    })),
  )
}
