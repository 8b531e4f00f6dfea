import { describe, expect, it } from 'vitest'
import type { TagId } from '../../../../../src-shared/ids'
import { differences } from '../../../../../src-main/hub/claims/differences'
import type { OpenSale } from '../../../../../src-main/hub/claims/truth'
import type { ClaimKind } from '../../../../../src-main/hub/port'
import { tag } from '../../../../fakes/ids'

const tagId = tag(1)
type Report = 'counts' | 'made' | 'none'

interface Situation {
  /** What the hub holds, with the revision 5 and the order 7. */
  held?: ClaimKind
  /** The revision of the claim that this station knows of; null if another station had it, by the revision `there`. */
  known?: number | null
  there?: number
  before?: number | null
  line?: OpenSale
  isTaking?: boolean
  wasAsked?: boolean
  report?: Report
  isSold?: boolean
}
const inCart = { orderId: '7', heldAt: null }
const mapOf = (revision: number | null | undefined, there = 4) => {
  const by = { station: 'Till 2', stationId: 'two', orderId: null, since: '2026-11-28T00:00:00.000Z', isSold: true }
  const heldBy = revision === null ? { ...by, revision: there } : null
  return new Map(revision === undefined ? [] : [[tagId, { tagId, revision, heldBy }]])
}
const setOf = (has = false) => new Set<TagId>(has ? [tagId] : [])

const compared = ({
  held,
  known,
  there,
  before = known,
  line,
  isTaking,
  wasAsked,
  report = 'none',
  isSold,
}: Situation) => {
  const found = differences({
    held: held ? [{ tagId, revision: 5, kind: held, orderId: '7' }] : [],
    before: mapOf(before),
    known: mapOf(known, there),
    lines: new Map(line && [[tagId, line]]),
    taking: setOf(isTaking),
    asked: setOf(wasAsked),
    reportOf: () => report,
    isSold: () => isSold === true,
  })
  return (['dirty', 'unlined', 'strange', 'confirmed', 'lost'] as const).filter((what) => found[what].length > 0)
}

describe('a claim that the hub holds in this station’s name', () => {
  it.each<[string, Situation, string[]]>([
    ['is as its line says', { held: 'cart', known: 5, line: inCart }, ['confirmed']],
    ['names another order', { held: 'cart', known: 5, line: { ...inCart, orderId: '8' } }, ['dirty', 'confirmed']],
    [
      'is of a cart that is on hold now',
      { held: 'cart', known: 5, line: { ...inCart, heldAt: 3 } },
      ['dirty', 'confirmed'],
    ],
    ['has another revision than its line', { held: 'cart', known: 4, line: inCart }, ['dirty']],
    ['has a line that this station asked for without an answer', { held: 'cart', line: inCart }, ['dirty']],
    ['has no line, and is known', { held: 'cart', known: 5 }, ['dirty', 'confirmed']],
    ['has no line, and is from before another station had it', { held: 'cart', known: null, there: 6 }, ['dirty']],
    ['has no line, and is newer than what is known', { held: 'cart', known: null, there: 4 }, ['strange']],
    ['has no line, and was asked for', { held: 'cart', wasAsked: true }, ['dirty', 'unlined']],
    ['has no line, and is unknown', { held: 'held' }, ['strange']],
    ['is from a backup, before this station sold the item', { held: 'cart', isSold: true }, ['dirty', 'unlined']],
    ['is being scanned, and was sold here before', { held: 'cart', isSold: true, isTaking: true }, ['dirty']],
    ['is being scanned', { held: 'cart', isTaking: true }, []],
    ['is known, and is being scanned again', { held: 'cart', known: 5, isTaking: true }, ['dirty', 'confirmed']],
    ['is a sale that counts', { held: 'sale', report: 'counts' }, []],
    ['is a sale that was withdrawn', { held: 'sale', report: 'made' }, ['dirty']],
    ['is a sale that was never reported here', { held: 'sale' }, ['strange']],
  ])('%s', (_what, situation, expected) => {
    expect(compared(situation)).toEqual(expected)
  })
})

describe('an item that the hub doesn’t hold for this station', () => {
  it.each<[string, Situation, string[]]>([
    ['was granted before the hub was asked', { known: 5, line: inCart }, ['dirty', 'lost']],
    ['was granted since', { known: 5, before: 4, line: inCart }, ['dirty']],
    ['is known to be another station’s', { known: null, line: inCart }, ['dirty']],
    ['is in a line that was never asked for', { line: inCart }, ['dirty']],
    ['is sold there, and in a claim here', { held: 'sale', known: 5, report: 'counts' }, ['dirty', 'lost']],
    ['is nowhere', {}, []],
  ])('%s', (_what, situation, expected) => {
    expect(compared(situation)).toEqual(expected)
  })
})
