import { describe, expect, it } from 'vitest'
import { OtherReports } from '../../../../src-main/day/pos-others'
import type { OthersEntries } from '../../../../src-main/hub/port'
import { order, tag } from '../../../fakes/ids'

type Entry = OthersEntries['entries'][number]
const entry = (id: string, fields: Partial<Entry> = {}): Entry => ({
  ...{ id, at: 100, kind: 'complete', orderId: order('1'), state: 'accepted', needsPerson: false, budtenderId: null },
  ...{ stationId: 's', stationName: 'Front 2', tagIds: [tag(1), tag(2), tag(3)], products: [] },
  itemProducts: [
    ['p', 'Blue Dune'],
    [null, 'Night Tide'],
    [null, null],
  ],
  ...fields,
})
const memory = new Map<string, readonly [string | null, string | null]>([[tag(3), ['q', 'Remembered']]])
const parts = {
  itemProduct: (tagId: string) => memory.get(tagId) ?? ([null, null] as const),
  isOwn: (id: string) => id === 'own',
}
const othersOf = (entries: Entry[]) => OtherReports.read(entries, parts, () => Promise.resolve())
const named = async (entries: Entry[], orderId = '1') =>
  (await othersOf(entries)).items(orderId).map(({ productId, name }) => [productId, name])

describe('what other stations reported', () => {
  it('takes the product of an item from its station, and else from memory', async () => {
    expect(await named([entry('a')])).toEqual([
      ['p', 'Blue Dune'],
      [null, 'Night Tide'],
      ['q', 'Remembered'],
    ])
    expect((await othersOf([entry('a')])).byName()).toEqual([])
  })

  it('takes the names of a report that says no more, as many of each as it has', async () => {
    const { itemProducts: _none, ...old } = entry('a', {
      products: [
        ['Blue Dune', 'Brand', 1],
        ['Remembered', null, 1],
        [null, null, 1],
      ],
    })
    expect(await named([old])).toEqual([
      [null, 'Blue Dune'],
      [null, null],
      ['q', 'Remembered'],
    ])
    expect((await othersOf([old])).byName()).toEqual(['Front 2'])
  })

  it('leaves out what was withdrawn or refused, and what is this station’s own', async () => {
    const none = [entry('a', { state: 'cancelled' }), entry('b', { state: 'rejected' }), entry('own')]
    const others = await othersOf(none)
    expect([others.reported(0, 1_000), others.items('1')]).toEqual([[], []])
  })

  it('names an order without items by one row, and orders by their time', async () => {
    const others = await othersOf([entry('a', { kind: 'void', tagIds: [], itemProducts: [] })])
    expect(others.items('1')).toMatchObject([{ kind: 'void', tagId: null, station: 'Front 2' }])
    expect([others.reported(100, 101), others.reported(101, 200), others.reported(0, 100)]).toEqual([['1'], [], []])
  })

  it('knows for which order a further number stands', async () => {
    const others = await othersOf([entry('a', { orderId: order('1-2'), ofOrder: order('1') })])
    expect([others.firstOf('1-2'), others.seconds('1'), others.firstOf('1')]).toEqual(['1', ['1-2'], null])
  })

  it('tells which orders changed: new reports, other ones, and those that are gone', async () => {
    const [same, gone] = [entry('a'), entry('b', { orderId: order('2') })]
    const before = await othersOf([same, gone, entry('c', { orderId: order('3') })])
    const after = await othersOf([
      same,
      entry('c', { orderId: order('3'), state: 'queued' }),
      entry('d', { orderId: order('4') }),
    ])
    expect(before.changedIn(after).sort()).toEqual(['2', '3', '4'])
    expect(after.changedIn(after)).toEqual([])
  })
})
