import type { PackageUid } from '../../src-shared/ids'
import { err } from '../../src-shared/result'
import type { Seen } from '../lookup/seen'
import type { CaseFacts } from '../../src-shared/service/facts'
import { type Asking, type Found, errorsIn, told, valueOf } from './ask'
import { createGaps, judge } from './gaps'
import { packageBody } from './package-thing'

/** Cases that are read one by one for their names, where nobody has read them before. */
const mostCases = 12

/** A package: the look-up of its cases, and the regulator's collection of that name. Spec: Package UID lookup. */
export async function askPackage(
  { v12, turns }: Asking,
  packageUid: PackageUid,
  seenCase: (caseId: string) => Seen<CaseFacts> | undefined,
): Promise<Found> {
  const gaps = createGaps()
  const [casesResult, collectionResult] = await Promise.all([
    turns(() => v12.packageUids.cases(packageUid)),
    turns(() => v12.collections.get(packageUid)),
  ])
  const [cases, collection] = [valueOf(casesResult), valueOf(collectionResult)]
  const caseIds = Object.keys(cases?.case_ids ?? {})
  // A package that nobody knows is answered with no cases.
  if (!collection && caseIds.length === 0) {
    const failures = errorsIn(casesResult, collectionResult)
    return err(judge(failures) ?? { code: 'service/not-found', id: packageUid })
  }
  gaps.take('case', casesResult)
  if (!collectionResult.ok && collectionResult.error.code !== 'service/not-found')
    gaps.take('collections', collectionResult)

  const names = new Map<string, { name: string | null; identifier: string }>()
  for (const caseId of caseIds) {
    const known = seenCase(caseId)?.value
    if (known) names.set(caseId, { name: known.name, identifier: known.identifier })
  }
  const unnamed = caseIds.filter((caseId) => !names.has(caseId)).slice(0, mostCases)
  const read = await Promise.all(unnamed.map((caseId) => turns(() => v12.cases.get(caseId))))
  for (const detail of read) {
    const known = gaps.take('case', detail)
    if (known) names.set(known.uuid, { name: known.name ?? null, identifier: known.identifier })
  }
  return told(packageBody({ packageUid, cases, collection, names }), gaps)
}
