import type { DataFile } from '../data-file'
import { hashSecret } from '../http/context'
import { recordImport } from '../imports'
import { fromData } from '../catalogue/products'
import { type Store, command } from './query'

/** Writes a parsed data file into empty tables. Must be called inside one transaction. */
export function seed(store: Store, data: DataFile): void {
  const setting = command(store, 'INSERT INTO settings VALUES (?, ?)')
  setting('tag_url', data.tag_url)
  setting('expires_in', String(data.expires_in))
  seedPeople(store, data)
  seedCatalogue(store, data)
  seedCollections(store, data)
  for (const { sku, ...one } of data.imports) recordImport(store, { ...one, sku })
}

function seedPeople(store: Store, data: DataFile): void {
  const company = command(store, 'INSERT INTO companies VALUES (?, ?)')
  for (const one of data.companies) company(one.uuid, one.name)
  const dispensary = command(store, 'INSERT INTO dispensaries VALUES (?, ?, ?, ?)')
  for (const one of data.dispensaries) dispensary(one.uuid, one.name, one.state, one.company_uuid)
  const brand = command(store, 'INSERT INTO brands VALUES (?, ?, ?)')
  for (const one of data.brands) brand(one.uuid, one.company_uuid, JSON.stringify(one))
  const account = command(store, 'INSERT INTO accounts VALUES (?, ?, ?, ?, ?, ?)')
  for (const one of data.accounts) {
    const { client_id, client_secret, product, company_uuid, brand_uuid, dispensary_uuid } = one
    account(client_id, hashSecret(client_secret), product, company_uuid, brand_uuid, dispensary_uuid)
  }
  const asset = command(store, 'INSERT INTO assets VALUES (?, ?, ?, ?)')
  for (const one of data.assets) asset(one.uuid, one.company_uuid, one.asset_type, JSON.stringify(one))
}

function seedCatalogue(store: Store, data: DataFile): void {
  const product = command(store, 'INSERT INTO products VALUES (?, ?, ?)')
  for (const one of data.products) product(one.uuid, one.brand_uuid, JSON.stringify(fromData(one)))
  const batch = command(store, 'INSERT INTO batches VALUES (?, ?, ?)')
  const packaged = command(store, 'INSERT INTO packaged_products VALUES (?, ?, ?, ?)')
  for (const { packaged_products, ...one } of data.batches) {
    batch(one.uuid, one.brand_uuid, JSON.stringify(one))
    for (const item of packaged_products) packaged(item.uuid, one.uuid, item.product_uuid, JSON.stringify(item))
  }
  const laboratory = command(store, 'INSERT INTO laboratories VALUES (?, ?)')
  for (const one of data.laboratories) laboratory(one.uuid, JSON.stringify(one))
  const coa = command(store, 'INSERT INTO digital_coas VALUES (?, ?, ?, ?)')
  for (const one of data.digital_coas) coa(one.uuid, one.batch_uuid, one.laboratory_uuid, JSON.stringify(one))
  seedTagIds(store, data)
}

function seedTagIds(store: Store, data: DataFile): void {
  const tag = command(store, 'INSERT INTO tag_ids VALUES (?, ?, ?, ?, ?, ?, ?)')
  for (const { uuid, created, paired_on, packaged_product_uuid, ...one } of data.tag_ids) {
    const { claimed_on, claimed_by_user_uuid, counterfeit_on } = one
    tag(uuid, created, paired_on, packaged_product_uuid, claimed_on, claimed_by_user_uuid, counterfeit_on)
  }
}

function seedCollections(store: Store, data: DataFile): void {
  const collection = command(store, 'INSERT INTO collections VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)')
  const member = command(store, 'INSERT INTO memberships VALUES (?, ?, ?, ?, ?, ?)')
  for (const { members, removed_members, ...one } of data.collections) {
    const { uuid, identifier, collection_type, company_uuid, dispensary_uuid, added_on, removed_on } = one
    const body = JSON.stringify(one)
    collection(uuid, identifier, collection_type, company_uuid, dispensary_uuid, added_on, removed_on, body)
    for (const each of members) {
      if (typeof each === 'string') member(uuid, each, added_on, null, null, null)
      else member(uuid, each.tag_id, each.added_on, each.added_by_company_uuid, null, null)
    }
    for (const { tag_id, ...each } of removed_members) {
      const { added_on, added_by_company_uuid, removed_on, removed_by_company_uuid } = each
      member(uuid, tag_id, added_on, added_by_company_uuid, removed_on, removed_by_company_uuid)
    }
  }
}
