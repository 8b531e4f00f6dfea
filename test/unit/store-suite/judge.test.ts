import { describe, expect, it } from 'vitest'
import type { HubPolicy } from '../../../src-shared/ipc/contract/hub'
import type { HubClaim, Report, StationFacts } from '../../store/facts'
import type { Entry } from '../../store/journal'
import { type Evidence, judge } from '../../store/judge'

/** Made-up evidence of each broken promise. */

const item = 'item'
const idOf = (name: string) => `id of ${name}`
const station = (name: string, over: Partial<StationFacts> = {}): StationFacts => ({
  ...{ name, stationId: idOf(name), reports: [], lines: [], claims: [] },
  ...{ notices: [], due: [], shared: [], unshared: 0, taken: [] },
  ...over,
})
const sale = (name: string, over: Partial<Report> = {}): Report => ({
  ...{ id: `sale of ${name}`, kind: 'complete', state: 'accepted', at: 10 },
  ...{ orderId: `${name}-1`, tagIds: [item], unclaimed: [] },
  ...over,
})
const entry = (name: string, call: string, over: Partial<Entry> = {}): Entry => ({
  ...{ at: 1, endedAt: 2, station: name, call, input: {}, tagIds: [item], outcome: 'ok' },
  ...over,
})
const sold = (name: string, at: number) =>
  entry(name, 'checkout.finish', { at, endedAt: at + 1, answer: { id: `sale of ${name}` } })
const claim = (name: string, over: Partial<HubClaim> = {}): HubClaim => ({
  ...{ tag: item, station: idOf(name), kind: 'sale', order_id: `${name}-1`, back_at: 0, revision: 1 },
  ...over,
})
const line = { tagId: item, orderId: null, heldAt: null }
const taken = (name: string) => ({ kind: 'complete', orderId: `${name}-1`, tagIds: [item] })
const complaintsOf = (evidence: Partial<Evidence>) =>
  judge({
    ...{ policy: 'refuse', entries: [], stations: [], hub: { claims: [], held: [], notices: 0 }, taken: [] },
    ...evidence,
  }).map(({ what }) => what)

const both = (policy: HubPolicy, unclaimed: string[] = []): Partial<Evidence> => ({
  policy,
  entries: [sold('A', 5), sold('B', 8)],
  stations: [
    station('A', { reports: [sale('A')], notices: [{ tagId: item, stationId: idOf('B'), what: 'collided' }] }),
    station('B', {
      reports: [sale('B', { state: 'rejected', unclaimed })],
      notices: [{ tagId: item, stationId: idOf('A'), what: 'collided' }],
    }),
  ],
  hub: { claims: [claim('A')], held: [], notices: 0 },
  taken: [taken('A')],
})
const good: Partial<Evidence> = {
  entries: [sold('A', 5)],
  stations: [station('A', { reports: [sale('A')] }), station('B')],
  hub: { claims: [claim('A')], held: [], notices: 0 },
  taken: [taken('A')],
}

describe('the store suite finds', () => {
  it('nothing in a sale that the hub and the service know', () => {
    expect(complaintsOf(good)).toEqual([])
  })

  it('an item that two stations sold, unless it was marked and the policy is to warn', () => {
    expect(complaintsOf(both('refuse'))).toEqual([
      'sold by A (A-1) and B (B-1) at the same time, and neither was marked',
    ])
    expect(complaintsOf(both('warn'))).toMatchObject([expect.stringMatching(/neither was marked/)])
    expect(complaintsOf(both('warn', [item]))).toEqual([])
    expect(complaintsOf(both('refuse', [item]))).toContain('B sold it unchecked, though the policy is to refuse')
  })

  it('nothing in an item that is sold anew after it came back from a marked sale, which had collided already', () => {
    const again = (unclaimed: string[]) => {
      const { stations: [a] = [], entries = [], ...rest } = both('warn')
      const back = { ...sale('B'), id: 'return of B', kind: 'return' } as const
      const third = sale('B', { id: 'third', orderId: 'B-2', at: 12 })
      const b = station('B', {
        reports: [sale('B', { unclaimed }), back, third],
        notices: [{ tagId: item, stationId: idOf('A'), what: 'collided' }],
      })
      const more = [
        entry('B', 'checkout.finish', { at: 10, endedAt: 11, answer: { id: 'return of B' } }),
        entry('B', 'checkout.finish', { at: 12, endedAt: 13, answer: { id: 'third' } }),
      ]
      const services = [taken('A'), taken('B'), { ...taken('B'), kind: 'return' }, { ...taken('B'), orderId: 'B-2' }]
      return complaintsOf({
        ...rest,
        entries: [...entries, ...more],
        stations: a ? [a, b] : [],
        taken: services,
      }).filter((one) => one.startsWith('sold by'))
    }
    expect(again([item])).toEqual([])
    expect(again([])).toHaveLength(2)
  })

  describe('of two sales of an item that a person took over', () => {
    const takeover = (from: string, over: Partial<Entry> = {}) =>
      entry('B', 'checkout.addItem', {
        ...{
          at: 6,
          endedAt: 7,
          input: { mode: 'sale', takeOver: { stationId: idOf(from), revision: 1 } },
          answer: null,
        },
        ...over,
      })
    const complaintsWith = (...more: Entry[]) => {
      const { entries = [], ...rest } = both('refuse')
      return complaintsOf({ ...rest, entries: [...more, ...entries].sort((one, two) => one.at - two.at) })
    }
    const scanned = (at: number) => entry('A', 'checkout.addItem', { at, endedAt: at, input: { mode: 'sale' } })
    const double = [expect.stringMatching(/neither was marked/)]

    it('nothing, if the station that lost it did not know yet', () => {
      expect(complaintsWith(takeover('A'))).toEqual([])
      expect(complaintsWith(scanned(1), takeover('A'))).toEqual([])
    })

    it('nothing, if the hub may have taken it over without an answer', () => {
      const answer = { code: 'checkout/not-claimed' }
      expect(complaintsWith(takeover('A', { outcome: 'refused', answer }))).toEqual([])
    })

    it('a collision, if it was refused, or taken from a third station', () => {
      const answer = { code: 'checkout/claimed' }
      expect(complaintsWith(takeover('A', { outcome: 'refused', answer }))).toMatchObject(double)
      expect(complaintsWith(takeover('C'))).toMatchObject(double)
    })

    it('nothing, if the station that lost it voids its sale and sells the item again, while the other sale waits', () => {
      const again = (...before: Entry[]) => {
        const { stations: [, b] = [], entries = [], ...rest } = both('refuse')
        const undoing = { ...sale('A'), id: 'void', kind: 'void' } as const
        const a = station('A', { reports: [sale('A'), undoing, sale('A', { id: 'anew', orderId: 'A-2' })] })
        return complaintsOf({
          ...rest,
          stations: b ? [a, b] : [],
          entries: [
            ...before,
            ...entries,
            entry('A', 'checkout.void', { at: 10, endedAt: 11, answer: { id: 'void' } }),
            entry('A', 'checkout.addItem', { at: 12, endedAt: 13, input: { mode: 'sale' } }),
            entry('A', 'checkout.finish', { at: 14, endedAt: 15, answer: { id: 'anew' } }),
          ],
          taken: [taken('A'), { ...taken('A'), kind: 'void' }, { ...taken('A'), orderId: 'A-2' }],
        }).filter((one) => one.startsWith('sold by'))
      }
      expect(again(takeover('A', { at: 3, endedAt: 4 }))).toEqual([])
      expect(again()).toHaveLength(2)
    })

    it('a collision, if the station that lost it scanned it again afterwards', () => {
      expect(complaintsWith(takeover('A', { at: 2, endedAt: 3 }), scanned(4))).toMatchObject(double)
    })
  })

  it('a collision of which a station has no notice', () => {
    const { stations = [], ...rest } = both('warn', [item])
    const silent = stations.map((one) => (one.name === 'A' ? { ...one, notices: [] } : one))
    expect(complaintsOf({ ...rest, stations: silent })).toEqual(['A has no notice of the collision'])
  })

  it('nothing in a sale that was told after the item came back from another one, which sells it again', () => {
    const stations = [
      station('A', { lines: [line], claims: [{ tagId: item, revision: 1, heldBy: null }] }),
      station('B', { reports: [sale('B', { unclaimed: [item] })] }),
    ]
    const after = (back_at: number) => ({
      ...{ policy: 'warn' as const, stations, taken: [taken('B')], entries: [sold('B', 8)] },
      hub: { claims: [claim('A', { kind: 'cart', order_id: null, back_at })], held: [], notices: 0 },
    })
    expect(complaintsOf(after(20))).toEqual([])
    expect(complaintsOf(after(9))).toEqual([
      'B has sold it, and at the hub it is in an open order of A',
      'A has no notice of the collision',
      'B has no notice of the collision',
    ])
  })

  it('a claim that no order has, and an order that has no claim', () => {
    expect(complaintsOf({ hub: { claims: [claim('A')], held: [], notices: 0 }, stations: [station('A')] })).toEqual([
      'leaked: A has a sale at the hub, and no order with it',
    ])
    expect(complaintsOf({ stations: [station('A', { lines: [line] })] })).toEqual([
      "the hub doesn't know that A has it",
    ])
  })

  it('nothing in a sale that ended because the item came back from another one, if one of them was marked', () => {
    const back = { claims: [claim('B', { kind: 'returned', order_id: null, back_at: 20 })], held: [], notices: 0 }
    const returned = (unclaimed: string[]) => ({
      policy: 'warn' as const,
      entries: [sold('A', 5), sold('B', 8), entry('B', 'checkout.finish', { at: 9, answer: { id: 'return' } })],
      stations: [
        station('A', { reports: [sale('A')] }),
        station('B', { reports: [sale('B', { unclaimed }), sale('B', { id: 'return', kind: 'return', at: 20 })] }),
      ],
      hub: back,
      taken: [taken('A'), taken('B'), { ...taken('B'), kind: 'return' }],
    })
    expect(complaintsOf(returned([item]))).toEqual([])
    expect(complaintsOf(returned([]))).toContain("the hub doesn't know that A has it")
  })

  it('a station that does not know which one has its item, or has another revision', () => {
    const hub = { claims: [claim('A', { kind: 'cart' as const, order_id: null })], held: [], notices: 0 }
    const told = { notices: [{ tagId: item, stationId: '', what: 'collided' }], lines: [line] }
    const own = station('A', { ...told, claims: [{ tagId: item, revision: 1, heldBy: null }] })
    expect(complaintsOf({ hub, stations: [own, station('B', told)] })).toEqual(["B doesn't know that A has it"])
    expect(complaintsOf({ hub, stations: [station('A', told)] })).toEqual(['A has revision undefined, the hub 1'])
  })

  it('what is left to tell', () => {
    expect(complaintsOf({ stations: [station('A', { due: ['tag:item'] })] })).toEqual(['A has tag:item still to tell'])
  })

  it('an order on hold that no other station can resume', () => {
    const shared = [{ id: '7', isDue: 0, isOver: 0 }]
    const offered = [{ id: '7', station: idOf('A'), taken_by: null }]
    expect(complaintsOf({ stations: [station('A', { unshared: 1 })] })).toEqual([
      'A has an order on hold that no other station can resume',
    ])
    expect(complaintsOf({ stations: [station('A', { shared })] })).toEqual([
      "A has an order on hold that the hub doesn't offer",
    ])
    expect(
      complaintsOf({ stations: [station('A', { shared })], hub: { claims: [], held: offered, notices: 0 } }),
    ).toEqual([])
  })

  it('a report that was lost, doubled, or never made', () => {
    expect(complaintsOf({ ...good, taken: [] })).toContain("A: complete A-1 item isn't at the service")
    expect(complaintsOf({ ...good, taken: [taken('A'), taken('A')] })).toEqual([
      'the service took complete A-1 item 2 times',
    ])
    expect(complaintsOf({ ...good, taken: [taken('A'), taken('C')] })).toEqual([
      'no station made complete C-1 item, which the service took',
    ])
    expect(complaintsOf({ entries: [sold('A', 5)], stations: [station('A')] })).toEqual([
      'A lost what checkout.finish saved at 5 ms',
    ])
  })

  it('a scan that counts as unchecked, though the hub answered', () => {
    const scan = (over: Partial<Entry>) =>
      complaintsOf({
        policy: 'warn',
        entries: [
          entry('A', 'checkout.addItem', {
            ...{ endedAt: 50, input: { mode: 'sale' }, answer: { kind: 'unchecked' }, isOnline: true },
            ...over,
          }),
        ],
      })
    const complaint = ['A, checkout.addItem at 1 ms counts as unchecked, though the hub answered']
    expect(scan({})).toEqual(complaint)
    const refused = { outcome: 'refused', answer: { code: 'checkout/not-claimed' } } as const
    expect(scan({ ...refused, input: { mode: 'sale', takeOver: {} } })).toEqual(complaint)
    expect(scan({ isOnline: false })).toEqual([])
    // Apart and together again meanwhile.
    expect(scan({ endedAt: 400 })).toEqual([])
    expect(scan({ answer: null })).toEqual([])
  })

  it('nothing in a collision of which the station knows that asked to take the item over, and had no answer', () => {
    const { stations = [], entries = [], ...rest } = both('warn', [item])
    const silent = stations.map((one) => (one.name === 'A' ? { ...one, notices: [] } : one))
    const takeover = entry('A', 'checkout.addItem', {
      ...{ input: { mode: 'sale', takeOver: { stationId: idOf('B'), revision: 1 } }, outcome: 'refused' },
      answer: { code: 'checkout/not-claimed' },
    })
    expect(complaintsOf({ ...rest, stations: silent, entries: [takeover, ...entries] })).toEqual([])
  })

  it('a station that is not told that its item was taken over, unless a third one had taken it before', () => {
    const takeover = (name: string, at: number) =>
      entry(name, 'checkout.addItem', {
        ...{
          at,
          endedAt: at + 1,
          input: { mode: 'sale', takeOver: { stationId: idOf('A'), revision: 1 } },
          answer: null,
        },
      })
    const told = (by: string | null, before: Entry[] = []) =>
      complaintsOf({
        entries: [...before, takeover('B', 5), takeover('C', 8)],
        stations: [
          station('A', { notices: by === null ? [] : [{ tagId: item, stationId: idOf(by), what: 'taken-over' }] }),
          station('B'),
          station('C'),
        ],
      })
    expect(told('B')).toEqual([])
    expect(told(null)).toEqual(['A has no notice that B took it over'])
    // Its scan was refused because no answer came: if the hub granted the claim, the station gives it back.
    const unanswered = { outcome: 'refused', answer: { code: 'checkout/not-claimed' } } as const
    expect(told(null, [entry('A', 'checkout.addItem', unanswered)])).toEqual([])
  })

  it('nothing in a scan that lost its claim to a person at another station before it had ended', () => {
    const scan = { endedAt: 50, input: { mode: 'sale' }, answer: { kind: 'unchecked' }, isOnline: true }
    const unchecked = entry('A', 'checkout.addItem', scan)
    const takeover = (at: number) =>
      entry('B', 'checkout.addItem', {
        ...{ at, endedAt: at + 5, answer: null },
        input: { mode: 'sale', takeOver: { stationId: idOf('A'), revision: 1 } },
      })
    const about = (at: number) =>
      complaintsOf({ entries: [unchecked, takeover(at)], stations: [station('A'), station('B')] }).filter((one) =>
        one.startsWith('A, checkout.addItem'),
      )
    expect(about(20)).toEqual([])
    expect(about(60)).toHaveLength(1)
  })

  it('an unchecked scan under refuse, and a scan refused for lack of the hub under warn', () => {
    const scan = { input: { mode: 'sale', tagId: item } }
    const unchecked = entry('A', 'checkout.addItem', { ...scan, answer: { kind: 'unchecked' } })
    expect(complaintsOf({ policy: 'refuse', entries: [unchecked] })).toHaveLength(1)
    expect(complaintsOf({ policy: 'warn', entries: [unchecked] })).toEqual([])
    const answer = { code: 'checkout/not-claimed', tagId: item }
    const refused = entry('A', 'checkout.addItem', { ...scan, outcome: 'refused', answer })
    expect(complaintsOf({ policy: 'warn', entries: [refused] })).toHaveLength(1)
    expect(complaintsOf({ policy: 'refuse', entries: [refused] })).toEqual([])
  })

  it('an order on hold that two stations resumed, or one without an item', () => {
    const held = entry('A', 'checkout.hold', { answer: { orderId: 'A-1' } })
    const resumed = (name: string, tagIds: string[]) =>
      entry(name, 'checkout.resume', { at: 3, tagIds, answer: { orderId: 'A-1' } })
    expect(complaintsOf({ entries: [held, resumed('B', [item])] })).toEqual([])
    expect(complaintsOf({ entries: [held, resumed('B', [item]), resumed('C', [item])] })).toEqual([
      'A-1 was resumed by B and C',
    ])
    const without = ['B resumed A-1 without an item']
    expect(complaintsOf({ entries: [held, resumed('B', [])] })).toEqual(without)
    // Taken over from the order into a sale at the station that resumes it, and not removed there.
    const scan = entry('B', 'checkout.addItem', { at: 2, input: { mode: 'sale' }, answer: null })
    const removal = entry('B', 'checkout.removeItem', { at: 2 })
    expect(complaintsOf({ entries: [held, scan, resumed('B', [])] })).toEqual([])
    expect(complaintsOf({ entries: [held, scan, removal, resumed('B', [])] })).toEqual(without)
    // A third station took the item over from the order.
    const takenOver = (at: number) =>
      entry('C', 'checkout.addItem', {
        ...{ at, answer: null },
        input: { mode: 'sale', takeOver: { stationId: idOf('D'), revision: 1 } },
      })
    const later = entry('B', 'checkout.setOrder', { at: 4, tagIds: [] })
    expect(complaintsOf({ entries: [held, takenOver(2), resumed('B', []), later] })).toEqual([])
    expect(complaintsOf({ entries: [held, resumed('B', []), later, takenOver(5)] })).toEqual(without)
  })
})
