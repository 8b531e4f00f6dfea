import { describe, expect } from 'vitest'
import { row } from './row'
import { answer, caseId, importing, value } from './values'
import { cases, dispensaries, packageUids } from './world-data'

describe('package UID lookup', () => {
  row('GET /api/v1.2/package-uids/<package_uid>/caseids/', 'gives the cases of a package', async ({ shop }) => {
    const found = await value(shop.v12.packageUids.cases(packageUids.sent))
    expect(found.package_uid).toBe(packageUids.sent)
    expect(new Set(Object.keys(found.case_ids))).toEqual(new Set([cases.plain, cases.own, cases.sister]))
  })

  row('Lookup entry > fields', 'say whether, when, where and by whom it was imported', async ({ shop }) => {
    const { case_ids } = await value(shop.v12.packageUids.cases(packageUids.sent))
    expect(case_ids[caseId(cases.own)]).toEqual({
      is_imported: true,
      imported_on: '2026-09-10T12:00:00Z',
      package_uid: packageUids.own,
      dispensary: { uuid: dispensaries.own, name: 'Own shop', state: 'NJ' },
    })
    expect(case_ids[caseId(cases.plain)]).toEqual({
      is_imported: false,
      imported_on: null,
      package_uid: null,
      dispensary: null,
    })
  })

  row('Lookup entry > company', 'shows imports of the same company, and hides those of others', async (world) => {
    const { case_ids } = await value(world.shop.v12.packageUids.cases(packageUids.sent))
    expect(case_ids[caseId(cases.sister)]).toMatchObject({ dispensary: { uuid: dispensaries.sister } })
    // The stranger takes a case of our package: we learn that it is imported, and nothing else.
    await answer(world.stranger.v12.imports.create(importing('plain', 'PKG-X')))
    const after = await value(world.shop.v12.packageUids.cases(packageUids.sent))
    expect(after.case_ids[caseId(cases.plain)]).toMatchObject({
      is_imported: true,
      package_uid: null,
      dispensary: null,
    })
  })

  row('Lookup > annotated', 'changes with each import', async ({ shop }) => {
    const imported = async () =>
      Object.entries((await value(shop.v12.packageUids.cases(packageUids.sent))).case_ids)
        .filter(([, entry]) => entry.is_imported)
        .map(([uuid]) => uuid)
    expect(new Set(await imported())).toEqual(new Set([cases.own, cases.sister]))
    await answer(shop.v12.imports.create(importing('plain')))
    expect(await imported()).toHaveLength(3)
  })

  row('Lookup > imported fail', 'every case that is imported is refused', async ({ shop }) => {
    const { case_ids } = await value(shop.v12.packageUids.cases(packageUids.sent))
    for (const name of ['own', 'sister', 'plain'] as const) {
      const status = case_ids[caseId(cases[name])]?.is_imported === true ? 400 : 200
      expect((await answer(shop.v12.imports.create(importing(name)))).status, name).toBe(status)
    }
  })

  row('Lookup > empty', 'an unknown package, and one for another dispensary, hold nothing', async (world) => {
    expect((await value(world.shop.v12.packageUids.cases('NO-SUCH'))).case_ids).toEqual({})
    expect((await value(world.stranger.v12.packageUids.cases(packageUids.sent))).case_ids).toEqual({})
  })
})
