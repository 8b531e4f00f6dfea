import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { deliverySteps } from './delivery-steps'
import { type Station, startStation } from './station'
import { pos } from './steps'

describe('a delivery, against the practice service', () => {
  let station: Station
  const { deliveryNow, addCase, packages, reads, allRead, formsOf, caseCode } = deliverySteps(() => station)
  beforeEach(async () => {
    station = await startStation()
  })
  afterEach(async () => {
    await station.close()
  })

  it('imports everything at once, refuses cases that are already being imported, and names them', async () => {
    const [packageUid = ''] = await packages()
    await station.ask('receiving.addPackage', { packageUid })
    await station.ask('receiving.addCase', { identifier: await caseCode('two-products') })
    await allRead(4)
    const forms = await formsOf()
    expect(forms).toHaveLength(5)
    const [twice = forms[0]] = forms
    const done = await station.ask('receiving.importMany', { imports: twice ? [...forms, twice] : forms })
    expect(done.saved).toHaveLength(5)
    expect(done.refused).toMatchObject([{ caseId: twice?.caseId, error: { code: 'receiving/already-importing' } }])
    await station.drained()
    const again = await station.ask('receiving.importMany', { imports: forms })
    expect(again.saved).toEqual([])
    expect(again.refused.map((one) => one.error.code)).toEqual(Array(5).fill('receiving/already-importing'))
    const held = new Set((await station.knobs.imports()).map((one) => `${one.caseId} ${one.packagedProductId}`))
    expect(forms.every((form) => held.has(`${form.caseId} ${form.packagedProductId}`))).toBe(true)
    const after = await station.ask('receiving.delivery', undefined)
    expect(after?.cases.map((one) => one.importState.kind)).toEqual(Array(4).fill('imported-here'))
  })

  it('shows a refusal beside its case, and the corrected import replaces it', async () => {
    const identifier = await caseCode('imported-by-stranger')
    const added = await addCase(identifier)
    const form = {
      caseId: added.caseId,
      packagedProductId: added.case?.packagedProducts[0]?.packagedProductId ?? '',
      packageUid: added.packageUid ?? '1A40E0300000B2F000000009',
      ...pos,
    }
    const { saved } = await station.ask('receiving.importMany', { imports: [form] })
    await station.drained()
    const view = await station.ask('receiving.delivery', undefined)
    expect(view?.cases[0]?.importState).toMatchObject({
      kind: 'refused',
      operation: { reason: { code: 'service/other-dispensary' } },
    })
    const corrected = await station.ask('receiving.importMany', { imports: [{ ...form, posProductId: 'POS-2' }] })
    expect(corrected.saved.map((one) => one.id)).toEqual(saved.map((one) => one.id))
    expect(await station.ask('receiving.deliveries', undefined)).toMatchObject([{ caseCount: 1, imported: 0 }])
  })

  it('keeps a case that was scanned without a connection over a restart, until it is found, imported or discarded', async () => {
    await station.knobs.setFaults({ offline: true })
    const unread = async () => (await station.ask('receiving.unreadCases', undefined)).map(({ scanned }) => scanned)
    const labels = ['HF 2026/0417', 'HF 2026/0418', 'HF 1999/0001']
    for (const identifier of [...labels, ...labels]) await station.refused('receiving.addCase', { identifier })
    await station.restart()
    expect(await unread()).toEqual(labels)
    const [found = '', blind = '', gone = ''] = labels
    await station.ask('receiving.addCase', { identifier: found })
    expect(await unread()).toEqual([blind, gone])
    const [packageUid = ''] = await packages()
    await station.ask('receiving.importBlind', { scanned: blind, packageUid, ...pos })
    expect(await station.refused('receiving.addCase', { identifier: gone })).toMatchObject({
      code: 'service/not-found',
    })
    expect(await unread()).toEqual([gone])
    await station.ask('receiving.forgetUnreadCase', { scanned: gone })
    expect(await unread()).toEqual([])
  })

  it('continues through an outage and a restart: known cases with their age, unknown packages without cases, all read again afterwards', async () => {
    const [first = '', second = ''] = await packages()
    await station.ask('receiving.addPackage', { packageUid: first })
    const { id } = await allRead(3)
    await station.knobs.setFaults({ offline: true })
    const forms = await formsOf()
    expect((await station.ask('receiving.importMany', { imports: forms })).saved).toHaveLength(3)
    const unseen = await station.ask('receiving.addPackage', { packageUid: second })
    expect(unseen.caseIds).toEqual([])
    const packagesNow = async () => (await deliveryNow()).packages
    expect((await packagesNow()).at(-1)).toMatchObject({ knowledge: null, error: { code: 'service/unreachable' } })
    expect(await station.refused('receiving.addCase', { identifier: 'HF 2026/0418' })).toEqual({
      code: 'service/unreachable',
    })
    await station.ask('receiving.addPackage', { packageUid: first })
    expect((await packagesNow())[0]).toMatchObject({
      knowledge: { source: 'stored' },
      error: { code: 'service/unreachable' },
    })
    const offline = await allRead(3)
    expect(offline.cases.every((one) => one.case?.knowledge.source === 'stored' && one.error === null)).toBe(true)
    expect(offline.cases.map((one) => one.importState.kind)).toEqual(Array(3).fill('pending'))

    await station.restart()
    await station.knobs.setFaults({})
    const back = await station.ask('receiving.delivery', undefined)
    expect(back).toMatchObject({ id, packages: [{ packageUid: first }, { packageUid: second, knowledge: null }] })
    expect(back?.cases).toHaveLength(3)
    await station.ask('outbox.sendNow', undefined)
    const heard = reads()
    await station.ask('receiving.refresh', undefined)
    const { cases, packages: asked } = await allRead(6)
    expect(asked.every((one) => one.error === null)).toBe(true)
    await expect.poll(() => heard.packages().length).toBe(2)
    expect(new Set(heard.packages().map((one) => one.packageUid))).toEqual(new Set([first, second]))
    heard.stop()
    await station.drained()
    await station.ask('receiving.refresh', undefined)
    await allRead(6)
    expect(cases).toHaveLength(6)
    const held = new Set((await station.knobs.imports()).map((one) => one.caseId))
    const view = await station.ask('receiving.delivery', undefined)
    expect(
      view?.cases.filter((one) => one.importState.kind === 'imported-here').every((one) => held.has(one.caseId)),
    ).toBe(true)
    expect(forms.filter((form) => !held.has(form.caseId))).toEqual([])
  })

  it('imports a case that was never read, which joins the delivery once the service identifies it', async () => {
    const identifier = await caseCode('short')
    const caseId = (await station.ask('receiving.case', { identifier })).caseId
    await station.knobs.setFaults({ offline: true })
    const [packageUid = ''] = await packages()
    const form = { scanned: identifier, packageUid, ...pos }
    const saved = await station.ask('receiving.importBlind', form)
    expect(saved).toMatchObject({ kind: 'blind-import', state: 'queued' })
    expect(await station.refused('receiving.importBlind', form)).toMatchObject({ code: 'receiving/already-importing' })
    const offline = await station.ask('receiving.delivery', undefined)
    expect(offline).toMatchObject({ cases: [], packages: [], blind: [{ id: saved.id }] })
    const report = await station.ask('receiving.report', { deliveryId: offline?.id ?? '' })
    expect(report.lines).toMatchObject([{ identifier, importState: { kind: 'pending' }, ...pos }])
    const heard = reads()
    await station.knobs.setFaults({})
    await station.ask('outbox.sendNow', undefined)
    await station.drained()
    const view = await allRead(1)
    await expect.poll(() => heard.cases().length).toBeGreaterThan(0)
    expect(view).toMatchObject({ blind: [], cases: [{ caseId, importState: { kind: 'imported-here' } }] })
    expect(heard.cases().map((one) => one.caseId)).toContain(caseId)
    heard.stop()
    // The ids that were typed blind are remembered for the identified product.
    const product = view.cases[0]?.case?.packagedProducts[0]
    const prefills = await station.ask('receiving.prefills', {
      pairs: [{ productId: product?.productId ?? '', packageUid }],
    })
    expect(prefills[0]?.posProductId).toMatchObject([{ value: pos.posProductId, source: 'remembered' }])
  })

  it('recognizes the label of an identified case, and does not save a second import while one is unsent or refused', async () => {
    const scanned = 'HF 2026/0417'
    const [packageUid = ''] = await packages()
    const form = { scanned, packageUid, ...pos }
    // The case can be identified, but reporting its import fails.
    await station.knobs.setFaults({ rules: [{ kind: 'status', code: 503, method: 'POST', path: '/api/v1.2/' }] })
    const saved = await station.ask('receiving.importBlind', form)
    // Its certificate has expired: a person permits it first.
    const approval = { reason: 'a sample' }
    await expect
      .poll(async () => (await station.ask('outbox.list', { show: 'attention' })).operations)
      .toMatchObject([{ id: saved.id, kind: 'blind-import' }])
    await station.ask('outbox.retry', { operationId: saved.id, approval })
    await expect
      .poll(async () => (await station.ask('outbox.list', { show: 'waiting' })).operations)
      .toMatchObject([{ id: saved.id, kind: 'import' }])
    expect(await station.refused('receiving.importBlind', { ...form, approval })).toMatchObject({
      code: 'receiving/already-importing',
    })
    expect((await station.ask('outbox.list', { show: 'waiting' })).operations).toHaveLength(1)
  })
})
