import type { AppError } from '../../src-shared/errors'
import type { PackageUid } from '../../src-shared/ids'
import { type Result, err } from '../../src-shared/result'
import type { CaseFacts } from '../../src-shared/service/facts'
import { type Asking, type Found, errorsIn, told, valueOf } from './ask'
import { createGaps, judge } from './gaps'
import { packageBody } from './package-thing'

/** Cases that are read one by one for their names, where nobody has read them before. */
const mostCases = 12

/** Cases as this station remembers them. What is read is remembered. */
export interface Cases {
  remembered(caseId: string): CaseFacts | undefined
  read(caseId: string): Promise<Result<CaseFacts, AppError>>
}

/** A package: the look-up of its cases, and the regulator's collection of that name. Spec: Package UID lookup. */
export async function askPackage({ v12, turns }: Asking, packageUid: PackageUid, known: Cases): Promise<Found> {
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

  const remembered = caseIds.flatMap((caseId) => known.remembered(caseId) ?? [])
  const isKnown = new Set<string>(remembered.map(({ caseId }) => caseId))
  const unread = caseIds.filter((caseId) => !isKnown.has(caseId)).slice(0, mostCases)
  const answers = await Promise.all(unread.map((caseId) => turns(() => known.read(caseId))))
  const read = [...remembered, ...answers.flatMap((one) => gaps.take('case', one) ?? [])]
  return told(packageBody({ packageUid, cases, collection, read }), gaps)
}
