import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { type Outcome, isEcho, outcomeOf } from '../../../../src-main/outbox/outcome'
import type { Body, Reply } from '../../../../src-main/service-client/reply'
import { OperationKind } from '../../../../src-shared/ipc/operation-view'

const texts = fc.array(fc.string(), { maxLength: 3 })
/** JSON of any kind, and more often than chance would have it, JSON like that of the service. */
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
)
const body: fc.Arbitrary<Body> = fc.oneof(
  value.map((json): Body => ({ kind: 'json', value: json })),
  fc.string().map((text): Body => ({ kind: 'text', value: text })),
  fc.constantFrom<Body>({ kind: 'page' }, { kind: 'none' }),
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

/** Whatever comes back, for whatever was reported. */
const forAny = (check: (one: { kind: OperationKind; reply: Reply; isUncertain: boolean; outcome: Outcome }) => void) =>
  fc.assert(
    fc.property(kind, reply, fc.boolean(), (kind, reply, isUncertain) => {
      check({ kind, reply, isUncertain, outcome: outcomeOf({ kind, reply, isUncertain }) })
    }),
    { numRuns: 3_000 },
  )

describe('any reply at all', () => {
  it('has an outcome', () => {
    forAny(({ outcome }) => expect(['accepted', 'rejected', 'retry', 'unknown']).toContain(outcome.kind))
  })

  it('is accepted only for 200 and 201, of an item or a collection taken out for 204, or for the echo of a lost attempt', () => {
    forAny(({ kind, reply, isUncertain, outcome }) => {
      if (outcome.kind !== 'accepted') return
      if (outcome.note === null) {
        const yes = kind === 'remove-item' || kind === 'remove-collection' ? [200, 201, 204] : [200, 201]
        expect(reply.kind === 'answer' && yes.includes(reply.status)).toBe(true)
      } else {
        expect(outcome.note).toBe('already-processed')
        expect(isUncertain && isEcho(kind, outcomeOf({ kind, reply, isUncertain: false }))).toBe(true)
      }
    })
  })

  it('is tried again only when the service certainly did not act', () => {
    forAny(({ reply, outcome }) => {
      if (outcome.kind !== 'retry') return
      const wasNotActedOn =
        reply.kind === 'not-asked' ||
        (reply.kind === 'no-answer' && !reply.sent) ||
        (reply.kind === 'answer' &&
          ([401, 407, 425, 429].includes(reply.status) || (reply.status === 503 && reply.retryAfterMs !== null)))
      expect(wasNotActedOn).toBe(true)
    })
  })

  it('is rejected only by an answer that is no page', () => {
    forAny(({ reply, outcome }) => {
      if (outcome.kind === 'rejected') expect(reply.kind === 'answer' && reply.body.kind !== 'page').toBe(true)
    })
  })

  it('means no less certain a thing after a lost attempt, but for the echo', () => {
    forAny(({ kind, reply, outcome, isUncertain }) => {
      const first = outcomeOf({ kind, reply, isUncertain: false })
      if (!isUncertain || !isEcho(kind, first)) expect(outcome).toEqual(first)
    })
  })
})
