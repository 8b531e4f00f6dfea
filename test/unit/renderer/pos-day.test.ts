import { describe, expect, it } from 'vitest'
import { PosDay } from '../../../src-renderer/orders/pos/pos-day.svelte'
import {
  differenceText,
  matchesText,
  paperText,
  readingOf,
  remarksOf,
  resultOf,
  storeLines,
  isProposedTracked,
} from '../../../src-renderer/orders/pos/pos-text'
import { stepsOf } from '../../../src-renderer/orders/day/day-steps'
import { dayFile } from '../../../src-renderer/orders/day/day-csv'
import { createClient } from '../../../src-shared/ipc/client'
import { PosDayView, PosDifference, PosStore } from '../../../src-shared/ipc/contract/pos-day'
import { moment } from '../../../src-renderer/text/moments'
import { say } from '../../../src-renderer/text/text.svelte'
import { at, dayReport } from './examples'
import { createFakeWire } from './fake-wire'

const day = '2026-11-21'
const none = { 'only-pos': 0, 'only-here': 0, count: 0, 'voided-pos': 0, 'voided-here': 0 }
const file = {
  ...{ fileName: 'sales.csv', lines: 3, otherDays: 0, skipped: 0, faulty: 0, hasProducts: true },
  ...{ loadedAt: at, orders: 3 },
}
const view = (fields: object = {}) =>
  PosDayView.parse({
    ...{ day, revision: 1, file, state: 'compared', done: 3, matched: 2, open: none, pending: 0, reasoned: 0 },
    ...{ unknown: [], unknownCount: 0, untracked: [], tracked: [], store: null, isSettled: false },
    ...fields,
  })
const difference = (orderId: string, fields: object = {}) =>
  PosDifference.parse({
    ...{ orderId, kind: 'count', hereId: orderId, moreLines: 0, similar: null, scan: 'sale', mark: 'm', reason: null },
    ...{ stations: [], isOwn: true, isPending: false },
    lines: [{ name: 'Blue Dune', pos: 2, here: 1 }],
    ...fields,
  })
const page = (orderIds: string[], total = orderIds.length, filter = 'open') => ({
  ...{ day, revision: 1, filter, total },
  differences: orderIds.map((orderId) => difference(orderId)),
})

function create() {
  const fake = createFakeWire()
  const pos = new PosDay(createClient(fake.wire))
  const open = async (fields: object = {}) => {
    void pos.show(day)
    await fake.next('posDay.view').answer(view(fields))
  }
  return { fake, pos, open }
}

describe('the comparison on the screen', () => {
  it('reads the list once main has compared, and again after each change', async () => {
    const { fake, pos, open } = create()
    await open({ state: 'comparing' })
    expect([pos.list.rows, fake.asked.length]).toEqual([null, 0])
    pos.changed(view({ revision: 2, open: { ...none, count: 2 } }))
    await expect.poll(() => fake.asked.length).toBe(1)
    await fake.next('posDay.list').answer(page(['1', '2']))
    const first = pos.list.rows?.[0]
    expect([pos.list.rows?.length, pos.list.total]).toEqual([2, 2])
    pos.changed(view({ revision: 3, open: { ...none, count: 1 } }))
    await expect.poll(() => fake.asked.length).toBe(1)
    await fake.next('posDay.list').answer(page(['1']))
    // The same object: its row isn't drawn again.
    expect([pos.list.rows?.length, pos.list.rows?.[0] === first]).toEqual([1, true])
  })

  it('shows neither another day nor an older view', async () => {
    const { pos, open } = create()
    await open({ revision: 5, matched: 7 })
    pos.changed(view({ revision: 4, matched: 1 }))
    pos.changed(view({ revision: 9, day: '2026-11-20', matched: 2 }))
    expect(pos.view?.matched).toBe(7)
  })

  it('reads further pages, and as many again after a change', async () => {
    const { fake, pos, open } = create()
    await open()
    const ids = (from: number, count: number) => Array.from({ length: count }, (_, n) => String(from + n))
    await expect.poll(() => fake.asked.length).toBe(1)
    await fake.next('posDay.list').answer(page(ids(0, 100), 150))
    await expect.poll(() => pos.list.isBusy).toBe(false)
    void pos.list.more()
    const second = fake.next('posDay.list')
    expect(second.input).toEqual({ day, filter: 'open', from: 100 })
    await second.answer(page(ids(100, 50), 150))
    expect([pos.list.rows?.length, pos.list.total, pos.list.isWhole]).toEqual([150, 150, true])
    pos.changed(view({ revision: 2, open: { ...none, count: 2 } }))
    await expect.poll(() => fake.asked.length).toBe(1)
    await fake.next('posDay.list').answer(page(ids(0, 100), 101))
    await fake.next('posDay.list').answer(page(ids(100, 1), 101))
    expect([pos.list.rows?.length, pos.list.total]).toEqual([101, 101])
  })

  it('forgets the list of another filter at once, and an answer that comes late', async () => {
    const { fake, pos, open } = create()
    await open()
    await expect.poll(() => fake.asked.length).toBe(1)
    const late = fake.next('posDay.list')
    pos.choose('only-pos')
    await late.answer(page(['1']))
    expect(pos.list.rows).toBeNull()
    await fake.next('posDay.list').answer(page(['7'], 1, 'only-pos'))
    expect(pos.list.rows?.map(({ orderId }) => orderId)).toEqual(['7'])
  })

  it('saves reasons, decisions and numbers, and says why it could not', async () => {
    const { fake, pos, open } = create()
    await open()
    const saving = pos.setReason(difference('1'), 'Rung up twice')
    const asked = fake.next('posDay.setReason')
    expect(asked.input).toEqual({ day, orderId: '1', mark: 'm', reason: 'Rung up twice' })
    await asked.refuse({ code: 'pos-day/changed' })
    expect([await saving, pos.error?.code, pos.steps.isBusy]).toEqual([false, 'pos-day/changed', false])
    const tracking = pos.setTracked(4, false)
    const tracked = fake.next('posDay.setTracked')
    expect(tracked.input).toEqual({ day, productId: 4, isTracked: false })
    await tracked.answer(null)
    await tracking
    const number = pos.saleNumber(difference('1'))
    await fake.next('posDay.saleNumber').answer({ orderId: '1-2' })
    expect(await number).toBe('1-2')
    const refused = pos.saleNumber(difference('1'))
    await fake.next('posDay.saleNumber').refuse({ code: 'pos-day/changed' })
    expect(await refused).toBeNull()
  })

  describe('for paper', () => {
    const started = async (fields: object = {}) => {
      const made = create()
      await made.open(fields)
      await expect.poll(() => made.fake.asked.length).toBe(1)
      await made.fake.next('posDay.list').answer(page(['1']))
      const printing = made.pos.paper()
      return { ...made, printing, list: () => made.fake.next('posDay.list') }
    }
    const found = (revision: number) => ({ ...page(['1', '2'], 2, 'all'), revision })
    const text = (paper: Awaited<ReturnType<PosDay['paper']>>) => paper && paperText(paper)
    const notKnown = 'Compared with the POS (sales.csv): the differences are not known yet'

    it('takes the view and its list of one moment', async () => {
      const { pos, printing, list } = await started({ open: { ...none, count: 2 }, unknownCount: 1 })
      const asked = list()
      expect(asked.input).toEqual({ day, filter: 'all', from: 0 })
      await asked.answer(found(1))
      const paper = await printing
      // What changes afterwards isn't on this paper.
      pos.changed(view({ revision: 2, open: { ...none, count: 1 } }))
      expect(paper?.page?.differences.map(({ orderId }) => orderId)).toEqual(['1', '2'])
      expect(text(paper)).toBe('Compared with the POS (sales.csv): 2 differences · 1 product of the POS is not decided')
    })

    it('reads the list again if the comparison has changed meanwhile', async () => {
      const { pos, printing, list } = await started({ open: { ...none, count: 1 } })
      pos.changed(view({ revision: 2, open: { ...none, count: 2 } }))
      await list().answer(found(1))
      await list().answer(found(2))
      expect(text(await printing)).toBe('Compared with the POS (sales.csv): 2 differences')
    })

    it.each(['refused', 'comparing', 'always another'] as const)('says that nothing is known yet: %s', async (what) => {
      const { pos, printing, list } = await started({ open: { ...none, count: 2 }, unknownCount: 1 })
      if (what === 'comparing') pos.changed(view({ revision: 2, state: 'comparing', open: { ...none, count: 2 } }))
      if (what === 'refused') await list().refuse({ code: 'store/not-saved' })
      else await list().answer(found(3))
      if (what === 'always another') {
        await list().answer(found(4))
        await list().answer(found(5))
      }
      const paper = await printing
      expect([text(paper), paper?.page]).toEqual([notKnown, null])
    })

    it('asks for no list while the day is compared, and says so if the comparison broke off', async () => {
      const { fake, pos, open } = create()
      await open({ state: 'comparing', file: { ...file, faulty: 1 }, open: { ...none, count: 2 } })
      expect([text(await pos.paper()), fake.asked.length]).toEqual([`${notKnown} · 1 line could not be read`, 0])
      pos.changed(view({ revision: 2, state: 'failed' }))
      expect(text(await pos.paper())).toBe('Compared with the POS (sales.csv): The comparison with the POS broke off')
    })
  })

  it('prints nothing of a day without a file', async () => {
    const { fake, pos, open } = create()
    await open({ file: null, state: 'none' })
    expect([await pos.paper(), fake.asked.length]).toEqual([null, 0])
  })
})

describe('the comparison in words', () => {
  it.each([
    [{ isSettled: true }, 'Everything matches', 'done'],
    [{ isSettled: true, reasoned: 2 }, '2 differences are left, each with its reason', 'done'],
    [{ open: { ...none, count: 1, 'only-pos': 2 } }, '3 differences', 'attention'],
    [{ open: { ...none, count: 1 }, pending: 2 }, '1 difference', 'attention'],
    [{ pending: 2 }, '2 orders of the POS are not known here yet', 'attention'],
    [{ unknownCount: 1, pending: 2 }, 'Products to decide about', 'attention'],
    [{ unknownCount: 1 }, 'Products to decide about', 'attention'],
    [{ file: { ...file, faulty: 2 } }, 'What could be read matches', 'attention'],
    [{ file: { ...file, faulty: 2 }, reasoned: 1 }, '1 difference is left, with its reason', 'attention'],
    [{ file: { ...file, faulty: 2 }, open: { ...none, count: 1 } }, '1 difference', 'attention'],
    [{ state: 'comparing', done: 1_500 }, 'Comparing… 1,500 orders so far', 'todo'],
    [{ state: 'failed', open: { ...none, count: 1 } }, 'The comparison with the POS broke off', 'attention'],
  ])('%j: %s', (fields, text, state) => {
    const shown = view(fields)
    const step = stepsOf({ report: dayReport(), open: null, inCheckout: 0, verification: null, pos: shown })[2]
    expect([say(resultOf(shown)), step?.state]).toEqual([text, state])
  })

  it('stands on paper and in the file of the day, with its reason', () => {
    const reason = { text: 'Rung up twice', at, isCurrent: true }
    const one = difference('#7', { hereId: '7', similar: '07', reason })
    const words = 'Order #7 · Different items · Blue Dune: 2 in the POS, 1 here · Reported as order 7'
    expect(differenceText(one, readingOf(view()))).toBe(
      `${words} · Not matched to order 07: the numbers differ. · Reason: Rung up twice`,
    )
    const counted = difference('8', { lines: [{ name: null, pos: 2, here: 0 }], kind: 'only-pos', hereId: null })
    const whole = {
      fileName: 'orders.csv',
      lines: [],
      pos: [one, counted],
      posLeft: 0,
      isPosMissing: false,
      ...{ posFaulty: 0, posUnknown: 0 },
      posStore: null,
    }
    const { text } = dayFile(whole)
    const rows = text.trim().split('\r\n').slice(1)
    expect(rows).toHaveLength(2)
    expect(rows[0]).toContain(',#7,Different items,Difference with a reason,')
    expect(rows[0]).toContain('Reason: Rung up twice')
    expect(rows[1]).toContain(',8,Only in the POS,Open difference,,,"Items: 2 in the POS, 0 here",')
    const cut = dayFile({ ...whole, posLeft: 1_200 })
      .text.trim()
      .split('\r\n')
    expect(cut).toHaveLength(4)
    expect(cut[3]).toMatch(/^,,"1,200 more orders differ from the POS and did not fit here",+$/)
    const missing = dayFile({ ...whole, pos: [], isPosMissing: true })
      .text.trim()
      .split('\r\n')
    expect(missing[1]).toMatch(/^,,The comparison with the POS broke off,+$/)
    const noted = dayFile({ ...whole, pos: [], posFaulty: 3, posUnknown: 1 })
    expect(noted.text.trim().split('\r\n').slice(1)).toEqual([
      expect.stringMatching(/^,,Comparison with the POS: 3 lines could not be read,+$/),
      expect.stringMatching(/^,,Comparison with the POS: 1 product of the POS is not decided,+$/),
    ])
  })

  describe('of a store of several stations', () => {
    const station = (name: string, fields: object = {}) => ({
      ...{ name, isThis: false, status: 'answered', seenAt: at, untold: 0, isMissing: false },
      ...fields,
    })
    const store = (fields: object = {}) =>
      PosStore.parse({
        ...{ asOf: at, trouble: null, unread: 0, byName: [], isIncomplete: false },
        stations: [station('Front 1', { isThis: true }), station('Front 2')],
        ...fields,
      })
    const shown = say(moment(at))

    it('doesn’t say that orders were reported here', () => {
      expect([view({ matched: 2 }), view({ matched: 2, store: store() })].map((one) => say(matchesText(one)))).toEqual([
        '2 orders are the same in the POS and here.',
        '2 orders are the same in the POS and as reported.',
      ])
    })

    it('says as of when all stations are compared', () => {
      expect(storeLines(store())).toEqual([`Compared with all 2 stations as of ${shown}.`])
      const off = [station('Front 1', { isThis: true }), station('Front 2', { status: 'off' })]
      expect(storeLines(store({ stations: off, byName: ['Front 2'] }))).toEqual([
        `Compared with all 2 stations as of ${shown}.`,
        `Front 2: closed, last heard ${shown}. What it reported until then is compared.`,
        'Older version of Countertag at Front 2: compared by product name.',
      ])
    })

    it('names the stations whose sales may be missing', () => {
      const stations = [
        station('Front 1', { isThis: true }),
        station('Front 2', { status: 'silent', isMissing: true }),
        station('Front 3', { status: 'off', untold: 2, isMissing: true }),
        station('Back', { untold: 1, isMissing: true }),
      ]
      expect(storeLines(store({ stations, unread: 1, isIncomplete: true }))).toEqual([
        `Compared with what the stations of the store had shared by ${shown}.`,
        `Front 2: no answer, last heard ${shown}. Its sales may be missing.`,
        `Front 3: closed, last heard ${shown}, with 2 reports that are not in the store hub. Sales may be missing.`,
        'Back: 1 report is not in the store hub yet. Sales may be missing.',
        '1 report of another station can’t be read: update Countertag here.',
      ])
    })

    it.each([
      [
        { trouble: 'unreachable', asOf: null },
        'The store hub can’t be reached: only this station’s reports are compared.',
      ],
      [
        { trouble: 'unreachable' },
        `The store hub can’t be reached: the reports of other stations are those of ${shown}.`,
      ],
      [
        { trouble: 'too-old', asOf: null },
        'The store hub no longer has this day: only this station’s reports are compared.',
      ],
    ])('says plainly what it can’t read: %j', (fields, text) => {
      expect(storeLines(store(fields))[0]).toContain(text)
    })

    it('says which station has an order, and calls nothing a difference that isn’t known yet', () => {
      const reading = { hasProducts: true, isStore: true }
      const there = difference('7', { kind: 'only-here', stations: ['Front 2'], isOwn: false })
      expect(differenceText(there, reading)).toBe(
        'Order 7 · Not in the POS · Blue Dune: 2 in the POS, 1 reported · Reported at Front 2',
      )
      expect(remarksOf(there, true)).toEqual(['Reported at Front 2: open the order there.'])
      const both = difference('7', { stations: ['Back', 'Front 2'] })
      expect(differenceText(both, reading)).toContain(' · Also reported at Back and Front 2')
      const pending = difference('8', { kind: 'only-pos', hereId: null, isPending: true, scan: null })
      expect(differenceText(pending, reading)).toMatch(/^Order 8 · Not known here yet · /)
      const { text } = dayFile({
        ...{ fileName: 'orders.csv', lines: [], pos: [there, pending], posLeft: 0, isPosMissing: false },
        ...{ posFaulty: 0, posUnknown: 0 },
        posStore: store({ trouble: 'unreachable' }),
      })
      const rows = text.trim().split('\r\n').slice(1)
      expect(rows[0]).toMatch(/^,7,Not in the POS,Open difference,.*,Front 2$/)
      expect(rows[1]).toMatch(/^,8,Not known here yet,Not known here yet,/)
      expect(rows[2]).toMatch(/^,,"Comparison with the POS: The store hub can’t be reached: /)
    })

    it('asks again when another station has reported something, but only if a file is compared with it', async () => {
      const [alone, unloaded, shared] = [create(), create(), create()]
      await alone.open()
      await unloaded.open({ store: store(), file: null, state: 'none' })
      await shared.open({ store: store() })
      const isAsked = ({ fake }: typeof alone) => fake.asked.some((one) => one.call === 'posDay.view')
      for (const { pos } of [alone, unloaded, shared]) pos.storeChanged()
      await expect.poll(() => isAsked(shared)).toBe(true)
      expect([alone, unloaded].map(isAsked)).toEqual([false, false])
    })
  })
})

describe('a product that nothing here is known by', () => {
  it.each([
    ['Garden Statement, 3.5 g', true],
    ['Blue Dune Pre-Roll', true],
    ['Calm Gummies 100mg', true],
    ['Live Rosin', true],
    ['Lighter', false],
    ['Glass pipe, 4 in', false],
    ['Cartoon T-shirt', false],
    [null, false],
  ])('is proposed to be compared if it reads like cannabis: %s', (productName, isTracked) => {
    expect(isProposedTracked({ productName })).toBe(isTracked)
  })
})
