import { expect, it } from 'vitest'
import { err, ok } from '../../../../src-shared/result'
import type { Verdict } from '../../../../src-shared/verdict'
import type { OpenItem } from '../../../../src-main/counter/open-order-rows'
import {
  type HeardAnswer,
  type ScanEvent,
  type ScanStage,
  type ScanStep,
  type ScanWish,
  onLateAnswer,
  onScan,
} from '../../../../src-main/counter/scan'
import { judged, reasonsFor } from '../../../../src-main/counter/verdict'
import { tag } from '../../../fakes/ids'
import { facts } from './counter-desk'

const rules = { takesUnchecked: true, levels: {} }
const tagId = tag(1)
const asOf = '2026-11-21T14:00:00.000Z'
const found = (...reasons: Parameters<typeof reasonsFor>): Verdict => judged(reasonsFor(...reasons), rules)

const sellable = found('sellable')
const remembered = found('sellable', { asOf })
const looking = found('looking')
const expired = found('past-use-by', { at: '2020-01-01' })
const counterfeit = found('counterfeit')
const unknown = found('unknown')

const heard = (verdict: Verdict): HeardAnswer => ({
  answer: ok({ facts: facts(tagId), entry: undefined, asOf: null, askedAt: 0 }),
  verdict,
})
const wrongPlace = { code: 'scan/wrong-place', found: 'case', expected: 'tag' } as const
const notAnItem: HeardAnswer = { answer: err(wrongPlace), verdict: unknown }
const silent: HeardAnswer = { answer: err({ code: 'service/unreachable' }), verdict: remembered }

const memory = (more: Partial<Extract<ScanEvent, { of: 'memory' }>> = {}): ScanEvent => ({
  ...{ of: 'memory', objection: undefined, line: undefined, verdict: looking },
  ...{ isCached: false, isOutOfReach: false, isClaimed: false, heard: undefined, isSameOrder: true, ...more },
})
const granted = { kind: 'granted', revision: 7 } as const
const awaited = { ...granted, awaited: ['Till 9'] }
const offline = { kind: 'offline' } as const
const holder = {
  tagId,
  stationId: 'b',
  stationName: 'Till 2',
  kind: 'cart',
  orderId: '9',
  since: 0,
  revision: 3,
} as const
const by = {
  ...{ station: 'Till 2', stationId: 'b', orderId: '9', since: '1970-01-01T00:00:00.000Z' },
  ...{ isSold: false, revision: 3 },
}
const hub = (more: Partial<Extract<ScanEvent, { of: 'hub' }>> = {}): ScanEvent => ({
  ...{ of: 'hub', answer: granted, objection: undefined, isInCart: false, isSameOrder: true },
  ...{ early: undefined, refuses: false, productName: null, ...more },
})
const held = (more: Partial<Extract<ScanEvent, { of: 'hub' }>> = {}) =>
  hub({ answer: { kind: 'held', by: holder }, ...more })
const service = (of: HeardAnswer, isInOrder = true): ScanEvent => ({
  ...{ of: 'service', heard: of, isInOrder, productName: 'Blue Dune' },
})
const silence: ScanEvent = { of: 'silence', productName: null }

const begun: ScanStage = { is: 'begun' }
const askingFirst: ScanStage = { is: 'asking-first' }
const claiming: ScanStage = { is: 'claiming', shown: remembered, service: 'asked' }
const claimingAlone: ScanStage = { is: 'claiming', shown: remembered, service: 'later' }
const claimingLine: ScanStage = { is: 'claiming', shown: remembered, service: 'unasked' }
const heldThere: ScanStage = { is: 'held', by }
const saved: ScanStage = { is: 'saved', shown: looking }
const savedKnown: ScanStage = { is: 'saved', shown: remembered }

const known = { isCached: true, verdict: remembered }
const offLine = { ...known, isOutOfReach: true }
const lineOf = (verdict: Verdict): OpenItem => ({ tagId, scannedAt: 0, found: verdict, permitted: null })
const onceMore = (verdict: Verdict) => ({ objection: duplicate, line: lineOf(verdict), verdict })

const duplicate = { code: 'checkout/duplicate', tagId } as const
const returned = { code: 'checkout/already-returned', tagId, orderId: '1' } as const
const changed = { code: 'checkout/cart-changed' }
const notClaimed = { code: 'checkout/not-claimed', tagId }
const notChecked = { code: 'checkout/awaited', tagId, stations: ['Till 9'] }
const notSaved = { code: 'store/not-saved' } as const
const claimed = (productName: string | null) => ({ code: 'checkout/claimed', tagId, productName, by })
const unfit = (verdict: Verdict) => ({ code: 'checkout/not-sellable', tagId, verdict })

const line = (verdict: Verdict, claim?: object) => ({ what: 'line', verdict, permitted: null, claim })
const other = (verdict: Verdict, reason: string | null = null) => ({ what: 'verdict', verdict, permitted: reason })
const same = (isNews: boolean) => ({ what: 'nothing', isNews })
const removal = { what: 'removal' }
const taken = { is: 'taken', isHeardLater: false }
const takenFirst = { is: 'taken', isHeardLater: true }
const no = (error: object, isShown = false) => ({ is: 'refused', error, isShown })

const reason = 'Misprint'
const permitted: Partial<ScanWish> = { approval: { reason } }
const forOthers: Partial<ScanWish> = { approval: { reason, shown: ['certificate-expired'] } }
const takesOver: Partial<ScanWish> = { ...permitted, isTakeover: true }

/** While the scan is in this stage, this comes; then this is its stage, and this is saved. */
const rows: [what: string, ScanStage, ScanEvent, object, (object | undefined)?, Partial<ScanWish>?][] = [
  ['objection', begun, memory({ objection: duplicate }), no(duplicate)],
  ['returned', begun, memory({ objection: returned }), askingFirst],
  ['returned, no service', begun, memory({ objection: returned, isOutOfReach: true }), no(returned)],
  ['returned, not sold since', askingFirst, memory({ objection: returned }), no(returned)],
  ['returned, sold since', askingFirst, memory(), saved, line(looking)],
  ['not remembered', begun, memory({ isOutOfReach: true }), saved, line(looking)],
  ['remembered', begun, memory(known), savedKnown, line(remembered)],
  ['remembered, no service', begun, memory(offLine), takenFirst, line(remembered)],
  ['unfit, no service', begun, memory({ ...offLine, verdict: counterfeit }), no(unfit(counterfeit))],
  ['with a hub', begun, memory({ ...known, isClaimed: true }), claiming],
  ['takeover', begun, memory({ ...known, isClaimed: true }), askingFirst, undefined, takesOver],
  ['takeover, no service', begun, memory({ ...offLine, isClaimed: true }), claimingAlone, undefined, takesOver],
  ['takeover, service silent', askingFirst, memory({ ...known, isClaimed: true }), claiming, undefined, takesOver],
  [
    ...(['takeover, service knows', askingFirst, memory({ isClaimed: true, heard: heard(remembered) })] as const),
    ...([claimingLine, undefined, takesOver] as const),
  ],
  [
    ...(['takeover, other order meanwhile', askingFirst, memory({ isClaimed: true, isSameOrder: false })] as const),
    ...([no(changed), undefined, takesOver] as const),
  ],
  [
    ...(['takeover of what is unfit', askingFirst, memory({ isClaimed: true, heard: heard(counterfeit) })] as const),
    ...([no(unfit(counterfeit)), undefined, takesOver] as const),
  ],
  [
    ...([
      'takeover, in the cart meanwhile',
      askingFirst,
      memory({ isClaimed: true, ...onceMore(remembered) }),
    ] as const),
    ...([claimingLine, undefined, takesOver] as const),
  ],
  [
    ...([
      'takeover of what is unfit, in the cart meanwhile',
      askingFirst,
      memory({ isClaimed: true, ...onceMore(remembered), heard: heard(counterfeit) }),
    ] as const),
    ...([no(unfit(counterfeit)), undefined, takesOver] as const),
  ],
  [
    ...(['takeover of what is no item', askingFirst, memory({ isClaimed: true, heard: notAnItem })] as const),
    ...([no(wrongPlace), undefined, takesOver] as const),
  ],
  ['with a hub, no service', begun, memory({ ...offLine, isClaimed: true }), claimingAlone],
  ['line approved', begun, memory(onceMore(expired)), taken, other(expired, reason), permitted],
  ['line approved for other reasons', begun, memory(onceMore(expired)), no(unfit(expired)), undefined, forOthers],
  ['line without need of approval', begun, memory(onceMore(sellable)), no(duplicate), undefined, permitted],
  ['line taken over, no hub', begun, memory(onceMore(remembered)), no(duplicate), undefined, takesOver],
  [
    ...(['line taken over', begun, memory({ ...onceMore(remembered), isClaimed: true })] as const),
    ...([claimingLine, undefined, takesOver] as const),
  ],

  ['granted', claiming, hub(), savedKnown, line(remembered, granted)],
  ['granted, no service', claimingAlone, hub(), takenFirst, line(remembered, granted)],
  ['granted, service first', claiming, hub({ early: heard(sellable) }), taken, line(sellable, granted)],
  ['granted, service refused first', claiming, hub({ early: heard(counterfeit) }), no(unfit(counterfeit))],
  ['scanned meanwhile', claiming, hub({ objection: duplicate }), no(duplicate)],
  ['other order meanwhile', claiming, hub({ isSameOrder: false }), no(changed)],
  ['hub silent', claiming, hub({ answer: offline }), savedKnown, line(remembered, offline)],
  ['hub silent, store refuses', claiming, hub({ answer: offline, refuses: true }), no(notClaimed)],
  ['hub silent, takeover', claiming, hub({ answer: offline }), no(notClaimed), undefined, takesOver],
  ['stations awaited', claiming, hub({ answer: awaited }), savedKnown, line(remembered, awaited)],
  ['stations awaited, store refuses', claiming, hub({ answer: awaited, refuses: true }), no(notChecked)],
  [
    ...(['stations awaited, takeover', claiming, hub({ answer: awaited, refuses: true })] as const),
    ...([savedKnown, line(remembered, awaited), takesOver] as const),
  ],
  [
    ...(['line taken over', claimingLine, hub({ objection: duplicate, isInCart: true })] as const),
    ...([taken, { what: 'claim', claim: granted }, takesOver] as const),
  ],
  [
    ...(['put there meanwhile, takeover', claiming, hub({ objection: duplicate, isInCart: true })] as const),
    ...([savedKnown, { what: 'claim', claim: granted }, takesOver] as const),
  ],
  [
    ...(['put there meanwhile, no service', claimingAlone, hub({ objection: duplicate, isInCart: true })] as const),
    ...([takenFirst, { what: 'claim', claim: granted }, takesOver] as const),
  ],
  ['line taken over, left meanwhile', claimingLine, hub(), taken, line(remembered, granted), takesOver],
  ['held, named', claiming, held({ productName: 'Blue Dune' }), no(claimed('Blue Dune'))],
  ['held, not named', claiming, held(), heldThere],
  ['held, service silent first', claiming, held({ early: silent }), no(claimed(null))],
  ['held, no service', claimingAlone, held(), no(claimed(null))],
  ['held, service in time', heldThere, service(heard(sellable)), no(claimed('Blue Dune'))],
  ['held, service late', heldThere, silence, no(claimed(null))],

  ['in time', saved, service(heard(sellable)), taken, other(sellable)],
  ['in time, as remembered', savedKnown, service(heard(sellable)), taken, same(true)],
  ['in time, not an answer', savedKnown, service(silent), taken, same(false)],
  ['in time, unfit', saved, service(heard(expired)), no(unfit(expired), true), removal],
  ['in time, unfit, approved', saved, service(heard(expired)), taken, other(expired, reason), permitted],
  ['in time, not an item', saved, service(notAnItem), no(wrongPlace, true), removal],
  ['in time, left meanwhile', saved, service(heard(sellable), false), no(changed)],
  ['late', saved, silence, takenFirst],
  ['disk full, new line', begun, { of: 'disk', error: notSaved }, no(notSaved)],
  ['disk full, line in the cart', saved, { of: 'disk', error: notSaved }, no(notSaved, true)],
]

it.each(rows)('a scan: %s', (_what, stage, event, next, saving, wish) => {
  const step: ScanStep = onScan(
    { wish: { tagId, approval: undefined, isTakeover: false, ...wish }, stage },
    event,
    rules,
  )
  expect(step).toEqual({ stage: next, ...(saving && { saving }) })
})

it('stops at what no scan can get', () => {
  const wish = { tagId, approval: undefined, isTakeover: false }
  expect(() => onScan({ wish, stage: begun }, silence, rules)).toThrow()
  expect(() => onScan({ wish, stage: { is: 'taken', isHeardLater: true } }, silence, rules)).toThrow()
})

const news = (saving: object, isFlagged: boolean) => ({ saving, isFlagged })
const approved = { ...lineOf(expired), permitted: reason }
const expiredOnce = { ...expired, asOf }
const lateRows: [what: string, OpenItem, HeardAnswer, object | undefined][] = [
  ['says something else', lineOf(remembered), heard(counterfeit), news(other(counterfeit), true)],
  ['says what was remembered', lineOf(remembered), heard(sellable), news(same(true), true)],
  ['says the same again', lineOf(sellable), heard(sellable), news(same(false), false)],
  ['is not an answer', lineOf(remembered), silent, undefined],
  ['says the same of an approved item', approved, heard(expiredOnce), news(other(expiredOnce, reason), true)],
  ['is graver than what was approved', approved, heard(counterfeit), news(other(counterfeit), true)],
]

it.each(lateRows)('an answer that comes later %s', (_what, item, answer, expected) => {
  expect(onLateAnswer(item, answer, rules)).toEqual(expected)
})
