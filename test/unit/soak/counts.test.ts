import { describe, expect, it } from 'vitest'
import { type CountDay, compareCounts } from '../../soak/compare'
import { createShelf } from '../../soak/shelf'
import { tag } from '../../fakes/ids'

const [a, b, c, d] = [tag(1), tag(2), tag(3), tag(4)]
const results = { expected: 2, found: 1, missing: 1, unexpected: 1, moved: 0, open: 0, accuracy: 0.5 }

describe('the comparison of a count with the shelf', () => {
  const good: CountDay = {
    name: 'one',
    seen: { state: 'signed', results, missing: [b], unexpected: [c] },
    truth: { found: [a], missing: [b], unexpected: [c] },
  }

  it('finds nothing if the count says what was there', () => {
    expect(compareCounts([good])).toEqual([])
  })

  it.each<[string, Partial<CountDay['seen']>, string]>([
    ['an item that is there counts as missing', { missing: [b, d] }, 'falsely missing'],
    ['an item that is right counts as unexpected', { unexpected: [c, d] }, 'falsely unexpected'],
    ['an item that is gone is not missing', { missing: [] }, 'count'],
    ['an item that should not be there is no difference', { unexpected: [] }, 'count'],
    ['a scan was not found', { results: { ...results, found: 0 } }, 'count'],
    ['it was not signed', { state: 'finished' }, 'count'],
  ])('reports that %s', (_, seen, kind) => {
    expect(compareCounts([{ ...good, seen: { ...good.seen, ...seen } }]).map((one) => one.kind)).toEqual([kind])
  })
})

describe('the shelf of the soak', () => {
  const uncased = { productName: 'Late', items: [d] }

  it('has what arrived and was not sold, and what came back', () => {
    const shelf = createShelf()
    shelf.arrive({ productName: 'Flower', items: [a, b, c] })
    shelf.take({ do: 'hold', orderId: '1', items: [a] }, uncased)
    shelf.take({ do: 'sell', orderId: '2', items: [b, c] }, uncased)
    shelf.take({ do: 'return', orderId: '2', items: [c] }, uncased)
    expect([shelf.here(['Flower']), shelf.sold(['Flower'])]).toEqual([[a, c], [b]])
    shelf.take({ do: 'resume', orderId: '1', held: [a], items: [c] }, uncased)
    expect(shelf.here(['Flower'])).toEqual([])
    shelf.take({ do: 'void', orderId: '1', items: [a, c] }, uncased)
    expect(shelf.here(['Flower'])).toEqual([a, c])
    expect(shelf.here(['Late'])).toEqual([])
  })

  it('has the case that is imported for a sale, and never again what was stolen', () => {
    const shelf = createShelf()
    shelf.arrive({ productName: 'Flower', items: [a, b] })
    shelf.take({ do: 'sell what is not imported', orderId: '1', items: [a] }, { productName: 'Late', items: [c, d] })
    shelf.lose(b)
    expect(shelf.here(['Flower', 'Late'])).toEqual([c, d])
    expect([shelf.lost(['Flower']), shelf.lost(['Late'])]).toEqual([[b], []])
  })
})
