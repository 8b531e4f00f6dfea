import { z } from 'zod'
import type { Refusal } from '../http/answers'
import { type Store, command, query } from '../store/query'

/** What an import removal names; without a packaged product it means all that the package holds of the case. */
export interface Removal {
  case_uuid: string
  package_uid: string
  packaged_product_uuid: string | null
}

const ImportRow = z.object({ id: z.number(), case_uuid: z.string(), packaged_product_uuid: z.string() })

/**
 * Takes imports back: their records go, and their items leave the inventory collection. Answers why not: package UID
 * unknown to the dispensary, case (or packaged product) not imported under it, items of it sold. Call it inside a
 * transaction. Spec: States and transitions.
 */
export function createImportRemoval(store: Store, now: () => Date) {
  const ofPackage = query(
    store,
    'SELECT id, case_uuid, packaged_product_uuid FROM imports WHERE dispensary_uuid = ? AND package_uid = ?',
    ImportRow,
  )
  const sold = query(
    store,
    `SELECT count(*) AS n FROM import_items ii JOIN order_items o ON o.tag_uuid = ii.tag_uuid AND o.freed_at IS NULL
     WHERE ii.import_id = ?`,
    z.object({ n: z.number() }),
  )
  const leaveInventory = command(
    store,
    `UPDATE memberships SET removed_on = ?,
       removed_by_company_uuid = (SELECT company_uuid FROM dispensaries WHERE uuid = ?)
     WHERE collection_uuid =
         (SELECT inventory_collection_uuid FROM pos_packages WHERE dispensary_uuid = ? AND package_uid = ?)
       AND tag_uuid IN (SELECT tag_uuid FROM import_items WHERE import_id = ?)`,
  )
  const deleteImport = command(store, 'DELETE FROM imports WHERE id = ?')
  const deletePackage = command(store, 'DELETE FROM pos_packages WHERE dispensary_uuid = ? AND package_uid = ?')
  const deleteInventory = command(
    store,
    `DELETE FROM inventory_packages WHERE dispensary_uuid = ? AND package_uid = ? AND pos_inventory_id NOT IN
       (SELECT pos_inventory_id FROM imports WHERE dispensary_uuid = ? AND package_uid = ?)`,
  )

  return function remove(removal: Removal, dispensaryUuid: string): Refusal | undefined {
    const { case_uuid, package_uid, packaged_product_uuid: packaged } = removal
    const all = ofPackage.all(dispensaryUuid, package_uid)
    if (all.length === 0) return { body: { detail: `POS Package UID not found for package_uid=${package_uid}.` } }
    const chosen = all.filter(
      (one) => one.case_uuid === case_uuid && (packaged === null || one.packaged_product_uuid === packaged),
    )
    if (chosen.length === 0) {
      return { body: { detail: `Items in CaseID ${case_uuid} are not imported into inventory ${package_uid}.` } }
    }
    if (chosen.some(({ id }) => sold.get(id)?.n !== 0)) {
      return { body: { detail: `Items in CaseID ${case_uuid} have been sold and stay in inventory ${package_uid}.` } }
    }
    for (const { id } of chosen) {
      leaveInventory(now().toISOString(), dispensaryUuid, dispensaryUuid, package_uid, id)
      deleteImport(id)
    }
    deleteInventory(dispensaryUuid, package_uid, dispensaryUuid, package_uid)
    // A package UID is known as long as something is imported under it. The catalog product stays: it is of the POS.
    if (chosen.length === all.length) deletePackage(dispensaryUuid, package_uid)
    return undefined
  }
}
