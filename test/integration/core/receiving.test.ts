import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Station, idIn, startStation } from './station'
import { pos, stepsOf } from './steps'

describe('receiving, against the practice service', () => {
  let station: Station
  const { caseToImport, sellable } = stepsOf(() => station)
  beforeEach(async () => {
    station = await startStation()
  })
  afterEach(async () => {
    await station.close()
  })

  it('looks up a package, imports one of its cases, and the service has the import', async () => {
    const { tagCount, form } = await caseToImport()
    const operation = await station.ask('receiving.import', { ...form, sku: 'SKU-1' })
    expect(operation).toMatchObject({ state: 'accepted', kind: 'import', itemCount: tagCount, undo: 'inverse' })
    expect(await station.knobs.imports()).toContainEqual({
      caseId: form.caseId,
      packagedProductId: form.packagedProductId,
      packageUid: form.packageUid,
    })
    const after = await station.ask('receiving.case', { identifier: form.caseId })
    expect(after.packagedProducts[0]?.importState).toMatchObject({ kind: 'imported-here', packageUid: form.packageUid })
  })

  it('undoes an import by its removal, and the case can be imported again', async () => {
    const { form } = await caseToImport()
    const imported = await station.ask('receiving.import', form)
    const removal = await station.ask('receiving.undo', { operationId: imported.id })
    expect(removal).toMatchObject({ kind: 'import-removal', state: 'accepted' })
    expect((await station.knobs.imports()).map((one) => one.caseId)).not.toContain(form.caseId)
    expect(await station.refused('receiving.undo', { operationId: imported.id })).toMatchObject({
      code: 'outbox/wrong-state',
    })
    expect(await station.ask('receiving.import', form)).toMatchObject({ state: 'accepted' })
  })

  it('withdraws an unsent import, and nothing is sent', async () => {
    const { form } = await caseToImport()
    await station.knobs.setFaults({ offline: true })
    const saved = await station.ask('receiving.import', form)
    expect(saved).toMatchObject({ state: 'queued', undo: 'withdraw', reason: { code: 'service/unreachable' } })
    expect(await station.ask('receiving.undo', { operationId: saved.id })).toMatchObject({
      id: saved.id,
      state: 'cancelled',
    })
    await station.knobs.setFaults({})
    await station.drained()
    expect((await station.knobs.imports()).map((one) => one.caseId)).not.toContain(form.caseId)
  })

  it('names the store of our company that imported a case, and shows the reason for a refusal', async () => {
    const [byCompany = ''] = await station.codes('case', 'imported-by-company')
    const [byStranger = ''] = await station.codes('case', 'imported-by-stranger')
    const sister = await station.ask('receiving.case', { identifier: idIn(byCompany) })
    expect(sister.packagedProducts[0]?.importState).toMatchObject({
      kind: 'imported-by-company',
      dispensary: 'Green Door, Hoboken',
    })
    const foreign = await station.ask('receiving.case', { identifier: idIn(byStranger) })
    expect(foreign.packagedProducts[0]?.importState).toMatchObject({ kind: 'imported-elsewhere' })
    const refused = await station.ask('receiving.import', {
      caseId: foreign.caseId,
      packagedProductId: foreign.packagedProducts[0]?.packagedProductId ?? '',
      packageUid: '1A40E0300000B2F000000009',
      ...pos,
    })
    expect(refused).toMatchObject({ state: 'rejected', reason: { code: 'service/other-dispensary' } })
  })

  it('imports one of the two packaged products of a case and leaves the other to import', async () => {
    const [text = ''] = await station.codes('case', 'two-products')
    const view = await station.ask('receiving.case', { identifier: idIn(text) })
    expect(view.packagedProducts).toHaveLength(2)
    const [first, second] = view.packagedProducts
    await station.ask('receiving.import', {
      caseId: view.caseId,
      packagedProductId: first?.packagedProductId ?? '',
      packageUid: view.packageUids[0] ?? '1A40E0300000B2F000000009',
      ...pos,
    })
    const after = await station.ask('receiving.case', { identifier: view.caseId })
    const states = after.packagedProducts.map((one) => [one.packagedProductId, one.importState.kind])
    expect(new Map(states.map(([id, kind]) => [id, kind]))).toEqual(
      new Map([
        [first?.packagedProductId, 'imported-here'],
        [second?.packagedProductId, 'to-import'],
      ]),
    )
  })

  it("shows remembered cases and items if the service doesn't answer, with their age", async () => {
    const identifier = idIn((await station.codes('case', 'imported-here'))[0] ?? '')
    const [a = ''] = await sellable(1)
    await station.ask('receiving.case', { identifier })
    await station.knobs.setFaults({ offline: true })
    const stored = await station.ask('receiving.case', { identifier })
    expect(stored.knowledge.source).toBe('stored')
    const added = await station.ask('checkout.addItem', { mode: 'sale', tagId: a })
    expect(added.productName).not.toBeNull()
    expect([added.verdict.kind, added.verdict.asOf === null]).toEqual(['sellable', false])
    expect(await station.refused('receiving.case', { identifier: 'never seen' })).toEqual({
      code: 'service/unreachable',
    })
  })

  it('gives pictures from the service as data, and none from other hosts', async () => {
    const [packageUid = ''] = await station.codes('package')
    const view = await station.ask('receiving.package', { packageUid })
    const url = view.cases[0]?.case?.packagedProducts[0]?.pictureUrl ?? ''
    const { dataUrl } = await station.ask('media.picture', { url })
    expect(dataUrl).toMatch(/^data:image\/svg\+xml;base64,/)
    for (const foreign of [
      'https://example.invalid/x.png',
      'file:///etc/passwd',
      'not a url',
      url.replace('/media/', '/nothing/'),
    ]) {
      expect(await station.ask('media.picture', { url: foreign })).toEqual({ dataUrl: null })
    }
  })
})
