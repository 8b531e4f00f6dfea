import { describe, expect } from 'vitest'
import { row } from './row'
import { flower, all, answer, at, caseId, importing, made, sale, value } from './values'
import { brands } from './world-catalogue'
import { cases, packageUids, tagIds } from './world-data'

describe('what the service does', () => {
  row('Purpose > catalogue', 'a product is made, packaged from a batch and given a text', async ({ maker }) => {
    const brand = at(await value(maker.v15.brands.list()))
    const product = await made(maker.v15.products.create({ ...flower, brand_uuid: brand.uuid }))
    const batch = await made(maker.v15.batches.create({ name: 'B-1', brand_uuid: brand.uuid }))
    const packaged = await made(maker.v15.packagedProducts.create(batch.uuid, { product_uuid: product.uuid }))
    const text = await made(maker.v15.assets.createText({ name: 'T', content: 'Fine.', usage: 'description' }))
    await value(maker.v15.products.change(product.uuid, { description_asset_uuid: text.uuid }))
    const detail = await value(maker.v15.batches.get(batch.uuid))
    expect(detail.packaged_products?.map(({ uuid }) => uuid)).toEqual([packaged.uuid])
    expect((await value(maker.v15.products.get(product.uuid))).description).toBe('Fine.')
  })

  row('Purpose > COAs', 'the COAs of a batch and of its packaged product can be read', async ({ maker }) => {
    const listed = await all(maker.v15.batches.list())
    const batch = await value(maker.v15.batches.get(at(listed.filter(({ name }) => name === 'BD-1')).uuid))
    const linked = [...(batch.digital_coa_uuids ?? []), ...(at(batch.packaged_products).digital_coa_uuids ?? [])]
    expect(linked).toHaveLength(2)
    for (const uuid of linked) expect((await value(maker.v15.digitalCoas.get(uuid))).batch_uuid).toBe(batch.uuid)
  })

  row(
    'Purpose > collections',
    'a TagID tells its collections; both leave each other and come back',
    async ({ maker }) => {
      const tag = at(tagIds.plain)
      const types = async () => (await value(maker.v15.items.get(tag))).collections.map((one) => one.collection_type)
      expect(new Set(await types())).toEqual(new Set(['case', 'regulator', 'origin', 'order', 'collection']))
      await value(maker.v15.collections.removeTagId(cases.plain, tag))
      expect(await types()).not.toContain('case')
      await value(maker.v15.collections.restoreTagId(cases.plain, tag))
      await value(maker.v15.collections.remove(cases.plain))
      expect(await types()).not.toContain('case')
      await value(maker.v15.collections.restore(cases.plain))
      expect(await types()).toContain('case')
    },
  )

  row('Purpose > inventory', 'a case is looked up, imported and taken back', async ({ shop }) => {
    const state = async () => (await value(shop.v12.packageUids.cases(packageUids.sent))).case_ids[caseId(cases.plain)]
    expect((await state())?.is_imported).toBe(false)
    const body = importing('plain')
    expect((await answer(shop.v12.imports.create(body))).status).toBe(200)
    expect((await state())?.is_imported).toBe(true)
    const { case_uuid, package_uid } = body
    expect((await answer(shop.v12.imports.remove({ case_uuid, package_uid }))).status).toBe(200)
    expect((await state())?.is_imported).toBe(false)
  })

  row(
    'Purpose > transactions',
    'a sale, a return and a void of imported TagIDs are taken',
    async ({ service, shop }) => {
      expect((await answer(shop.v12.transactions.complete(sale('1', tagIds.own)))).status).toBe(200)
      expect((await answer(shop.v12.transactions.return(sale('1', [at(tagIds.own)])))).status).toBe(200)
      const { performed_at, order_id } = sale('1', [])
      expect((await answer(shop.v12.transactions.void({ performed_at, order_id }))).status).toBe(200)
      expect(service.admin.transactions().map(({ kind }) => kind)).toEqual(['complete', 'return', 'void'])
    },
  )

  row('Purpose > account', 'each maker sees the brands of its own company only', async ({ maker, rival }) => {
    const ids = (list: { uuid: string }[]) => new Set(list.map(({ uuid }) => uuid))
    expect(ids(await value(maker.v15.brands.list()))).toEqual(new Set([brands.nj, brands.az, brands.mo]))
    expect(ids(await value(rival.v15.brands.list()))).toEqual(new Set([brands.rival]))
  })

  row(
    'Purpose > products',
    'sourcing and retail accounts get tokens at their own addresses only',
    async ({ service }) => {
      const ask = async (client: string, product: string) => {
        const form = { grant_type: 'client_credentials', client_id: client, client_secret: `${client}-secret` }
        const url = `${service.authUrl}/${product}/o/token/`
        return (await fetch(url, { method: 'POST', body: new URLSearchParams(form) })).status
      }
      expect(await ask('maker', 'sourcing')).toBe(200)
      expect(await ask('shop', 'retail')).toBe(200)
      expect(await ask('maker', 'retail')).toBe(401)
      expect(await ask('shop', 'sourcing')).toBe(401)
    },
  )
})
