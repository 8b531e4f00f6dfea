import { describe, expect, it } from 'vitest'
import { OperationView } from '../../../src-shared/ipc/contract/outbox'
import type { Evidence } from '../../crash/judge/evidence'
import { judge } from '../../crash/judge/judge'
import type { Intent, Line, Sight } from '../../crash/ledger'
import type { Entry } from '../../crash/service'
import { lotsOf } from '../../crash/store'

/** Checks that the judge finds faults: made-up evidence of every fault, once each. */

const [shelf] = lotsOf('shelf')
const [delivery] = lotsOf('delivery')
if (!shelf || !delivery) throw new Error('the store has no lots')
const [a = '', b = ''] = shelf.tagIds
const moment = (n: number) => `2026-11-21T10:00:0${n}.000Z`

const view = (seq: number, over: Partial<OperationView>) =>
  OperationView.parse({
    id: `00000000-0000-4000-8000-00000000000${seq}`,
    seq,
    kind: 'complete',
    state: 'accepted',
    orderId: null,
    caseId: null,
    packagedProductId: null,
    collectionId: null,
    packageUid: null,
    productName: null,
    itemCount: 1,
    performedAt: moment(seq),
    attempts: 1,
    nextAttemptAt: null,
    waitsFor: 0,
    heldUpBy: null,
    reason: null,
    note: null,
    missing: [],
    unsettled: null,
    undo: null,
    actions: [],
    dismissedBecause: null,
    ...over,
  })

const sale = view(1, { orderId: 'A' })
const undoing = view(2, { kind: 'void', orderId: 'A' })
const arrival = view(3, { kind: 'import', caseId: delivery.caseId, productName: delivery.productName, itemCount: 4 })

const entryOf = (one: OperationView): Entry =>
  one.kind === 'import'
    ? { kind: 'import', caseId: delivery.caseId, packagedProductId: delivery.packagedProductId, posInventoryId: 'INV' }
    : { kind: one.kind === 'void' ? 'void' : 'complete', orderId: 'A', tagIds: [a], performedAt: one.performedAt }

const intentOf: Record<string, Intent> = {
  [sale.id]: { kind: 'complete', orderId: 'A', tagIds: [a] },
  [undoing.id]: { kind: 'void', orderId: 'A' },
  [arrival.id]: { kind: 'import', caseId: delivery.caseId, productName: delivery.productName, posInventoryId: 'INV' },
}
const sightOf = (operations: OperationView[], cart: string[] = []): Sight => ({
  operations,
  carts: { sale: { orderId: null, tagIds: cart }, return: { orderId: null, tagIds: [] } },
  unsent: 0,
  counts: [],
  deliveries: [],
})
const opened = (operations: OperationView[], cart?: string[]): Line => ({
  line: 'opened',
  sight: sightOf(operations, cart),
  files: [],
})
/** A person requests the operation and sees its result. */
const promise = (one: OperationView): Line[] => {
  const intent = intentOf[one.id]
  if (!intent) throw new Error('no such intent')
  const isSale = intent.kind === 'complete'
  return [
    ...(isSale ? [{ line: 'scanned', mode: 'sale', tagId: a } as const] : []),
    { line: 'intends', n: one.seq, call: one.seq, intent },
    { line: 'told', n: one.seq, call: one.seq, view: one },
  ]
}

/** A day without faults: a sale, its void, an import. */
const all = [sale, undoing, arrival]
const rejectedOnce = (one: OperationView) => ({
  [one.id]: [
    {
      at: moment(1),
      actor: 'station',
      what: 'rejected',
      from: 'sending',
      to: 'rejected',
      reason: null,
      shown: null,
      because: null,
      name: null,
      approvedBy: null,
    } as const,
  ],
})
function day(
  over: { lines?: Line[]; end?: OperationView[]; book?: Entry[]; refused?: OperationView; imports?: string[] } = {},
): Evidence {
  const { lines = all.flatMap(promise), end = all, book = all.map(entryOf), refused } = over
  const { imports = [delivery?.caseId ?? ''] } = over
  const journal = refused ? rejectedOnce(refused) : {}
  return {
    lines: [opened([]), ...lines, { line: 'closed', sight: sightOf(end), journal, files: [] }],
    book,
    transactions: book.flatMap((one) =>
      'orderId' in one
        ? [{ kind: one.kind, order_id: one.orderId, items: one.tagIds, performed_at: one.performedAt }]
        : [],
    ),
    imports: imports.map((case_uuid) => ({ case_uuid, packaged_product_uuid: delivery?.packagedProductId ?? '' })),
  }
}
const kinds = (evidence: Evidence) => judge(evidence).map((one) => one.kind)

describe('the judge of the crash suite', () => {
  it('accepts a day without faults', () => {
    expect(judge(day())).toEqual([])
  })

  it('reports a day that never ended', () => {
    expect(kinds({ ...day(), lines: [opened([])] })).toEqual(['lost'])
  })

  it('reports a saved sale that is missing', () => {
    expect(kinds(day({ end: [undoing, arrival], book: [undoing, arrival].map(entryOf) }))).toContain('lost')
  })

  it('reports a saved sale that was there at first and is missing after a crash', () => {
    expect(kinds(day({ lines: [...all.flatMap(promise), opened([undoing, arrival])] }))).toEqual(['lost'])
  })

  it('reports a sale that counts as accepted but is not at the service', () => {
    expect(kinds(day({ book: [undoing, arrival].map(entryOf) }))).toContain('lost')
  })

  it('reports an import that counts as accepted but is not at the service', () => {
    expect(kinds(day({ book: [sale, undoing].map(entryOf), imports: [] }))).toEqual(['lost', 'lost'])
  })

  it('reports a sale that the service took twice', () => {
    expect(kinds(day({ book: [sale, undoing, sale, arrival].map(entryOf) }))).toContain('doubled')
  })

  it('reports an import that the service took twice', () => {
    expect(kinds(day({ book: [...all, arrival].map(entryOf) }))).toEqual(['doubled'])
  })

  it('reports a void that was taken before its sale', () => {
    expect(kinds(day({ book: [undoing, sale, arrival].map(entryOf) }))).toEqual(['out of order', 'out of order'])
  })

  it.each(['rejected', 'cancelled'] as const)('reports a sale at the service that the station shows as %s', (state) => {
    const other = { ...sale, state, reason: { code: 'service/items-missing' } as const, dismissedBecause: 'so' }
    const lines: Line[] = [
      ...all.map((one) => (one === sale ? other : one)).flatMap(promise),
      { line: 'intends', n: 9, call: 9, intent: { kind: 'dismiss', operationId: sale.id, because: 'so' } },
    ]
    expect(kinds(day({ lines, end: [other, undoing, arrival] }))).toEqual(['untrue'])
  })

  it('reports a sale at the service with other items than the cart', () => {
    const book = all.map(entryOf).map((one) => (one.kind === 'complete' ? { ...one, tagIds: [b] } : one))
    expect(kinds(day({ book }))).toContain('untrue')
  })

  it('reports a canceled sale that was never canceled by a person', () => {
    const cancelled: OperationView = { ...sale, state: 'cancelled' }
    const lines = [cancelled, arrival].flatMap(promise)
    expect(kinds(day({ lines, end: [cancelled, arrival], book: [entryOf(arrival)] }))).toEqual(['lost'])
  })

  it('reports an operation whose sending never finished', () => {
    const waiting: OperationView = { ...sale, state: 'unknown' }
    const lines = [waiting, arrival].flatMap(promise)
    expect(kinds(day({ lines, end: [waiting, arrival], book: [entryOf(arrival)] }))).toEqual(['lost'])
  })

  it('reports an operation that was not requested', () => {
    expect(kinds(day({ lines: [sale, arrival].flatMap(promise) }))).toEqual(['untrue'])
  })

  it('reports a final state that changed again', () => {
    const before: OperationView = { ...undoing, state: 'cancelled' }
    expect(kinds(day({ lines: [...promise(sale), ...promise(before), ...promise(arrival)] }))).toEqual(['untrue'])
  })

  it('reports a refusal without cause, which means that an operation was overtaken', () => {
    expect(kinds(day({ refused: undoing }))).toEqual(['out of order'])
  })

  it('reports an unexpected error in the answer to a call', () => {
    const crash: Line = { line: 'refused', n: 1, name: 'checkout.finish', code: 'app/unexpected', call: 1 }
    expect(kinds(day({ lines: [...all.flatMap(promise), crash] }))).toEqual(['untrue'])
  })

  describe('for a cart after a crash', () => {
    const scanned: Line[] = [
      { line: 'scans', mode: 'sale', tagId: a },
      { line: 'scanned', mode: 'sale', tagId: a },
    ]
    const finishing: Line = { line: 'intends', n: 1, call: 1, intent: { kind: 'complete', orderId: 'A', tagIds: [a] } }
    const emptied: Line[] = [
      { line: 'drops', mode: 'sale', tagId: null },
      { line: 'dropped', mode: 'sale', tagId: null },
    ]
    const after = (lines: Line[], operations: OperationView[], cart: string[]) =>
      kinds(day({ lines: [...lines, opened(operations, cart), ...emptied, ...all.flatMap(promise)] }))

    it.each([
      ['holds what was scanned', scanned, [], [a]],
      ['holds what was being scanned', scanned.slice(0, 1), [], [a]],
      ['does not hold what was being scanned', scanned.slice(0, 1), [], []],
      ['is full, and its sale is not saved', [...scanned, finishing], [], [a]],
      ['is empty, and its sale is saved', [...scanned, finishing], [sale], []],
    ] satisfies [string, Line[], OperationView[], string[]][])(
      'accepts a cart that %s',
      (_, lines, operations, cart) => {
        expect(after(lines, operations, cart)).toEqual([])
      },
    )

    it.each([
      ['lost what was scanned', scanned, [], []],
      ['holds an item that was never scanned', [], [], [a]],
      ['is empty, and its sale is not saved', [...scanned, finishing], [], []],
      ['is full, and its sale is saved', [...scanned, finishing], [sale], [a]],
    ] satisfies [string, Line[], OperationView[], string[]][])(
      'reports a cart that %s',
      (_, lines, operations, cart) => {
        expect(after(lines, operations, cart)).toContain('lost')
      },
    )
  })
})
