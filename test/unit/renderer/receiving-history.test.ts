import { afterEach, describe, expect, it, vi } from 'vitest'
import { ReceivingHistory } from '../../../src-renderer/receiving/history/receiving-history.svelte'
import {
  certificateOf,
  groupsOf,
  packagesOf,
  itemsIn,
  paperOfReport,
  reportFile,
  totalsOf,
} from '../../../src-renderer/receiving/report/report'
import { DeliveryId } from '../../../src-shared/ids'
import { createClient } from '../../../src-shared/ipc/client'
import type { DeliveryReport } from '../../../src-shared/ipc/contract/delivery'
import { caseKindOf, countCases } from '../../../src-shared/case-state'
import type { ReportLine } from '../../../src-shared/ipc/contract/record'
import { language, say } from '../../../src-renderer/text/text.svelte'
import type { CoaVerdict, HistoryEntry } from '../../../src-shared/ipc/contract/receiving'
import { at, caseId, operation, operationId, tagId } from './examples'
import { createFakeWire } from './fake-wire'

/** In this computer's time zone, like the days of the history. */
const on = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString()

const entry = (seq: number, performedAt = on(12, 15)): HistoryEntry => ({
  operation: operation({ id: operationId(seq), seq, kind: 'import', performedAt, undo: 'inverse' }),
  identifier: null,
  posProductId: null,
  posInventoryId: null,
  sku: null,
})
const newest = (from: number, count: number) => Array.from({ length: count }, (_, at) => entry(from - at))

function create() {
  const fake = createFakeWire()
  return { fake, history: new ReceivingHistory(createClient(fake.wire)) }
}

async function loaded(entries: HistoryEntry[], total = entries.length) {
  const made = create()
  const loading = made.history.load()
  await made.fake.next('receiving.history').answer({ entries, total })
  await loading
  return made
}

describe('the history of receiving', () => {
  it('is grouped by day, newest first', async () => {
    const { history } = await loaded([entry(3), entry(2, on(12, 1)), entry(1, on(9, 12))])
    expect(history.lines.map(({ kind }) => kind)).toEqual(['day', 'entry', 'entry', 'day', 'entry'])
  })

  it('loads older pages one at a time until it is complete, and none twice', async () => {
    const { fake, history } = await loaded(newest(150, 100), 150)
    const more = history.list.more()
    await history.list.more()
    const asked = fake.next('receiving.history')
    expect([asked.input, fake.asked]).toEqual([{ filter: { from: null, to: null, text: '' }, before: 51 }, []])
    await asked.answer({ entries: newest(50, 50), total: 150 })
    await more
    await history.list.more()
    expect([history.list.rows?.length, history.list.isWhole, fake.asked]).toEqual([150, true, []])
  })

  it('ends at an empty page, whatever the total says', async () => {
    const { fake, history } = await loaded(newest(5, 2), 9)
    const more = history.list.more()
    await fake.next('receiving.history').answer({ entries: [], total: 9 })
    await more
    await history.list.more()
    expect([history.list.isWhole, fake.asked]).toEqual([true, []])
  })

  it('never shows the result of an older filter over a newer one', async () => {
    const { fake, history } = create()
    history.text = 'a'
    const first = history.load()
    history.text = ' ab '
    const second = history.load()
    const slow = fake.next('receiving.history')
    const quick = fake.next('receiving.history')
    expect(quick.input).toMatchObject({ filter: { text: 'ab' } })
    await quick.answer({ entries: [entry(2)], total: 1 })
    await slow.answer({ entries: [entry(9)], total: 1 })
    await Promise.all([first, second])
    expect(history.list.rows?.map(({ operation: { seq } }) => seq)).toEqual([2])
  })

  it('asks main nothing if the first day is after the last', async () => {
    const { fake, history } = create()
    Object.assign(history, { from: '2026-11-12', to: '2026-11-01' })
    await history.load()
    expect([history.isBackwards, history.list.rows, fake.asked]).toEqual([true, [], []])
  })

  it('shows what failed, and keeps the loaded lines', async () => {
    const { fake, history } = await loaded([entry(1)])
    const again = history.load()
    await fake.next('receiving.history').refuse({ code: 'store/not-saved' })
    await again
    expect([history.error?.code, history.list.rows?.length]).toEqual(['store/not-saved', 1])
  })

  it('undoes in the row: the inverse gets its own line, a refusal appears beside the row', async () => {
    const { fake, history } = await loaded([entry(2), entry(1)])
    const refused = history.undo(entry(1).operation)
    await fake.next('receiving.undo').refuse({ code: 'outbox/wrong-state', state: 'accepted' })
    await refused
    expect(history.undoErrors.get(operationId(1))?.code).toBe('outbox/wrong-state')
    const undone = history.undo(entry(1).operation)
    expect(history.undoErrors.size).toBe(0)
    const removal = { ...entry(3), operation: operation({ id: operationId(3), seq: 3, kind: 'import-removal' }) }
    await fake.next('receiving.undo').answer(removal.operation)
    const page = { entries: [removal, entry(2), entry(1)], total: 3 }
    await fake.next('receiving.history').answer(page)
    await fake.next('receiving.history').answer(page)
    await undone
    expect(history.list.rows?.map(({ operation: { seq } }) => seq)).toEqual([3, 2, 1])
  })

  it('follows the state of its reports, and ignores sales', async () => {
    const { fake, history } = await loaded([entry(1)])
    history.operationChanged(operation({ id: operationId(1), kind: 'import', state: 'rejected' }))
    history.operationChanged(operation({ id: operationId(8), seq: 8, kind: 'complete' }))
    expect([history.list.rows?.[0]?.operation.state, fake.asked]).toEqual(['rejected', []])
  })
})

const deliveryId = DeliveryId.parse('00000000-0000-4000-8000-00000000000b')
const line = (fields: Partial<ReportLine>): ReportLine => ({
  packageUid: 'P1',
  caseId: caseId(1),
  identifier: 'case 1',
  productName: 'Blue Dream',
  brandName: null,
  batchName: null,
  useBy: null,
  coa: null,
  tagCount: 24,
  requiredCount: 24,
  counted: 22,
  missing: [tagId(1), tagId(2)],
  importState: { kind: 'to-import' },
  posProductId: null,
  posInventoryId: null,
  sku: null,
  ...fields,
})
const report = (lines: ReportLine[]): DeliveryReport => ({
  summary: {
    id: deliveryId,
    startedAt: at,
    stations: [],
    finishedAt: null,
    finishedAtStation: null,
    canReopen: false,
    packageUids: ['P1'],
    caseCount: lines.length,
    imported: 0,
    pending: 0,
    refused: 0,
    record: null,
  },
  storeName: 'Green Door',
  madeAt: at,
  lines,
  counts: [],
  manifest: null,
  permitted: [],
})

describe('the delivery report', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it('groups its lines by package and sums them up', () => {
    const lines = [line({}), line({ packageUid: null, counted: null, missing: [] }), line({ missing: [] })]
    expect(groupsOf({ packageUids: ['P1'], lines }).map((group) => [group.packageUid, group.lines.length])).toEqual([
      ['P1', 2],
      [null, 1],
    ])
    expect(totalsOf(lines)).toMatchObject({ items: 72, missing: 2, isCounted: true, badCertificates: 0 })
  })

  it('says once what a case of two products should hold, on paper and in the file', () => {
    const ofTwo = [line({ tagCount: 12 }), line({ tagCount: 11, productName: 'Red Dune' })]
    const alone = line({ caseId: caseId(2), tagCount: 12 })
    const lines = [...ofTwo, alone]
    const items = itemsIn(lines)
    expect(lines.map((one) => items.get(one))).toEqual([
      { items: 12, required: null, ofCase: { items: 23, required: 24 } },
      { items: 11, required: null, ofCase: null },
      { items: 12, required: 24, ofCase: null },
    ])
    const unknown = line({ caseId: caseId(3), tagCount: null })
    expect(itemsIn([unknown]).get(unknown)?.items).toBeNull()
    const inFile = lines.map((one) => ({ ...one, missing: [] }))
    const [head, ...rows] = reportFile(paperOfReport(report(inFile)))
      .text.trim()
      .split('\r\n')
      .map((row) => row.split(','))
    const required = head?.indexOf('Items required') ?? -1
    expect(rows.map((row) => row[required])).toEqual(['24', '', '24'])
  })

  it('counts cases as the screen does: one of two products is imported in part until both are', () => {
    const here = { kind: 'imported-here', at: null, packageUid: 'P1' } as const
    const lines = [
      line({ importState: here }),
      line({ importState: { kind: 'to-import' } }),
      line({ caseId: caseId(2), importState: here }),
      line({ caseId: caseId(2), importState: here }),
      line({ caseId: caseId(3) }),
    ]
    expect(totalsOf(lines)).toMatchObject({ imported: 1, partly: 1, pending: 0, refused: 0 })
    const cases = [lines.slice(0, 2), lines.slice(2, 4), lines.slice(4)]
    const kinds = cases.map((ofCase) => caseKindOf(ofCase.map(({ importState }) => importState.kind)))
    expect(countCases(kinds)).toEqual({ imported: 1, partly: 1, pending: 0, refused: 0 })
  })

  it('lists every package that it counts, also one without cases and one of which a case was scanned by itself', () => {
    const lines = [line({ packageUid: 'P2' }), line({ packageUid: 'P1' }), line({ packageUid: null })]
    const summary = { ...report(lines).summary, packageUids: ['P1', 'EMPTY'] }
    const paper = paperOfReport({ ...report(lines), summary })
    const groups = groupsOf(paper).map((group) => [group.packageUid, group.lines.length])
    expect(groups).toEqual([
      ['P1', 1],
      ['EMPTY', 0],
      ['P2', 1],
      [null, 1],
    ])
    expect(packagesOf(paper)).toBe(3)
  })

  it('names failed and expired certificates, with the day, and counts those that were imported', () => {
    const importState = { kind: 'imported-here', at: null, packageUid: 'P1' } as const
    const coa = (fields: Partial<CoaVerdict>): CoaVerdict => ({
      verdict: 'passed',
      expiresOn: '2026-02-01',
      isExpired: true,
      word: 'expired',
      ...fields,
    })
    const failed = coa({ verdict: 'failed', word: 'failed' })
    const valid = { expiresOn: '2029-09-01', isExpired: false }
    const said = (one: CoaVerdict) => {
      const text = certificateOf(one)
      return text && say(text)
    }
    expect(said(coa({}))).toBe('Certificate expired on Feb 1, 2026')
    expect(said(failed)).toBe('Test failed; certificate expired on Feb 1, 2026')
    expect(said({ ...failed, ...valid })).toBe('Test failed')
    expect(said(coa({ ...valid, word: 'passed' }))).toBeNull()
    const lines = [line({ coa: failed, importState }), line({ coa: failed }), line({ importState })]
    expect(totalsOf(lines).badCertificates).toBe(1)
    expect(reportFile(paperOfReport(report(lines))).text).toContain(',Test failed,2026-02-01,Imported here,,')
  })

  it('is exported in the words and the time of the screen', () => {
    vi.stubEnv('TZ', 'America/New_York')
    const importState = { kind: 'imported-here', at, packageUid: 'P1' } as const
    const linesOf = () =>
      reportFile(paperOfReport(report([line({ importState })])))
        .text.slice(1)
        .split('\r\n')
    expect(linesOf()).toEqual([
      'Package,Case ID,Case,Product,Brand,Batch,Use by,Items,Items required,Items counted,Items missing,Missing TagID,' +
        'Certificate,Certificate expires on,Status,Imported at (America/New_York),POS product ID,POS inventory ID,POS SKU',
      `P1,${caseId(1)},case 1,Blue Dream,,,,24,24,22,2,,,,Imported here,2026-11-12 09:02:11,,,`,
      // The missing items, without numbers that would be summed twice.
      ...[1, 2].map((n) => `P1,${caseId(1)},case 1,Blue Dream,,,,,,,,${tagId(n)},,,,,,,`),
      '',
    ])
    language.locale = 'es'
    expect(linesOf()[0]).toMatch(/^Paquete,ID de la caja,Caja,/)
    expect(linesOf()[1]).toContain(',Importada aquí,2026-11-')
  })

  it('exports no cell as a formula: =, @, tab and plus', () => {
    const names = ['=1+1', '@SUM(A1)', '\t=1', '+1']
    const { text, fileName } = reportFile(paperOfReport(report(names.map((productName) => line({ productName })))))
    expect(fileName).toMatch(/^delivery-2026-11-1[123]\.csv$/)
    for (const cells of text.split('\r\n').slice(1, -1)) expect(cells.split(',')[3]).toMatch(/^"?'/)
  })
})
