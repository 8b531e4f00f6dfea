import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PracticeService } from '../../../src-practice/start'
import { isShortUuid, toUuid } from '../../../src-shared/ids'
import { Item } from '../../../src-shared/service/items'
import { Product } from '../../../src-shared/service/products'
import { type ServiceCaller, callerOf, performed_at, sale, shop, sister, start, stranger } from './practice'
import { blueDune, data, delivery, onSale, picturesDir, short, single, tag } from './sample'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Collection } from '../../../src-shared/service/collections'

const collectionKeys = `uuid identifier name collection_type added_on is_public is_removed removed_on sub_type items
  removed_items uuid_legacy company_uuid company_name activated_on last_audited_on imported_to_inventory_on url_version
  gtin_code data required_product_uuid required_items_per_caseid template transfer_regulator_uid tag_ids_count
  synced_collections collection_url packaged_products digital_coa_uuids inventory_collections regulator_licenses`
const itemKeys = `tag_id added_on removed_on removed_by_company_uuid tag_id_legacy product_uuid batch_uuid
  packaged_product_uuid pos_package_uid brand_uuid sell_in_age sell_out_age sold_at_dispensary_on
  imported_to_inventory_on paired_on last_audited_on regulator_licenses added_by removed_by added_by_company_name
  removed_by_company_name claimed_on tagid_url`
const keys = (text: string) => text.split(/\s+/).sort()

describe('reading', () => {
  let service: PracticeService
  let caller: ServiceCaller
  beforeAll(async () => {
    service = await start()
    caller = await callerOf(service, shop)
  })
  afterAll(() => service.close())

  const collection = async (identifier: string, as = caller) => {
    const answer = await as.get(`collections/${encodeURIComponent(identifier)}/`)
    expect(answer.status).toBe(200)
    return Collection.parse(answer.body)
  }

  describe('a TagID', () => {
    it('names its product, its printed address and the collections that hold it, the earliest first', async () => {
      const answer = await caller.get(`items/${tag(blueDune, 0)}/`)
      const item = Item.parse(answer.body)
      expect(item).toMatchObject({
        tagid_url: `https://tag.example/${tag(blueDune, 0)}`,
        product_uuid: blueDune.productUuid,
      })
      expect(item.collections.map((one) => one.collection_type)).toEqual(['case', 'regulator', 'regulator'])
      expect(item.collections[0]).toMatchObject({
        uuid: blueDune.uuid,
        tag_ids_count: 24,
        company_name: 'Hudson Fields Farms LLC',
        collection_url: `https://tag.example/case/${blueDune.uuid}`,
        removed_on: null,
      })
      expect(item.removed_collections).toEqual([])
    })

    it('is found by its UUID as well', async () => {
      expect(Item.parse((await caller.get(`items/${toUuid(single) ?? ''}/`)).body).uuid).toBe(single)
    })

    it('that was taken out of its case lists the case as removed', async () => {
      const removed = (await collection(short.identifier)).removed_items?.[0]
      const item = Item.parse((await caller.get(`items/${removed?.tag_id ?? ''}/`)).body)
      expect(item.collections.map((one) => one.uuid)).not.toContain(short.uuid)
      expect(item.removed_collections).toMatchObject([{ uuid: short.uuid, removed_on: removed?.removed_on }])
    })

    it('that is in no case has no collections', async () => {
      expect(Item.parse((await caller.get(`items/${single}/`)).body).collections).toEqual([])
    })

    it('shows an inventory collection to its own company only', async () => {
      const types = async (client: string) =>
        Item.parse((await (await callerOf(service, client)).get(`items/${tag(onSale, 0)}/`)).body).collections.map(
          (one) => one.collection_type,
        )
      expect(await types(sister)).toContain('inventory')
      expect(await types(stranger)).not.toContain('inventory')
    })

    it.each(['', 'nonsense', 'zzzzzzzzzzzzzzzzzzzzzz', blueDune.uuid, '%E0%A4%A', '%00', "' OR 1=1 --"])(
      'is 404 if unknown: %j',
      async (id) => {
        expect(await caller.get(`items/${id}/`)).toMatchObject({ status: 404, body: { detail: 'Not found.' } })
      },
    )
  })

  describe('a collection', () => {
    it('has every field of the specification, and so have its items', async () => {
      const found = await collection(short.identifier)
      expect(Object.keys(found).sort()).toEqual(keys(collectionKeys))
      expect(Object.keys(found.items[0] ?? {}).sort()).toEqual(keys(itemKeys))
    })

    it('speaks ShortUUID wherever it says uuid', async () => {
      const found = await collection(onSale.identifier)
      const ids = JSON.stringify(found).matchAll(/"\w*(?:uuids?|tag_id)":(?:"([^"]+)"|\[([^\]]*)\])/g)
      const texts = [...ids].flatMap(([, one, many]) => [one, ...(many ?? '').replaceAll('"', '').split(',')])
      expect(texts.filter((text) => text !== undefined && text !== '' && !isShortUuid(text))).toEqual([])
    })

    it('gives its required count, and lists present and removed items', async () => {
      const found = await collection(short.identifier)
      expect(found).toMatchObject({ tag_ids_count: 18, required_items_per_caseid: 20, data: { members_count: 18 } })
      expect(found.items).toHaveLength(18)
      expect(found.removed_items).toHaveLength(2)
      expect(found.removed_items?.[0]).toMatchObject({ removed_by_company_name: 'Hudson Fields Farms LLC' })
    })

    it('shows when its items were imported and sold, and the package UID to their own company only', async () => {
      const [first, second] = [tag(onSale, 18), tag(onSale, 19)]
      expect((await caller.post('transactions/complete/', sale('reading', [first]))).status).toBe(200)
      const found = await collection(onSale.identifier)
      expect(found.imported_to_inventory_on).toBe('2026-10-03T14:20:00Z')
      expect(found.inventory_collections).toMatchObject([{ identifier: delivery(3), collection_type: 'inventory' }])
      expect(found.items.find((item) => item.tag_id === first)).toMatchObject({
        sold_at_dispensary_on: performed_at,
        imported_to_inventory_on: '2026-10-03T14:20:00Z',
        pos_package_uid: delivery(3),
        tagid_url: `https://tag.example/${first}`,
      })
      expect(found.items.find((item) => item.tag_id === second)?.sold_at_dispensary_on).toBeNull()

      const seenByStranger = await collection(onSale.identifier, await callerOf(service, stranger))
      expect(seenByStranger.inventory_collections).toEqual([])
      expect(seenByStranger.items.find((item) => item.tag_id === first)).toMatchObject({
        sold_at_dispensary_on: performed_at,
        pos_package_uid: null,
      })
    })

    it('is found by identifier, ShortUUID and UUID', async () => {
      const uuid = data.collections.find((one) => one.identifier === delivery(1))?.uuid ?? ''
      for (const identifier of [delivery(1), uuid, toUuid(uuid) ?? '']) {
        expect((await collection(identifier)).uuid).toBe(uuid)
      }
    })

    it('of the regulator takes precedence over our inventory of the same package', async () => {
      expect((await collection(delivery(3))).collection_type).toBe('regulator')
    })

    it.each(['nonsense', '1A4', '%2F', '%', 'a%2Fb%20c'])('is 404 if unknown: %j', async (identifier) => {
      expect(await caller.get(`collections/${identifier}/`)).toMatchObject({
        status: 404,
        body: { detail: 'Not found.' },
      })
    })
  })

  describe('a product', () => {
    it('shows names instead of codes, and its picture', async () => {
      const product = Product.parse((await caller.get(`products/${onSale.productUuid}/`)).body)
      expect(product).toMatchObject({
        product_type: 'Pre-rolls',
        usage: 'Recreational',
        variety: 'Sativa dominant',
        images: {
          primary: { url: `${service.baseUrl}/media/palisades.svg`, mime_type: 'image/svg+xml' },
          supplemental: null,
        },
      })
      expect(product.description).toMatch(/^<p>/)
    })

    it('is 404 if unknown', async () => {
      for (const id of ['nonsense', blueDune.uuid]) expect((await caller.get(`products/${id}/`)).status).toBe(404)
    })
  })

  describe('a picture', () => {
    it('needs no token, and can run no script', async () => {
      const response = await fetch(`${service.baseUrl}/media/palisades.svg`)
      expect(response.status).toBe(200)
      expect(response.headers.get('Content-Type')).toBe('image/svg+xml')
      expect(response.headers.get('Content-Security-Policy')).toBe(
        "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      )
      expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff')
      expect(await response.text()).toBe(readFileSync(join(picturesDir, 'palisades.svg'), 'utf8'))
    })

    it.each(['none.svg', '..%2Fstore.json', '..%5Cstore.json', '%2e%2e%2fstore.json', 'store.json', '.'])(
      'outside the pictures folder is 404: %j',
      async (file) => {
        expect((await fetch(`${service.baseUrl}/media/${file}`)).status).toBe(404)
      },
    )

    it('is null in payloads of a service without pictures', async () => {
      const bare = await start({ picturesDir: undefined })
      try {
        const other = await callerOf(bare, shop)
        const product = Product.parse((await other.get(`products/${onSale.productUuid}/`)).body)
        expect(product.images).toMatchObject({ primary: null })
      } finally {
        await bare.close()
      }
    })
  })
})
