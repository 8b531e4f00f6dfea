import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PackageUid } from '../../../src-shared/ids'
import { deliverySteps } from './delivery-steps'
import { otherTill } from './other-till'
import { type Station, idIn, startStation } from './station'

describe('a delivery, against the practice service', () => {
  let station: Station
  const { deliveryNow, addCase, packages, reads, allRead, formsOf, importAll, caseCode } = deliverySteps(() => station)
  beforeEach(async () => {
    station = await startStation()
  })
  afterEach(async () => {
    await station.close()
  })

  it('starts with the first package: it lists the cases at once, and their items as they are read', async () => {
    expect(await station.ask('receiving.delivery', undefined)).toBeNull()
    const [first = ''] = await packages()
    const heard = reads()
    const added = await station.ask('receiving.addPackage', { packageUid: first })
    expect(added).toMatchObject({ packageUid: first, isNew: true })
    expect(added.caseIds).toHaveLength(3)
    const [begun] = heard.changes()
    expect(begun?.packages).toMatchObject([{ packageUid: first, knowledge: { source: 'now' }, error: null }])
    expect(begun?.cases.every((one) => one.isReading && one.case === null && one.packageUid === first)).toBe(true)
    // The answer for the package at least shows whether its cases are in an inventory.
    expect(begun?.cases.map((one) => one.importState.kind)).toEqual(['to-import', 'to-import', 'to-import'])
    const view = await allRead(3)
    await expect.poll(() => heard.cases().length).toBe(3)
    expect(view).toMatchObject({ id: begun?.delivery?.id, blind: [] })
    expect(view.cases.map((one) => one.caseId)).toEqual(added.caseIds)
    expect(heard.cases().every((one) => !one.isReading && one.case?.knowledge.source === 'now')).toBe(true)
    expect(heard.deliveries()).toEqual([view.id])
    heard.stop()
  })

  it('lists three packages with imports of this store, of the company and of another company, and a case of two products', async () => {
    let listed = 0
    for (const packageUid of (await packages()).slice(0, 3)) {
      listed += (await station.ask('receiving.addPackage', { packageUid })).caseIds.length
    }
    const { cases } = await allRead(listed)
    expect(cases).toHaveLength(listed)
    const states = cases.map((one) => one.importState.kind)
    const held = new Set((await station.knobs.imports()).map((one) => one.caseId))
    const toImport = cases.filter((one) => one.importState.kind === 'to-import')
    expect(toImport.map((one) => one.caseId)).toEqual(
      cases.map((one) => one.caseId).filter((caseId) => !held.has(caseId)),
    )
    const sister = cases.find((one) => one.importState.kind === 'imported-by-company')
    expect(sister?.importState).toMatchObject({ dispensary: 'Green Door, Hoboken' })
    expect(states).toContain('imported-elsewhere')
    expect(states).toContain('imported-here')
    expect(cases.filter((one) => one.case?.packagedProducts.length === 2)).toHaveLength(1)
    const short = cases.find((one) => (one.case?.tagCount ?? 0) < (one.case?.requiredCount ?? 0))
    expect(short?.case).toMatchObject({ tagCount: 18, requiredCount: 20 })
    expect(short?.case?.packagedProducts.every((one) => one.productId !== one.packagedProductId)).toBe(true)
  })

  it('says who has a case whose import was refused for it, once it is asked again', async () => {
    const [packageUid = ''] = await packages()
    await station.ask('receiving.addPackage', { packageUid })
    await allRead(3)
    const [form] = await formsOf()
    if (!form) throw new Error('nothing to import')
    const shown = async () => (await deliveryNow()).cases.find(({ caseId }) => caseId === form.caseId)?.importState
    await otherTill(station, 'sister store').import(form)
    await station.ask('receiving.import', form)
    await station.drained()
    expect(await shown()).toMatchObject({ kind: 'refused' })
    await station.ask('receiving.refresh', undefined)
    await expect.poll(shown).toMatchObject({ kind: 'imported-by-company', dispensary: 'Green Door, Hoboken' })
    await otherTill(station, 'sister store').removeImport(form)
    await station.ask('receiving.refresh', undefined)
    await expect.poll(shown).toMatchObject({ kind: 'refused' })
  })

  it('lists a package once even if it is scanned twice, and keeps the place of a case that is scanned alone', async () => {
    const [packageUid = ''] = await packages()
    await station.ask('receiving.addPackage', { packageUid })
    const before = await allRead(3)
    await station.ask('receiving.addPackage', { packageUid })
    const [, second] = before.cases
    const again = await addCase(second?.case?.identifier ?? '')
    expect(again).toMatchObject({ caseId: second?.caseId, packageUid, isReading: false })
    const after = await allRead(3)
    expect(after.cases.map((one) => one.caseId)).toEqual(before.cases.map((one) => one.caseId))
    expect(after.packages).toHaveLength(1)
  })

  it('adds a scanned case with its only package, by its id and by its label', async () => {
    const identifier = await caseCode('two-products')
    const added = await addCase(identifier)
    const [packageUid, ...others] = added.case?.packageUids ?? []
    expect(others).toEqual([])
    expect(added.packageUid).toBe(packageUid)
    const byId = await station.ask('receiving.addCase', { identifier: added.caseId })
    expect(byId).toEqual({ caseId: added.caseId, isNew: false })
    expect((await allRead(1)).packages).toEqual([])
  })

  it('refuses an item, an unknown label, an unlisted package and an unlisted case', async () => {
    const tagId = idIn((await station.codes('tag'))[0] ?? '')
    const notListed = { packageUid: 'unknown here' }
    expect(await station.refused('receiving.addCase', { identifier: tagId })).toMatchObject({
      code: 'scan/wrong-place',
    })
    expect(await station.refused('receiving.addCase', { identifier: 'no such label' })).toMatchObject({
      code: 'service/not-found',
    })
    expect(await station.ask('receiving.delivery', undefined)).toBeNull()
    expect(await station.refused('receiving.dropPackage', notListed)).toEqual({ code: 'receiving/no-delivery' })
    await station.ask('receiving.addPackage', { packageUid: (await packages())[0] ?? '' })
    const delivery = await deliveryNow()
    const foreign = '9af49740-96f5-40ee-9e25-02420ae59635'
    expect(await station.refused('receiving.dropPackage', notListed)).toEqual({ code: 'receiving/not-in-delivery' })
    expect(await station.refused('receiving.dropCase', { caseId: tagId })).toEqual({
      code: 'receiving/not-in-delivery',
    })
    for (const call of ['receiving.finishDelivery', 'receiving.undoDelivery', 'receiving.report'] as const) {
      expect(await station.refused(call, { deliveryId: foreign })).toEqual({ code: 'receiving/no-delivery' })
    }
    await station.ask('receiving.finishDelivery', { deliveryId: delivery.id })
    expect(await station.refused('receiving.finishDelivery', { deliveryId: delivery.id })).toEqual({
      code: 'receiving/no-delivery',
    })
  })

  it('adds a package of another company, or one that does not exist, only if a person means it', async () => {
    const packageUid = PackageUid.parse('1A40E0300000B2F000009999')
    const refused = { code: 'receiving/unknown-package', packageUid }
    expect(await station.refused('receiving.addPackage', { packageUid })).toEqual(refused)
    expect(await station.ask('receiving.delivery', undefined)).toBeNull()
    const heard = reads()
    const added = await station.ask('receiving.addPackage', { packageUid, isMeant: true })
    heard.stop()
    expect(added.caseIds).toEqual([])
    expect(heard.packages()).toMatchObject([{ knowledge: { source: 'now' }, error: null }])
    expect((await deliveryNow()).packages).toHaveLength(1)
    expect((await station.ask('receiving.addPackage', { packageUid })).isNew).toBe(false)
  })

  it('removes a package or a case from the list, and keeps their imports', async () => {
    const [first = '', second = ''] = await packages()
    await station.ask('receiving.addPackage', { packageUid: first })
    await station.ask('receiving.addPackage', { packageUid: second })
    const { cases, id } = await allRead(6)
    await importAll()
    await station.drained()
    await station.ask('receiving.dropPackage', { packageUid: first })
    await station.ask('receiving.dropCase', { caseId: cases.find((one) => one.packageUid === second)?.caseId ?? '' })
    const view = await station.ask('receiving.delivery', undefined)
    expect(view?.packages.map((one) => one.packageUid)).toEqual([second])
    expect(view?.cases).toHaveLength(2)
    const held = (await station.knobs.imports()).map((one) => one.caseId)
    expect(held).toEqual(
      expect.arrayContaining(cases.filter((one) => one.packageUid === first).map((one) => one.caseId)),
    )
    // The removed cases are not part of this delivery, so undoing it does not undo their imports.
    await station.ask('receiving.undoDelivery', { deliveryId: id })
    await station.drained()
    expect((await station.knobs.imports()).map((one) => one.caseId)).toEqual(held)
  })

  it('does not list a removed case again, however often its package is looked up', async () => {
    const [first = ''] = await packages()
    await station.ask('receiving.addPackage', { packageUid: first })
    const { cases } = await allRead(3)
    const [dropped = '', ...others] = cases.map((one) => one.caseId)
    await station.ask('receiving.dropCase', { caseId: dropped })
    const heard = reads()
    await station.ask('receiving.refresh', undefined)
    await expect.poll(() => heard.packages().length).toBe(1)
    await allRead(2)
    await station.restart()
    expect((await allRead(2)).cases.map((one) => one.caseId)).toEqual(others)
    await station.ask('receiving.addPackage', { packageUid: first })
    expect((await allRead(3)).cases.map((one) => one.caseId)).toEqual([...others, dropped])
    heard.stop()
  })

  it('fills in a package by itself that was scanned without a network, once there is one', async () => {
    const [first = '', second = ''] = await packages()
    await station.ask('receiving.addPackage', { packageUid: first })
    await allRead(3)
    await station.knobs.setFaults({ offline: true })
    const unseen = await station.ask('receiving.addPackage', { packageUid: second })
    expect(unseen.caseIds).toEqual([])
    expect((await deliveryNow()).packages.at(-1)).toMatchObject({ packageUid: second, knowledge: null })
    // A shorter interruption doesn't count as an outage (`connection.ts`), so nothing is looked up again after it.
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    await station.knobs.setFaults({})
    const { packages: asked } = await allRead(6)
    expect(asked).toMatchObject([{ error: null }, { packageUid: second, error: null }])
    expect(asked[1]?.knowledge).not.toBeNull()
  })

  it('shows changes that another till made to our import, also from memory, and allows a new import', async () => {
    const [first = ''] = await packages()
    await station.ask('receiving.addPackage', { packageUid: first })
    await allRead(3)
    const [form] = await formsOf()
    if (!form) throw new Error('there is nothing to import')
    await station.ask('receiving.importMany', { imports: [form] })
    await station.drained()
    await otherTill(station).removeImport(form)
    await station.ask('receiving.addCase', { identifier: form.caseId })
    const stateOf = async () => (await allRead(3)).cases.find((one) => one.caseId === form.caseId)?.importState.kind
    expect(await stateOf()).toBe('to-import')
    await station.restart()
    await station.knobs.setFaults({ offline: true })
    expect(await stateOf()).toBe('to-import')
    expect((await station.ask('receiving.importMany', { imports: [form] })).refused).toEqual([])
  })
})
