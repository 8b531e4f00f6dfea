import { describe, expect, it } from 'vitest'
import { ShortUuid } from '../../../src-shared/ids'
import type { RemovedCollectionLine } from '../../../src-shared/ipc/contract/find'
import { caseId, operation, operationId } from './examples'
import { turn } from './fake-wire'
import { create } from './finding'

const line: RemovedCollectionLine = {
  collectionId: ShortUuid.parse(caseId(1)),
  identifier: 'x',
  name: null,
  type: 'case',
  addedOn: null,
  removedOn: null,
  tagCount: 3,
}

describe('removed collections', () => {
  it('are listed by type, and stay visible after they are restored', async () => {
    const { fake, find } = create()
    find.toggleRemoved()
    const lines = ['case', 'regulator'].map((type, index) => ({
      ...line,
      collectionId: ShortUuid.parse(caseId(index + 1)),
      type,
    }))
    await fake.next('find.removed').answer(lines)
    void find.removed.show('case')
    const asked = fake.next('find.removed')
    expect(asked.input).toEqual({ type: 'case' })
    await asked.answer(lines.slice(0, 1))
    expect([find.removed.types, find.removed.lines?.length]).toEqual([['case', 'regulator'], 1])
    const [first] = find.removed.lines ?? []
    if (first) void find.removed.restore(first)
    const report = operation({ kind: 'restore-collection', state: 'queued', undo: 'withdraw' })
    await fake.next('collection.restore').answer(report)
    await turn()
    expect(find.removed.reports.of(caseId(1))?.operation?.state).toBe('queued')
    expect(find.removed.lines).toHaveLength(1)
    const canRestore = () => first && find.removed.canRestore(first)
    expect(canRestore()).toBe(false)
    find.operationChanged({ ...report, state: 'accepted', undo: 'inverse' })
    expect(canRestore()).toBe(false)
    find.operationChanged({ ...report, state: 'rejected' })
    expect(canRestore()).toBe(true)
    // The restore is undone after it was sent, so the row shows the removal.
    find.operationChanged({ ...report, state: 'accepted', undo: 'inverse' })
    void find.removed.reports.undo(caseId(1))
    await fake.next('receiving.undo').answer({ ...report, id: operationId(8), kind: 'remove-collection' })
    expect(canRestore()).toBe(true)
  })

  it('show when the list was read, even after a failed read', async () => {
    const { fake, find } = create()
    expect(find.removed.askedAt).toBeNull()
    find.toggleRemoved()
    await fake.next('find.removed').answer([])
    const { askedAt } = find.removed
    expect(askedAt).not.toBeNull()
    void find.load()
    await fake.next('find.removed').refuse({ code: 'service/unreachable' })
    expect([find.removed.askedAt, find.removed.lines, find.removed.error?.code]).toEqual([
      askedAt,
      [],
      'service/unreachable',
    ])
  })

  it('are never shown under another type', async () => {
    const { fake, find } = create()
    find.toggleRemoved()
    await fake.next('find.removed').answer([line])
    void find.removed.show('case')
    expect([find.removed.lines, find.removed.askedAt]).toEqual([null, null])
    await fake.next('find.removed').refuse({ code: 'service/unreachable' })
    expect([find.removed.lines, find.removed.error?.code, find.removed.types]).toEqual([
      null,
      'service/unreachable',
      ['case'],
    ])
  })

  it('can be restored again after another removal, by this station or by another', async () => {
    const { fake, find } = create()
    find.toggleRemoved()
    await fake.next('find.removed').answer([line])
    const restored = operation({
      kind: 'restore-collection',
      collectionId: line.collectionId,
      state: 'accepted',
      seq: 2,
    })
    void find.removed.restore(line)
    await fake.next('collection.restore').answer(restored)
    await turn()
    expect(find.removed.canRestore(line)).toBe(false)
    // Removed by another station: the service lists the collection again.
    void find.removed.load()
    await fake.next('find.removed').answer([line])
    expect([find.removed.canRestore(line), find.removed.reports.of(caseId(1))]).toEqual([true, null])
    // Removed by this station, on the page of the collection.
    void find.removed.restore(line)
    await fake.next('collection.restore').answer(restored)
    await turn()
    find.operationChanged({ ...restored, id: operationId(9), kind: 'remove-collection', state: 'queued', seq: 3 })
    expect(find.removed.canRestore(line)).toBe(true)
  })

  it('keep the reason of a refusal while the list is read again', async () => {
    const { fake, find } = create()
    find.toggleRemoved()
    await fake.next('find.removed').answer([line])
    const refused = operation({ kind: 'restore-collection', collectionId: line.collectionId, state: 'rejected' })
    void find.removed.restore(line)
    await fake.next('collection.restore').answer({ ...refused, reason: { code: 'service/other-company' } })
    void find.load()
    await fake.next('find.removed').answer([line])
    expect(find.removed.reports.of(caseId(1))?.operation?.reason?.code).toBe('service/other-company')
    expect(find.removed.canRestore(line)).toBe(true)
  })

  it('keep a report in progress while the list is read again', async () => {
    const { fake, find } = create()
    find.toggleRemoved()
    await fake.next('find.removed').answer([line])
    const report = operation({ kind: 'restore-collection', collectionId: line.collectionId, state: 'queued' })
    void find.removed.restore(line)
    await fake.next('collection.restore').answer(report)
    void find.removed.load()
    find.operationChanged({ ...report, state: 'accepted', undo: 'inverse' })
    await fake.next('find.removed').answer([line])
    expect(find.removed.reports.of(caseId(1))?.operation?.undo).toBe('inverse')
  })
})
