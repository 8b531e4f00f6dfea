import { z } from 'zod'
import type { Refusal } from './http/endpoint'
import { command, newShortUuid, query, type Store } from './store/query'

const Current = z
  .object({
    case_uuid: z.string(),
    packaged_product_uuid: z.string(),
    package_uid: z.string(),
    pos_product_id: z.string(),
    pos_inventory_id: z.string(),
    imported_on: z.string(),
    dispensary_uuid: z.string(),
    dispensary_name: z.string(),
    items_count: z.number(),
  })
  .transform(({ dispensary_uuid, dispensary_name, ...rest }) => ({
    ...rest,
    dispensary: { uuid: dispensary_uuid, name: dispensary_name },
  }))

/** A current import. */
export type CurrentImport = z.infer<typeof Current>

/** The current imports of all dispensaries, in order of arrival. */
export function listImports(store: Store): CurrentImport[] {
  return query(
    store,
    `SELECT i.case_uuid, i.packaged_product_uuid, i.package_uid, i.pos_product_id, i.pos_inventory_id, i.imported_on,
       i.dispensary_uuid, d.name AS dispensary_name,
       (SELECT count(*) FROM import_items ii WHERE ii.import_id = i.id) AS items_count
     FROM imports i JOIN dispensaries d ON d.uuid = i.dispensary_uuid ORDER BY i.id`,
    Current,
  ).all()
}

/** The case and the packaged product of an import. */
interface ImportSubject {
  case_uuid: string
  packaged_product_uuid: string
}

const ImportTotal = z.object({ n: z.number() })
const PackageHolder = z.object({ dispensary_uuid: z.string(), package_uid: z.string() })

const detail = (text: string): Refusal => ({ body: { detail: text } })

/**
 * Why an import is refused; undefined if it is allowed. Checked in this order: the case exists, no other dispensary has
 * scanned it, the packaged product is in it, it is not imported by us. Spec: Errors > Import errors.
 */
export function createImportRules(store: Store) {
  const theCase = query(
    store,
    `SELECT count(*) AS n FROM collections WHERE uuid = ? AND collection_type = 'case' AND removed_on IS NULL`,
    ImportTotal,
  )
  const itemsOfProduct = query(
    store,
    `SELECT count(*) AS n FROM memberships m JOIN tag_ids t ON t.uuid = m.tag_uuid
     WHERE m.collection_uuid = +? AND m.removed_on IS NULL AND t.packaged_product_uuid = +?`,
    ImportTotal,
  )
  /** Imports of the case, and imports through which its items came into inventory in another case. */
  const holders = query(
    store,
    `SELECT i.dispensary_uuid, i.package_uid FROM imports i WHERE i.case_uuid = +?
     UNION ALL
     SELECT i.dispensary_uuid, i.package_uid FROM memberships m JOIN import_items ii ON ii.tag_uuid = m.tag_uuid
       JOIN imports i ON i.id = ii.import_id WHERE m.collection_uuid = +? AND m.removed_on IS NULL`,
    PackageHolder,
  )
  const ownHolders = query(
    store,
    `SELECT i.dispensary_uuid, i.package_uid FROM imports i WHERE i.case_uuid = +? AND i.packaged_product_uuid = +?
     UNION ALL
     SELECT i.dispensary_uuid, i.package_uid FROM memberships m JOIN import_items ii ON ii.tag_uuid = m.tag_uuid
       JOIN tag_ids t ON t.uuid = m.tag_uuid JOIN imports i ON i.id = ii.import_id
     WHERE m.collection_uuid = +? AND m.removed_on IS NULL AND t.packaged_product_uuid = +? LIMIT 1`,
    PackageHolder,
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

/** One packaged product of one case in a dispensary's inventory. */
interface NewImport {
  case_uuid: string
  packaged_product_uuid: string
  dispensary_uuid: string
  package_uid: string
  pos_product_id: string
  pos_inventory_id: string
  sku: string | null
  imported_on: string
}

const Uuid = z.object({ uuid: z.string() })

/**
 * Writes an allowed import: its items, the POS package UID with its inventory collection, the catalog product and the
 * inventory package. Must be called inside a transaction. Spec: States and transitions.
 */
export function recordImport(store: Store, one: NewImport): void {
  const { dispensary_uuid, package_uid, imported_on } = one
  command(
    store,
    `INSERT INTO imports (case_uuid, packaged_product_uuid, dispensary_uuid, package_uid, pos_product_id,
       pos_inventory_id, imported_on) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )(
    one.case_uuid,
    one.packaged_product_uuid,
    dispensary_uuid,
    package_uid,
    one.pos_product_id,
    one.pos_inventory_id,
    imported_on,
  )
  command(
    store,
    `INSERT INTO import_items (tag_uuid, import_id)
     SELECT t.uuid, i.id FROM imports i
       JOIN memberships m ON m.collection_uuid = i.case_uuid AND m.removed_on IS NULL
       JOIN tag_ids t ON t.uuid = m.tag_uuid AND t.packaged_product_uuid = i.packaged_product_uuid
     WHERE i.case_uuid = ? AND i.packaged_product_uuid = ? ORDER BY m.rowid`,
  )(one.case_uuid, one.packaged_product_uuid)

  const inventory = inventoryCollection(store, one)
  command(
    store,
    `INSERT INTO memberships (collection_uuid, tag_uuid, added_on)
     SELECT ?, ii.tag_uuid, i.imported_on FROM import_items ii JOIN imports i ON i.id = ii.import_id
     WHERE i.case_uuid = ? AND i.packaged_product_uuid = ? ORDER BY ii.rowid
     ON CONFLICT DO UPDATE SET added_on = excluded.added_on, removed_on = NULL, removed_by_company_uuid = NULL`,
  )(inventory, one.case_uuid, one.packaged_product_uuid)
  command(
    store,
    `INSERT INTO pos_packages VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET updated_on = excluded.updated_on`,
  )(dispensary_uuid, package_uid, inventory, imported_on)
  command(
    store,
    `INSERT INTO catalog_products SELECT ?, ?, product_uuid, ?, ? FROM packaged_products WHERE uuid = ?
     ON CONFLICT DO UPDATE SET product_uuid = excluded.product_uuid, sku = coalesce(excluded.sku, sku),
       updated_on = excluded.updated_on`,
  )(dispensary_uuid, one.pos_product_id, one.sku, imported_on, one.packaged_product_uuid)
  command(
    store,
    `INSERT INTO inventory_packages VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET package_uid = excluded.package_uid, updated_on = excluded.updated_on`,
  )(dispensary_uuid, one.pos_inventory_id, package_uid, imported_on)
}

/** The collection for a POS package in a dispensary; created by its first import. */
function inventoryCollection(store: Store, one: NewImport): string {
  const { dispensary_uuid, package_uid, imported_on } = one
  // A package that is removed and imported again keeps its collection, so that its members keep the times when they
  // left.
  const existing = query(
    store,
    `SELECT uuid FROM collections WHERE collection_type = 'inventory' AND dispensary_uuid = ? AND identifier = ?`,
    Uuid,
  ).get(dispensary_uuid, package_uid)
  if (existing) return existing.uuid
  const uuid = newShortUuid()
  command(
    store,
    `INSERT INTO collections (uuid, identifier, collection_type, company_uuid, dispensary_uuid, added_on, body)
     SELECT ?, ?, 'inventory', company_uuid, uuid, ?, json_object('name', ?) FROM dispensaries WHERE uuid = ?`,
  )(uuid, package_uid, imported_on, package_uid, dispensary_uuid)
  return uuid
}

/** What an import removal covers; without a packaged product, everything in the package from the case. */
interface Removal {
  case_uuid: string
  package_uid: string
  packaged_product_uuid: string | null
}

const ImportRow = z.object({ id: z.number(), case_uuid: z.string(), packaged_product_uuid: z.string() })

/**
 * Removes imports: their records are deleted, and their items leave the inventory collection. The error says why not:
 * package UID unknown to the dispensary, case (or packaged product) not imported under it, items of it sold. Must be
 * called inside a transaction. Spec: States and transitions.
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
     WHERE ii.import_id = +?`,
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
    // A package UID is known while something is imported under it. The catalog product stays: it belongs to the POS.
    if (chosen.length === all.length) deletePackage(dispensaryUuid, package_uid)
    return undefined
  }
}
