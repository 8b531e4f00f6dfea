import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../../../src-main/outbox/operation'
import type { Reply } from '../../../../src-main/service/reply'
import { answer, bodies, json, kinds, memberKinds, orderKinds, outcome, text, yes } from './outcome-replies'
import type { ServiceError } from '../../../../src-main/service/reply'

type Kind = Outcome['kind']
/** The outcomes for undocumented JSON, a line of text, a web page, and no body. */
type Row = [statuses: number[], json: Kind, text: Kind, page: Kind, none: Kind, why: string]

const unknown: [Kind, Kind, Kind, Kind] = ['unknown', 'unknown', 'unknown', 'unknown']
const statuses: Row[] = [
  [[100, 101, 103, 199], ...unknown, 'not a final answer'],
  [[200, 201], ...unknown, 'accepted only if the body names the report or reports success as the service does'],
  [[202, 203, 204, 205, 206, 207, 226], ...unknown, 'not done yet, changed by a proxy, partial or empty'],
  [[300, 301, 302, 303, 304, 307, 308], ...unknown, 'a service may act before it redirects'],
  [[401], 'retry', 'retry', 'retry', 'retry', 'an expired token: the account is checked before the request'],
  [[400, 402, 403, 404, 405, 407, 408, 409, 410, 413, 414, 418, 421], ...unknown, 'not a documented refusal'],
  [[422, 425, 426, 428, 429, 431, 451, 499], ...unknown, 'not a documented refusal'],
  [
    [500, 501, 502, 503, 504, 505, 507, 511, 520, 524, 599],
    ...unknown,
    'it may have failed before or after the report was processed',
  ],
  [[0, 99, 600, 999, -1, Number.NaN], ...unknown, 'not an HTTP status'],
]
const cells = statuses.flatMap(([codes, ...expected]) =>
  codes.flatMap((status) =>
    (['json', 'text', 'page', 'none'] as const).map((body, at) => [status, body, expected[at], expected[4]] as const),
  ),
)

describe('outcome', () => {
  it.each(cells)('of %i with %s is %s: %s', (status, body, expected) => {
    for (const kind of kinds) {
      // Exceptions: the documented 204 for removing an item, and the statuses that collections answer without a body.
      const isTakenOut = kind === 'remove-item' && status === 204
      const isBare = memberKinds.some((one) => one === kind) && body === 'none' && [403, 404].includes(status)
      const wanted = isTakenOut ? 'accepted' : isBare ? 'rejected' : expected
      for (const ifAlready of ['accepted', 'rejected', 'unsettled'] as const) {
        expect(outcome(kind, answer(status, bodies[body]), ifAlready).kind).toBe(wanted)
      }
    }
  })

  it.each([200, 201])('of %i is accepted if the body names the report', (status) => {
    for (const kind of kinds) {
      expect(outcome(kind, answer(status, yes(kind)))).toEqual({ kind: 'accepted', note: null })
      expect(outcome(kind, answer(status, yes(kind, { request_id: 'R', name: 'X' })))).toMatchObject({ note: null })
    }
  })

  it("of 200 is accepted by general words only for kinds whose answer the specification doesn't show", () => {
    const general = [
      json({ status: 'success', request_id: 'R' }),
      json({ message: 'Transaction accepted' }),
      json('Transaction accepted'),
      text('Transaction accepted.\n'),
    ]
    for (const body of general) {
      for (const kind of [...orderKinds, 'import-removal', 'restore-item'] as const) {
        expect(outcome(kind, answer(200, body))).toEqual({ kind: 'accepted', note: null })
      }
      for (const kind of ['import', 'add-items', 'add-case', 'remove-item'] as const) {
        expect(outcome(kind, answer(200, body)).kind).toBe('unknown')
      }
    }
  })

  it.each([
    ['text of a firewall', text('Blocked by policy 7')],
    ['text that begins like an acceptance', text('Transaction accepted by the proxy, to be forwarded')],
    ['null', json(null)],
    ['true', json(true)],
    ['a number', json(42)],
    ['a list', json(['ok'])],
    ['an empty object', json({})],
    ['a general ok', json({ ok: true })],
    ['an error', json({ error: 'quota' })],
    ['an error next to the success', json({ status: 'success', error: 'quota' })],
    ['errors', json({ status: 'success', errors: [{ title: 'no' }] })],
    ['an invalid transaction', json({ valid_transaction: false })],
    ['a false success field', json({ status: 'success', success: false })],
    ['another status', json({ status: 'error' })],
    ['a numeric status', json({ status: 500 })],
    ['a numeric code', json({ status: 'success', code: 503 })],
    ['a documented refusal', json({ message: 'This transaction has already been processed.' })],
    ['items that are not imported', json({ message: '', non_imported_tagids: ['T'], valid_transaction: false })],
    ['another order', json({ order_id: '1043' })],
    ['another order next to the success', json({ status: 'success', order_id: '1043' })],
    ['a refusal that names the order', json({ order_id: '1042', message: 'Transaction rejected' })],
    ['a detail that names the order', json({ order_id: '1042', detail: 'Not found.' })],
    ['"already" that names the order', json({ order_id: '1042', message: 'Already processed' })],
    ['bad items that name the order', json({ order_id: '1042', items: { 'Invalid TagIDs': ['x'] } })],
    ['a code of letters', json({ order_id: '1042', code: 'ERR_LOCKED' })],
    ['a true failure field', json({ order_id: '1042', failed: true })],
    ['other words next to the success', json({ status: 'success', message: 'Order could not be saved' })],
    ['broken JSON', { kind: 'unusable', why: 'broken' }],
    ['an answer that is too large', { kind: 'unusable', why: 'too-large' }],
  ] as const)('of 200 with %s proves nothing', (_, body) => {
    for (const kind of orderKinds) {
      for (const ifAlready of ['accepted', 'rejected', 'unsettled'] as const) {
        expect(outcome(kind, answer(200, body), ifAlready).kind).toBe('unknown')
      }
    }
  })

  it('of 200 proves nothing if the body names a failure or another report', () => {
    for (const kind of kinds) {
      expect(outcome(kind, answer(200, yes(kind, { error: 'not stored' }))).kind).toBe('unknown')
      expect(outcome(kind, answer(200, yes(kind, Object.fromEntries([[firstField(kind), 'other']])))).kind).toBe(
        'unknown',
      )
    }
  })

  it('recognizes ids in either form, and package UIDs in either case', () => {
    const about = { shows: { case_uuid: 'VaVSFGDiox2pHf8GmQmTfG', package_uid: '1A4FF' } }
    const body = json({ case_uuid: 'VaVSFGDiox2pHf8GmQmTfG', package_uid: '1a4ff' })
    expect(outcome('import', answer(200, body), 'rejected', about)).toMatchObject({ kind: 'accepted' })
  })

  it('of 429 or 503 is unknown, since the report may have been accepted', () => {
    for (const status of [429, 503]) {
      for (const body of [bodies.json, bodies.text, bodies.none, bodies.page]) {
        expect(outcome('complete', answer(status, body, 5_000))).toMatchObject({ kind: 'unknown', afterMs: 5_000 })
      }
    }
  })

  it.each([429, 503, 500, 302, 202, 401])('of %i passes on the requested wait', (status) => {
    expect(outcome('complete', answer(status, bodies.none, 7_000))).toMatchObject({ afterMs: 7_000 })
  })

  it.each([
    [401, bodies.none, { code: 'service/credentials-refused' }],
    [429, bodies.none, { code: 'service/busy' }],
    [500, bodies.none, { code: 'service/failing', status: 500 }],
    [503, bodies.none, { code: 'service/failing', status: 503 }],
    [202, bodies.none, { code: 'service/unproven', status: 202, said: '' }],
    [302, bodies.text, { code: 'service/unproven', status: 302, said: 'Blocked by the firewall of the mall' }],
    [200, json({ error: 'x\n  y' }), { code: 'service/unproven', status: 200, said: '{"error":"x\\n y"}' }],
    [404, bodies.page, { code: 'service/unreadable', path: null }],
  ] as const)('of %i says why', (status, body, reason) => {
    expect(outcome('complete', answer(status, body))).toMatchObject({ reason })
  })

  it('keeps only the first words of an answer of 8 MB', () => {
    const { reason } = { reason: { said: '' }, ...outcome('complete', answer(200, text('a '.repeat(4_000_000)))) }
    expect(JSON.stringify(reason).length).toBeLessThan(300)
  })

  it.each(memberKinds)('of 403 to %s means forbidden, and of 404 not found', (kind) => {
    for (const body of [bodies.none, json({ detail: 'You do not have permission to perform this action.' })]) {
      expect(outcome(kind, answer(403, body))).toEqual({
        kind: 'rejected',
        reason: { code: 'receiving/no-case-changes' },
      })
    }
    for (const body of [bodies.none, json({ detail: 'Not found.' })]) {
      expect(outcome(kind, answer(404, body), 'rejected', { subject: 'X' })).toEqual({
        kind: 'rejected',
        reason: { code: 'service/not-found', id: 'X' },
      })
    }
  })

  it.each(memberKinds)('of a documented refusal of %s gives its reason', (kind) => {
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

  it('is retry if the request was never sent, and unknown if it may have been', () => {
    for (const kind of kinds) {
      for (const ifAlready of ['accepted', 'rejected', 'unsettled'] as const) {
        const reason = { code: 'service/unreachable' }
        const lost: Reply = { kind: 'no-answer', code: 'ECONNRESET', sent: true }
        expect(outcome(kind, lost, ifAlready)).toEqual({ kind: 'unknown', reason, afterMs: null })
        expect(outcome(kind, { ...lost, sent: false }, ifAlready)).toEqual({ kind: 'retry', reason, afterMs: null })
      }
    }
  })

  const notAsked: ServiceError[] = [
    { code: 'service/unreachable' },
    { code: 'service/busy' },
    { code: 'service/failing', status: 500 },
    { code: 'service/unreadable', path: null },
    { code: 'service/credentials-missing' },
    { code: 'service/credentials-refused' },
    { code: 'service/foreign-host' },
  ]
  it.each(notAsked)("is retry with the same reason if the service wasn't asked: $code", (error) => {
    for (const kind of kinds) {
      expect(outcome(kind, { kind: 'not-asked', error })).toEqual({ kind: 'retry', reason: error, afterMs: null })
    }
  })
})

const firstField = (kind: (typeof kinds)[number]) => {
  const body = yes(kind)
  return body.kind === 'json' && typeof body.value === 'object' ? (Object.keys(body.value ?? {})[0] ?? '') : ''
}
