import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { droppedReportOf } from './dropped-report'
import { otherTill } from './other-till'
import { type Station, startStation } from './station'
import { stepsOf } from './steps'

/** The connection drops during a report, and another till acts before the station can find out whether it was taken. */
describe('a report whose connection was dropped while another till acts', () => {
  let station: Station
  const { caseToImport, fillCart, finish, held, sell, sellable, voidOrder } = stepsOf(() => station)
  const { dropNext, settle, fillReturn, imports, sold, complete, giveBack, voided } = droppedReportOf(() => station)
  beforeEach(async () => {
    station = await startStation()
  })
  afterEach(async () => {
    await station.close()
  })

  it('sells once when the other till sold the item and took it back', async () => {
    const [a = ''] = await sellable(1)
    await fillCart('1', [a])
    await dropNext('before-commit')
    await finish('sale')
    await otherTill(station).sell('other', [a])
    await otherTill(station).giveBack('other', [a])
    expect(await settle()).toMatchObject({ state: 'accepted', note: null })
    expect(await held()).toEqual([complete('other', a), giveBack('other', a), complete('1', a)])
  })

  it("does not mistake the other till's sale for its own", async () => {
    const [a = '', b = '', c = ''] = await sellable(3)
    // It shows that the service keeps the times of reports.
    await sell('0', [c])
    await fillCart('1', [a, b])
    await dropNext('before-commit')
    await finish('sale')
    await otherTill(station).sell('other', [a])
    expect(await settle()).toMatchObject({ state: 'rejected', reason: { code: 'service/already-processed' } })
    expect(await held()).toEqual([complete('0', c), complete('other', a)])
  })

  it("asks a person about a station's first sale if the other till sold a part of it", async () => {
    const [a = '', b = ''] = await sellable(2)
    await fillCart('1', [a, b])
    await dropNext('before-commit')
    await finish('sale')
    await otherTill(station).sell('other', [a])
    expect(await settle()).toMatchObject({ state: 'unknown', reason: { code: 'outbox/unsettled' } })
    expect(await held()).toEqual([complete('other', a)])
  })

  it("does not mistake the other till's order under the same number for its own", async () => {
    const [a = '', b = '', c = ''] = await sellable(3)
    await sell('0', [c])
    await fillCart('1', [a])
    await dropNext('before-commit')
    await finish('sale')
    await otherTill(station).sell('1', [b])
    expect(await settle()).toMatchObject({ state: 'rejected', reason: { code: 'service/already-processed' } })
    expect(await held()).toEqual([complete('0', c), complete('1', b)])
  })

  it('recognizes its sale even if the other till returned part of it', async () => {
    const [a = '', b = ''] = await sellable(2)
    await fillCart('1', [a, b])
    await dropNext('after-commit')
    await finish('sale')
    await otherTill(station).giveBack('1', [a])
    expect(await settle()).toMatchObject({ state: 'accepted', note: 'already-processed' })
    expect(await held()).toEqual([complete('1', a, b), giveBack('1', a)])
  })

  it('leaves a sale that the other till voided meanwhile to a person, and does not sell it again', async () => {
    const [a = '', b = '', c = ''] = await sellable(3)
    await sell('0', [c])
    await fillCart('1', [a, b])
    await dropNext('after-commit')
    await finish('sale')
    await otherTill(station).void('1')
    expect(await settle()).toMatchObject({ state: 'rejected', reason: { code: 'service/already-processed' } })
    expect(await held()).toEqual([complete('0', c), complete('1', a, b), voided('1', a, b)])
  })

  it('asks a person which till made a sale if no other sale shows how the service stores times', async () => {
    const [a = ''] = await sellable(1)
    await fillCart('1', [a])
    await dropNext('after-commit')
    await finish('sale')
    await otherTill(station).void('1')
    const sale = await settle()
    expect(sale).toMatchObject({
      state: 'unknown',
      unsettled: { shown: 'free' },
      reason: { code: 'outbox/unsettled', status: 400, said: 'This transaction has already been processed.' },
    })
    expect(await station.ask('app.status', undefined)).toMatchObject({ attention: 1, unsent: 0 })
    const confirmed = await station.ask('outbox.confirm', {
      operationId: sale?.id ?? '',
      reason: 'seen in the portal',
    })
    expect(confirmed).toMatchObject({ state: 'accepted', note: 'confirmed', unsettled: null })
    const journal = await station.ask('outbox.journal', { operationId: sale?.id ?? '' })
    expect(journal.at(-1)).toMatchObject({ actor: 'person', what: 'confirmed', because: 'seen in the portal' })
    expect(await held()).toEqual([complete('1', a), voided('1', a)])
  })

  it.each(['before-commit', 'after-commit'] as const)(
    'returns once if the other till sold the item again at once (our return was dropped %s)',
    async (when) => {
      const { a, b, c } = await sold()
      await fillReturn([a])
      await dropNext(when)
      await finish('return')
      const other = otherTill(station)
      if (when === 'before-commit') await other.giveBack('1', [a])
      await other.sell('other', [a])
      expect(await settle()).toMatchObject({ kind: 'return', state: 'accepted', note: 'found-by-reading' })
      // The new sale is kept: no report was sent that could have undone it.
      expect(await held()).toEqual([complete('1', a, b), complete('2', c), giveBack('1', a), complete('other', a)])
    },
  )

  it('counts a return as done if the other till made it, so that the item is returned once', async () => {
    const { a, b, c } = await sold()
    await fillReturn([a, b])
    await dropNext('before-commit')
    await finish('return')
    await otherTill(station).giveBack('1', [a, b])
    expect(await settle()).toMatchObject({ state: 'accepted', note: 'found-by-reading' })
    expect(await held()).toEqual([complete('1', a, b), complete('2', c), giveBack('1', a, b)])
  })

  it('leaves a return to a person if the other till made part of it', async () => {
    const { a, b, c } = await sold()
    await fillReturn([a, b])
    await dropNext('before-commit')
    await finish('return')
    await otherTill(station).giveBack('1', [a])
    const outcome = await settle()
    expect(await held()).toEqual([complete('1', a, b), complete('2', c), giveBack('1', a)])
    expect(outcome).toMatchObject({ state: 'rejected', reason: { code: 'service/already-processed' } })
  })

  it('voids an order that the other till returned in part', async () => {
    const { a, b, c } = await sold()
    await dropNext('before-commit')
    await voidOrder('1')
    await otherTill(station).giveBack('1', [a])
    expect(await settle()).toMatchObject({ kind: 'void', state: 'accepted', note: null })
    expect(await held()).toEqual([complete('1', a, b), complete('2', c), giveBack('1', a), voided('1', b)])
  })

  it('leaves an import to a person if a colleague made it under another package', async () => {
    const { form } = await caseToImport()
    await dropNext('before-commit')
    await station.ask('receiving.import', form)
    await otherTill(station).import({ ...form, packageUid: '1A4060300020081000099999' })
    expect(await settle()).toMatchObject({ state: 'rejected', reason: { code: 'service/already-imported' } })
  })

  it('counts an import as done if a colleague made it under the same package', async () => {
    const { form } = await caseToImport()
    await dropNext('before-commit')
    await station.ask('receiving.import', form)
    await otherTill(station).import(form)
    expect(await settle()).toMatchObject({ state: 'accepted', note: 'found-by-reading' })
    expect((await imports()).filter((one) => one.startsWith(form.caseId))).toHaveLength(1)
  })

  it('does not mistake the import of its sister store for its own', async () => {
    const { form } = await caseToImport()
    await dropNext('before-commit')
    await station.ask('receiving.import', form)
    await otherTill(station, 'sister store').import(form)
    expect(await settle()).toMatchObject({ state: 'rejected', reason: { code: 'service/other-dispensary' } })
  })

  it.each(['before-commit', 'after-commit'] as const)(
    'counts a removal as done if the sister store has imported the case since (our removal was dropped %s)',
    async (when) => {
      const { form } = await caseToImport()
      const { id } = await station.ask('receiving.import', form)
      await dropNext(when)
      await station.ask('receiving.undo', { operationId: id })
      if (when === 'before-commit') await otherTill(station).removeImport(form)
      await otherTill(station, 'sister store').import(form)
      expect(await settle()).toMatchObject({ kind: 'import-removal', state: 'accepted', note: 'found-by-reading' })
      // The sister store's import is kept.
      expect((await imports()).filter((one) => one.startsWith(form.caseId))).toHaveLength(1)
    },
  )
})
