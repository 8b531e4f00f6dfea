import { describe, expect, it } from 'vitest'
import { Day } from '../../../src-renderer/orders/day/day.svelte'
import { productTable } from '../../../src-renderer/orders/day/day-report'
import { DayVerification } from '../../../src-shared/ipc/contract/checkout'
import { stepsOf } from '../../../src-renderer/orders/day/day-steps'
import { createClient } from '../../../src-shared/ipc/client'
import { say } from '../../../src-renderer/text/text.svelte'
import { titleOf } from '../../../src-renderer/orders/day/verification-text'
import { tag } from '../../fakes/ids'
import { at, dayReport } from './examples'
import { createFakeWire } from './fake-wire'

const report = (fields: object = {}) => dayReport({ mark: 'as-seen', ...fields })

function createDay() {
  const fake = createFakeWire()
  const day = new Day(createClient(fake.wire), '2026-11-21')
  const answer = async (fields: object) => {
    const asked = fake.next('checkout.day')
    await asked.answer(report(fields))
    return asked.input
  }
  return { fake, day, answer }
}

describe('the closing report over midnight', () => {
  it('stays on the day it was opened for after a change, and says that a new day began', async () => {
    const { day, answer } = createDay()
    void day.load()
    await answer({})
    day.noticeDay('2026-11-21')
    expect(day.isOfDayBefore).toBe(false)
    day.noticeDay('2026-11-22')
    void day.load()
    expect(await answer({})).toEqual({ day: '2026-11-21' })
    expect([day.isOfDayBefore, day.when, day.date, day.today]).toEqual([true, 'day', '2026-11-21', '2026-11-22'])
    // The day stays the same after a second midnight.
    day.noticeDay('2026-11-23')
    expect([day.isOfDayBefore, day.day]).toEqual([true, '2026-11-21'])
    day.when = 'today'
    void day.choose()
    expect(await answer({ day: '2026-11-23' })).toEqual({ day: '2026-11-23' })
    expect(day.isOfDayBefore).toBe(false)
  })

  it.each([
    ['yesterday', '2026-11-20', true],
    ['day', '2026-11-02', false],
  ] as const)('stays on %s as well, and mentions a new day only if it matters', (when, shown, isTold) => {
    const { day } = createDay()
    day.when = when
    day.date = when === 'day' ? shown : ''
    day.noticeDay('2026-11-22')
    expect([day.day, day.isOfDayBefore]).toEqual([shown, isTold])
  })

  it('exports the report on the screen, not the day that is being read', async () => {
    const { fake, day, answer } = createDay()
    expect(await day.export()).toBeNull()
    void day.load()
    await answer({})
    day.when = 'yesterday'
    void day.choose()
    void day.export()
    const asked = fake.next('checkout.exportDay')
    expect(asked.input).toEqual({ day: '2026-11-21' })
    await asked.answer({
      fileName: 'a.csv',
      station: 'TILL-3',
      lines: [],
      pos: [],
      posLeft: 0,
      isPosMissing: false,
      posFaulty: 0,
      posUnknown: 0,
      posStore: null,
    })
    await answer({ day: '2026-11-20' })
    void day.export()
    expect(fake.next('checkout.exportDay').input).toEqual({ day: '2026-11-20' })
  })
})

const figures = (n: number) => ({ sold: n, returned: 1, voided: 2 })
const products = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ productName: `P ${i}`, brandName: null, ...figures(count - i) }))
describe('the table of products', () => {
  const nameless = { productName: null, brandName: null, ...figures(500) }

  it('has each product once, with its whole name; items that are not known are last, and not drawn', () => {
    const { rows, isDrawn } = productTable([nameless, ...products(400)])
    expect([rows.length, isDrawn]).toEqual([401, true])
    expect(rows.slice(0, 400).map(({ name }) => name)).toEqual(products(400).map(({ productName }) => productName))
    expect(rows.filter(({ isKnown }) => !isKnown)).toEqual([rows.at(-1)])
  })
})

const verification = (fields: object = {}) =>
  DayVerification.parse({
    day: '2026-11-21',
    state: 'finished',
    waitsFor: null,
    startedAt: at,
    asOf: at,
    total: 412,
    done: 412,
    asReported: 412,
    notSettled: 0,
    ownTimes: 0,
    soldSince: 0,
    differences: [],
    differenceCount: 0,
    isOutOfDate: false,
    ...fields,
  })
const differences = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    kind: 'not-sold',
    tagId: tag(n),
    orderId: '501',
    productName: null,
    reported: 'complete',
    reportedAt: at,
    shownSoldAt: null,
  }))

describe('verifying the day with the service', () => {
  it('follows main for the shown day only', async () => {
    const { fake, day, answer } = createDay()
    void day.load()
    await answer({ verification: verification({ state: 'none', done: 0 }) })
    void day.verification.start()
    const asked = fake.next('checkout.verifyDay')
    expect(asked.input).toEqual({ day: '2026-11-21' })
    await asked.answer(verification({ state: 'running', done: 0 }))
    day.verification.changed(verification({ state: 'running', done: 120 }))
    day.verification.changed(verification({ day: '2026-11-20', done: 7 }))
    expect(day.verification.view).toMatchObject({ state: 'running', done: 120 })
    void day.verification.pause()
    await fake.next('checkout.stopVerifying').refuse({ code: 'store/not-saved' })
    expect(day.verification.error).toEqual({ code: 'store/not-saved' })
    void day.load()
    await answer({ day: '2026-11-20', verification: null })
    expect([day.verification.view, day.verification.error]).toEqual([null, null])
  })

  it.each([
    [verification(), 'done', '412 of 412 read back as reported'],
    [verification({ state: 'none', done: 0 }), 'todo', 'Not verified with the service yet'],
    [verification({ state: 'none', total: 0 }), 'none', /^Nothing to verify/],
    [verification({ state: 'running', done: 120 }), 'todo', 'Reading back: 120 of 412 items'],
    [verification({ state: 'paused', waitsFor: 'connection', done: 1 }), 'todo', 'Waiting: 1 of 412 items read back'],
    [verification({ state: 'paused', waitsFor: 'person', done: 1 }), 'todo', 'Paused: 1 of 412 items read back'],
    [
      verification({ asReported: 409, differences: differences(3), differenceCount: 3 }),
      'attention',
      '409 of 412 read back as reported. 3 differ',
    ],
    [verification({ asReported: 411, notSettled: 1 }), 'attention', '411 of 412 read back as reported'],
    [verification({ isOutOfDate: true }), 'attention', '412 of 412 read back as reported'],
  ])('shows its state, %#', (view, state, title) => {
    const step = stepsOf({ report: report(), open: null, inCheckout: 0, verification: view, pos: null })[1]
    expect([step?.key, step?.state]).toEqual(['verify', state])
    expect(say(titleOf(view))).toMatch(title)
  })
})

describe('signing the day', () => {
  it('signs what is shown; if reports came meanwhile, it shows them and says so', async () => {
    const { fake, day, answer } = createDay()
    expect(await day.sign('Maya')).toBe(false)
    void day.load()
    await answer({})
    const signing = day.sign('Maya')
    const asked = fake.next('checkout.signDay')
    expect(asked.input).toEqual({ day: '2026-11-21', mark: 'as-seen', name: 'Maya' })
    await asked.refuse({ code: 'hub/day-changed' })
    await answer({ mark: 'newer' })
    expect([await signing, day.report?.mark, day.error?.code]).toEqual([false, 'newer', 'hub/day-changed'])
    const again = day.sign('Maya')
    await fake.next('checkout.signDay').answer(report({ signed: { name: 'Maya', at, isChanged: false } }))
    expect([await again, day.report?.signed?.name, day.error]).toEqual([true, 'Maya', null])
  })

  it('says why it could not be signed until it is tried again, with the same figures', async () => {
    const { fake, day, answer } = createDay()
    void day.load()
    await answer({})
    const signing = day.sign('Maya')
    await fake.next('checkout.signDay').refuse({ code: 'store/not-saved' })
    expect([await signing, day.signError?.code, day.report?.mark]).toEqual([false, 'store/not-saved', 'as-seen'])
    // What happens meanwhile is read as always.
    void day.load()
    await answer({})
    expect([day.error, day.signError?.code]).toEqual([null, 'store/not-saved'])
    const again = day.sign('Maya')
    expect(day.signError).toBeNull()
    await fake.next('checkout.signDay').refuse({ code: 'hub/day-changed' })
    await answer({ mark: 'newer' })
    // Only then are other figures to be looked at.
    expect([await again, day.signError, day.error?.code]).toEqual([false, null, 'hub/day-changed'])
  })
})
