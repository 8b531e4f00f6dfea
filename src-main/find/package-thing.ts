import type { Thing } from '../../src-shared/ipc/find-view'
import type { Collection } from '../../src-shared/service/collections'
import { type CaseFacts, caseName } from '../../src-shared/service/facts'
import type { PackageCases } from '../../src-shared/service/package-uids'
import type { Body } from './body'
import { count, facts, text, when } from './facts'
import { filled, link } from './links'

export interface PackageReads {
  packageUid: string
  cases: PackageCases | undefined
  /** The regulator's collection of that name. */
  collection: Collection | undefined
  /** Of its cases, those that were ever read. */
  read: readonly CaseFacts[]
}

/** A package: its cases, each with who imported it, and what the regulator's collection says. Spec: Package UID lookup entry. */
export function packageBody({ packageUid, cases, collection, read }: PackageReads): Body<'package'> {
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
    cases: Object.entries(cases?.case_ids ?? {}).map(([caseId, entry]): Thing<'package'>['cases'][number] => {
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
