import { expect, it } from 'vitest'
import {
  causeSteps,
  causeTexts,
  countTexts,
  outageFile,
  reportedText,
  spanText,
} from '../../../src-renderer/outbox/outages/outage-text'
import { Outages } from '../../../src-renderer/outbox/outages/outages.svelte'
import { say } from '../../../src-renderer/text/text.svelte'
import { OperationId } from '../../../src-shared/ids'
import { createClient } from '../../../src-shared/ipc/client'
import type { Outage, OutageExport, OutageLine } from '../../../src-shared/ipc/contract/outages'
import { createFakeWire } from './fake-wire'

const none = { made: 0, before: 0, reported: 0, waiting: 0, attention: 0, canceled: 0 }
const outage = (fields: Partial<Outage> = {}): Outage => ({
  id: 7,
  from: '2026-11-21T14:00:00.000Z',
  to: '2026-11-21T14:14:00.000Z',
  lengthMs: 840_000,
  causes: [{ from: '2026-11-21T14:00:00.000Z', cause: 'no-network' }],
  isCut: false,
  counts: none,
  ...fields,
})
const line = (seq: number, fields: Partial<OutageLine> = {}): OutageLine => ({
  id: OperationId.parse(`00000000-0000-4000-8000-${String(seq).padStart(12, '0')}`),
  seq,
  kind: 'complete',
  state: 'accepted',
  orderId: '=1+1',
  caseId: null,
  collectionId: null,
  packageUid: null,
  productName: null,
  itemCount: 2,
  performedAt: '2026-11-21T14:05:00.000Z',
  reported: 'yes',
  reportedAt: '2026-11-21T14:15:00.000Z',
  delayMs: 600_000,
  isDoubtful: false,
  reason: null,
  note: null,
  unsettled: null,
  dismissedBecause: null,
  isBefore: false,
  ...fields,
})
const list = (outages: Outage[] = []) => ({
  outages,
  total: outages.length,
  sums: { lengthMs: 0, reported: 0, open: 0 },
})

const now = Date.parse('2026-11-21T14:30:00Z')
function createOutages() {
  const fake = createFakeWire()
  return { fake, outages: new Outages({ client: createClient(fake.wire), serviceTime: () => now }) }
}

it('asks for the last 24 hours, today, and chosen days in whichever order they were entered', async () => {
  const { fake, outages } = createOutages()
  const asked = async (choose: () => Promise<void>) => {
    const done = choose()
    const call = fake.next('outbox.outages')
    await call.answer(list())
    await done
    return outages.span()
  }
  const last = await asked(() => outages.load())
  expect(Date.parse(last.to) - Date.parse(last.from)).toBe(86_400_001)
  const today = await asked(() => outages.choose('today'))
  expect(new Date(today.from).getHours()).toBe(0)
  expect(Date.parse(today.from)).toBeLessThan(now)
  expect(Date.parse(today.to)).toBeGreaterThan(now)
  await asked(() => outages.choose('days'))
  outages.firstDay = '2026-11-20'
  outages.lastDay = '2026-11-18'
  const days = outages.span()
  expect(Date.parse(days.to) - Date.parse(days.from)).toBe(3 * 86_400_000)
  // A field that was emptied, and a span longer than main takes.
  outages.firstDay = ''
  outages.lastDay = ''
  expect(outages.span()).toEqual(today)
  outages.firstDay = '2020-01-01'
  outages.lastDay = '2026-11-21'
  const long = outages.span()
  expect(Date.parse(long.to) - Date.parse(long.from)).toBeLessThanOrEqual(400 * 86_400_000)
})

it('opens one outage at a time, and appends its pages', async () => {
  const { fake, outages } = createOutages()
  const opened = outages.toggle(7)
  await fake.next('outbox.outage').answer({ outage: outage(), lines: [line(1), line(2)], hasMore: true })
  await opened
  const more = outages.detail.more()
  const call = fake.next('outbox.outage')
  expect(call.input).toEqual({ id: 7, after: 2 })
  await call.answer({ outage: outage(), lines: [line(3)], hasMore: false })
  await more
  expect(outages.detail.rows?.map(({ seq }) => seq)).toEqual([1, 2, 3])
  await outages.detail.more()
  await outages.toggle(7)
  expect([outages.openId, outages.detail.rows]).toEqual([null, null])
})

it('reads as many pages again as are shown, or are being asked for', async () => {
  const { fake, outages } = createOutages()
  const page = async (after: number, ...seqs: number[]) => {
    const call = fake.next('outbox.outage')
    expect(call.input).toEqual({ id: 7, after })
    await call.answer({ outage: outage(), lines: seqs.map((seq) => line(seq)), hasMore: seqs.length === 2 })
  }
  const reload = async (...pages: [number, ...number[]][]) => {
    const loaded = outages.load()
    await fake.next('outbox.outages').answer(list())
    for (const [after, ...seqs] of pages) await page(after, ...seqs)
    await loaded
    return outages.detail.rows?.map(({ seq }) => seq)
  }
  const opened = outages.toggle(7)
  await page(0, 1, 2)
  await opened
  expect(await reload([0, 1, 2])).toEqual([1, 2])
  const more = outages.detail.more()
  await page(2, 3, 4)
  await more
  expect(await reload([0, 1, 2], [2, 3, 4])).toEqual([1, 2, 3, 4])
  // The list is read again while the next page is on its way: that page comes with it.
  const slow = outages.detail.more()
  const late = fake.next('outbox.outage')
  expect(await reload([0, 1, 2], [2, 3, 4], [4, 5])).toEqual([1, 2, 3, 4, 5])
  await late.answer({ outage: outage(), lines: [line(5)], hasMore: false })
  await slow
  expect(outages.detail.rows).toHaveLength(5)
  // What is there no more is not waited for.
  expect(await reload([0, 1])).toEqual([1])
  await outages.toggle(7)
  const again = outages.toggle(7)
  await page(0, 1, 2)
  await again
  expect(await reload([0, 1, 2])).toEqual([1, 2])
})

it('shows why a file was refused', async () => {
  const { fake, outages } = createOutages()
  const refused = outages.export()
  await fake.next('outbox.exportOutages').refuse({ code: 'store/not-saved' })
  expect(await refused).toBeUndefined()
  expect(outages.paper.error?.code).toBe('store/not-saved')
  expect(outages.isSaving).toBe(false)
})

it('forgets what a file left out once another span is chosen', async () => {
  const { fake, outages } = createOutages()
  const file = {
    ...{ fileName: 'a.csv', madeAt: '2026-11-21T14:30:00.000Z', storeName: 'Store', station: 'till', isOfMany: false },
    ...{ outages: [], left: 5, leftOutages: 0 },
  }
  for (const choose of [() => outages.choose('days'), () => outages.chosen()]) {
    const exported = outages.export()
    await fake.next('outbox.exportOutages').answer(file)
    await exported
    expect(outages.paper.value?.left).toBe(5)
    const chosen = choose()
    expect(outages.paper.value).toBeNull()
    await fake.next('outbox.outages').answer(list())
    await chosen
  }
})

it('says on the screen, on paper and in the file that further changes were not kept', () => {
  const cut = outage({ isCut: true })
  const words = 'Up to 1 changes are kept; there may have been more.'
  expect(causeSteps(cut).map(say).at(-1)).toBe(words)
  expect(causeSteps(outage())).toHaveLength(1)
  const { text } = outageFile({
    ...{ fileName: 'a.csv', madeAt: '2026-11-21T14:30:00.000Z', storeName: 'Store', station: 'till', isOfMany: false },
    ...{ outages: [{ outage: cut, lines: [] }], left: 0, leftOutages: 0 },
  })
  expect(text).toContain(`No network; ${words}`)
})

it.each([
  [['refused'], ['No connection']],
  [['unreachable', 'refused', 'failing'], ['No connection']],
  [['timed-out', 'no-name'], ['No connection']],
  [['no-network'], ['No network']],
  [
    ['no-network', 'failing'],
    ['No network', 'The service had problems'],
  ],
  [['failing'], ['The service had problems']],
  [
    ['refused', 'not-trusted'],
    ['No connection', 'The service’s certificate was not trusted'],
  ],
] as const)('says once that there was no connection: %j', (causes, words) => {
  const from = '2026-11-21T14:00:00.000Z'
  expect(causeTexts({ causes: causes.map((cause) => ({ from, cause })) }).map(say)).toEqual(words)
})

it('says what was wrong in plain words, each cause once, and each change with its time', () => {
  const one = outage({
    to: null,
    causes: [
      { from: '2026-11-21T14:00:00.000Z', cause: 'no-network' },
      { from: '2026-11-21T14:05:00.000Z', cause: 'station-off' },
      { from: '2026-11-21T14:10:00.000Z', cause: 'no-network' },
    ],
    counts: { ...none, made: 3, before: 1, reported: 2, attention: 1, waiting: 1 },
  })
  expect(causeTexts(one).map(say)).toEqual(['No network', 'Countertag was closed or used another connection'])
  expect(causeSteps(one)).toHaveLength(3)
  expect(say(spanText(one))).toMatch(/^Since /)
  expect(countTexts(one).map(say)).toEqual([
    '3 reports made during it',
    '1 waited when it began',
    '2 reported since',
    '1 waiting',
    '1 needs attention',
  ])
  expect(countTexts(outage()).map(say)).toEqual(['Nothing was done during it'])
})

it('says of each report whether and when the service got it, in the file too', () => {
  const lines = [
    line(1),
    line(2, { state: 'unknown', reported: 'unknown', reportedAt: null, delayMs: null }),
    line(3, { state: 'rejected', reported: 'no', reportedAt: null, delayMs: null }),
    line(4, { reportedAt: null, delayMs: null }),
    line(5, { isDoubtful: true }),
  ]
  const words = lines.map((one) => reportedText(one, (instant) => instant))
  expect(words).toEqual([
    '2026-11-21T14:15:00.000Z',
    'Not known',
    'Not reported',
    'Yes, time not known',
    '2026-11-21T14:15:00.000Z (uncertain: clock changed)',
  ])
  const { text } = outageFile({
    ...{ fileName: 'a.csv', madeAt: '2026-11-21T14:30:00.000Z', storeName: 'Store', station: 'till', isOfMany: false },
    ...{ outages: [{ outage: outage(), lines }], left: 0, leftOutages: 0 },
  })
  const inFile = text.trim().split('\r\n').slice(2)
  expect(inFile.map((row) => words.filter((word) => row.includes(`${word},`) || row.includes(`"${word}"`)))).toEqual([
    ['Not known'],
    ['Not reported'],
    ['Yes, time not known'],
    [],
  ])
  expect(inFile.map((row) => row.split(',').filter((cell) => cell === 'Yes').length)).toEqual([0, 0, 0, 1])
})

it('writes a file with both times of every report, without formulas, and a line for an outage without any', () => {
  const ledger: OutageExport = {
    fileName: 'outages-2026-11-21.csv',
    madeAt: '2026-11-21T14:30:00.000Z',
    storeName: 'Store',
    station: 'till',
    isOfMany: false,
    outages: [
      {
        outage: outage({ counts: { ...none, made: 2 } }),
        lines: [line(1), line(2, { state: 'queued', reported: 'no', reportedAt: null, delayMs: null })],
      },
      { outage: outage({ id: 8 }), lines: [] },
    ],
    left: 0,
    leftOutages: 0,
  }
  const rows = outageFile(ledger).text.trim().split('\r\n')
  expect(rows).toHaveLength(4)
  const [, first = '', second = '', empty = ''] = rows
  expect(first).toContain('600')
  expect(first).not.toMatch(/(^|[,;"])=1\+1/)
  expect(second).toContain('Waiting')
  expect(empty).toContain('No network')
  const cells = rows.map((row) => row.split(',').length)
  expect(new Set(cells).size).toBe(1)
  const named = outageFile({ ...ledger, station: '=Front 2', isOfMany: true })
    .text.trim()
    .split('\r\n')
  expect(named.map((row) => row.split(',').at(-1))).toEqual(['Station', `'=Front 2`, `'=Front 2`, `'=Front 2`])
  const cut = outageFile({ ...ledger, left: 3, leftOutages: 2 })
    .text.trim()
    .split('\r\n')
  expect(cut.slice(4).map((row) => row.replace(/,+$/, ''))).toEqual([
    '3 reports did not fit. Choose fewer days.',
    'The oldest 2 outages are left out. Choose fewer days.',
  ])
})
