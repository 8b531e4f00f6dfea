import { afterEach, describe, expect, it, vi } from 'vitest'
import type { AppError } from '../../../src-shared/errors'
import { say } from '../../../src-renderer/text/text.svelte'
import { PackageUid, ShortUuid } from '../../../src-shared/ids'
import type { EntityRef } from '../../../src-shared/ipc/contract/find'
import type { OperationView } from '../../../src-shared/ipc/contract/outbox'
import { caseId, operation, operationId, productId, tagId } from './examples'
import { caseThing, create, link, tagScan, tagView, withCase } from './finding'

describe('work at a collection', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('collects scans once each, without the items already in it, and reports them together', async () => {
    const { fake, find, work } = await withCase()
    work.start('add-items')
    const said: string[] = []
    for (const number of [2, 3, 2, 1]) said.push(say((await find.scan(tagScan(number, false))).what))
    said.push(say((await find.scan({ kind: 'package', packageUid: PackageUid.parse('1A4') })).what))
    expect(said).toEqual([
      '1 item to add',
      '2 items to add',
      'Scanned before: it counts once',
      'It is in this collection already',
      'You are adding items: scan a single item, or leave',
    ])
    expect(fake.asked).toEqual([])
    void find.primary()
    const asked = fake.next('collection.addItems')
    expect(asked.input).toEqual({ caseId: caseId(1), tagIds: [tagId(3), tagId(2)] })
    await asked.answer(operation({ kind: 'add-items', state: 'queued', caseId: caseId(1), undo: 'withdraw' }))
    expect([work.mode, work.scanned, work.reports.of('add-items')?.operation?.state]).toEqual([null, [], 'queued'])
  })

  it('names an item as this station remembers it, or by its code if unknown', async () => {
    const { fake, find, work } = await withCase()
    fake.never('find.known')
    work.start('add-items')
    for (const number of [2, 3, 4]) await find.scan(tagScan(number))
    const [seen, unseen, lost] = [2, 3, 4].map(() => fake.next('find.known'))
    expect([seen?.input, unseen?.input]).toEqual([{ tagId: tagId(2) }, { tagId: tagId(3) }])
    await lost?.disconnect()
    await unseen?.answer(null)
    await seen?.answer(link({ kind: 'tag', id: tagId(2) }, 'Blue Dune, 3.5 g'))
    expect(work.scanned.map((one) => work.known.get(one)?.name)).toEqual([undefined, undefined, 'Blue Dune, 3.5 g'])
  })

  it('keeps what was scanned while the list was being saved, and stays open for it', async () => {
    const { fake, find, work } = await withCase()
    const report = operation({ kind: 'add-items', state: 'queued', caseId: caseId(1), undo: 'withdraw' })
    work.start('add-items')
    await find.scan(tagScan(2))
    void work.save()
    expect((await find.scan(tagScan(3))).tone).toBe('good')
    await fake.next('collection.addItems').answer(report)
    expect([work.mode, work.scanned]).toEqual(['add-items', [tagId(3)]])
    void work.save()
    const asked = fake.next('collection.addItems')
    expect(asked.input).toMatchObject({ tagIds: [tagId(3)] })
    await asked.answer(report)
    expect([work.mode, work.scanned]).toEqual([null, []])
  })

  it('leaves a new list alone while an earlier one is being saved', async () => {
    const { fake, find, work } = await withCase()
    const report = operation({ kind: 'add-items', state: 'queued', caseId: caseId(1), undo: 'withdraw' })
    for (const mode of ['add-case', 'add-items'] as const) {
      work.start('add-items')
      await find.scan(tagScan(2))
      void work.save()
      work.leave()
      work.start(mode)
      await fake.next('collection.addItems').answer(report)
      expect(work.mode).toBe(mode)
      work.leave()
    }
  })

  it('keeps a package scanned while the case was being added to another one', async () => {
    const { fake, find, work } = await withCase()
    const report = operation({ kind: 'add-case', state: 'queued', caseId: caseId(1), undo: 'withdraw' })
    const scan = (text: string) => find.scan({ kind: 'package', packageUid: PackageUid.parse(text) })
    work.start('add-case')
    await scan('1A40E0300000B2F000000901')
    void work.save()
    await scan('1A40E0300000B2F000000902')
    await fake.next('collection.addCase').answer(report)
    expect([work.mode, work.regulatorId]).toEqual(['add-case', '1A40E0300000B2F000000902'])
    void work.save()
    await fake.next('collection.addCase').answer(report)
    expect(work.mode).toBeNull()
  })

  it('removes an item by the undo of its scan, and drops the list when the mode is left', async () => {
    const { find, work } = await withCase()
    work.start('add-items')
    await find.scan(tagScan(2))
    const { undo } = await find.scan(tagScan(3))
    expect(say((await undo?.())?.what ?? { key: 'label.no' })).toBe('1 item to add')
    expect(work.scanned).toEqual([tagId(2)])
    expect(find.stepBack()).toBe(true)
    expect([work.isAskingToLeave, work.scanned]).toEqual([true, [tagId(2)]])
    work.leave()
    expect([work.mode, work.scanned, find.shown?.ref.kind]).toEqual([null, [], 'collection'])
    expect([work.isAskingToLeave, find.stepBack()]).toEqual([false, false])
    // Nothing was scanned, so there is nothing to ask.
    work.start('add-items')
    expect([find.stepBack(), work.mode]).toEqual([true, null])
  })

  it('reopens a refused list, with the items that the service named', async () => {
    const { fake, find, work } = await withCase()
    work.start('add-items')
    for (const number of [2, 3]) await find.scan(tagScan(number))
    void work.save()
    const report = operation({ kind: 'add-items', state: 'queued', caseId: caseId(1), undo: 'withdraw' })
    await fake.next('collection.addItems').answer(report)
    work.putRight()
    expect([work.mayPutRight, work.mode]).toEqual([false, null])
    const reason: AppError = { code: 'service/unknown-tags', tagIds: [tagId(3)], invalid: ['not a code'] }
    find.operationChanged({ ...report, state: 'rejected', reason })
    expect(work.mayPutRight).toBe(true)
    work.putRight()
    expect([work.mode, work.scanned, work.refused]).toEqual(['add-items', [tagId(3), tagId(2)], [tagId(3)]])
    // The list is still as it was reported, so leaving it loses nothing and asks nothing.
    expect([find.stepBack(), work.mode, work.isAskingToLeave]).toEqual([true, null, false])
    work.putRight()
    await find.scan(tagScan(4))
    find.stepBack()
    expect(work.isAskingToLeave).toBe(true)
    for (const number of [4, 3]) work.takeOff(tagId(number))
    void work.save()
    expect(fake.next('collection.addItems').input).toEqual({ caseId: caseId(1), tagIds: [tagId(2)] })
  })

  it('does not reopen a refused list beside another report, or for a removed collection', async () => {
    const { fake, find, work } = await withCase()
    const rejected = operation({ kind: 'add-items', state: 'rejected', caseId: caseId(1), seq: 5 })
    const save = async (report: OperationView) => {
      work.start('add-items')
      await find.scan(tagScan(2))
      void work.save()
      await fake.next('collection.addItems').answer(report)
    }
    await save(rejected)
    expect(work.mayPutRight).toBe(true)
    void find.load()
    await fake.next('find.entity').answer({ ...caseThing(), isRemoved: true })
    expect(work.mayPutRight).toBe(false)
    void find.load()
    await fake.next('find.entity').answer(caseThing())
    await save({ ...rejected, state: 'accepted', undo: 'inverse' })
    void work.reports.undo('add-items')
    await fake.next('receiving.undo').answer({ ...rejected, id: operationId(9), kind: 'remove-item' })
    expect(work.mayPutRight).toBe(false)
  })

  it('asks before a list is dropped for another thing, then opens that thing; another scan keeps the list', async () => {
    const { fake, find, work } = await withCase()
    const other = { kind: 'tag', id: tagId(9) } as const
    void find.open(other)
    await fake.next('find.entity').answer(tagView(9))
    expect(find.back()).toBe(true)
    await fake.next('find.entity').answer(caseThing())
    const ways = [() => void find.open(other), () => void find.forward()]
    for (const [place, go] of ways.entries()) {
      work.start('add-items')
      await find.scan(tagScan(2))
      go()
      expect([work.isAskingToLeave, find.shown?.ref.kind], `${place}`).toEqual([true, 'collection'])
      await find.scan(tagScan(3))
      expect([work.isAskingToLeave, work.scanned.length], `${place}`).toEqual([false, 2])
      go()
      work.drop()
      await fake.next('find.entity').answer(tagView(9))
      expect([find.shown?.ref.kind, work.mode], `${place}`).toEqual(['tag', null])
      find.back()
      await fake.next('find.entity').answer(caseThing())
    }
    work.start('add-items')
    const { undo } = await find.scan(tagScan(2))
    find.toggleRemoved()
    await undo?.()
    expect(work.isAskingToLeave).toBe(false)
    find.toggleRemoved()
    expect([find.isRemovedOpen, work.mode]).toEqual([true, null])
  })

  it('replaces an older change and its undo by a later change made elsewhere', async () => {
    const { fake, find, work } = await withCase()
    const older = operation({
      kind: 'remove-collection',
      state: 'accepted',
      collectionId: ShortUuid.parse(caseId(1)),
      undo: 'inverse',
      seq: 2,
    })
    void work.remove()
    await fake.next('collection.remove').answer(older)
    const kind = () => work.reports.of('collection')?.operation?.kind
    const later = operation({
      id: operationId(9),
      kind: 'restore-collection',
      collectionId: ShortUuid.parse(caseId(1)),
      state: 'queued',
      seq: 3,
    })
    find.operationChanged({ ...later, collectionId: ShortUuid.parse(caseId(2)) })
    find.operationChanged({ ...later, seq: 1 })
    find.operationChanged({ ...later, kind: 'remove-item' })
    find.operationChanged({ ...later, state: 'cancelled' })
    find.operationChanged({ ...later, state: 'rejected' })
    expect(kind()).toBe('remove-collection')
    find.operationChanged(later)
    expect(kind()).toBe('restore-collection')
  })

  it('adds a case to the scanned package, with the product that a person chose', async () => {
    const { fake, find, work } = await withCase([1, 2])
    work.start('add-case')
    expect((await find.scan(tagScan(2))).tone).toBe('attention')
    await find.scan({ kind: 'package', packageUid: PackageUid.parse('1A40E0300000B2F000000901') })
    expect(work.canAddCase).toBe(false)
    void find.primary()
    expect(fake.asked).toEqual([])
    work.packagedProductId = productId(2)
    void find.primary()
    expect(fake.next('collection.addCase').input).toEqual({
      regulatorIdentifier: '1A40E0300000B2F000000901',
      caseId: caseId(1),
      packagedProductId: productId(2),
    })
  })

  it('shows a refusal beside its change, undoes a report, and reads the collection again afterwards', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { fake, find, work } = await (async () => {
      const made = withCase()
      await vi.runAllTimersAsync()
      return made
    })()
    const refusing = work.remove()
    void fake.next('collection.remove').refuse({ code: 'service/refused', status: 400, detail: 'No.' })
    await refusing
    expect(work.reports.of('collection')).toMatchObject({ operation: null, error: { code: 'service/refused' } })

    const saving = work.takeOut(tagId(1))
    const report = operation({ id: operationId(7), kind: 'remove-item', state: 'queued', undo: 'withdraw' })
    void fake.next('collection.removeItem').answer(report)
    await saving
    const undoing = work.reports.undo(tagId(1))
    const asked = fake.next('receiving.undo')
    expect(asked.input).toEqual({ operationId: operationId(7) })
    void asked.answer({ ...report, state: 'cancelled', undo: null })
    await undoing
    expect(work.reports.of(tagId(1))).toMatchObject({ operation: { state: 'cancelled' }, error: null })
    find.operationChanged({ ...report, state: 'accepted', undo: null })
    await vi.runAllTimersAsync()
    expect(fake.next('find.entity').input).toEqual({ kind: 'collection', id: caseId(1) })
  })

  it('keeps the state of a change up to date while something else is open', async () => {
    const { fake, find, work } = await withCase()
    void work.takeOut(tagId(1))
    const report = operation({ id: operationId(7), kind: 'remove-item', state: 'queued', undo: 'withdraw' })
    await fake.next('collection.removeItem').answer(report)
    void find.open({ kind: 'tag', id: tagId(1) })
    await fake.next('find.entity').answer(tagView(1))
    find.operationChanged({ ...report, state: 'accepted', undo: 'inverse' })
    expect(find.back()).toBe(true)
    expect(find.shown?.work?.reports.of(tagId(1))?.operation?.state).toBe('accepted')
  })

  it('reads again only after a report that can change what is shown, by what main says', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const packageUid = '1A40E0300000B2F000000901'
    const isAskedAfter = async (view: { kind: string; ref: EntityRef }, report: Partial<OperationView>) => {
      const { fake, find } = create()
      void find.open(view.ref)
      void fake.next('find.entity').answer(view)
      await vi.runAllTimersAsync()
      find.operationChanged(operation({ id: operationId(7), caseId: null, packageUid: null, ...report }))
      await vi.runAllTimersAsync()
      return fake.asked.some(({ call }) => call === 'find.entity')
    }
    const tag = { ...tagView(1), watched: { ids: [caseId(1), packageUid], kinds: ['add-case'], newSales: true } }
    const batch = { ...tag, watched: { ids: [], kinds: [], newSales: false } }
    const sold = { kind: 'complete', state: 'queued', attempts: 0 } as const
    for (const [view, report, isAsked] of [
      [tag, { kind: 'import', state: 'accepted', caseId: caseId(1) }, true],
      [tag, { kind: 'import', state: 'accepted', caseId: caseId(2) }, false],
      [tag, { kind: 'import', state: 'sending', caseId: caseId(1) }, false],
      [tag, sold, true],
      // The sale was already listed when it was saved.
      [tag, { ...sold, state: 'accepted', attempts: 1 }, false],
      [tag, { kind: 'add-case', state: 'accepted', caseId: caseId(2) }, true],
      [tag, { kind: 'import', state: 'accepted', caseId: caseId(2), packageUid }, true],
      [tag, { kind: 'import', state: 'accepted', caseId: caseId(2), packageUid: 'X' }, false],
      [batch, { kind: 'add-case', state: 'accepted', caseId: caseId(1) }, false],
      [batch, sold, false],
    ] as const) {
      expect(await isAskedAfter(view, report), JSON.stringify(report)).toBe(isAsked)
    }
  })

  it('leaves the mode when the removed collections are opened', async () => {
    const { fake, find, work } = await withCase()
    work.start('add-items')
    await find.scan(tagScan(2))
    find.toggleRemoved()
    expect([find.isRemovedOpen, work.isAskingToLeave, work.scanned]).toEqual([false, true, [tagId(2)]])
    work.drop()
    expect([find.isRemovedOpen, work.mode, work.scanned]).toEqual([true, null, []])
    expect(fake.next('find.removed').input).toEqual({ type: null })
    void find.scan(tagScan(3))
    expect(fake.next('find.entity').input).toEqual({ kind: 'tag', id: tagId(3) })
  })
})
