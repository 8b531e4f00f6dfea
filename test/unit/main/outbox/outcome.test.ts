import { describe, expect, it } from 'vitest'
import { type Outcome, outcomeOf } from '../../../../src-main/outbox/outcome'
import type { Reply } from '../../../../src-main/service-client/reply'
import type { AppError } from '../../../../src-shared/errors'
import { answer, bodies, json, kinds, memberKinds, outcome } from './outcome-replies'

type Kind = Outcome['kind']
/** The outcome for a body of JSON, a line of text, a web page, nothing. */
type Row = [statuses: number[], json: Kind, text: Kind, page: Kind, none: Kind, why: string]

const statuses: Row[] = [
  [
    [100, 101, 103, 199],
    'unknown',
    'unknown',
    'unknown',
    'unknown',
    'never a last word: undici does not even give them',
  ],
  [[200, 201], 'accepted', 'accepted', 'unknown', 'unknown', 'a yes, when the service itself says it'],
  [[202], 'unknown', 'unknown', 'unknown', 'unknown', '"later" is no yes: reading tells when it is done'],
  [[203, 206, 207], 'unknown', 'unknown', 'unknown', 'unknown', 'changed on the way, or a part'],
  [[204, 205], 'unknown', 'unknown', 'unknown', 'unknown', 'an answer with nothing in it proves nothing'],
  [[300, 301, 302, 303, 307, 308], 'unknown', 'unknown', 'unknown', 'unknown', 'some act first and lead on then'],
  [[304], 'unknown', 'unknown', 'unknown', 'unknown', 'no answer to a report'],
  [[400], 'rejected', 'rejected', 'unknown', 'rejected', "the service's no; as a page it is a proxy's"],
  [[401, 407], 'retry', 'retry', 'retry', 'retry', 'who asks is looked at before what is asked'],
  [[402, 403], 'rejected', 'rejected', 'unknown', 'rejected', 'the account may not: a person must see to it'],
  [
    [404, 410],
    'rejected',
    'rejected',
    'unknown',
    'rejected',
    'a thing that is not there, or a wrong address: a person',
  ],
  [[405, 406, 415, 426], 'rejected', 'rejected', 'unknown', 'rejected', 'not what this address takes: a person'],
  [[408], 'unknown', 'unknown', 'unknown', 'unknown', 'whoever stands in front says it of cut requests too'],
  [[409, 412, 423], 'rejected', 'rejected', 'unknown', 'rejected', 'something stands against it: a person'],
  [[411, 413, 414, 431], 'rejected', 'rejected', 'unknown', 'rejected', 'too big, and so it is the next time'],
  [[418, 421, 422, 424, 428, 451, 499], 'rejected', 'rejected', 'unknown', 'rejected', 'a no of its own kind'],
  [[425], 'retry', 'retry', 'retry', 'retry', 'too early: not looked at'],
  [[429], 'retry', 'retry', 'retry', 'retry', 'counted before it is looked at'],
  [
    [500, 501, 502, 504, 505, 507, 508, 511, 599],
    'unknown',
    'unknown',
    'unknown',
    'unknown',
    'broken on the way in or out',
  ],
  [[503], 'unknown', 'unknown', 'unknown', 'unknown', 'gateways say it of a service that goes on working'],
  [[520, 521, 522, 523, 524, 525, 526], 'unknown', 'unknown', 'unknown', 'unknown', "a network's own numbers"],
  [[0, 99, 600, 999, -1, Number.NaN], 'unknown', 'unknown', 'unknown', 'unknown', 'no status at all'],
]
const cells = statuses.flatMap(([codes, ...expected]) =>
  codes.flatMap((status) =>
    (['json', 'text', 'page', 'none'] as const).map((body, at) => [status, body, expected[at], expected[4]] as const),
  ),
)

describe('outcome', () => {
  it.each(cells)('of %i with %s is %s: %s', (status, body, expected) => {
    for (const kind of kinds) {
      // The answer to an import is shown, and it is no line of text.
      const isOddImport = kind === 'import' && body === 'text' && expected === 'accepted'
      // The taking out of an item has no other documented yes.
      const isTakenOut = kind === 'remove-item' && status === 204 && body !== 'page'
      expect(outcome(kind, answer(status, bodies[body])).kind).toBe(
        isOddImport ? 'unknown' : isTakenOut ? 'accepted' : expected,
      )
      // What is not told to be done already means the same after a lost attempt.
      expect(outcome(kind, answer(status, bodies[body]), true)).toEqual(outcome(kind, answer(status, bodies[body])))
    }
  })

  it('of 503 is to be tried again when the service says when, and not by a page', () => {
    for (const body of [bodies.json, bodies.text, bodies.none]) {
      expect(outcome('complete', answer(503, body, 0))).toMatchObject({ kind: 'retry', afterMs: 0 })
    }
    expect(outcome('complete', answer(503, bodies.page, 5_000))).toMatchObject({ kind: 'unknown', afterMs: 5_000 })
  })

  it.each([429, 503, 500, 302, 202])('of %i hands on the wait that was asked for', (status) => {
    expect(outcome('complete', answer(status, bodies.none, 7_000))).toMatchObject({ afterMs: 7_000 })
  })

  it.each([
    [401, { code: 'service/credentials-refused' }],
    [429, { code: 'service/busy' }],
    [500, { code: 'service/failing', status: 500 }],
    [503, { code: 'service/busy' }],
    [202, { code: 'service/unreadable', path: null }],
    [302, { code: 'service/unreadable', path: null }],
    [403, { code: 'service/forbidden' }],
    [404, { code: 'service/refused', status: 404, detail: '' }],
  ] as const)('of %i says why', (status, reason) => {
    expect(outcome('complete', answer(status))).toMatchObject({ reason })
  })

  it.each(memberKinds)('of 403 to %s is that it may not be, and of 404 what is not there', (kind) => {
    for (const body of [bodies.none, json({ detail: 'You do not have permission to perform this action.' })]) {
      expect(outcome(kind, answer(403, body))).toEqual({
        kind: 'rejected',
        reason: { code: 'receiving/no-case-changes' },
      })
    }
    for (const body of [bodies.none, bodies.text, json({ detail: 'Not found.' })]) {
      expect(outcomeOf({ kind, reply: answer(404, body), isUncertain: false, subject: 'X' })).toEqual({
        kind: 'rejected',
        reason: { code: 'service/not-found', id: 'X' },
      })
    }
  })

  it.each(memberKinds)('of a documented refusal of %s is its reason', (kind) => {
    const origin = 'Collection X is of type origin, which can be neither removed nor restored.'
    expect(outcome(kind, answer(400, json({ detail: origin })))).toEqual({
      kind: 'rejected',
      reason: { code: 'service/refused', status: 400, detail: origin },
    })
    expect(outcome(kind, answer(400, json({ items: { 'Invalid TagIDs': ['abc'] } })))).toMatchObject({
      reason: { code: 'service/malformed-tags', tagIds: ['abc'] },
    })
    expect(outcome(kind, answer(400, json({ items: { invalid: [], unknown: ['X'], valid: [] } })))).toMatchObject({
      reason: { code: 'service/unknown-tags', tagIds: ['X'] },
    })
    expect(outcome(kind, answer(400, json({ non_field_errors: ['This list may not be empty.'] })))).toMatchObject({
      reason: { code: 'service/invalid-fields' },
    })
  })

  it('of a page is that nobody could read it, whatever its status', () => {
    for (const status of [200, 302, 404, 408, 500, 503]) {
      expect(outcome('return', answer(status, bodies.page))).toEqual({
        kind: 'unknown',
        reason: { code: 'service/unreadable', path: null },
        afterMs: null,
      })
    }
  })

  it('is to be tried again when the request never left, unknown when it may have', () => {
    for (const kind of kinds) {
      for (const isUncertain of [false, true]) {
        const reason = { code: 'service/unreachable' }
        const lost: Reply = { kind: 'no-answer', code: 'ECONNRESET', sent: true }
        expect(outcome(kind, lost, isUncertain)).toEqual({ kind: 'unknown', reason, afterMs: null })
        expect(outcome(kind, { ...lost, sent: false }, isUncertain)).toEqual({ kind: 'retry', reason, afterMs: null })
      }
    }
  })

  const notAsked: AppError[] = [
    { code: 'service/unreachable' },
    { code: 'service/busy' },
    { code: 'service/failing', status: 500 },
    { code: 'service/unreadable', path: null },
    { code: 'service/credentials-missing' },
    { code: 'service/credentials-refused' },
    { code: 'service/foreign-host' },
  ]
  it.each(notAsked)('is to be tried again, for the same reason, when it was not even asked: $code', (error) => {
    for (const kind of kinds) {
      expect(outcome(kind, { kind: 'not-asked', error })).toEqual({ kind: 'retry', reason: error, afterMs: null })
    }
  })
})
