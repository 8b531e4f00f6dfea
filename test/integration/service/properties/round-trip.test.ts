import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { OrderId, PackageUid } from '../../../../src-shared/ids'
import type { PackagedProductCreate } from '../../../../src-shared/service/batches'
import { ProductCreate, ProductPatch } from '../../../../src-shared/service/product-requests'
import { answer, importing, made, removing, tagId, value } from '../values'
import { type World, openWorld } from '../world'
import { batches } from '../world-catalogue'
import { cases, tagIds } from '../world-data'
import {
  batchCreate,
  batchUpdate,
  fileBytes,
  line,
  moment,
  name,
  packagedProduct,
  productCreate,
  productPatch,
  textAsset,
} from './arbitraries'

const runs = { numRuns: 60 }
const Measured = z.object({ name: z.string().optional(), value: z.union([z.string(), z.number()]), unit: z.string() })

/** What a written product reads like: measures have a name, and statements are there when they say something. */
function asRead(written: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(written).flatMap(([field, was]: [string, unknown]): [string, unknown][] => {
      if (field === 'brand_uuid') return []
      if (field.endsWith('_statement') && was === '') return []
      const measure = Measured.safeParse(was)
      return [[field, measure.success ? { name: '', ...measure.data } : was]]
    }),
  )
}

describe('what a writing schema accepts, the service takes and gives back', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world.close())

  it('products, created and replaced', async () => {
    const { products: api } = world.maker.v15
    await fc.assert(
      fc.asyncProperty(productCreate, productCreate, async (first, second) => {
        const { uuid } = await made(api.create(first))
        expect(await value(api.get(uuid))).toMatchObject(
          asRead(z.decode(ProductCreate, z.encode(ProductCreate, first))),
        )
        const { brand_uuid: _, ...whole } = second
        await value(api.replace(uuid, whole))
        expect(await value(api.get(uuid))).toMatchObject(asRead(whole))
      }),
      runs,
    )
  })

  it('changes of a product, which leave the rest as it was', async () => {
    const { products: api } = world.maker.v15
    await fc.assert(
      fc.asyncProperty(productCreate, productPatch, async (product, patch) => {
        const { uuid } = await made(api.create(product))
        const { updated_on: _, ...before } = await value(api.get(uuid))
        await value(api.change(uuid, patch))
        const changed = asRead(z.decode(ProductPatch, z.encode(ProductPatch, patch)))
        const emptied = ['allergen_statement', 'special_diet_statement'].filter((one) => Reflect.get(patch, one) === '')
        const kept = Object.entries(before).filter(([field]) => !emptied.includes(field))
        expect(await value(api.get(uuid))).toMatchObject({ ...Object.fromEntries(kept), ...changed })
      }),
      runs,
    )
  })

  it('batches, created and updated', async () => {
    const { batches: api } = world.maker.v15
    await fc.assert(
      fc.asyncProperty(batchCreate, batchUpdate, async (batch, update) => {
        const { uuid } = await made(api.create(batch))
        expect(await value(api.get(uuid))).toMatchObject(batch)
        await value(api.update(uuid, update))
        expect(await value(api.get(uuid))).toMatchObject({ ...batch, ...update })
      }),
      runs,
    )
  })

  it('packaged products, created, replaced and deleted', async () => {
    const { batches: batchesApi, packagedProducts: api } = world.maker.v15
    const read = async (uuid: string) => {
      const { packaged_products } = await value(batchesApi.get(batches.flower))
      return packaged_products?.find((one) => one.uuid === uuid)
    }
    const shown = ({ product_uuid, ...rest }: PackagedProductCreate) => ({
      ...rest,
      product: { uuid: product_uuid },
    })
    await fc.assert(
      fc.asyncProperty(packagedProduct, packagedProduct, async (first, second) => {
        const { uuid } = await made(api.create(batches.flower, first))
        expect(await read(uuid)).toMatchObject(shown(first))
        await value(api.replace(batches.flower, uuid, second))
        expect(await read(uuid)).toMatchObject(shown(second))
        await value(api.delete(batches.flower, uuid))
        expect(await read(uuid)).toBeUndefined()
      }),
      runs,
    )
  })

  it('texts and files, byte by byte', async () => {
    const { assets } = world.maker.v15
    await fc.assert(
      fc.asyncProperty(textAsset, name, fileBytes, async (text, title, bytes) => {
        const { uuid } = await made(assets.createText(text))
        expect(await value(assets.get('texts', uuid))).toMatchObject(text)
        await value(assets.deleteText(uuid))
        const content = Buffer.from(bytes).toString('base64')
        const file = await made(assets.createFile({ name: title, content }))
        const served = await (await fetch(file.content)).arrayBuffer()
        expect(Buffer.from(served).toString('base64')).toBe(content)
      }),
      runs,
    )
  })

  it('imports, taken and taken back', async () => {
    const { imports, packageUids } = world.shop.v12
    await fc.assert(
      fc.asyncProperty(name, name, name, line, async (packageUid, product, inventory, sku) => {
        const package_uid = PackageUid.parse(packageUid)
        const body = { ...importing('plain'), package_uid, pos_product_id: product, pos_inventory_id: inventory, sku }
        const { case_uuid, packaged_product_uuid } = body
        expect(await answer(imports.create(body))).toEqual({
          status: 200,
          json: { case_uuid, packaged_product_uuid, package_uid },
        })
        const held = world.service.admin.imports().find((one) => one.case_uuid === cases.plain)
        expect(held).toMatchObject({ package_uid, pos_product_id: product, pos_inventory_id: inventory })
        const found = await value(packageUids.cases(packageUid))
        expect(found.case_ids[case_uuid]).toMatchObject({ is_imported: true, package_uid })
        expect((await answer(imports.remove(removing('plain', packageUid)))).status).toBe(200)
      }),
      runs,
    )
  })

  it('sales, returns and voids', async () => {
    const { transactions } = world.shop.v12
    const last = () => world.service.admin.transactions().at(-1)
    const used = new Set<string>()
    const some = fc.subarray(tagIds.own, { minLength: 1 })
    await fc.assert(
      fc.asyncProperty(name, moment, some, line, async (order, performed_at, sold, customer_id) => {
        fc.pre(!used.has(order))
        used.add(order)
        const order_id = OrderId.parse(order)
        const items = sold.map(tagId)
        const report = { order_id, performed_at, customer_id, budtender_id: customer_id }
        expect((await answer(transactions.complete({ ...report, items }))).status).toBe(200)
        expect(last()).toMatchObject({ kind: 'complete', order_id, performed_at, items })
        expect((await answer(transactions.return({ ...report, items: items.slice(0, 1) }))).status).toBe(200)
        expect(last()).toMatchObject({ kind: 'return', order_id, performed_at, items: items.slice(0, 1) })
        expect((await answer(transactions.void(report))).status).toBe(200)
        expect(last()).toMatchObject({ kind: 'void', order_id, performed_at, items: items.slice(1) })
      }),
      runs,
    )
  })

  it('TagIDs of a case, added and removed', async () => {
    const { collections } = world.maker.v15
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...tagIds.free), { minLength: 1, maxLength: 6 }), async (added) => {
        const present = async () => (await value(collections.get(cases.plain))).items.map((item) => String(item.tag_id))
        await value(collections.addItems(cases.plain, added.map(tagId)))
        expect(new Set(await present())).toEqual(new Set([...tagIds.plain, ...added]))
        for (const tag of new Set(added)) await value(collections.removeTagId(cases.plain, tag))
        expect(await present()).toEqual(tagIds.plain)
      }),
      { numRuns: 20 },
    )
  })
})
