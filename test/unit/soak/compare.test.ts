import { describe, expect, it } from 'vitest'
import { type StationDay, type Taken, compareDay } from '../../soak/compare'

/**
 * Checks that the comparison finds faults: a report missing at the service, one that it has twice, an unknown one, one
 * with another item; and files and totals of closing reports that differ.
 */

const sale = (orderId: string, ...items: string[]): Taken => ({ kind: 'complete', orderId, items })
const first = [sale('1', 'a', 'b'), { kind: 'return', orderId: '1', items: ['b'] }, sale('2', 'c')]
const second = [sale('11', 'd', 'e', 'f'), { kind: 'void', orderId: '11', items: ['d', 'e', 'f'] }]

/** A station with a correct closing report. */
const station = (name: string, done: Taken[], sums: [number, number][]): StationDay => {
  const [completed, returned, voided] = sums.map(([orders, items]) => ({ orders, items }))
  if (!completed || !returned || !voided) throw new Error('three sums are needed')
  return {
    name,
    done,
    filed: done.map((one) => ({ ...one, state: 'accepted' })),
    report: { completed, returned, voided, confirmed: done.length, unsent: [], refused: [], held: [] },
  }
}
const one = station('one', first, [
  [2, 3],
  [1, 1],
  [0, 0],
])
const two = station('two', second, [
  [1, 3],
  [0, 0],
  [1, 3],
])
const held = [...second, ...first]
const kindsOf = (...given: Parameters<typeof compareDay>) => compareDay(...given).map(({ kind }) => kind)

describe('the comparison of an evening', () => {
  it('finds nothing if all three agree, in any order', () => {
    const turned = held.map((report) => ({ ...report, items: [...report.items].reverse() }))
    expect(compareDay([one, two], turned)).toEqual([])
  })

  it.each(held.map((report, n) => [`${report.kind} of order ${report.orderId}`, n] as const))(
    'reports that the service lacks the %s, and that the closing report is wrong',
    (name, n) => {
      const complaints = compareDay([one, two], held.toSpliced(n, 1))
      expect(complaints.filter(({ kind }) => kind === 'lost').map(({ text }) => text)).toEqual([
        expect.stringContaining(name),
      ])
      const owner = n < second.length ? 'two' : 'one'
      const reports = complaints.filter(({ kind }) => kind === 'report')
      expect(reports.length).toBeGreaterThan(0)
      expect(reports.every(({ text }) => text.startsWith(`${owner}: `))).toBe(true)
      expect(kindsOf([one, two], held.toSpliced(n, 1))).not.toContain('doubled')
    },
  )

  it.each(held.map((report, n) => [`${report.kind} of order ${report.orderId}`, n] as const))(
    'reports that the service has the %s twice',
    (name, n) => {
      const complaints = compareDay([one, two], [...held, ...held.slice(n, n + 1)])
      expect(complaints.filter(({ kind }) => kind === 'doubled').map(({ text }) => text)).toEqual([
        expect.stringContaining(name),
      ])
      expect(complaints.map(({ kind }) => kind)).not.toContain('lost')
      expect(complaints.map(({ kind }) => kind)).toContain('report')
    },
  )

  it('reports a duplicate report that the closing report counts twice too', () => {
    const [again] = one.filed
    if (!again) throw new Error('there is no report')
    const { completed, confirmed } = one.report
    const both = {
      ...one,
      filed: [...one.filed, again],
      report: { ...one.report, completed: { ...completed, items: completed.items + 2 }, confirmed: confirmed + 1 },
    }
    expect(kindsOf([both, two], [...held, again])).toEqual(['doubled'])
  })

  it('reports an unknown report, and one with another item', () => {
    expect(kindsOf([one, two], [...held, sale('99', 'z')])).toEqual(['strange'])
    const swapped = held.map((report) => (report.orderId === '2' ? sale('2', 'x') : report))
    expect(kindsOf([one, two], swapped)).toEqual(['lost', 'strange', 'report', 'report'])
  })

  it.each([
    ['a line less', { filed: one.filed.slice(1) }],
    ['a line too many', { filed: [...one.filed, ...one.filed.slice(0, 1)] }],
    [
      'a line that is not accepted',
      { filed: one.filed.map((line, n) => (n === 1 ? { ...line, state: 'sending' } : line)) },
    ],
    ['an order more', { report: { ...one.report, completed: { orders: 3, items: 3 } } }],
    ['an item less', { report: { ...one.report, returned: { orders: 1, items: 0 } } }],
    ['a void that did not happen', { report: { ...one.report, voided: { orders: 1, items: 0 } } }],
    ['one more confirmed', { report: { ...one.report, confirmed: 4 } }],
    ['something unsent', { report: { ...one.report, unsent: [{}] } }],
    ['something refused', { report: { ...one.report, refused: [{}] } }],
    ['an order on hold', { report: { ...one.report, held: [{}] } }],
  ])('reports a closing report with %s, and names its station', (_what, untrue) => {
    const complaints = compareDay([{ ...one, ...untrue }, two], held)
    expect(complaints.map(({ kind }) => kind)).toEqual(['report'])
    expect(complaints[0]?.text).toMatch(/^one: /)
  })
})
