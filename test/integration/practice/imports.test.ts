import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PracticeService } from '../../../src-practice/start'
import { toUuid } from '../../../src-shared/ids'
import { Collection } from '../../../src-shared/service/collections'
import { ImportAnswer } from '../../../src-shared/service/imports'
import { type ServiceCaller, callerOf, importOf, sale, shop, sister, start, stranger, textLike } from './practice'
import {
  atHoboken,
  atStranger,
  blueDune,
  chocolate,
  delivery,
  onSale,
  preRolls,
  short,
  tag,
  twoProducts,
} from './sample'

describe('imports', () => {
  let service: PracticeService
  let caller: ServiceCaller
  beforeEach(async () => {
    service = await start()
    caller = await callerOf(service, shop)
  })
  afterEach(() => service.close())

  const take = (body: unknown, as = caller) => as.post('caseids/import/', body)
  const remove = (body: unknown, as = caller) => as.post('caseids/import/remove/', body)
  const items = async (identifier: string) =>
    Collection.parse((await caller.get(`collections/${encodeURIComponent(identifier)}/`)).body).items
  const countOf = (caseUuid: string) => service.admin.imports().filter((one) => one.case_uuid === caseUuid).length

  describe('importing', () => {
    it('takes a case into inventory and puts its items into the inventory collection of the package', async () => {
      const answer = await take({ ...importOf(blueDune, 'P-1'), sku: 'BD' })
      expect(answer.status).toBe(200)
      expect(ImportAnswer.parse(answer.body)).toEqual({
        case_uuid: blueDune.uuid,
        packaged_product_uuid: blueDune.packagedProductUuid,
        package_uid: 'P-1',
      })
      const taken = await items(blueDune.identifier)
      expect(taken).toHaveLength(24)
      for (const item of taken) expect(item.pos_package_uid).toBe('P-1')
      expect((await items('P-1')).map((item) => item.tag_id)).toEqual(blueDune.tags)
      expect(service.admin.imports().at(-1)).toMatchObject({
        case_uuid: blueDune.uuid,
        package_uid: 'P-1',
        pos_product_id: 'POS-1',
        dispensary: { name: 'Green Door, Newark' },
        items_count: 24,
      })
    })

    it('takes UUIDs, a null SKU and a case that is short of its count', async () => {
      const body = importOf(short, 'P-1')
      const answer = await take({
        ...body,
        case_uuid: toUuid(body.case_uuid),
        packaged_product_uuid: toUuid(body.packaged_product_uuid),
        sku: null,
      })
      expect(answer).toMatchObject({ status: 200, body: { case_uuid: short.uuid } })
      expect(service.admin.imports().at(-1)?.items_count).toBe(18)
    })

    it('puts a second case under the same package UID into the same inventory collection', async () => {
      await take(importOf(blueDune, 'P-1'))
      expect((await take(importOf(preRolls, 'P-1'))).status).toBe(200)
      expect(await items('P-1')).toHaveLength(44)
    })

    it('takes the packaged products of a case one by one', async () => {
      expect((await take(importOf(twoProducts, 'P-1'))).status).toBe(200)
      const packages = async () => (await items(twoProducts.identifier)).map((item) => item.pos_package_uid)
      expect((await packages()).filter((uid) => uid === null)).toHaveLength(12)
      expect((await take({ ...importOf(twoProducts, 'P-2'), packaged_product_uuid: chocolate })).status).toBe(200)
      expect(new Set(await packages())).toEqual(new Set(['P-1', 'P-2']))
    })

    it('refuses a case that we have imported, and names the case and the package', async () => {
      await take(importOf(blueDune, 'P-1'))
      expect(await take(importOf(blueDune, 'P-2'))).toMatchObject({
        status: 400,
        body: { detail: `Items in CaseID ${blueDune.uuid} are already imported into inventory P-1.` },
      })
      expect((await take(importOf(onSale, 'P-2'))).body).toEqual({
        detail: `Items in CaseID ${onSale.uuid} are already imported into inventory ${delivery(3)}.`,
      })
      expect(countOf(blueDune.uuid)).toBe(1)
    })

    it.each([
      ['a sister dispensary', atHoboken],
      ['a stranger', atStranger],
    ])('refuses what %s has imported', async (_, theirs) => {
      expect(await take(importOf(theirs, 'P-1'))).toMatchObject({
        status: 400,
        body: { detail: 'This case has already been scanned for another dispensary.' },
      })
    })

    it('refuses the rest of a case whose other product another dispensary has imported', async () => {
      await take(importOf(twoProducts, 'P-1'), await callerOf(service, sister))
      expect((await take({ ...importOf(twoProducts, 'P-2'), packaged_product_uuid: chocolate })).body).toEqual({
        detail: 'This case has already been scanned for another dispensary.',
      })
    })

    it('refuses a packaged product that is not in the case, and an unknown case', async () => {
      expect(await take({ ...importOf(blueDune, 'P-1'), packaged_product_uuid: chocolate })).toMatchObject({
        status: 400,
        body: { packaged_product_uuid: [`Packaged product ${chocolate} is not in CaseID ${blueDune.uuid}.`] },
      })
      const unknown = tag(blueDune, 0)
      expect(await take({ ...importOf(blueDune, 'P-1'), case_uuid: unknown })).toMatchObject({
        status: 400,
        body: { case_uuid: [`CaseID ${unknown} does not exist.`] },
      })
    })

    it('reports each missing field', async () => {
      const required = ['This field is required.']
      expect(await take({})).toMatchObject({
        status: 400,
        body: {
          case_uuid: required,
          packaged_product_uuid: required,
          pos_product_id: required,
          pos_inventory_id: required,
          package_uid: required,
        },
      })
    })

    it.each([
      ['null', null, 'This field may not be null.'],
      ['a number', 7, 'Not a valid string.'],
      ['a list', ['P-1'], 'Not a valid string.'],
      ['blank', '  ', 'This field may not be blank.'],
      ['too long', 'x'.repeat(256), 'Ensure this field has no more than 255 characters.'],
      ['text with a NUL', 'P\u0000', 'Null characters and unpaired surrogates are not allowed.'],
      ['half a surrogate pair', '\ud83d', 'Null characters and unpaired surrogates are not allowed.'],
    ])('refuses a package UID that is %s', async (_, package_uid, message) => {
      expect(await take({ ...importOf(blueDune, ''), package_uid })).toMatchObject({
        status: 400,
        body: { package_uid: [message] },
      })
    })

    it.each(['nonsense', 'zzzzzzzzzzzzzzzzzzzzzz', 'https://tag.example/case/x'])(
      'refuses the case id %j',
      async (id) => {
        expect((await take({ ...importOf(blueDune, 'P-1'), case_uuid: id })).body).toEqual({
          case_uuid: ['Not a valid ShortUUID.'],
        })
      },
    )
  })

  describe('removing an import', () => {
    const removalOf = ({ uuid }: { uuid: string }, package_uid: string) => ({ case_uuid: uuid, package_uid })

    it('frees the case: its items leave the inventory collection, and another dispensary may import it', async () => {
      await take(importOf(blueDune, 'P-1'))
      expect((await remove(removalOf(blueDune, 'P-1'))).status).toBe(200)
      expect(countOf(blueDune.uuid)).toBe(0)
      const freed = await items(blueDune.identifier)
      expect(freed).toHaveLength(24)
      for (const item of freed) expect(item.imported_to_inventory_on).toBeNull()
      const inventory = Collection.parse((await caller.get('collections/P-1/')).body)
      expect(inventory.items).toEqual([])
      expect(inventory.removed_items).toHaveLength(24)
      expect((await take(importOf(blueDune, 'S-1'), await callerOf(service, stranger))).status).toBe(200)
    })

    it('leaves the other cases of the package, and the case can be imported again', async () => {
      await take(importOf(blueDune, 'P-1'))
      await take(importOf(preRolls, 'P-1'))
      await remove(removalOf(blueDune, 'P-1'))
      expect((await items('P-1')).map((item) => item.tag_id)).toEqual(preRolls.tags)
      expect((await take(importOf(blueDune, 'P-1'))).status).toBe(200)
      expect(await items('P-1')).toHaveLength(44)
    })

    it('removes the named packaged product, or all if none is named', async () => {
      await take(importOf(twoProducts, 'P-1'))
      await take({ ...importOf(twoProducts, 'P-1'), packaged_product_uuid: chocolate })
      await remove({ ...removalOf(twoProducts, 'P-1'), packaged_product_uuid: chocolate })
      expect(countOf(twoProducts.uuid)).toBe(1)
      await take({ ...importOf(twoProducts, 'P-1'), packaged_product_uuid: chocolate })
      await remove({ ...removalOf(twoProducts, 'P-1'), packaged_product_uuid: null })
      expect(countOf(twoProducts.uuid)).toBe(0)
    })

    it('refuses a package UID that is unknown: never imported, removed before, or of another dispensary', async () => {
      const unknown = (uid: string) => ({
        status: 400,
        body: { detail: `POS Package UID not found for package_uid=${uid}.` },
      })
      expect(await remove(removalOf(blueDune, 'P-9'))).toMatchObject(unknown('P-9'))
      await take(importOf(blueDune, 'P-1'))
      for (const other of [sister, stranger]) {
        expect(await remove(removalOf(blueDune, 'P-1'), await callerOf(service, other))).toMatchObject(unknown('P-1'))
      }
      await remove(removalOf(blueDune, 'P-1'))
      expect(await remove(removalOf(blueDune, 'P-1'))).toMatchObject(unknown('P-1'))
    })

    it('refuses a case that is not imported under a known package', async () => {
      expect(await remove(removalOf(blueDune, delivery(3)))).toMatchObject({
        status: 400,
        body: { detail: `Items in CaseID ${blueDune.uuid} are not imported into inventory ${delivery(3)}.` },
      })
    })

    it('refuses while items are sold, and works once they are back', async () => {
      await caller.post('transactions/complete/', sale('1', [tag(onSale, 0)]))
      const refused = await remove(removalOf(onSale, delivery(3)))
      expect(refused).toMatchObject({ status: 400, body: { detail: textLike(/have been sold/) } })
      expect(countOf(onSale.uuid)).toBe(1)
      await caller.post('transactions/return/', sale('1', [tag(onSale, 0)]))
      expect((await remove(removalOf(onSale, delivery(3)))).status).toBe(200)
    })

    it('reports each missing or wrong field', async () => {
      const required = ['This field is required.']
      expect((await remove({})).body).toEqual({ case_uuid: required, package_uid: required })
      expect((await remove({ case_uuid: 'x', package_uid: 1, packaged_product_uuid: 'y' })).body).toEqual({
        case_uuid: ['Not a valid ShortUUID.'],
        package_uid: ['Not a valid string.'],
        packaged_product_uuid: ['Not a valid ShortUUID.'],
      })
    })
  })
})
