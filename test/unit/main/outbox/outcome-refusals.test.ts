import { describe, expect, it } from 'vitest'
import type { OperationKind } from '../../../../src-shared/ipc/contract/outbox'
import { answer, bodies, json, kinds, outcome, text } from './outcome-replies'

const tag = 'VaVSFGDiox2pHf8GmQmTfG'
const reports: OperationKind[] = ['complete', 'void', 'return']
const withItems: OperationKind[] = ['complete', 'return']

interface Row {
  what: string
  kinds: OperationKind[]
  body: unknown
  reason: object
  /** Also the answer to a repeated report after a lost attempt was accepted; then it counts as accepted. */
  isEcho?: true
}

/** Spec: Errors > Import errors, Transaction errors. The texts are those of the most similar published service. */
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
    kinds: ['import', 'import-removal', 'add-items', 'add-case'],
    body: { detail: 'The store is closed.' },
    reason: { code: 'service/refused', status: 400, detail: 'The store is closed.' },
  },
  {
    what: 'field validation',
    kinds: reports,
    body: { items: { 0: ['This field is required.'] }, order_id: ['This field is required.', 'And short.'] },
    reason: {
      code: 'service/invalid-fields',
      fields: { 'items.0': ['This field is required.'], order_id: ['This field is required.', 'And short.'] },
    },
  },
  {
    what: 'field validation of an import',
    kinds: ['import', 'import-removal'],
    body: { case_uuid: ['This field is required.'] },
    reason: { code: 'service/invalid-fields', fields: { case_uuid: ['This field is required.'] } },
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
]
const rows = documented.flatMap((row) => row.kinds.map((kind) => ({ ...row, kind })))

describe('a documented refusal', () => {
  it.each(rows)('of $kind is rejected on a first attempt: $what', ({ kind, body, reason }) => {
    expect(outcome(kind, answer(400, json(body)))).toMatchObject({ kind: 'rejected', reason })
  })

  it.each(rows)('of $kind after a lost attempt: $what', ({ kind, body, reason, isEcho }) => {
    const after = (ifAlready: 'accepted' | 'rejected' | 'unsettled') =>
      outcome(kind, answer(400, json(body)), ifAlready)
    expect(after('rejected')).toMatchObject({ kind: 'rejected', reason })
    expect(after('accepted')).toMatchObject(
      isEcho ? { kind: 'accepted', note: 'already-processed' } : { kind: 'rejected', reason },
    )
    expect(after('unsettled')).toMatchObject(
      isEcho ? { kind: 'unknown', reason: { code: 'outbox/unsettled', status: 400 } } : { kind: 'rejected', reason },
    )
  })

  it.each(documented.filter((row) => row.isEcho))('is an echo only for its own kinds: $what', (row) => {
    for (const kind of kinds) {
      const taken = outcome(kind, answer(400, json(row.body)), 'accepted').kind
      if (row.kinds.includes(kind)) expect(taken).toBe('accepted')
      else expect(taken).not.toBe('accepted')
    }
  })

  it.each(rows)('of $kind counts with another 4xx too: $what', ({ kind, body, isEcho }) => {
    for (const status of [404, 409, 422]) {
      expect(outcome(kind, answer(status, json(body)))).toMatchObject({ kind: 'rejected' })
      expect(outcome(kind, answer(status, json(body)), 'accepted').kind).toBe(isEcho ? 'accepted' : 'rejected')
    }
  })

  it.each([200, 201, 202, 302, 413, 500, 503])('proves nothing with status %i', (status) => {
    for (const { kind, body } of rows)
      expect(outcome(kind, answer(status, json(body)), 'accepted').kind).toBe('unknown')
  })

  it.each([
    json(42),
    json(null),
    json([]),
    json({ detail: 7 }),
    json({ message: 'No.' }),
    json({ detail: 'Blocked' }),
    json({ errors: ['blocked'] }),
    json({ error: ['blocked'] }),
    json(['a', 'b']),
    json({ a: [1] }),
    json({ items: { invalid: 'x' } }),
    text('Bad Request'),
    bodies.none,
  ])('of a sale in an undocumented form proves nothing: %j', (body) => {
    for (const status of [400, 404, 409, 410, 413, 422]) {
      expect(outcome('complete', answer(status, body), 'accepted')).toMatchObject({
        kind: 'unknown',
        reason: { code: 'service/unproven', status },
      })
    }
  })

  it('with status 403 concerns the account, unless it names another reason', () => {
    const refused = (body: unknown) => outcome('complete', answer(403, json(body)))
    const forbidden = { kind: 'rejected', reason: { code: 'service/forbidden' } }
    expect(refused({ detail: 'You do not have permission to perform this action.' })).toEqual(forbidden)
    expect(refused({ status: 'invalid payload', reason: { items: ['Too many.'] } })).toEqual({
      kind: 'rejected',
      reason: { code: 'service/invalid-fields', fields: { items: ['Too many.'] } },
    })
    // A firewall can answer like this too.
    for (const body of [json({}), json({ error: 'denied' }), bodies.text, bodies.none]) {
      expect(outcome('complete', answer(403, body)).kind).toBe('unknown')
    }
  })

  it('of any length is shortened, but keeps the items of the order', () => {
    const strangers = Array.from({ length: 300_000 }, (_, n) => `x${n}`)
    const long = 'already '.repeat(100_000)
    const bodiesTried = [
      { message: long },
      { detail: `${long} imported` },
      { message: long, non_imported_tagids: [...strangers, tag], valid_transaction: false },
      { items: { invalid: strangers, unknown: [tag, ...strangers], valid: [] } },
      { items: { 'Invalid TagIDs': [tag, long] } },
      Object.fromEntries(Array.from({ length: 100 }, () => ['items', Array.from({ length: 100 }, () => long)])),
      { items: Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`${n}`, [long]])) },
    ]
    for (const body of bodiesTried) {
      for (const kind of kinds) {
        const result = outcome(kind, answer(400, json(body)), 'rejected', { tagIds: [tag] })
        expect(JSON.stringify(result).length).toBeLessThan(2_048)
      }
    }
    const named = outcome('complete', answer(400, json(bodiesTried[3])), 'rejected', { tagIds: [tag] })
    expect(named).toMatchObject({ reason: { tagIds: [tag, 'x0', 'x1', 'x2', 'x3', 'x4'] } })
  })
})
