import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PracticeService } from '../../../src-practice/start'
import { type PackageCase, PackageCases } from '../../../src-shared/service/imports'
import { type ServiceCaller, callerOf, importOf, shop, sister, someText, start, stranger, textLike } from './practice'
import {
  atHoboken,
  atStranger,
  blueDune,
  chocolate,
  data,
  delivery,
  onSale,
  preRolls,
  readable,
  twoProducts,
} from './sample'

describe('package UID lookup', () => {
  let service: PracticeService
  let caller: ServiceCaller
  beforeEach(async () => {
    service = await start()
    caller = await callerOf(service, shop)
  })
  afterEach(() => service.close())

  const cases = async (packageUid: string, as = caller) => {
    const answer = await as.get(`package-uids/${encodeURIComponent(packageUid)}/caseids/`)
    expect(answer.status).toBe(200)
    const parsed = PackageCases.parse(answer.body)
    expect(parsed.package_uid).toBe(packageUid)
    return Object.fromEntries<PackageCase>(Object.entries(parsed.case_ids))
  }
  const ids = async (packageUid: string, as = caller) => Object.keys(await cases(packageUid, as)).sort()
  const notImported = { is_imported: false, imported_on: null, package_uid: null, dispensary: null }

  it('lists the cases of a delivery that are not imported yet', async () => {
    expect(await cases(delivery(1))).toEqual({
      [blueDune.uuid]: notImported,
      [preRolls.uuid]: notImported,
      [readable.uuid]: notImported,
    })
  })

  it('names the sister dispensary that imported a case, and for another company only that it was imported, and when', async () => {
    const hoboken = data.dispensaries.find(({ name }) => name === 'Green Door, Hoboken')
    expect(await cases(delivery(2))).toEqual({
      [twoProducts.uuid]: notImported,
      [atHoboken.uuid]: {
        is_imported: true,
        imported_on: '2026-10-02T15:30:00Z',
        package_uid: textLike(/^1A4/),
        dispensary: { uuid: hoboken?.uuid, name: 'Green Door, Hoboken', state: 'NJ' },
      },
      [atStranger.uuid]: {
        is_imported: true,
        imported_on: '2026-10-02T17:00:00Z',
        package_uid: null,
        dispensary: null,
      },
    })
  })

  it('shows an import of our own', async () => {
    expect((await cases(delivery(3)))[onSale.uuid]).toMatchObject({
      is_imported: true,
      package_uid: delivery(3),
      dispensary: { name: 'Green Door, Newark' },
    })
  })

  it('is empty for an unknown package, and for one sent to another dispensary', async () => {
    for (const unknown of ['1A4', 'no such package', 'a/b', '%', '😀']) expect(await cases(unknown)).toEqual({})
    expect(await cases(delivery(1), await callerOf(service, stranger))).toEqual({})
    expect(await cases(delivery(1), await callerOf(service, sister))).toEqual({})
  })

  it('shows a sister dispensary what our company has imported of a package', async () => {
    expect(await ids(delivery(2), await callerOf(service, sister))).toEqual([atHoboken.uuid])
  })

  it('counts only the newest package of an item, not its earlier ones', async () => {
    const producer = data.collections.find((one) => one.sub_type === 'Packaged product')
    expect(await cases(producer?.identifier ?? '')).toEqual({})
  })

  it('finds a case under the package UID that it was imported under, and hides that from other companies', async () => {
    await caller.post('caseids/import/', importOf(blueDune, 'POS 1/2'))
    expect(await cases('POS 1/2')).toMatchObject({ [blueDune.uuid]: { is_imported: true, package_uid: 'POS 1/2' } })
    expect(await ids('POS 1/2', await callerOf(service, sister))).toEqual([blueDune.uuid])
    expect(await ids('POS 1/2', await callerOf(service, stranger))).toEqual([])
    expect((await cases(delivery(1)))[blueDune.uuid]).toMatchObject({ is_imported: true, package_uid: 'POS 1/2' })
  })

  it('shows a case as imported only if all its packaged products are, and not after a removal', async () => {
    await caller.post('caseids/import/', importOf(twoProducts, 'P-1'))
    expect((await cases(delivery(2)))[twoProducts.uuid]).toMatchObject({
      is_imported: false,
      imported_on: someText,
      package_uid: 'P-1',
    })
    await caller.post('caseids/import/', { ...importOf(twoProducts, 'P-2'), packaged_product_uuid: chocolate })
    expect((await cases(delivery(2)))[twoProducts.uuid]?.is_imported).toBe(true)
    expect((await cases('P-2'))[twoProducts.uuid]).toMatchObject({ is_imported: true, package_uid: 'P-2' })

    for (const package_uid of ['P-1', 'P-2']) {
      await caller.post('caseids/import/remove/', { case_uuid: twoProducts.uuid, package_uid })
    }
    expect((await cases(delivery(2)))[twoProducts.uuid]).toEqual(notImported)
    expect(await cases('P-1')).toEqual({})
  })

  it('shows a package without a recipient to every dispensary', async () => {
    const collections = data.collections.map((one) => ({ ...one, dispensary_uuid: null }))
    const other = await start({ data: { ...data, collections } })
    try {
      expect(await ids(delivery(1), await callerOf(other, stranger))).toHaveLength(3)
    } finally {
      await other.close()
    }
  })
})
