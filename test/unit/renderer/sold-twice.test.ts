import { describe, expect, it } from 'vitest'
import type { OperationView } from '../../../src-shared/ipc/contract/outbox'
import { otherOrderTexts, soldTwiceGroup, soldTwiceTexts } from '../../../src-renderer/store/sold-twice'
import { say, t } from '../../../src-renderer/text/text.svelte'
import { operation, tagId } from './examples'

const other = {
  tagId: tagId(1),
  productName: 'Blue Dune, 3.5 g',
  ownOrderId: '2002',
  station: 'Front 1',
  orderId: '2001',
}
const refused = operation({
  orderId: '2002',
  state: 'rejected',
  itemCount: 1,
  reason: { code: 'service/already-processed', detail: 'Items already processed' },
})

describe('a sale that the service refused for an item of another station’s order', () => {
  it('names the order and the station, and has nothing to void', () => {
    const texts = soldTwiceTexts(refused, [other])
    expect(texts?.what.map(say)).toEqual(['Blue Dune, 3.5 g: order 2001 at Front 1 has it too'])
    const advice = [texts?.means, texts?.next].map((text) => (text ? say(text) : ''))
    expect(advice.join(' ')).toContain('There is nothing to void.')
    expect(advice.join(' ')).toContain('dismiss this report')
    const ofSeveral = soldTwiceTexts({ ...refused, itemCount: 2 }, [other])
    expect(ofSeveral && say(ofSeveral.next)).toContain('choose Change')
  })

  it.each([
    ['another order', { ...refused, orderId: '2003' }],
    ['a sale that the service has', { ...refused, state: 'accepted' as const, reason: null }],
    ['another reason', { ...refused, reason: { code: 'ipc/disconnected' as const } }],
    ['a return', { ...refused, kind: 'return' as const }],
  ])('not %s', (_what, view) => {
    expect(soldTwiceTexts(view, [other])).toBeNull()
  })
})

describe('a group of refused sales', () => {
  const group = (...operations: OperationView[]) => ({ operations, count: operations.length })
  const another = { ...refused, orderId: '2003' }

  it('is said to be in other orders if that is so of each, each for its own reason if of some', () => {
    expect(say(soldTwiceGroup(group(refused, refused), [other])?.what ?? { key: 'nav.store' })).toBe(
      'Items of these orders are in orders of other stations too',
    )
    expect(soldTwiceGroup(group(refused, another), [other])?.what.key).toBe('outbox.group.each')
    // Of one that isn't listed, nothing is known here.
    expect(soldTwiceGroup({ operations: [refused], count: 2 }, [other])?.what.key).toBe('outbox.group.each')
    expect(soldTwiceGroup(group(another), [other])).toBeNull()
  })
})

describe('Find', () => {
  it('names both orders of the item, and nothing of others', () => {
    expect(otherOrderTexts(tagId(1), [other]).map(say)).toEqual(['Also in order 2001 at Front 1', 'Here: order 2002'])
    expect(otherOrderTexts(tagId(2), [other])).toEqual([])
  })
})

describe('the notice of an item that two stations sold', () => {
  const means = (report: string) =>
    t('hub.notice.collided.means', {
      ...{ own: 'sold', report, ownOrderId: '2002', orderId: '2001', station: 'Front 1' },
    })

  it('advises by which of the two the service refused', () => {
    expect(means('refused')).toContain('The service refused order 2002 here: there is nothing to void.')
    expect(means('reported')).toContain('The service has order 2002 here, and takes an item in one order only.')
    expect(means('open')).toContain('The service takes one of the two.')
    expect([means('refused'), means('reported'), means('open')].join()).not.toMatch(/void or return/)
  })
})
