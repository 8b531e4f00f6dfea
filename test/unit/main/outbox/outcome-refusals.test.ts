import { describe, expect, it } from 'vitest'
import type { OperationKind } from '../../../../src-shared/ipc/operation-view'
import { answer, bodies, json, kinds, outcome } from './outcome-replies'

const tag = 'VaVSFGDiox2pHf8GmQmTfG'
const reports: OperationKind[] = ['complete', 'void', 'return']
const withItems: OperationKind[] = ['complete', 'return']

interface Row {
  what: string
  kinds: OperationKind[]
  body: unknown
  reason: object
  /** What our own lost attempt, had it been taken, makes the service say: then it is a yes. */
  isEcho?: true
}

/** Spec: Errors > Import errors, Transaction errors. The texts are those of the closest published service. */
const documented: Row[] = [
  {
    what: 'scanned for another dispensary',
    kinds: ['import'],
    body: { detail: 'This case has already been scanned for another dispensary.' },
    reason: { code: 'service/other-dispensary' },
  },
  {
    what: 'already imported',
    kinds: ['import'],
    body: { detail: `Items in CaseID ${tag} are already imported into inventory 1A4.` },
    reason: { code: 'service/already-imported' },
    isEcho: true,
  },
  {
    what: 'package UID unknown',
    kinds: ['import-removal'],
    body: { detail: 'POS Package UID not found for package_uid=1A4.' },
    reason: { code: 'service/package-unknown' },
    isEcho: true,
  },
  {
    what: 'another business rule',
    kinds: [...kinds],
    body: { detail: 'The store is closed.' },
    reason: { code: 'service/refused', status: 400, detail: 'The store is closed.' },
  },
  {
    what: 'field validation',
    kinds: [...kinds],
    body: { case_uuid: ['This field is required.'], order_id: ['This field is required.', 'And short.'] },
    reason: {
      code: 'service/invalid-fields',
      fields: { case_uuid: ['This field is required.'], order_id: ['This field is required.', 'And short.'] },
    },
  },
  {
    what: 'malformed TagID',
    kinds: withItems,
    body: { items: { 'Invalid TagIDs': ['abc'] } },
    reason: { code: 'service/malformed-tags', tagIds: ['abc'] },
  },
  {
    what: 'unknown TagID',
    kinds: withItems,
    body: { items: { invalid: [], unknown: [tag], valid: [] } },
    reason: { code: 'service/unknown-tags', tagIds: [tag], invalid: [] },
  },
  {
    what: 'non-imported TagIDs',
    kinds: ['complete'],
    body: { message: 'This transaction contains …', non_imported_tagids: [tag], valid_transaction: false },
    reason: { code: 'service/not-imported', tagIds: [tag] },
  },
  {
    what: 'already processed',
    kinds: reports,
    body: { message: 'This transaction has already been processed.' },
    reason: { code: 'service/already-processed' },
    isEcho: true,
  },
  {
    what: 'missing items',
    kinds: withItems,
    body: ['items should be specified when transaction type is complete or return.'],
    reason: { code: 'service/items-missing' },
  },
  {
    what: 'another message',
    kinds: reports,
    body: { message: 'No.' },
    reason: { code: 'service/refused', status: 400, detail: 'No.' },
  },
]
const rows = documented.flatMap((row) => row.kinds.map((kind) => ({ ...row, kind })))

describe('a documented refusal', () => {
  it.each(rows)('of $kind is rejected on a first attempt: $what', ({ kind, body, reason }) => {
    expect(outcome(kind, answer(400, json(body)))).toMatchObject({ kind: 'rejected', reason })
  })

  it.each(rows)('of $kind after a lost attempt: $what', ({ kind, body, reason, isEcho }) => {
    expect(outcome(kind, answer(400, json(body)), true)).toMatchObject(
      isEcho ? { kind: 'accepted', note: 'already-processed' } : { kind: 'rejected', reason },
    )
  })

  it.each(documented.filter((row) => row.isEcho))('is an echo for its own kinds alone: $what', (row) => {
    for (const kind of kinds) {
      const expected = row.kinds.includes(kind) ? 'accepted' : 'rejected'
      expect(outcome(kind, answer(400, json(row.body)), true).kind).toBe(expected)
    }
  })

  it.each(rows)('of $kind is the same with another 4xx: $what', ({ kind, body, isEcho }) => {
    for (const status of [404, 409, 422]) {
      expect(outcome(kind, answer(status, json(body)))).toMatchObject({ kind: 'rejected' })
      expect(outcome(kind, answer(status, json(body)), true).kind).toBe(isEcho ? 'accepted' : 'rejected')
    }
  })

  it.each([200, 201])('is believed even with status %i, for it is no yes', (status) => {
    for (const { what, kind, body, reason, isEcho } of rows) {
      // Their shapes, a text and lists of texts, are those of a yes as well.
      if (['another business rule', 'field validation', 'missing items', 'another message'].includes(what)) continue
      expect(outcome(kind, answer(status, json(body)))).toMatchObject({ kind: 'rejected', reason })
      expect(outcome(kind, answer(status, json(body)), true).kind).toBe(isEcho ? 'accepted' : 'rejected')
    }
  })

  it.each([
    { message: 'Transaction accepted' },
    { detail: 'Items in CaseID X are now in inventory Y.' },
    { message: 'ok', non_imported_tagids: [], valid_transaction: true },
    { items: { invalid: [], unknown: [], valid: [tag] } },
    { items: { 'Invalid TagIDs': [] } },
    { items: [tag] },
    ['ok'],
    [],
    {},
    true,
    null,
  ])('is not read into a yes: %j', (body) => {
    for (const kind of kinds) expect(outcome(kind, answer(200, json(body)))).toEqual({ kind: 'accepted', note: null })
  })

  it.each([json(42), json(null), json([]), json({ detail: 7 }), json(['a', 'b']), json({ a: [1] }), bodies.none])(
    'of no known shape is a refusal without words: %j',
    (body) => {
      expect(outcome('complete', answer(400, body), true)).toEqual({
        kind: 'rejected',
        reason: { code: 'service/refused', status: 400, detail: '' },
      })
    },
  )

  it('with status 403 is about the account, unless it names a reason', () => {
    const refused = (body: unknown) => outcome('complete', answer(403, json(body)))
    const forbidden = { kind: 'rejected', reason: { code: 'service/forbidden' } }
    expect(refused({ detail: 'You do not have permission to perform this action.' })).toEqual(forbidden)
    expect(refused({})).toEqual(forbidden)
    expect(outcome('complete', answer(403, bodies.text))).toEqual(forbidden)
    expect(refused({ status: 'invalid payload', reason: { items: ['Too many.'] } })).toEqual({
      kind: 'rejected',
      reason: { code: 'service/invalid-fields', fields: { items: ['Too many.'] } },
    })
  })
})
