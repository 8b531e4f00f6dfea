import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type When, droppedReportOf } from './dropped-report'
import { otherTill } from './other-till'
import { type Station, idIn, startStation } from './station'
import { pos, stepsOf } from './steps'

/** The connection drops during a report, before or after the service took it. The station must find out which. */
describe('a report whose connection was dropped', () => {
  let station: Station
  const { caseToImport, fillCart, finish, held, sell, sellable, voidOrder } = stepsOf(() => station)
  const { dropNext, settle, fillReturn, imports, sold, complete, giveBack, voided } = droppedReportOf(() => station)
  beforeEach(async () => {
    station = await startStation()
  })
  afterEach(async () => {
    await station.close()
  })

  describe.each<[When, string | null]>([
    ['before-commit', null],
    ['after-commit', 'found-by-reading'],
  ])('%s', (when, note) => {
    it('imports once', async () => {
      const { form } = await caseToImport()
      await dropNext(when)
      expect(await station.ask('receiving.import', form)).toMatchObject({ state: 'unknown' })
      expect(await settle()).toMatchObject({ kind: 'import', state: 'accepted', note })
      expect((await imports()).filter((one) => one.startsWith(form.caseId))).toEqual([
        `${form.caseId} ${form.packageUid}`,
      ])
    })

    it('removes an import once', async () => {
      const { form } = await caseToImport()
      const { id } = await station.ask('receiving.import', form)
      await dropNext(when)
      expect(await station.ask('receiving.undo', { operationId: id })).toMatchObject({ state: 'unknown' })
      expect(await settle()).toMatchObject({ kind: 'import-removal', state: 'accepted', note })
      expect((await imports()).filter((one) => one.startsWith(form.caseId))).toEqual([])
    })

    it('sells once', async () => {
      const [a = '', b = ''] = await sellable(2)
      await fillCart('1', [a, b])
      await dropNext(when)
      expect(await finish('sale')).toMatchObject({ state: 'unknown' })
      expect(await settle()).toMatchObject({ kind: 'complete', state: 'accepted', note })
      expect(await held()).toEqual([complete('1', a, b)])
    })

    it('voids once', async () => {
      const { a, b, c } = await sold()
      await dropNext(when)
      expect(await voidOrder('1')).toMatchObject({ state: 'unknown' })
      expect(await settle()).toMatchObject({ kind: 'void', state: 'accepted', note })
      expect(await held()).toEqual([complete('1', a, b), complete('2', c), voided('1', a, b)])
    })

    it('returns once', async () => {
      const { a, b, c } = await sold()
      await fillReturn([a, b])
      await dropNext(when)
      expect(await finish('return')).toMatchObject({ state: 'unknown' })
      expect(await settle()).toMatchObject({ kind: 'return', state: 'accepted', note })
      expect(await held()).toEqual([complete('1', a, b), complete('2', c), giveBack('1', a, b)])
    })

    it('returns a part once, known by the rest of its own order', async () => {
      const [a = '', b = ''] = await sellable(2)
      await sell('1', [a, b])
      await fillReturn([a])
      await dropNext(when)
      expect(await finish('return')).toMatchObject({ state: 'unknown' })
      expect(await settle()).toMatchObject({ kind: 'return', state: 'accepted', note })
      expect(await held()).toEqual([complete('1', a, b), giveBack('1', a)])
    })

    it('voids once the rest of a partly returned order', async () => {
      const { a, b, c } = await sold()
      await fillReturn([a])
      await finish('return')
      await dropNext(when)
      await voidOrder('1')
      expect(await settle()).toMatchObject({ kind: 'void', state: 'accepted', note })
      expect(await held()).toEqual([complete('1', a, b), complete('2', c), giveBack('1', a), voided('1', b)])
    })
  })

  describe.each<[When, string | null]>([
    ['before-commit', null],
    // Reading can't prove it; the service's own "already processed" does.
    ['after-commit', 'already-processed'],
  ])('%s, where reading proves nothing', (when, note) => {
    it('voids once the only sale of its case', async () => {
      const [a = ''] = await sellable(1)
      await sell('1', [a])
      await dropNext(when)
      await voidOrder('1')
      expect(await settle()).toMatchObject({ kind: 'void', state: 'accepted', note })
      expect(await held()).toEqual([complete('1', a), voided('1', a)])
    })

    it('returns once an item that another till sold', async () => {
      const [a = '', b = ''] = await sellable(2)
      await otherTill(station).sell('1', [a])
      await sell('2', [b])
      await station.ask('checkout.setOrder', { mode: 'return', orderId: '1' })
      await fillReturn([a])
      await dropNext(when)
      await finish('return')
      expect(await settle()).toMatchObject({ kind: 'return', state: 'accepted', note })
      expect(await held()).toEqual([complete('1', a), complete('2', b), giveBack('1', a)])
    })
  })

  it('finds a sale of an item that this station has never looked up', async () => {
    const [a = ''] = await sellable(1)
    await station.knobs.setFaults({ offline: true })
    await fillCart('1', [a])
    await finish('sale')
    await dropNext('after-commit')
    await station.ask('outbox.sendNow', undefined)
    await expect.poll(held).toEqual([complete('1', a)])
    expect(await settle()).toMatchObject({ state: 'accepted', note: 'found-by-reading' })
    expect(await held()).toEqual([complete('1', a)])
  })

  it('removes one of two packaged products, and leaves the other imported', async () => {
    const [text = ''] = await station.codes('case', 'two-products')
    const view = await station.ask('receiving.case', { identifier: idIn(text) })
    const forms = view.packagedProducts.map(({ packagedProductId }) => ({
      caseId: view.caseId,
      packagedProductId,
      packageUid: view.packageUids[0] ?? '',
      ...pos,
    }))
    const [first] = await Promise.all(forms.map((form) => station.ask('receiving.import', form)))
    await dropNext('after-commit')
    await station.ask('receiving.undo', { operationId: first?.id ?? '' })
    expect(await settle()).toMatchObject({ kind: 'import-removal', state: 'accepted', note: 'found-by-reading' })
    expect((await imports()).filter((one) => one.startsWith(view.caseId))).toHaveLength(forms.length - 1)
  })
})
