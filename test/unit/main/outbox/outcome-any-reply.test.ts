import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import type { IfAlready } from '../../../../src-main/outbox/evidence'
import type { Outcome } from '../../../../src-main/outbox/operation'
import { isEcho } from '../../../../src-main/outbox/outcome'
import type { ReplyBody, Reply } from '../../../../src-main/service/reply'
import { OperationKind } from '../../../../src-shared/ipc/contract/outbox'
import { outcome } from './outcome-replies'

const texts = fc.array(fc.string(), { maxLength: 3 })
/** Any JSON, and frequently JSON like the service's. */
const value = fc.oneof(
  fc.jsonValue(),
  fc.record({ message: fc.oneof(fc.string(), fc.constant('This transaction has already been processed.')) }),
  fc.record({
    detail: fc.constantFrom(
      'This case has already been scanned for another dispensary.',
      'Items in CaseID X are already imported into inventory Y.',
      'POS Package UID not found for package_uid=Z.',
    ),
  }),
  fc.record({ message: fc.string(), non_imported_tagids: texts, valid_transaction: fc.boolean() }),
  fc.record({ items: fc.record({ invalid: texts, unknown: texts, valid: texts }) }),
  fc.record({ items: fc.record({ 'Invalid TagIDs': texts }) }),
  fc.dictionary(fc.string(), texts),
  fc.record({ status: fc.constantFrom('success', 'error', 'SUCCESS') }),
  fc.record({ message: fc.constantFrom('Transaction accepted', 'Transaction accepted, or not') }),
)
const body: fc.Arbitrary<ReplyBody> = fc.oneof(
  value.map((json): ReplyBody => ({ kind: 'json', value: json })),
  fc.string().map((text): ReplyBody => ({ kind: 'text', value: text })),
  fc.constantFrom<ReplyBody>({ kind: 'page' }, { kind: 'none' }),
)
const status = fc.oneof(fc.integer({ min: 100, max: 599 }), fc.constantFrom(200, 400, 401, 403, 429, 503), fc.integer())
const wait = fc.option(fc.nat(3_600_000))
const reply: fc.Arbitrary<Reply> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('answer' as const), status, body, retryAfterMs: wait }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('no-answer' as const), code: fc.string(), sent: fc.boolean() }),
  },
  fc.constant<Reply>({ kind: 'not-asked', error: { code: 'service/unreachable' } }),
)
const kind = fc.constantFrom(...OperationKind.options)

const ifAlready = fc.constantFrom<IfAlready>('accepted', 'rejected', 'unsettled')

interface One {
  kind: OperationKind
  reply: Reply
  ifAlready: IfAlready
  outcome: Outcome
}

/** Checks any reply to any report. */
const forAny = (check: (one: One) => void) =>
  fc.assert(
    fc.property(kind, reply, ifAlready, (kind, reply, ifAlready) => {
      check({ kind, reply, ifAlready, outcome: outcome(kind, reply, ifAlready) })
    }),
    { numRuns: 3_000 },
  )

describe('any reply at all', () => {
  it('has an outcome', () => {
    forAny(({ outcome }) => expect(['accepted', 'rejected', 'retry', 'unknown']).toContain(outcome.kind))
  })

  it('is accepted only with a body that proves it, by the one documented 204, or as the echo of a lost attempt', () => {
    forAny(({ kind, reply, ifAlready, outcome: { kind: result, ...rest } }) => {
      if (result !== 'accepted' || reply.kind !== 'answer') {
        expect(result).not.toBe('accepted')
        return
      }
      if ('note' in rest && rest.note === 'already-processed') {
        expect(ifAlready).toBe('accepted')
        expect(isEcho(kind, outcome(kind, reply))).toBe(true)
      } else if (reply.status === 204) {
        expect(['remove-item', 'remove-collection']).toContain(kind)
      } else {
        // No generated body names our report, so only the general words of success remain.
        expect([200, 201]).toContain(reply.status)
        expect(JSON.stringify(reply.body).toLowerCase()).toMatch(/"status":"success"|transaction accepted/)
      }
    })
  })

  it('is retried only if the service certainly did not act', () => {
    forAny(({ reply, outcome }) => {
      if (outcome.kind !== 'retry') return
      const wasNotActedOn =
        reply.kind === 'not-asked' ||
        (reply.kind === 'no-answer' && !reply.sent) ||
        (reply.kind === 'answer' && reply.status === 401)
      expect(wasNotActedOn).toBe(true)
    })
  })

  it('is rejected only by a 4xx with a JSON body, or by one without a body for collections', () => {
    forAny(({ kind, reply, outcome }) => {
      if (outcome.kind !== 'rejected') return
      expect(reply.kind === 'answer' && reply.status >= 400 && reply.status < 500).toBe(true)
      if (reply.kind !== 'answer' || reply.body.kind === 'json') return
      expect(reply.body.kind).toBe('none')
      expect(['complete', 'void', 'return', 'import', 'import-removal']).not.toContain(kind)
    })
  })

  it('has the same outcome after a lost attempt, except for an echo', () => {
    forAny(({ kind, reply, outcome: after }) => {
      const first = outcome(kind, reply)
      if (!isEcho(kind, first)) expect(after).toEqual(first)
    })
  })

  it('has a reason of at most 2 kB', () => {
    forAny(({ outcome }) => expect(JSON.stringify(outcome).length).toBeLessThan(2_048))
  })
})
