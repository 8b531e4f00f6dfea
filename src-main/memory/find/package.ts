import type { PackageUid } from '../../../src-shared/ids'
import type { Entity } from '../../../src-shared/ipc/contract/find'
import { err } from '../../../src-shared/result'
import type { Collection } from '../../../src-shared/service/collections'
import { type CaseFacts, caseName } from '../../../src-shared/service/facts'
import type { PackageCases } from '../../../src-shared/service/imports'
import type { ReadCase } from '../lookup'
import type { Memory } from '../store'
import { type Asked, type Asking, type EntityBody, answer, createMissing, errorsIn, judge, valueOf } from './asking'
import { count, facts, text, when } from './facts'
import { filled, link } from './links'

/** Cases that are read one by one for their names, if they are not remembered. */
const mostCases = 12

/** A package: the look-up of its cases, and the regulator's collection of that name. Spec: Package UID lookup. */
export async function askPackage(
  { v12, limit }: Asking,
  packageUid: PackageUid,
  memory: Pick<Memory, 'case'>,
  readCase: ReadCase,
): Promise<Asked> {
  const missing = createMissing()
  const [casesResult, collectionResult] = await Promise.all([
    limit(() => v12.packageUids.cases(packageUid)),
    limit(() => v12.collections.get(packageUid)),
  ])
  const [cases, collection] = [valueOf(casesResult), valueOf(collectionResult)]
  const caseIds = Object.keys(cases?.case_ids ?? {})
  // An unknown package is answered with no cases.
  if (!collection && caseIds.length === 0) {
    const failures = errorsIn(casesResult, collectionResult)
    return err(judge(failures) ?? { code: 'service/not-found', id: packageUid })
  }
  missing.take('case', casesResult)
  if (!collectionResult.ok && collectionResult.error.code !== 'service/not-found')
    missing.take('collections', collectionResult)

  const cached = caseIds.flatMap((caseId) => memory.case(caseId)?.value ?? [])
  const isKnown = new Set<string>(cached.map(({ caseId }) => caseId))
  const unread = caseIds.filter((caseId) => !isKnown.has(caseId)).slice(0, mostCases)
  const answers = await Promise.all(unread.map((caseId) => limit(() => readCase(caseId))))
  const read = [...cached, ...answers.flatMap((one) => missing.take('case', one) ?? [])]
  return answer(packageBody({ packageUid, cases, collection, read }), missing)
}

interface PackageReads {
  packageUid: string
  cases: PackageCases | undefined
  /** The regulator's collection of that name. */
  collection: Collection | undefined
  /** Those of its cases that were ever read. */
  read: readonly CaseFacts[]
}

/** A package: its cases, each with who imported it, and what the regulator's collection says. Spec: Package UID lookup entry. */
export function packageBody({ packageUid, cases, collection, read }: PackageReads): EntityBody<'package'> {
  const byId = new Map<string, CaseFacts>(read.map((one) => [one.caseId, one]))
  return {
    kind: 'package',
    ref: { kind: 'package', id: packageUid },
    name: filled(collection?.name === packageUid ? null : collection?.name),
    facts: facts(
      text('package-uid', packageUid),
      text('type', collection?.collection_type),
      text('sub-type', collection?.sub_type),
      text('company', collection?.company_name),
      text('transfer', collection?.transfer_regulator_uid),
      count('tag-count', collection?.tag_ids_count ?? collection?.items.length),
      when('added-on', collection?.added_on),
      when('removed-on', collection?.removed_on),
    ),
    cases: Object.entries(cases?.case_ids ?? {}).map(([caseId, entry]): Entity<'package'>['cases'][number] => {
      const known = byId.get(caseId)
      return {
        link: link(
          'collection',
          caseId,
          known && caseName(known),
          known?.identifier === caseId ? null : known?.identifier,
        ),
        isImported: entry.is_imported,
        importedOn: filled(entry.imported_on),
        dispensary: filled(entry.dispensary?.name),
        packageUid: filled(entry.package_uid),
      }
    }),
  }
}

/** A package that Find never showed, from its cases as receiving saw them. */
export function packageFromFacts(
  memory: Pick<Memory, 'case'>,
  packageUid: string,
  cases: PackageCases,
): EntityBody<'package'> {
  const read = Object.keys(cases.case_ids).flatMap((caseId) => memory.case(caseId)?.value ?? [])
  return packageBody({ packageUid, cases, collection: undefined, read })
}
