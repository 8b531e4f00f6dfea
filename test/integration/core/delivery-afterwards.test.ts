import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { deliverySteps } from './delivery-steps'
import { type Station, startStation } from './station'
import { pos } from './steps'

const everything = { from: null, to: null, text: '' }

describe('a delivery, against the practice service', () => {
  let station: Station
  const { packages, allRead, formsOf, importAll } = deliverySteps(() => station)
  beforeEach(async () => {
    station = await startStation()
  })
  afterEach(async () => {
    await station.close()
  })

  it('undoes every import of a delivery, even after it is finished, and none twice', async () => {
    const [first = ''] = await packages()
    const before = await station.knobs.imports()
    await station.ask('receiving.addPackage', { packageUid: first })
    const { id } = await allRead(3)
    await importAll()
    await station.drained()
    expect((await station.ask('receiving.delivery', undefined))?.undoable).toBe(3)
    await station.ask('receiving.finishDelivery', { deliveryId: id })
    expect(await station.ask('receiving.delivery', undefined)).toBeNull()
    const undone = await station.ask('receiving.undoDelivery', { deliveryId: id })
    expect(undone.refused).toEqual([])
    expect(undone.saved.map((one) => one.kind)).toEqual(Array(3).fill('import-removal'))
    await station.drained()
    expect(await station.knobs.imports()).toEqual(before)
    expect(await station.ask('receiving.undoDelivery', { deliveryId: id })).toEqual({ saved: [], refused: [] })
    expect(await station.ask('receiving.deliveries', undefined)).toMatchObject([
      { id, packageUids: [first], caseCount: 3, imported: 0, pending: 0, refused: 0 },
    ])
  })

  it('is reopened the same day over a restart, with its cases and imports, and refused the day after', async () => {
    const [first = ''] = await packages()
    await station.ask('receiving.addPackage', { packageUid: first })
    const { id } = await allRead(3)
    await importAll()
    await station.drained()
    await station.ask('receiving.finishDelivery', { deliveryId: id })
    await station.restart()
    expect(await station.ask('receiving.deliveries', undefined)).toMatchObject([{ id, canReopen: true }])
    await station.ask('receiving.reopenDelivery', { deliveryId: id })
    const view = await allRead(3)
    expect([view.id, view.undoable]).toEqual([id, 3])
    expect(view.cases.map((one) => one.importState.kind)).toEqual(Array(3).fill('imported-here'))
    await station.ask('receiving.finishDelivery', { deliveryId: id })
    await station.restart(() => {
      const db = new Database(join(station.dataDir, 'practice', 'countertag.db'))
      db.prepare('UPDATE delivery SET finished_at = finished_at - 86400000').run()
      db.close()
    })
    expect(await station.ask('receiving.deliveries', undefined)).toMatchObject([{ id, canReopen: false }])
    expect(await station.refused('receiving.reopenDelivery', { deliveryId: id })).toEqual({
      code: 'receiving/delivery-over',
    })
  })

  it('reports a line for each packaged product, with its POS ids and the state of its import', async () => {
    const [first = ''] = await packages()
    await station.ask('receiving.addPackage', { packageUid: first })
    const { id } = await allRead(3)
    await importAll()
    await station.drained()
    const report = await station.ask('receiving.report', { deliveryId: id })
    expect(report).toMatchObject({ storeName: 'Green Door, Newark', summary: { id, caseCount: 3, imported: 3 } })
    expect(report.lines).toHaveLength(3)
    for (const line of report.lines) {
      expect(line).toMatchObject({ packageUid: first, importState: { kind: 'imported-here' }, counted: null, ...pos })
      expect(line.productName).not.toBeNull()
    }
    expect(report.counts).toEqual([])
  })

  it('keeps its history by day and text, and exports it without a formula in a cell', async () => {
    const [packageUid = ''] = await packages()
    await station.ask('receiving.addPackage', { packageUid })
    await allRead(3)
    const [form, ...rest] = await formsOf()
    if (!form) throw new Error('there is nothing to import')
    const done = await station.ask('receiving.importMany', {
      imports: [{ ...form, posProductId: '=HYPERLINK("x")', posInventoryId: '100%_\\"' }, ...rest],
    })
    await station.drained()
    await station.ask('receiving.undo', { operationId: done.saved[1]?.id ?? '' })
    const all = await station.ask('receiving.history', { filter: everything, before: null })
    expect(all.total).toBe(4)
    expect(all.entries.map((one) => one.operation.kind)).toEqual(['import-removal', ...Array<string>(3).fill('import')])
    const older = await station.ask('receiving.history', {
      filter: everything,
      before: all.entries[1]?.operation.seq ?? 1,
    })
    expect(older.entries.map((one) => one.operation.seq)).toEqual(all.entries.slice(2).map((one) => one.operation.seq))
    expect(older.total).toBe(4)

    const totalOf = async (text: string) =>
      (await station.ask('receiving.history', { filter: { ...everything, text }, before: null })).total
    expect(await totalOf(packageUid.toLowerCase())).toBe(4)
    expect(await totalOf(form.caseId)).toBeGreaterThan(0)
    expect(await totalOf('HYPERLINK')).toBe(1)
    expect(await totalOf('100%_\\"')).toBe(1)
    // Signs of the search itself, words of the saved form, and nothing there.
    for (const text of ['%%', '_____', 'posProductId', 'kind', '\\', '{']) {
      expect([text, await totalOf(text)]).toEqual([text, text === '\\' ? 1 : 0])
    }
    const label = (await station.ask('receiving.delivery', undefined))?.cases.find((one) =>
      one.case?.identifier.includes('/'),
    )
    expect(await totalOf(label?.case?.identifier ?? '')).toBeGreaterThan(0)
    // A case is named as its label is, and not by its id alone.
    const labelled = all.entries.find((one) => one.operation.caseId === label?.caseId)
    expect([labelled?.identifier, labelled?.identifier === label?.caseId]).toEqual([label?.case?.identifier, false])
    const day = (ms: number) => new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
    const [today, tomorrow] = [day(Date.now()), day(Date.now() + 86_400_000)]
    const of = async (from: string | null, to: string | null) =>
      (await station.ask('receiving.history', { filter: { from, to, text: '' }, before: null })).total
    expect(await of(null, tomorrow)).toBe(4)
    expect(await of('2020-02-29', '2020-03-01')).toBe(0)
    expect(await of(today, tomorrow)).toBe(4)
    expect(await of(day(Date.now() + 2 * 86_400_000), null)).toBe(0)

    const file = await station.ask('receiving.exportHistory', { filter: everything })
    expect(file.fileName).toMatch(/^receiving-\d{4}-\d\d-\d\d\.csv$/)
    expect(file.lines).toHaveLength(4)
    expect(file.lines.map(({ kind }) => kind)).toContain('import-removal')
    expect(file.lines.map(({ posProductId }) => posProductId)).toContain('=HYPERLINK("x")')
  })
})
