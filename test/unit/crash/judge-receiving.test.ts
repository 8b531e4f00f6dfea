import { describe, expect, it } from 'vitest'
import { OperationView } from '../../../src-shared/ipc/contract/outbox'
import { judge } from '../../crash/judge/judge'
import type { Intent, Line, Sight } from '../../crash/ledger'
import type { Entry } from '../../crash/service'
import { countedCases, lotsOf, unusedLabel } from '../../crash/store'

/**
 * Made-up evidence of every fault that only receiving can have: in blind imports and in changes to the items of a case.
 */

const [unseen] = lotsOf('unseen')
const [counted] = countedCases
const [inside, other] = counted?.inside ?? []
const [beside, besideToo] = counted?.beside ?? []
if (!unseen || !counted || !inside || !other || !beside || !besideToo) throw new Error('the store has changed')
const { caseId } = counted

const view = (seq: number, over: Partial<OperationView>) =>
  OperationView.parse({
    id: `00000000-0000-4000-8000-00000000000${seq}`,
    seq,
    kind: 'import',
    state: 'accepted',
    orderId: null,
    caseId,
    packagedProductId: null,
    collectionId: null,
    packageUid: null,
    productName: null,
    itemCount: 1,
    performedAt: `2026-11-21T10:00:0${seq}.000Z`,
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

const blind = view(1, { kind: 'blind-import', state: 'queued', caseId: null })
const identified = view(1, { caseId: unseen.caseId, productName: unseen.productName, itemCount: 3 })
const arrived: Entry = {
  kind: 'import',
  caseId: unseen.caseId,
  packagedProductId: unseen.packagedProductId,
  posInventoryId: 'INV',
}
const removal = view(2, { kind: 'remove-item', productName: inside.productName })
const addition = view(3, {
  kind: 'add-items',
  productName: `${beside.productName}, ${besideToo.productName}`,
  itemCount: 2,
})
const restoring = view(4, { kind: 'restore-item', productName: inside.productName })
const gone: Entry = { kind: 'out', caseId, tagId: inside.tagId }
const back: Entry = { kind: 'in', caseId, tagId: inside.tagId }
const came: Entry[] = [beside, besideToo].map(({ tagId }) => ({ kind: 'in', caseId, tagId }))

const blindly: Intent = { kind: 'blind-import', label: unseen.label, posInventoryId: 'INV' }
const taking: Intent = { kind: 'change', how: 'remove', caseId, tagIds: [inside.tagId] }
const putting: Intent = { kind: 'change', how: 'add', caseId, tagIds: [beside.tagId, besideToo.tagId] }
const undoing: Intent = { kind: 'undo', operationId: removal.id }

const meant = (n: number, intent: Intent, told?: OperationView): Line[] => [
  { line: 'intends', n, call: n, intent },
  ...(told ? [{ line: 'told', n, call: n, view: told } as const] : []),
]
const good: Line[] = [
  ...meant(1, blindly, blind),
  ...meant(2, taking, removal),
  ...meant(3, putting, addition),
  ...meant(4, undoing, restoring),
]
const all = [identified, removal, addition, restoring]

interface Day {
  lines?: Line[]
  end?: OperationView[]
  book?: Entry[]
  /** The operation that was refused once, and the reason. */
  refused?: { operation: OperationView; reason: OperationView['reason'] }
}

function kinds({ lines = good, end = all, book = [arrived, gone, ...came, back], refused }: Day) {
  const sight: Sight = {
    operations: end,
    carts: { sale: { orderId: null, tagIds: [] }, return: { orderId: null, tagIds: [] } },
    unsent: 0,
    counts: [],
    deliveries: [],
  }
  const step = {
    at: identified.performedAt,
    actor: 'station',
    from: 'sending',
    to: 'rejected',
    shown: null,
    because: null,
    name: null,
    approvedBy: null,
  } as const
  const journal = refused
    ? { [refused.operation.id]: [{ ...step, what: 'rejected' as const, reason: refused.reason }] }
    : {}
  return judge({
    lines: [...lines, { line: 'closed', sight, journal, files: [] }],
    book,
    transactions: [],
    imports: book.flatMap((one, at) =>
      one.kind === 'import' && !book.slice(at).some((later) => later.kind === 'import-removal')
        ? [{ case_uuid: one.caseId, packaged_product_uuid: one.packagedProductId }]
        : [],
    ),
  }).map((one) => one.kind)
}

describe('the judge of the crash suite, for receiving', () => {
  it('accepts a blind import that became an import, and changes that were made', () => {
    expect(kinds({})).toEqual([])
  })

  it('reports a blind import of another case than the scanned one', () => {
    const [, another] = lotsOf('unseen')
    const label = another?.label ?? ''
    expect(kinds({ lines: [...meant(1, { ...blindly, label }, blind), ...good.slice(2)] })).toContain('untrue')
  })

  it('reports a blind import that became another operation', () => {
    const sale = view(1, { kind: 'complete', orderId: 'A', caseId: null })
    expect(kinds({ end: [sale, removal, addition, restoring] })).toContain('untrue')
  })

  it.each([
    ['an item that was taken out and is not out', [arrived, ...came], 'lost'],
    ['an added item that is missing', [arrived, gone, ...came.slice(1), back], 'lost'],
    ['an item that came back twice', [arrived, gone, ...came, back, { ...gone }, { ...back }], 'doubled'],
    ['an item that was put back before it was removed', [arrived, back, ...came, gone], 'out of order'],
    ['a change that was not reported', [arrived, gone, ...came, back, { ...gone, tagId: other.tagId }], 'doubled'],
  ] satisfies [string, Entry[], string][])('reports %s', (_, book, kind) => {
    expect(kinds({ book })).toContain(kind)
  })

  it('reports a difference that was sent twice across a crash', () => {
    const again = view(5, { kind: 'remove-item', productName: inside.productName })
    const lines = [...good, ...meant(2, taking, again)]
    const book = [arrived, gone, ...came, back, { ...gone }]
    expect(kinds({ lines, end: [...all, again], book })).toEqual(['doubled'])
    // The same difference from another count is allowed.
    expect(kinds({ lines: [...good, ...meant(6, taking, again)], end: [...all, again], book })).toEqual([])
  })

  it('reports an unrequested change, and a missing one', () => {
    expect(kinds({ lines: good.filter((line) => line.line !== 'intends' || line.n !== 3) })).toContain('untrue')
    expect(kinds({ end: all.filter((one) => one !== addition) })).toContain('lost')
  })

  it('reports a change that was refused without cause', () => {
    const refused = { operation: restoring, reason: { code: 'service/refused', status: 400, detail: '' } } as const
    expect(kinds({ refused })).toEqual(['out of order'])
  })

  it('accepts the refusal of a blind import of an unknown case, but not of a known case', () => {
    const rejected = view(1, {
      kind: 'blind-import',
      state: 'rejected',
      caseId: null,
      reason: { code: 'service/not-found', id: '' },
    })
    const refused = { operation: rejected, reason: rejected.reason }
    const rest = { end: [rejected, ...all.slice(1)], book: [gone, ...came, back], refused }
    const unused = meant(1, { ...blindly, label: unusedLabel }, rejected)
    expect(kinds({ lines: [...unused, ...good.slice(2)], ...rest })).toEqual([])
    expect(kinds({ lines: [...meant(1, blindly, rejected), ...good.slice(2)], ...rest })).toEqual(['out of order'])
    // The station crashed during the import, and the answer was shown only after a retry.
    const again = meant(5, { kind: 'retry', operationId: rejected.id }, rejected)
    const unheard = (intent: Intent) => [...meant(1, intent), ...good.slice(2), ...again]
    expect(kinds({ lines: unheard({ ...blindly, label: unusedLabel }), ...rest })).toEqual([])
    expect(kinds({ lines: unheard(blindly), ...rest })).toEqual(['out of order'])
  })

  describe('for an item without a known name', () => {
    const both: Intent = { kind: 'change', how: 'remove', caseId, tagIds: [inside.tagId, other.tagId] }
    const nameless = view(5, { kind: 'remove-item' })
    const named = view(6, { kind: 'remove-item', productName: inside.productName })
    const end = [nameless, named]
    const bothGone: Entry[] = [gone, { ...gone, tagId: other.tagId }]

    it('identifies the item by what was requested, even without an answer, and by what undoes the removal', () => {
      const told = [...meant(5, both, nameless), { line: 'told', n: 5, call: 5, view: named } as const]
      expect(kinds({ lines: told, end, book: bothGone })).toEqual([])
      expect(kinds({ lines: meant(5, both), end, book: bothGone })).toEqual([])
      const undone = view(7, { kind: 'restore-item' })
      const lines = [...told, ...meant(7, { kind: 'undo', operationId: nameless.id }, undone)]
      const book: Entry[] = [...bothGone, { ...back, tagId: other.tagId }]
      expect(kinds({ lines, end: [...end, undone], book })).toEqual([])
      expect(kinds({ lines, end: [...end, undone], book: [...bothGone, back] })).toContain('doubled')
    })

    it('reports that it is out twice, not out, or that its removal was not requested', () => {
      expect(kinds({ lines: meant(5, both), end, book: [gone] })).toContain('lost')
      const twice: Entry[] = [...bothGone, { ...back, tagId: other.tagId }, { ...gone, tagId: other.tagId }]
      expect(kinds({ lines: meant(5, both), end, book: twice })).toContain('doubled')
      expect(kinds({ lines: meant(5, taking), end, book: bothGone })).toContain('doubled')
    })
  })

  describe('for an import without a known name', () => {
    const [, box] = countedCases
    const [taken, untouched] = lotsOf('delivery').filter((one) => one.caseId === box?.caseId)
    if (!taken || !untouched) throw new Error('the store has changed')
    const { caseId: boxId } = taken
    const out = view(1, { kind: 'remove-item', caseId: boxId, productName: taken.productName })
    const fields = { packaged_product_uuid: ['Not in it.'] }
    const reason: OperationView['reason'] = { code: 'service/invalid-fields', fields }
    const nameless = view(2, { state: 'rejected', caseId: boxId, itemCount: 0, reason })
    const meaning = ({ productName }: typeof taken): Intent => ({
      kind: 'import',
      caseId: boxId,
      productName,
      posInventoryId: 'INV',
    })
    const emptying = meant(1, { kind: 'change', how: 'remove', caseId: boxId, tagIds: taken.tagIds }, out)
    const book: Entry[] = taken.tagIds.map((tagId) => ({ kind: 'out', caseId: boxId, tagId }))
    const refused = { operation: nameless, reason }
    const end = [out, nameless]

    it('accepts a requested import whose items had been taken out, even without an answer', () => {
      expect(kinds({ lines: [...emptying, ...meant(2, meaning(taken), nameless)], end, book, refused })).toEqual([])
      expect(kinds({ lines: [...emptying, ...meant(2, meaning(taken))], end, book, refused })).toEqual([])
    })

    it('reports an unrequested import, and one whose items were in the case', () => {
      expect(kinds({ lines: emptying, end, book, refused })).toEqual(['untrue'])
      const other = [...emptying, ...meant(2, meaning(untouched), nameless)]
      expect(kinds({ lines: other, end, book, refused })).toEqual(['untrue'])
      const early = { ...nameless, seq: 1 }
      const late = { ...out, seq: 2 }
      const lines = [...emptying, ...meant(2, meaning(taken), nameless)]
      expect(kinds({ lines, end: [early, late], book, refused })).toContain('untrue')
    })

    it('reports an accepted import that is not at the service, and recognizes one that is, with its removal', () => {
      const back = view(3, { kind: 'restore-item', caseId: boxId, productName: taken.productName })
      const accepted = view(4, { caseId: boxId, itemCount: 0 })
      const removed = view(5, { kind: 'import-removal', caseId: boxId, itemCount: 0 })
      const lines = [
        ...emptying,
        ...meant(3, { kind: 'undo', operationId: out.id }, back),
        ...meant(4, meaning(taken), accepted),
      ]
      const restored: Entry[] = [
        ...book,
        ...taken.tagIds.map((tagId) => ({ kind: 'in', caseId: boxId, tagId }) as const),
      ]
      const { packagedProductId } = taken
      const came: Entry = { kind: 'import', caseId: boxId, packagedProductId, posInventoryId: 'INV' }
      expect(kinds({ lines, end: [out, back, accepted], book: [...restored, came] })).toEqual([])
      expect(kinds({ lines, end: [out, back, accepted], book: restored })).toContain('lost')
      const undoing = meant(5, { kind: 'undo', operationId: accepted.id }, removed)
      const gone: Entry = { ...came, kind: 'import-removal' }
      const all = { lines: [...lines, ...undoing], end: [out, back, accepted, removed] }
      expect(kinds({ ...all, book: [...restored, came, gone] })).toEqual([])
      expect(kinds({ ...all, book: [...restored, came] })).toContain('lost')
    })
  })
})
