import type { Walk } from './walk'

const posLine = {
  ...{ line: 2, orderId: '1', posProductId: null, sku: null, productName: 'Blue Dune' },
  ...{ isVoided: false, count: 1_000 },
}
const posPart = (change: object = {}) => ({
  day: '2026-11-21',
  file: { fileName: 'sales.csv', lines: 1, otherDays: 0, skipped: 0, faulty: 0, hasProducts: true },
  ...{ start: 0, rows: [posLine], isLast: true },
  ...change,
})

/** Comparing the day with the POS. */
export const posDayInputs: Walk<'posDay'> = {
  'posDay.view': { good: [{ day: '2026-11-21' }], bad: [{ day: 'today' }, {}] },
  'posDay.load': {
    good: [{ ...posPart(), day: '2026-11-21' }],
    bad: [
      posPart({ day: '21.11.2026' }),
      posPart({ start: -1 }),
      posPart({ rows: [{ ...posLine, orderId: ' ' }] }),
      posPart({ rows: [{ ...posLine, count: 1.5 }] }),
      posPart({ rows: [{ ...posLine, line: 0 }] }),
      posPart({ rows: [{ ...posLine, productName: 'x'.repeat(101) }] }),
      posPart({ rows: Array.from({ length: 501 }, () => posLine) }),
      {},
    ],
  },
  'posDay.forget': { good: [{ day: '2026-11-21' }], bad: [{ day: '' }, {}] },
  'posDay.list': {
    good: [{ day: '2026-11-21', filter: 'open', from: 0 }],
    bad: [
      { day: '2026-11-21', filter: 'closed', from: 0 },
      { day: '2026-11-21', filter: 'open', from: -1 },
      { day: '', filter: 'open', from: 0 },
    ],
  },
  'posDay.setReason': {
    good: [{ day: '2026-11-21', orderId: '1', mark: 'm', reason: null }],
    bad: [
      { day: '2026-11-21', orderId: '1', mark: 'm', reason: ' ' },
      { day: '2026-11-21', orderId: '1', mark: 'm', reason: 'x'.repeat(301) },
      { day: '2026-11-21', orderId: '', mark: 'm', reason: null },
      { day: '2026-11-21', orderId: '1', mark: 'x'.repeat(101), reason: null },
    ],
  },
  'posDay.setTracked': {
    good: [{ day: '2026-11-21', productId: 1, isTracked: null }],
    bad: [
      { day: '2026-11-21', productId: 0, isTracked: true },
      { day: '2026-11-21', productId: 1 },
    ],
  },
  'posDay.saleNumber': {
    good: [{ day: '2026-11-21', orderId: '1' }],
    bad: [{ day: '2026-11-21', orderId: '' }, { orderId: '1' }],
  },
}
