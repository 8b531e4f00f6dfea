import { describe, expect, it } from 'vitest'
import type { OperationKind } from '../../../src-shared/ipc/operation-view'
import { type Outcome, outcomeOf, pauseAfter } from '../../../src-main/outbox/outcome'
import type { Body, Reply } from '../../../src-main/service-client/reply'

const json = (value: unknown): Body => ({ kind: 'json', value })
const nothing: Body = { kind: 'none' }
const page: Body = { kind: 'page' }
const text: Body = { kind: 'text', value: 'Transaction accepted' }
const answer = (status: number, body: Body = nothing): Reply => ({ kind: 'answer', status, body, retryAfterMs: null })
const kinds: OperationKind[] = ['import', 'import-removal', 'complete', 'void', 'return']
const outcome = (kind: OperationKind, reply: Reply, isUncertain = false): Outcome =>
  outcomeOf({ kind, reply, isUncertain })

const tag = 'VaVSFGDiox2pHf8GmQmTfG'
const refusals: [string, OperationKind, Body, object][] = [
  [
    'another dispensary',
    'import',
    json({ detail: 'This case has already been scanned for another dispensary.' }),
    { code: 'service/other-dispensary' },
  ],
  [
    'already imported',
    'import',
    json({ detail: `Items in CaseID ${tag} are already imported into inventory 1A4.` }),
    { code: 'service/already-imported' },
  ],
  [
    'a missing field',
    'import',
    json({ case_uuid: ['This field is required.'] }),
    { code: 'service/invalid-fields', fields: { case_uuid: ['This field is required.'] } },
  ],
  [
    'an unknown package',
    'import-removal',
    json({ detail: 'POS Package UID not found for package_uid=X.' }),
    { code: 'service/package-unknown' },
  ],
  [
    'malformed TagIDs',
    'complete',
    json({ items: { 'Invalid TagIDs': ['abc'] } }),
    { code: 'service/malformed-tags', tagIds: ['abc'] },
  ],
  [
    'unknown TagIDs',
    'return',
    json({ items: { invalid: [], unknown: [tag], valid: [] } }),
    { code: 'service/unknown-tags', tagIds: [tag] },
  ],
  [
    'non-imported TagIDs',
    'complete',
    json({ message: 'non-imported', non_imported_tagids: [tag], valid_transaction: false }),
    { code: 'service/not-imported', tagIds: [tag] },
  ],
  [
    'missing items',
    'complete',
    json(['items should be specified when transaction type is complete or return.']),
    { code: 'service/items-missing' },
  ],
  [
    'already processed',
    'void',
    json({ message: 'This transaction has already been processed.' }),
    { code: 'service/already-processed' },
  ],
  [
    'an undocumented rule',
    'complete',
    json({ detail: 'The store is closed.' }),
    { code: 'service/refused', detail: 'The store is closed.' },
  ],
  ['an undocumented message', 'complete', json({ message: 'No.' }), { code: 'service/refused', detail: 'No.' }],
  ['a body of no known shape', 'complete', json(42), { code: 'service/refused', detail: '' }],
  ['no body', 'complete', nothing, { code: 'service/refused' }],
]

describe('outcome', () => {
  it.each(refusals)('is rejected with its reason for 400: %s', (_, kind, body, reason) => {
    expect(outcome(kind, answer(400, body))).toMatchObject({ kind: 'rejected', reason })
  })

  it.each(kinds)('of %s is accepted for 200 with JSON', (kind) => {
    expect(outcome(kind, answer(200, json({ status: 'success' })))).toEqual({ kind: 'accepted', note: null })
  })

  it('is accepted for a transaction whose 200 is a line of text, for its body is not shown', () => {
    expect(outcome('complete', answer(200, text))).toEqual({ kind: 'accepted', note: null })
    expect(outcome('import', answer(200, text))).toMatchObject({ kind: 'unknown' })
  })

  it.each(kinds)('of %s is to be looked into for a success that is a web page or empty', (kind) => {
    expect(outcome(kind, answer(200, page))).toMatchObject({ kind: 'unknown', reason: { code: 'service/unreadable' } })
    expect(outcome(kind, answer(200))).toMatchObject({ kind: 'unknown' })
    expect(outcome(kind, answer(204))).toMatchObject({ kind: 'unknown' })
  })

  it.each([500, 501, 502, 504, 599, 408, 302, 304])('is unknown for status %i', (status) => {
    for (const kind of kinds) expect(outcome(kind, answer(status, json({})))).toMatchObject({ kind: 'unknown' })
  })

  it.each([401, 407, 429, 503])('is to be tried again for status %i', (status) => {
    for (const kind of kinds) expect(outcome(kind, answer(status))).toMatchObject({ kind: 'retry' })
  })

  it.each([403, 404, 405, 409, 413, 415, 422])('is rejected for status %i: a person must look', (status) => {
    for (const kind of kinds) expect(outcome(kind, answer(status))).toMatchObject({ kind: 'rejected' })
  })

  it.each([400, 403, 404, 405, 413, 451])('is unknown for a web page with status %i: a proxy said it', (status) => {
    for (const kind of kinds) expect(outcome(kind, answer(status, page))).toMatchObject({ kind: 'unknown' })
  })

  it('is to be tried again when the request never left, unknown when it may have', () => {
    expect(outcome('complete', { kind: 'no-answer', code: 'ECONNREFUSED', sent: false })).toMatchObject({
      kind: 'retry',
    })
    expect(outcome('complete', { kind: 'no-answer', code: 'ECONNRESET', sent: true })).toMatchObject({
      kind: 'unknown',
    })
    expect(outcome('complete', { kind: 'not-asked', error: { code: 'service/credentials-refused' } })).toMatchObject({
      kind: 'retry',
    })
  })

  it('takes "already processed" for a yes only after an attempt of our own that may have arrived', () => {
    const already = answer(400, json({ message: 'This transaction has already been processed.' }))
    expect(outcome('complete', already, true)).toEqual({ kind: 'accepted', note: 'already-processed' })
    expect(outcome('complete', already, false)).toMatchObject({ kind: 'rejected' })
  })

  it('never takes "already imported" for a yes: whose import it is, only reading tells', () => {
    const already = answer(400, json({ detail: 'Items in CaseID X are already imported into inventory Y.' }))
    expect(outcome('import', already, true)).toMatchObject({
      kind: 'rejected',
      reason: { code: 'service/already-imported' },
    })
  })

  it('hands the wait that the service asked for on', () => {
    const busy: Reply = { kind: 'answer', status: 429, body: nothing, retryAfterMs: 7_000 }
    expect(outcome('complete', busy)).toMatchObject({ kind: 'retry', afterMs: 7_000 })
  })
})

describe('pause before the next attempt', () => {
  it('doubles from 1 s to 60 s, with full jitter, and never counts up to giving up', () => {
    const highest = () => 0.999_999
    expect([0, 1, 2, 3, 6, 50, 100_000].map((faults) => pauseAfter(faults, null, highest))).toEqual([
      1_000, 2_000, 4_000, 8_000, 60_000, 60_000, 60_000,
    ])
    expect(pauseAfter(6, null, () => 0.5)).toBe(30_000)
  })

  it('obeys Retry-After, and never asks without a pause', () => {
    expect(pauseAfter(0, 7_000, () => 0)).toBe(7_000)
    expect(pauseAfter(0, null, () => 0)).toBe(250)
  })
})
