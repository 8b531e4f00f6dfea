import { z } from 'zod'
import type { Refusal } from '../http/answers'
import { type Store, query } from '../store/query'

/** The case and the packaged product that an import names. */
export interface ImportSubject {
  case_uuid: string
  packaged_product_uuid: string
}

const Count = z.object({ n: z.number() })
const Holder = z.object({ dispensary_uuid: z.string(), package_uid: z.string() })

const detail = (text: string): Refusal => ({ body: { detail: text } })

/**
 * Why an import may not be: undefined when it may. Checked in this order: the case exists, no other dispensary has
 * scanned it, the packaged product is in it, it is not imported by us. Spec: Errors > Import errors.
 */
export function createImportRules(store: Store) {
  const theCase = query(
    store,
    `SELECT count(*) AS n FROM collections WHERE uuid = ? AND collection_type = 'case' AND removed_on IS NULL`,
    Count,
  )
  const itemsOfProduct = query(
    store,
    `SELECT count(*) AS n FROM memberships m JOIN tag_ids t ON t.uuid = m.tag_uuid
     WHERE m.collection_uuid = ? AND m.removed_on IS NULL AND t.packaged_product_uuid = ?`,
    Count,
  )
  /** Imports of the case, and those by which its items came into inventory in another case. */
  const holders = query(
    store,
    `SELECT i.dispensary_uuid, i.package_uid FROM imports i WHERE i.case_uuid = ?
     UNION ALL
     SELECT i.dispensary_uuid, i.package_uid FROM memberships m JOIN import_items ii ON ii.tag_uuid = m.tag_uuid
       JOIN imports i ON i.id = ii.import_id WHERE m.collection_uuid = ? AND m.removed_on IS NULL`,
    Holder,
  )
  const ownHolders = query(
    store,
    `SELECT i.dispensary_uuid, i.package_uid FROM imports i WHERE i.case_uuid = ? AND i.packaged_product_uuid = ?
     UNION ALL
     SELECT i.dispensary_uuid, i.package_uid FROM memberships m JOIN import_items ii ON ii.tag_uuid = m.tag_uuid
       JOIN tag_ids t ON t.uuid = m.tag_uuid JOIN imports i ON i.id = ii.import_id
     WHERE m.collection_uuid = ? AND m.removed_on IS NULL AND t.packaged_product_uuid = ? LIMIT 1`,
    Holder,
  )

  return function refusal(subject: ImportSubject, dispensaryUuid: string): Refusal | undefined {
    const { case_uuid, packaged_product_uuid } = subject
    if (theCase.get(case_uuid)?.n === 0) return { body: { case_uuid: [`CaseID ${case_uuid} does not exist.`] } }
    if (holders.all(case_uuid, case_uuid).some((holder) => holder.dispensary_uuid !== dispensaryUuid)) {
      return detail('This case has already been scanned for another dispensary.')
    }
    if (itemsOfProduct.get(case_uuid, packaged_product_uuid)?.n === 0) {
      const message = `Packaged product ${packaged_product_uuid} is not in CaseID ${case_uuid}.`
      return { body: { packaged_product_uuid: [message] } }
    }
    const own = ownHolders.get(case_uuid, packaged_product_uuid, case_uuid, packaged_product_uuid)
    if (own) return detail(`Items in CaseID ${case_uuid} are already imported into inventory ${own.package_uid}.`)
    return undefined
  }
}
