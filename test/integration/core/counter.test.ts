import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Station, idIn, startStation } from './station'

const pos = { posProductId: 'POS-1', posInventoryId: 'INV-1' }

describe('a station against the practice service', () => {
  let station: Station
  beforeEach(async () => {
    station = await startStation()
  })
  afterEach(async () => {
    await station.close()
  })

  /** The first case to import of the first package, with what its import needs. */
  const caseToImport = async () => {
    const [packageUid = ''] = await station.codes('package')
    const view = await station.ask('receiving.package', { packageUid })
    const found = view.cases.find((one) => one.importState.kind === 'to-import')?.case
    const product = found?.packagedProducts[0]
    if (!found || !product) throw new Error('the practice store has no case to import')
    return { packageUid, caseId: found.caseId, packagedProductId: product.packagedProductId, tagCount: found.tagCount }
  }
  /** Items that can be sold right away. */
  const sellable = async (count: number) => (await station.codes('tag')).slice(-count).map(idIn)
  const fillCart = async (orderId: string, tagIds: string[]) => {
    await station.ask('checkout.setOrder', { mode: 'sale', orderId })
    for (const tagId of tagIds) await station.ask('checkout.addItem', { mode: 'sale', tagId })
  }
  const sell = async (orderId: string, tagIds: string[]) => {
    await fillCart(orderId, tagIds)
    return station.ask('checkout.finish', { mode: 'sale' })
  }
  const held = async () =>
    (await station.knobs.transactions()).map(({ kind, orderId, tagIds }) => ({ kind, orderId, tagIds }))

  it('looks a package up, imports a case of it, and the service holds the import', async () => {
    const { tagCount, ...form } = await caseToImport()
    const operation = await station.ask('receiving.import', { ...form, ...pos, sku: 'SKU-1' })
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
    const { tagCount: _, ...form } = await caseToImport()
    const imported = await station.ask('receiving.import', { ...form, ...pos })
    const removal = await station.ask('receiving.undo', { operationId: imported.id })
    expect(removal).toMatchObject({ kind: 'import-removal', state: 'accepted' })
    expect((await station.knobs.imports()).map((one) => one.caseId)).not.toContain(form.caseId)
    expect(await station.refused('receiving.undo', { operationId: imported.id })).toMatchObject({
      code: 'outbox/wrong-state',
    })
    expect(await station.ask('receiving.import', { ...form, ...pos })).toMatchObject({ state: 'accepted' })
  })

  it('withdraws an import that never left, and the service never hears of it', async () => {
    const { tagCount: _, ...form } = await caseToImport()
    await station.knobs.setFaults({ offline: true })
    const saved = await station.ask('receiving.import', { ...form, ...pos })
    expect(saved).toMatchObject({ state: 'queued', undo: 'withdraw', reason: { code: 'service/unreachable' } })
    expect(await station.ask('receiving.undo', { operationId: saved.id })).toMatchObject({
      id: saved.id,
      state: 'cancelled',
    })
    await station.knobs.setFaults({})
    await station.drained()
    expect((await station.knobs.imports()).map((one) => one.caseId)).not.toContain(form.caseId)
  })

  it('tells whose a case is that somebody else imported, and shows the reason of the refusal', async () => {
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

  it('sells, returns and voids, and the service holds exactly that', async () => {
    const [a = '', b = '', c = ''] = await sellable(3)
    expect(await sell('10482', [a, b])).toMatchObject({ kind: 'complete', state: 'accepted', itemCount: 2 })
    expect(await station.ask('checkout.cart', { mode: 'sale' })).toMatchObject({ itemCount: 0, orderId: null })
    const scanned = await station.ask('checkout.addItem', { mode: 'return', tagId: a })
    expect(scanned.cart.orderId).toBe('10482')
    expect(await station.ask('checkout.finish', { mode: 'return' })).toMatchObject({
      kind: 'return',
      state: 'accepted',
    })
    await sell('10483', [c])
    expect(await station.ask('checkout.void', { orderId: '10483' })).toMatchObject({ kind: 'void', state: 'accepted' })
    expect(await held()).toEqual([
      { kind: 'complete', orderId: '10482', tagIds: [a, b] },
      { kind: 'return', orderId: '10482', tagIds: [a] },
      { kind: 'complete', orderId: '10483', tagIds: [c] },
      expect.objectContaining({ kind: 'void', orderId: '10483' }),
    ])
    const order = await station.ask('checkout.order', { orderId: '10482' })
    expect(new Map(order.items.map((item) => [item.tagId, item.state]))).toEqual(
      new Map([
        [a, 'returned'],
        [b, 'sold'],
      ]),
    )
    expect((await station.ask('checkout.order', { orderId: '10483' })).canVoid).toBe(false)
  })

  it('sells offline, says so, and reports once the connection is back', async () => {
    const [a = '', b = ''] = await sellable(2)
    await sell('1', [a])
    await station.knobs.setFaults({ offline: true })
    const saved = await sell('2', [b])
    expect(saved).toMatchObject({ state: 'queued', reason: { code: 'service/unreachable' } })
    expect(await station.ask('app.status', undefined)).toMatchObject({
      unsent: 1,
      connection: { state: 'unreachable' },
    })
    await station.knobs.setFaults({})
    await station.drained()
    expect(await held()).toEqual([
      { kind: 'complete', orderId: '1', tagIds: [a] },
      { kind: 'complete', orderId: '2', tagIds: [b] },
    ])
  })

  it('keeps order when a return is made behind a sale that is still unsent', async () => {
    const [a = ''] = await sellable(1)
    await station.knobs.setFaults({ offline: true })
    await sell('1', [a])
    await station.ask('checkout.addItem', { mode: 'return', tagId: a })
    await station.ask('checkout.finish', { mode: 'return' })
    await station.knobs.setFaults({})
    await station.drained()
    expect((await held()).map((one) => one.kind)).toEqual(['complete', 'return'])
  })

  it('withdraws an unsent sale when its order is voided, and reports neither', async () => {
    const [a = ''] = await sellable(1)
    await station.knobs.setFaults({ offline: true })
    const sale = await sell('1', [a])
    expect(await station.ask('checkout.void', { orderId: '1' })).toMatchObject({ id: sale.id, state: 'cancelled' })
    await station.knobs.setFaults({})
    await station.drained()
    expect(await held()).toEqual([])
    expect(await sell('2', [a])).toMatchObject({ state: 'accepted' })
  })

  it('neither loses nor doubles a sale whose answer was lost after the service took it', async () => {
    const [a = ''] = await sellable(1)
    await station.knobs.setFaults({
      rules: [{ kind: 'drop', when: 'after-commit', path: '/api/v1.2/transactions/', times: 1 }],
    })
    const sale = await sell('1', [a])
    expect(sale.state).toBe('unknown')
    await station.ask('outbox.sendNow', undefined)
    await station.drained()
    expect(await held()).toEqual([{ kind: 'complete', orderId: '1', tagIds: [a] }])
    expect(await station.ask('outbox.list', { show: 'recent' })).toMatchObject([
      { state: 'accepted', note: 'found-by-reading' },
    ])
  })

  it.each(['import', 'import-removal'] as const)(
    'neither loses nor doubles an %s of one of two packaged products whose answer was lost',
    async (kind) => {
      const [text = ''] = await station.codes('case', 'two-products')
      const view = await station.ask('receiving.case', { identifier: idIn(text) })
      const form = {
        caseId: view.caseId,
        packagedProductId: view.packagedProducts[0]?.packagedProductId ?? '',
        packageUid: view.packageUids[0] ?? '',
        ...pos,
      }
      const lose = () =>
        station.knobs.setFaults({
          rules: [{ kind: 'drop', when: 'after-commit', path: '/api/v1.2/caseids/', times: 1 }],
        })
      if (kind === 'import') await lose()
      const imported = await station.ask('receiving.import', form)
      if (kind === 'import-removal') {
        await lose()
        await station.ask('receiving.undo', { operationId: imported.id })
      }
      await station.ask('outbox.sendNow', undefined)
      await station.drained()
      const [last] = await station.ask('outbox.list', { show: 'recent' })
      expect(last).toMatchObject({ kind, state: 'accepted', note: 'found-by-reading' })
      const held = (await station.knobs.imports()).filter((one) => one.caseId === view.caseId)
      expect(held).toHaveLength(kind === 'import' ? 1 : 0)
    },
  )

  it.each([
    ['dropped before the service looked', { kind: 'drop', when: 'before-commit', times: 2 }],
    ['answered 500', { kind: 'status', code: 500, times: 2 }],
    ['answered 503', { kind: 'status', code: 503, retryAfter: 0, times: 2 }],
    ['answered 429', { kind: 'status', code: 429, retryAfter: 0, times: 2 }],
    ['answered by a web page', { kind: 'garbage', answer: 'html', times: 2 }],
    ['answered by nothing', { kind: 'garbage', answer: 'empty', times: 2 }],
  ] as const)('reports a return once that was %s twice', async (_, rule) => {
    const [a = ''] = await sellable(1)
    await sell('1', [a])
    await station.knobs.setFaults({ rules: [{ ...rule, path: '/api/v1.2/transactions/return' }] })
    await station.ask('checkout.addItem', { mode: 'return', tagId: a })
    const first = await station.ask('checkout.finish', { mode: 'return' })
    expect(['queued', 'unknown']).toContain(first.state)
    for (let attempt = 0; attempt < 40 && (await station.ask('app.status', undefined)).unsent > 0; attempt++) {
      await station.ask('outbox.sendNow', undefined)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect((await held()).map((one) => one.kind)).toEqual(['complete', 'return'])
    expect((await station.ask('app.status', undefined)).attention).toBe(0)
  })

  it('renews an expired token by itself', async () => {
    const [a = ''] = await sellable(1)
    await station.knobs.expireTokens()
    expect(await sell('1', [a])).toMatchObject({ state: 'accepted', attempts: 1 })
  })

  it('brings an unsent sale and a half-filled cart through a restart', async () => {
    const [a = '', b = ''] = await sellable(2)
    await station.ask('receiving.case', { identifier: idIn((await station.codes('case', 'imported-here'))[0] ?? '') })
    await station.knobs.setFaults({ offline: true })
    await sell('1', [a])
    await fillCart('2', [b])
    await station.restart()
    expect(await station.ask('checkout.cart', { mode: 'sale' })).toMatchObject({ orderId: '2', itemCount: 1 })
    await station.drained()
    expect(await held()).toEqual([{ kind: 'complete', orderId: '1', tagIds: [a] }])
  })

  it('refuses an item twice, an item sold before, a sale without items and one without an order', async () => {
    const [a = '', b = ''] = await sellable(2)
    expect(await station.refused('checkout.finish', { mode: 'sale' })).toEqual({ code: 'checkout/empty-cart' })
    await station.ask('checkout.addItem', { mode: 'sale', tagId: a })
    expect(await station.refused('checkout.finish', { mode: 'sale' })).toEqual({ code: 'checkout/order-id-missing' })
    expect(await station.refused('checkout.addItem', { mode: 'sale', tagId: a })).toEqual({
      code: 'checkout/duplicate',
      tagId: a,
    })
    await station.ask('checkout.setOrder', { mode: 'sale', orderId: '  77 ' })
    await station.ask('checkout.finish', { mode: 'sale' })
    expect(await station.refused('checkout.addItem', { mode: 'sale', tagId: a })).toMatchObject({
      code: 'checkout/already-sold',
      orderId: '77',
    })
    await fillCart('77', [b])
    expect(await station.refused('checkout.finish', { mode: 'sale' })).toEqual({
      code: 'checkout/order-id-used',
      orderId: '77',
    })
    expect(await station.ask('checkout.cart', { mode: 'sale' })).toMatchObject({ itemCount: 1 })
  })

  it('refuses to bring an item back twice, or to an order it was not sold in', async () => {
    const [a = '', b = ''] = await sellable(2)
    await sell('1', [a])
    await sell('2', [b])
    await station.ask('checkout.setOrder', { mode: 'return', orderId: '1' })
    expect(await station.refused('checkout.addItem', { mode: 'return', tagId: b })).toEqual({
      code: 'checkout/in-other-order',
      tagId: b,
      orderId: '2',
    })
    await station.ask('checkout.addItem', { mode: 'return', tagId: a })
    await station.ask('checkout.finish', { mode: 'return' })
    expect(await station.refused('checkout.addItem', { mode: 'return', tagId: a })).toMatchObject({
      code: 'checkout/already-returned',
      orderId: '1',
    })
    await station.ask('checkout.void', { orderId: '2' })
    expect(await station.refused('checkout.void', { orderId: '2' })).toEqual({
      code: 'checkout/order-voided',
      orderId: '2',
    })
  })

  it('says what an id is that does not belong where it was scanned', async () => {
    const [a = ''] = await sellable(1)
    const caseId = idIn((await station.codes('case', 'imported-here'))[0] ?? '')
    expect(await station.refused('receiving.case', { identifier: a })).toEqual({
      code: 'scan/wrong-place',
      found: 'tag',
      expected: 'case',
    })
    expect(await station.refused('checkout.addItem', { mode: 'sale', tagId: caseId })).toEqual({
      code: 'scan/wrong-place',
      found: 'case',
      expected: 'tag',
    })
    expect(await station.ask('checkout.cart', { mode: 'sale' })).toMatchObject({ itemCount: 0 })
    const stranger = 'nq45eyR6Sqq9NzTY3pcL72'
    expect(await station.refused('checkout.addItem', { mode: 'sale', tagId: stranger })).toMatchObject({
      code: 'service/not-found',
    })
    expect(await station.refused('receiving.case', { identifier: stranger })).toMatchObject({
      code: 'service/not-found',
    })
    expect(await station.ask('receiving.package', { packageUid: 'NOBODYS' })).toMatchObject({ cases: [] })
  })

  it('flags an item whose case is not imported; its refused sale succeeds once the case is imported and it is sent again', async () => {
    const { tagCount: _, ...form } = await caseToImport()
    const detail = (await station.codes('tag', 'case-not-imported')).map(idIn)
    let tagId = ''
    for (const candidate of detail) {
      const added = await station.ask('checkout.addItem', { mode: 'sale', tagId: candidate })
      expect(added.flag).toBe('not-imported')
      await station.ask('checkout.clear', { mode: 'sale' })
      tagId ||= candidate
    }
    const sale = await sell('1', [tagId])
    expect(sale).toMatchObject({ state: 'rejected', reason: { code: 'service/not-imported', tagIds: [tagId] } })
    expect((await station.ask('app.status', undefined)).attention).toBe(1)
    await station.ask('receiving.import', { ...form, ...pos })
    await station.ask('outbox.retry', { operationId: sale.id })
    await station.drained()
    expect(await held()).toEqual([{ kind: 'complete', orderId: '1', tagIds: [tagId] }])
  })

  it('shows what it remembers of cases and items when nobody answers, and since when', async () => {
    const identifier = idIn((await station.codes('case', 'imported-here'))[0] ?? '')
    const [a = ''] = await sellable(1)
    await station.ask('receiving.case', { identifier })
    await station.knobs.setFaults({ offline: true })
    const stored = await station.ask('receiving.case', { identifier })
    expect(stored.knowledge.source).toBe('stored')
    const added = await station.ask('checkout.addItem', { mode: 'sale', tagId: a })
    expect(added.line.productName).not.toBeNull()
    expect(added.flag).toBeNull()
    expect(await station.refused('receiving.case', { identifier: 'never seen' })).toEqual({
      code: 'service/unreachable',
    })
  })

  it('lets an item that it has never seen be sold offline, marked as unchecked', async () => {
    const [a = ''] = await sellable(1)
    await station.knobs.setFaults({ offline: true })
    const added = await station.ask('checkout.addItem', { mode: 'sale', tagId: a })
    expect(added).toMatchObject({ flag: 'unchecked', line: { productName: null } })
  })

  it('corrects the moment of a sale by the clock of the service', async () => {
    const [a = ''] = await sellable(1)
    await station.knobs.setFaults({ dateSkewMs: 86_400_000 })
    await sell('1', [a])
    const [sale] = await station.knobs.transactions()
    const ahead = Date.parse(sale?.performedAt ?? '') - Date.now()
    expect(Math.round(ahead / 3_600_000)).toBe(24)
  })

  it('gives pictures of the service as data, and none of anybody else', async () => {
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
