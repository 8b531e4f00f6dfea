import { describe, expect, it } from 'vitest'
import { Collections, createSaving } from '../../../../src-main/collections/collections'
import { outcomeOf } from '../../../../src-main/outbox/outcome'
import { requestOf } from '../../../../src-main/outbox/kinds/kinds'
import { type CollectionPayload, Payload } from '../../../../src-main/outbox/payload'
import { reconcile } from '../../../../src-main/outbox/reconcile'
import { ShortUuid, toUuid } from '../../../../src-shared/ids'
import { ok } from '../../../../src-shared/result'
import { Collection } from '../../../../src-shared/service/collections'
import { caseOf, tag, thing } from '../../../fakes/ids'
import { operationOf, ownReportsOf } from '../../../fakes/operations'
import { shownService } from '../../../fakes/shown-service'
import { answer, json } from './outcome-replies'
import { accepted, complete, importing, rejected, useDesk } from './desk'

const collectionId = ShortUuid.parse(caseOf(1))
const known = { collectionId, collectionType: 'case', collectionName: 'C' }
const whole = { ...known, identifier: 'HF 1/2', itemCount: 2 }
const removal: Payload = { kind: 'remove-collection', ...whole }
const restoring: Payload = { kind: 'restore-collection', ...whole }
const ofCase = { caseId: caseOf(1), productName: null }
const added = { kind: 'add-case', ...ofCase, regulatorIdentifier: '1A 4', packagedProductId: null } as const
const taking: Payload = { kind: 'remove-item', ...known, productName: null, tagId: tag(1) }

describe('a change of a collection', () => {
  const desk = useDesk()

  it('is a request of v1.5, which restores by identifier, or by id if only the id is known', () => {
    const path = '/api/v1.5/collections'
    const [long, product] = [toUuid(collectionId), toUuid(thing(1))]
    expect([removal, restoring, taking].map((one) => requestOf(one, '').path)).toEqual([
      `${path}/${long}/remove/`,
      `${path}/HF%201%2F2/restore/`,
      `${path}/${long}/tag-ids/${toUuid(tag(1))}/remove/`,
    ])
    expect(requestOf({ kind: 'restore-collection', ...whole, identifier: null }, '').path).toBe(
      `${path}/${long}/restore/`,
    )
    expect(requestOf(added, '')).toMatchObject({
      path: `${path}/regulator/1A%204/add-case/`,
      body: { case_uuid: long },
    })
    expect(requestOf({ ...added, packagedProductId: thing(1) }, '').body).toEqual({
      case_uuid: long,
      packaged_product_uuid: product,
    })
  })

  it('that adds a case blocks no later changes of its items once refused', () => {
    const refused = desk.put(added)
    desk.outbox.claim()
    const behind = desk.put(taking)
    expect(behind.blockers).toBe(1)
    desk.outbox.settle(refused.seq, rejected)
    expect(desk.claimAll().map(({ id }) => id)).toEqual([behind.id])
    desk.outbox.settle(behind.seq, accepted)
    desk.outbox.retry(refused.id)
    expect(desk.put({ ...taking, tagId: tag(2) }).blockers).toBe(1)
    expect(desk.claimAll().map(({ id }) => id)).toEqual([refused.id])
  })

  it('can be corrected in its place after a refusal, and then locks only its new contents', () => {
    const save = createSaving(desk.outbox)
    const put = (payload: CollectionPayload) => {
      const saved = save(payload)
      if (!saved.ok) throw new Error(saved.error.code)
      return saved.value
    }
    const adding = (...numbers: number[]) => ({ kind: 'add-items' as const, ...ofCase, tagIds: numbers.map(tag) })
    const first = put(adding(1, 2))
    desk.outbox.claim()
    desk.outbox.settle(first.seq, {
      kind: 'rejected',
      reason: { code: 'service/unknown-tags', tagIds: [tag(2)], invalid: [] },
    })
    const right = put(adding(1, 3))
    expect([right.id, right.blockers]).toEqual([first.id, 0])
    // The second item is unlocked now, the third is locked.
    const [free, held] = [desk.put({ ...taking, tagId: tag(2) }), desk.put({ ...taking, tagId: tag(3) })]
    expect([free.blockers, held.blockers]).toEqual([0, 1])
    expect(desk.claimAll().map(({ id }) => id)).toEqual([first.id, free.id])

    const wrong = put({ ...added, caseId: caseOf(2), regulatorIdentifier: 'WRONG' })
    desk.outbox.claim()
    desk.outbox.settle(wrong.seq, rejected)
    const mended = put({ ...added, caseId: caseOf(2), regulatorIdentifier: 'RIGHT' })
    expect([mended.id, mended.blockers, mended.state]).toEqual([wrong.id, 0, 'queued'])
  })

  it('that was refused for no item stays refused if a later one leaves out some of its items', () => {
    const save = createSaving(desk.outbox)
    const adding = (...numbers: number[]) => ({ kind: 'add-items' as const, ...ofCase, tagIds: numbers.map(tag) })
    const first = desk.put(adding(1, 2))
    desk.outbox.claim()
    desk.outbox.settle(first.seq, rejected)
    const other = save(adding(1, 3))
    expect(other.ok && other.value.id).not.toBe(first.id)
    expect(desk.outbox.read.attention(9).map(({ id, payload }) => [id, payload])).toEqual([[first.id, adding(1, 2)]])
  })

  it("that adds items can't be undone if the contents weren't visible, since the undo would remove too much", () => {
    const adding = { kind: 'add-items' as const, ...ofCase, tagIds: [tag(1)] }
    const [seen, unseen] = [desk.put(adding), desk.put({ ...adding, tagIds: [tag(2)], isUnseen: true })]
    expect([seen, unseen].map((one) => desk.outbox.undoOf(one))).toEqual(['withdraw', 'withdraw'])
    for (const { seq } of desk.claimAll()) desk.outbox.settle(seq, accepted)
    const now = [seen, unseen].flatMap(({ id }) => desk.outbox.read.byId(id) ?? [])
    expect(now.map((one) => desk.outbox.undoOf(one))).toEqual(['inverse', null])
  })

  it('can be read as earlier versions stored it, but not without a collection', () => {
    const old = { kind: 'remove-item', caseId: caseOf(1), productName: null, tagId: tag(1) }
    expect(Payload.parse(old)).toEqual(old)
    expect(Payload.parse(taking)).toEqual(taking)
    const bad = [
      { kind: 'remove-item', productName: null, tagId: tag(1) },
      { kind: 'remove-collection', collectionId: 'x' },
      { ...added, regulatorIdentifier: '' },
      { kind: 'burn-collection', ...whole },
    ]
    expect(bad.map((one) => Payload.safeParse(one).success)).toEqual([false, false, false, false])
  })

  it('keeps its order with imports, items and an added case, but sales can overtake it', () => {
    const imported = desk.put(importing(1))
    expect(desk.put(removal).blockers).toBe(1)
    desk.outbox.claim()
    desk.outbox.settle(imported.seq, accepted)
    const removed = desk.claimAll()[0]
    expect(removed?.kind).toBe('remove-collection')
    const behind = [desk.put(taking), desk.put(restoring), desk.put(added)]
    expect(behind.map(({ blockers }) => blockers > 0)).toEqual([true, true, true])
    const second = { ...added, caseId: caseOf(2), regulatorIdentifier: 'R' }
    desk.put(second)
    const change = desk.put({ kind: 'add-items', caseId: caseOf(2), productName: null, tagIds: [tag(900)] })
    expect([change.blockers, desk.put(complete('S', tag(901))).blockers]).toEqual([1, 0])
  })

  it('shares the collection once refused, and locks it again when it is resent', () => {
    const refused = desk.put(removal)
    const sale = desk.put(complete('A', tag(11)))
    expect(sale.blockers).toBe(1)
    desk.outbox.claim()
    desk.outbox.settle(refused.seq, rejected)
    expect(desk.outbox.read.byId(sale.id)?.blockers).toBe(0)
    desk.outbox.retry(refused.id)
    expect(desk.outbox.read.byId(sale.id)?.blockers).toBe(1)
    expect(desk.claimAll().map(({ seq }) => seq)).toEqual([refused.seq])
  })

  it('that adds a case can be undone only while unsent', () => {
    const one = desk.put(added)
    expect(desk.outbox.undoOf(one)).toBe('withdraw')
    desk.outbox.claim()
    desk.outbox.settle(one.seq, accepted)
    const now = desk.outbox.read.byId(one.id)
    expect(now && desk.outbox.undoOf(now)).toBeNull()
  })

  const inventory = 'Collection X follows the imports.'
  const field = { packaged_product_uuid: ['No.'] }
  it.each([
    ['remove-collection', 204, undefined, false, 'accepted'],
    ['restore-collection', 204, undefined, false, 'unknown'],
    ['restore-collection', 200, {}, false, 'unknown'],
    ['restore-collection', 200, { status: 'success' }, false, 'accepted'],
    ['remove-collection', 400, undefined, false, 'service/origin-collection'],
    ['restore-collection', 400, { detail: 'It is of type origin.' }, false, 'service/origin-collection'],
    ['remove-collection', 400, { detail: inventory }, false, 'service/refused'],
    ['remove-collection', 403, { detail: 'No.' }, false, 'service/other-company'],
    ['remove-collection', 404, undefined, false, 'service/not-found'],
    ['remove-item', 403, undefined, false, 'receiving/no-case-changes'],
    ['add-case', 403, undefined, false, 'receiving/no-case-changes'],
    ['add-case', 404, undefined, false, 'service/not-found'],
    ['add-case', 400, field, false, 'collection/choose-product'],
    ['add-case', 400, field, true, 'collection/product-not-in-case'],
    ['add-case', 400, { case_uuid: ['No.'] }, false, 'service/invalid-fields'],
    ['complete', 404, undefined, false, 'unknown'],
  ] as const)('%s answered %i %j (names a product: %s) is %s', (kind, status, body, namesProduct, expected) => {
    const reply = answer(status, body === undefined ? undefined : json(body))
    const about = { shows: {}, subject: 'X', namesProduct }
    const outcome = outcomeOf({ kind, reply, ifAlready: 'rejected', about })
    expect(outcome.kind === 'rejected' ? outcome.reason.code : outcome.kind).toBe(expected)
  })

  const shown = (fields: object) =>
    Collection.parse({ uuid: collectionId, identifier: 'C', collection_type: 'case', items: [], ...fields })
  const look = (payload: Payload, collections: Record<string, Collection>) => {
    const service = shownService()
    const get = (one: string) => {
      const collection = collections[one]
      return Promise.resolve(collection ? ok(collection) : { ok: false as const, error: notFound })
    }
    const client = { ...service.client, collections: { get } }
    const parts = { client, caseOf: () => undefined, own: ownReportsOf([]), ownDispensaryId: null }
    return reconcile(operationOf(payload), parts)
  }
  const notFound = { code: 'service/not-found', id: 'X' } as const
  const means = { accepted: 'unclear', rejected: false, unsettled: 'undecided' } as const
  const short = (finding: Awaited<ReturnType<typeof look>>) =>
    finding.kind === 'decided' ? finding.outcome.kind : means[finding.ifAlready]

  it.each([
    ['removed', { is_removed: true }, ['accepted', false]],
    ['removed, by its day', { removed_on: '2026-11-01T00:00:00Z' }, ['accepted', false]],
    ['not removed', { is_removed: false }, [false, 'accepted']],
    ['nothing said', {}, ['unclear', 'unclear']],
  ])('is checked by reading after a lost answer: %s', async (_, fields, expected) => {
    const collections = { [collectionId]: shown(fields) }
    expect([short(await look(removal, collections)), short(await look(restoring, collections))]).toEqual(expected)
    expect(short(await look(removal, {}))).toBe('unclear')
  })

  const items = (...numbers: number[]) => numbers.map((n) => ({ tag_id: tag(n), packaged_product_uuid: thing(n) }))
  it.each([
    ['all are in it', items(1, 2, 3), items(1, 2), 'regulator', null, 'accepted'],
    ['one is not', items(1), items(1, 2), 'regulator', null, false],
    ['that one is of another product', items(1), items(1, 2), 'regulator', thing(1), 'accepted'],
    ['the case is empty', items(1), items(), 'regulator', null, 'unclear'],
    ['the product is not in it', items(1), items(1), 'regulator', thing(9), 'unclear'],
    ['something else has the identifier', items(1, 2), items(1, 2), 'inventory', null, 'unclear'],
  ])(
    'that adds a case is checked by reading after a lost answer: %s',
    async (_, target, source, type, packagedProductId, expected) => {
      const collections = {
        '1A 4': shown({ collection_type: type, items: target }),
        [caseOf(1)]: shown({ items: source }),
      }
      expect(short(await look({ ...added, packagedProductId }, collections))).toBe(expected)
    },
  )

  it('is refused at once for an origin collection', async () => {
    const shownOrigin = { isRemoved: false, inside: new Set([tag(1)]), ever: new Set([tag(1)]) }
    const collections = new Collections({
      look: () =>
        Promise.resolve(
          ok({
            collectionType: 'origin',
            collectionName: null,
            identifier: 'O',
            itemCount: 1,
            shown: { ...shownOrigin, products: { ids: new Set([]), isWhole: true } },
          }),
        ),
      seen: { tag: () => undefined, case: () => undefined, caseInBrief: () => undefined },
      outbox: desk.outbox,
      reporting: { report: () => Promise.reject(new Error('it was saved')) },
      canChangeCases: () => true,
    })
    const no = { ok: false, error: { code: 'service/origin-collection' } }
    expect([await collections.remove(collectionId), await collections.restore(collectionId)]).toEqual([no, no])
  })
})
