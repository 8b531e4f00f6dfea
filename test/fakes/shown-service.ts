import type { CaseId, PackageUid, ShortUuid, TagId } from '../../src-shared/ids'
import { type Result, err, ok } from '../../src-shared/result'
import { CaseDetail, Collection } from '../../src-shared/service/collections'
import { Item } from '../../src-shared/service/items'
import { PackageCases } from '../../src-shared/service/imports'
import type { IdentifyClient } from '../../src-main/outbox/reconcile'
import type { ReconcileParts } from '../../src-main/outbox/evidence'
import type { ServiceError } from '../../src-main/service/reply'

/** The service's answer for an item. */
export interface ShownItem {
  tagId: TagId
  soldAt?: string | null
  packageUid?: PackageUid | null
  packagedProductId?: ShortUuid
}

export interface ShownImport {
  isImported: boolean
  packageUid: PackageUid | null
  /** The dispensary's id; if omitted, the answer names no dispensary. */
  dispensary?: string
  /** If omitted, the answer has no time. */
  importedOn?: string
}

/** A service that answers with whatever a test sets, and records its requests. */
export function shownService() {
  const cases = new Map<CaseId, { items: ShownItem[]; removed: ShownItem[] }>()
  const packages = new Map<PackageUid, Partial<Record<CaseId, ShownImport>>>()
  const failing = new Map<string, ServiceError>()
  const asked: string[] = []

  const answer = <T>(what: string, value: () => T | undefined): Promise<Result<T, ServiceError>> => {
    asked.push(what)
    const failure = failing.get(what)
    if (failure) return Promise.resolve(err(failure))
    const found = value()
    return Promise.resolve(found === undefined ? err({ code: 'service/not-found', id: what }) : ok(found))
  }
  const wireItem = ({ tagId, soldAt, packageUid, packagedProductId }: ShownItem) => ({
    tag_id: tagId,
    sold_at_dispensary_on: soldAt,
    pos_package_uid: packageUid,
    packaged_product_uuid: packagedProductId,
  })
  /** A separate product for each packaged product. */
  const productOf = ({ packagedProductId }: ShownItem) => ({ product_uuid: packagedProductId })
  const wireCase = (caseId: string) => ({ uuid: caseId, identifier: 'C', collection_type: 'case' })

  const client: ReconcileParts['client'] & IdentifyClient = {
    collections: {
      get: (caseId) =>
        answer(`case ${caseId}`, () => {
          const shown = [...cases].find(([one]) => one === caseId)?.[1]
          return (
            shown &&
            Collection.parse({
              ...wireCase(caseId),
              items: shown.items.map(wireItem),
              removed_items: shown.removed.map(wireItem),
            })
          )
        }),
    },
    cases: {
      get: (id) =>
        answer(`detail ${id}`, () => {
          const shown = [...cases].find(([one]) => one === id)?.[1]
          const items = shown?.items.map((item, n) => ({ tag_id: item.tagId, ...productOf(item), n }))
          const products = new Set(shown?.items.map((item) => item.packagedProductId))
          return (
            items &&
            CaseDetail.parse({
              ...wireCase(id),
              items,
              packaged_products: [...products].flatMap((uuid) => (uuid ? [{ uuid, product_uuid: uuid }] : [])),
            })
          )
        }),
    },
    items: {
      get: (tagId) =>
        answer(`item ${tagId}`, () => {
          const holder = [...cases].find(([, { items }]) => items.some((item) => item.tagId === tagId))?.[0]
          const leaver = [...cases].find(([, { removed }]) => removed.some((item) => item.tagId === tagId))
          if (!holder && !leaver) return undefined
          return Item.parse({ uuid: tagId, collections: holder ? [wireCase(holder)] : [] })
        }),
    },
    packageUids: {
      cases: (packageUid) =>
        answer(`package ${packageUid}`, () => {
          const held = [...packages].find(([one]) => one === packageUid)?.[1] ?? {}
          const entries = Object.entries(held).map(([caseId, shown]): [string, unknown] => [
            caseId,
            shown && {
              is_imported: shown.isImported,
              package_uid: shown.packageUid,
              imported_on: shown.importedOn,
              dispensary: shown.dispensary === undefined ? null : { uuid: shown.dispensary, name: 'D' },
            },
          ])
          return PackageCases.parse({ package_uid: packageUid, case_ids: Object.fromEntries(entries) })
        }),
    },
  }
  return {
    client,
    asked,
    /** The items in a case now, and the items taken out of it. */
    showCase: (caseId: CaseId, items: ShownItem[], removed: ShownItem[] = []) =>
      void cases.set(caseId, { items, removed }),
    showPackage: (packageUid: PackageUid, held: Partial<Record<CaseId, ShownImport>>) =>
      void packages.set(packageUid, held),
    /** Makes one request fail, named as in `asked`. */
    fail: (what: string, error: ServiceError) => void failing.set(what, error),
  }
}
export type ShownService = ReturnType<typeof shownService>
