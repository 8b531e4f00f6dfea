import { describe, expect } from 'vitest'
import { someList } from '../practice/practice'
import { row } from './row'
import { answer, at, importing, refusal, removing, shortId, value } from './values'
import { packaged, products } from './world-catalogue'
import { cases, dispensaries, packageUids, tagIds } from './world-data'

describe('imports', () => {
  row('POST /api/v1.2/caseids/import/', 'answers what it imported', async ({ shop }) => {
    const body = importing('plain', 'PKG-9')
    expect(await answer(shop.v12.imports.create(body))).toEqual({
      status: 200,
      json: { case_uuid: cases.plain, packaged_product_uuid: packaged.flower, package_uid: 'PKG-9' },
    })
  })

  row('POST /api/v1.2/caseids/import/remove/', 'answers 200', async ({ service, shop }) => {
    expect((await answer(shop.v12.imports.remove(removing('own')))).status).toBe(200)
    expect(service.admin.imports().map((one) => one.case_uuid)).not.toContain(cases.own)
  })

  row('Import request > required', 'are five fields', async (world) => {
    const empty = await world.raw('POST', '/api/v1.2/caseids/import/', { as: 'shop', body: {} })
    expect(empty).toMatchObject({
      status: 400,
      body: {
        case_uuid: someList,
        packaged_product_uuid: someList,
        pos_product_id: someList,
        pos_inventory_id: someList,
        package_uid: someList,
      },
    })
  })

  row('Import request > sku', 'is optional', async ({ shop }) => {
    expect((await answer(shop.v12.imports.create({ ...importing('plain'), sku: 'S-1' }))).status).toBe(200)
    const body = importing('mixed', 'PKG-1', packaged.gummies)
    expect((await answer(shop.v12.imports.create(body))).status).toBe(200)
  })

  row('Import remove request > fields', 'may name one packaged product of a case', async ({ service, shop }) => {
    await answer(shop.v12.imports.create(importing('mixed')))
    await answer(shop.v12.imports.create(importing('mixed', 'PKG-1', packaged.gummies)))
    const one = { ...removing('mixed', 'PKG-1'), packaged_product_uuid: shortId(packaged.gummies) }
    expect((await answer(shop.v12.imports.remove(one))).status).toBe(200)
    const left = service.admin.imports().filter((each) => each.case_uuid === cases.mixed)
    expect(left.map((each) => each.packaged_product_uuid)).toEqual([packaged.flower])
    expect((await answer(shop.v12.imports.remove(removing('mixed', 'PKG-1')))).status).toBe(200)
    expect(service.admin.imports().some((each) => each.case_uuid === cases.mixed)).toBe(false)
  })

  row('State > import', 'makes the packaged product imported', async ({ service, shop }) => {
    await answer(shop.v12.imports.create(importing('plain')))
    const one = service.admin.imports().filter((each) => each.case_uuid === cases.plain)
    expect(one).toMatchObject([{ dispensary: { uuid: dispensaries.own }, items_count: 6 }])
  })

  row('State > import effect', 'keeps package, catalog product and inventory package', async ({ shop }) => {
    await answer(shop.v12.imports.create(importing('plain', 'PKG-9')))
    const package9 = await value(shop.v12.collections.get('PKG-9'))
    expect(package9.items.map((item) => item.tag_id)).toEqual(tagIds.plain)
    expect(at(package9.items)).toMatchObject({ pos_package_uid: 'PKG-9', product_uuid: products.flower })
    await answer(shop.v12.imports.create(importing('mixed', 'PKG-9')))
    expect((await value(shop.v12.collections.get('PKG-9'))).items).toHaveLength(9)
  })

  row('State > import remove', 'makes it importable again', async ({ shop }) => {
    await answer(shop.v12.imports.remove(removing('own')))
    expect((await answer(shop.v12.imports.create(importing('own', 'PKG-2')))).status).toBe(200)
  })

  row('State > import remove effect', 'takes the TagIDs out of the inventory collection', async ({ shop }) => {
    await answer(shop.v12.imports.remove(removing('own')))
    for (const item of (await value(shop.v12.cases.get(cases.own))).items) {
      expect(item.inventory_collection_uuids).toEqual([])
    }
    for (const item of (await value(shop.v12.collections.get(cases.own))).items) {
      expect(item).toMatchObject({ pos_package_uid: null, imported_to_inventory_on: null })
    }
  })
})

describe('import errors', () => {
  row('Error > import: other dispensary', 'is said in detail', async ({ shop }) => {
    for (const name of ['sister', 'far'] as const) {
      expect(await answer(shop.v12.imports.create(importing(name)))).toEqual({
        status: 400,
        json: { detail: 'This case has already been scanned for another dispensary.' },
      })
    }
    expect(await refusal(shop.v12.imports.create(importing('far')))).toMatchObject({
      code: 'service/other-dispensary',
    })
  })

  row('Error > import remove: unknown package', 'is said in detail', async ({ shop }) => {
    expect(await answer(shop.v12.imports.remove(removing('own', 'NO-SUCH')))).toEqual({
      status: 400,
      json: { detail: 'POS Package UID not found for package_uid=NO-SUCH.' },
    })
    expect(await refusal(shop.v12.imports.remove(removing('own', 'NO-SUCH')))).toMatchObject({
      code: 'service/package-unknown',
    })
  })

  row('Error > import: already imported', 'names the case and the package', async ({ shop }) => {
    expect(await answer(shop.v12.imports.create(importing('own')))).toEqual({
      status: 400,
      json: { detail: `Items in CaseID ${cases.own} are already imported into inventory ${packageUids.own}.` },
    })
    expect(await refusal(shop.v12.imports.create(importing('own')))).toMatchObject({ code: 'service/already-imported' })
  })

  row('Error > import: fields', 'are messages keyed by field', async (world) => {
    const { case_uuid: _, ...rest } = importing('plain')
    for (const path of ['caseids/import/', 'caseids/import/remove/']) {
      expect(await world.raw('POST', `/api/v1.2/${path}`, { as: 'shop', body: rest })).toMatchObject({
        status: 400,
        body: { case_uuid: ['This field is required.'] },
      })
    }
  })
})
