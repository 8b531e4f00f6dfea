import { describe, expect, it } from 'vitest'
import { statusOfStation } from '../../../src-renderer/orders/day/day-report'
import { type DayFacts, leftText, stepsOf } from '../../../src-renderer/orders/day/day-steps'
import { say } from '../../../src-renderer/text/text.svelte'
import { DayVerification, StationOfDay } from '../../../src-shared/ipc/contract/checkout'
import { PosDayView } from '../../../src-shared/ipc/contract/pos-day'
import { at, dayReport } from './examples'

const report = (fields: object = {}) => dayReport({ confirmed: 2, ...fields })
const station = (fields: object = {}) => ({
  ...{ id: 'a', name: 'Station 1', isThis: true, status: 'answered', seenAt: at, orders: 1, sold: 1, returned: 0 },
  ...{ voided: 0, unsent: 0, attention: 0, untold: 0, inCart: 0, isDone: true, verified: null },
  ...fields,
})
const store = (fields: object = {}) => ({
  store: { stations: [station()], unread: 0, isComplete: true, mark: '', closed: null, ...fields },
})
const verified = (fields: object = {}) =>
  DayVerification.parse({
    ...{ day: '2026-11-21', state: 'finished', waitsFor: null, startedAt: at, asOf: at, total: 3, done: 3 },
    ...{ asReported: 3, notSettled: 0, ownTimes: 0, soldSince: 0, differences: [], differenceCount: 0 },
    isOutOfDate: false,
    ...fields,
  })
const file = { fileName: 'sales.csv', lines: 2, otherDays: 0, skipped: 0, faulty: 0, hasProducts: true }
const kinds = { 'only-pos': 0, 'only-here': 0, count: 0, 'voided-pos': 0, 'voided-here': 0 }
const compared = (fields: object = {}) =>
  PosDayView.parse({
    ...{ day: '2026-11-21', revision: 1, file: { ...file, loadedAt: at, orders: 2 }, state: 'compared', done: 2 },
    ...{ matched: 2, open: kinds, pending: 0, reasoned: 0, unknown: [], unknownCount: 0, untracked: [], tracked: [] },
    ...{ store: null, isSettled: true },
    ...fields,
  })
const noFile = compared({ file: null, state: 'none', isSettled: false })
const open = { unsent: 0, refused: 0, held: 0, isStoreOpen: false }
const facts = (fields: Partial<DayFacts> = {}): DayFacts => ({
  ...{ report: report(), open, inCheckout: 0, verification: verified(), pos: compared() },
  ...fields,
})
const signed = (isChanged: boolean) => ({ signed: { name: 'Maya', at, isChanged } })
const closed = (isChanged: boolean) => ({ closed: { at, station: 'Station 2', isChanged } })

describe('the steps that close a day', () => {
  const sold = report({ completed: { orders: 1, items: 2 } })

  it.each<['open' | 'verify' | 'pos' | 'sign', string, Partial<DayFacts>, string, string | null, RegExp]>([
    ['open', 'not known yet', { open: null }, 'todo', null, /^Checking/],
    ['open', 'nothing', {}, 'done', null, /^Everything is with the service\. It has taken 2/],
    [
      'open',
      'nothing now',
      { report: report({ dismissed: 2 }) },
      'done',
      null,
      /· 2 reports were refused or unclear, and d/,
    ],
    ['open', 'unsent', { open: { ...open, unsent: 2 } }, 'todo', 'send', /^2 reports are not with the service yet$/],
    ['open', 'refused', { open: { ...open, refused: 1 } }, 'attention', 'review', /^1 report needs review$/],
    [
      'open',
      'both',
      { open: { ...open, refused: 1, unsent: 2 } },
      'attention',
      'review',
      /^1 report needs.* · 2 reports/,
    ],
    ['open', 'on hold', { open: { ...open, held: 1 } }, 'todo', 'checkout', /^Everything .* · 1 order is on hold/],
    ['open', 'in Checkout', { inCheckout: 3 }, 'todo', 'checkout', /3 items are still in Checkout/],
    [
      'open',
      'a station',
      { open: { ...open, isStoreOpen: true } },
      'attention',
      'store',
      /^Not every station is done$/,
    ],

    ['verify', 'without a service', { verification: null }, 'none', null, /^No service/],
    ['verify', 'without items', { verification: verified({ state: 'none', total: 0 }) }, 'none', null, /^Nothing to/],
    ['verify', 'never', { verification: verified({ state: 'none' }) }, 'todo', 'verify', /^Not verified/],
    [
      'verify',
      'running',
      { verification: verified({ state: 'running', done: 1 }) },
      'todo',
      'pause',
      /^Reading back: 1 of/,
    ],
    [
      ...(['verify', 'paused', { verification: verified({ state: 'paused', waitsFor: 'person' }) }] as const),
      ...(['todo', 'resume', /^Paused/] as const),
    ],
    [
      ...(['verify', 'waiting', { verification: verified({ state: 'paused', waitsFor: 'sending' }) }] as const),
      ...(['todo', 'pause', /^Waiting/] as const),
    ],
    ['verify', 'done', {}, 'done', 'again', /^3 of 3/],
    ['verify', 'differs', { verification: verified({ differenceCount: 1 }) }, 'attention', 'show', /1 differs/],
    [
      ...(['verify', 'differs, outdated'] as const),
      { verification: verified({ differenceCount: 1, isOutOfDate: true }) },
      ...(['attention', 'again', /1 differs/] as const),
    ],
    ['verify', 'outdated', { verification: verified({ isOutOfDate: true }) }, 'attention', 'again', /^3 of 3/],
    ['verify', 'not settled', { verification: verified({ notSettled: 1 }) }, 'attention', 'again', /^3 of 3/],
    ['verify', 'of a store', { report: report(store()) }, 'todo', 'store', /^Not verified at Station 1$/],
    [
      ...(['verify', 'of a store that was verified'] as const),
      { report: report(store({ stations: [station({ verified: verified() })] })) },
      ...(['done', null, /^Each station/] as const),
    ],
    [
      ...(['verify', 'of a store whose reports are newer'] as const),
      { report: report(store({ stations: [station({ verified: verified({ isOutOfDate: true }) })] })) },
      ...(['todo', 'store', /^Not verified at Station 1$/] as const),
    ],
    [
      ...(['verify', 'of a store without a sale'] as const),
      { report: report(store({ stations: [station({ orders: 0 })] })) },
      ...(['none', null, /^Each station/] as const),
    ],
    [
      ...(['verify', 'of a store that differs'] as const),
      { report: report(store({ stations: [station({ verified: { ...verified(), differenceCount: 1 } })] })) },
      ...(['attention', 'store', /: Station 1$/] as const),
    ],
    [
      ...(['verify', 'of a store that differed, outdated'] as const),
      {
        report: report(
          store({ stations: [station({ verified: { ...verified(), differenceCount: 1, isOutOfDate: true } })] }),
        ),
      },
      ...(['todo', 'store', /^Not verified at Station 1$/] as const),
    ],

    ['pos', 'not known yet', { pos: null, report: sold }, 'todo', null, /not loaded yet/],
    ['pos', 'without a file', { pos: noFile, report: sold }, 'todo', 'load', /not loaded yet/],
    [
      'pos',
      'without sales',
      { pos: noFile },
      'optional',
      'load',
      /^No sales, returns or voids here\. Compare if the POS has any\.$/,
    ],
    ['pos', 'comparing', { pos: compared({ state: 'comparing' }) }, 'todo', null, /^Comparing/],
    [
      'pos',
      'broken off',
      { pos: compared({ state: 'failed', isSettled: false }) },
      'attention',
      'compare',
      /broke off/,
    ],
    ['pos', 'the same', {}, 'done', null, /^Everything matches$/],
    [
      ...(['pos', 'different', { pos: compared({ open: { ...kinds, count: 2 }, isSettled: false }) }] as const),
      ...(['attention', 'show', /^2 differences$/] as const),
    ],
    [
      ...(['pos', 'with lines that were not read'] as const),
      { pos: compared({ file: { ...file, faulty: 1, loadedAt: at, orders: 2 }, isSettled: false }) },
      ...(['attention', 'load', /1 line could not be read/] as const),
    ],
    ['pos', 'with reasons', { pos: compared({ reasoned: 1 }) }, 'done', null, /1 difference is left, with its reason/],

    ['sign', 'ready', {}, 'todo', 'sign', /^Not signed yet$/],
    [
      'sign',
      'after one step',
      { pos: compared({ state: 'failed' }) },
      'todo',
      'sign',
      /^Steps not done: Compare with the POS$/,
    ],
    ['sign', 'signed', { report: report(signed(false)) }, 'done', null, /^Signed by Maya, /],
    ['sign', 'changed', { report: report(signed(true)) }, 'attention', 'sign', /^Reports have changed/],
    ['sign', 'of a store', { report: report(store()) }, 'todo', 'sign', /^Steps not done: Verify with the service$/],
    [
      ...(['sign', 'of a store that was verified'] as const),
      { report: report(store({ stations: [station({ verified: verified() })] })) },
      ...(['todo', 'sign', /can be closed/] as const),
    ],
    [
      ...([
        'sign',
        'of a store that is open',
        { report: report(store()), open: { ...open, isStoreOpen: true } },
      ] as const),
      ...(['todo', null, /^Steps not done: What is open and Verify with the service$/] as const),
    ],
    [
      'sign',
      'closed',
      { report: report(store(closed(false))) },
      'done',
      null,
      /^Closed for the store .* at Station 2$/,
    ],
    [
      ...(['sign', 'closed here', { report: report({ ...store(closed(false)), ...signed(false) }) }] as const),
      ...(['done', null, /at Station 2 · Signed by Maya/] as const),
    ],
    ['sign', 'closed, changed', { report: report(store(closed(true))) }, 'attention', 'sign', /^Reports have changed/],
  ])('%s: %s', (key, _what, given, state, action, text) => {
    const step = stepsOf(facts(given)).find((one) => one.key === key)
    expect({ state: step?.state, action: step?.action }).toEqual({ state, action })
    expect(step?.texts.map(say).join(' · ')).toMatch(text)
  })

  it('are named on the paper where they are not done, also once it is signed', () => {
    const left = (given: Partial<DayFacts>) => {
      const text = leftText(stepsOf(facts(given)))
      return text && say(text)
    }
    const unread = { verification: verified({ state: 'none' }), pos: compared({ state: 'failed' }) }
    const both = 'Steps not done: Verify with the service and Compare with the POS'
    expect(left(unread)).toBe(both)
    expect(left({ ...unread, report: report(signed(false)) })).toBe(both)
    expect(left({})).toBeNull()
    expect(left({ pos: noFile })).toBeNull()
  })

  it('say of each station of a store whether it has verified what it reported', () => {
    const words = (fields: object) => statusOfStation(StationOfDay.parse(station(fields)))
    expect(words({})).toEqual(['Done', 'Not verified'])
    expect(words({ verified: verified({ isOutOfDate: true }) })).toContain('Not verified')
    expect(words({ verified: verified() })).toEqual(['Done', '3 of 3 read back as reported'])
    expect(words({ orders: 0 })).toEqual(['Done'])
  })

  it('never say that nothing was refused', () => {
    const said = stepsOf(facts({ report: report({ dismissed: 1 }) })).flatMap(({ texts }) => texts.map(say))
    expect(said.join(' ')).not.toMatch(/nothing was refused/i)
    expect(said.join(' ')).toContain('1 report was refused or unclear, and dismissed with a reason')
  })
})
