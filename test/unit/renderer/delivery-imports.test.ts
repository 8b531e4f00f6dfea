import { describe, expect, it } from 'vitest'
import { countedByCase } from '../../../src-renderer/receiving/import-many.svelte'
import { leftOutText } from '../../../src-renderer/receiving/primary-text'
import { t } from '../../../src-renderer/text/text.svelte'
import type { Receiving } from '../../../src-renderer/receiving/receiving.svelte'
import type { ImportState } from '../../../src-shared/ipc/contract/receiving'
import {
  caseAdded,
  caseId,
  caseView,
  deliveryCase,
  deliveryHead,
  operationId,
  packageView,
  product,
  productId,
} from './examples'
import {
  announce,
  announceState,
  answerPackage,
  createReceiving,
  fill,
  importOf,
  readyPackage,
  receivingPackage,
  uid,
} from './deliveries'
import { type FakeWire, turn } from './fake-wire'

const tick = (receiving: Receiving, number: number) => {
  const row = receiving.delivery.row(caseId(number))
  if (row) receiving.tick(row)
}
const ticksOf = (receiving: Receiving) => receiving.delivery.rows.map((row) => receiving.isTicked(row))

describe('the primary action', () => {
  it('leaves out a case that main holds back for its certificate until the row is ticked', async () => {
    const { fake, receiving } = await receivingPackage(
      (['coa', 'coa', null] as const).map((heldBack, index) =>
        caseView(index + 1, { packagedProducts: [{ ...product(1), heldBack }] }),
      ),
    )
    fill(receiving)
    expect(receiving.plan.leftOut.map(({ row }) => row.caseId)).toEqual([caseId(1), caseId(2)])
    expect(receiving.plan.ready.map((row) => row.caseId)).toEqual([caseId(3)])
    void receiving.primary()
    expect(fake.next('receiving.import').input).toMatchObject({ caseId: caseId(3) })
    tick(receiving, 2)
    expect(receiving.plan.ready.map((row) => row.caseId)).toEqual([caseId(2)])
    expect(receiving.plan.leftOut.map(({ row }) => row.caseId)).toEqual([caseId(1)])
  })

  it('says that it is saving while imports are being saved, and keeps the ticks', async () => {
    const { fake, receiving } = await readyPackage()
    await receiving.primary()
    tick(receiving, 2)
    expect(await receiving.primary()).toMatchObject({ kind: 'shown', outcome: { what: { key: 'action.saving' } } })
    expect(ticksOf(receiving)).toEqual([true, false, false])
    await fake.next('receiving.importMany').answer({ saved: [], refused: [] })
    void receiving.primary()
    expect(await receiving.primary()).toMatchObject({ kind: 'shown' })
    expect([receiving.panes.isFinishing, fake.asked.length]).toEqual([false, 1])
  })

  it('imports all cases that are ready, and none with missing ids', async () => {
    const { fake, receiving } = await readyPackage()
    expect(receiving.plan.ready.map((row) => row.caseId)).toEqual([caseId(1), caseId(2)])
    expect(receiving.plan.incomplete.map((row) => row.caseId)).toEqual([caseId(3)])
    expect(await receiving.primary()).toEqual({ kind: 'importing', count: 2 })
    expect(fake.next('receiving.importMany').input).toMatchObject({
      imports: [
        { caseId: caseId(1), packageUid: uid, posProductId: 'P-1' },
        { caseId: caseId(2), packageUid: uid, posProductId: 'P-1' },
      ],
    })
  })

  it('ticks what is ready, and imports what is ticked; a single import returns its answer', async () => {
    const { fake, receiving } = await readyPackage()
    expect(ticksOf(receiving)).toEqual([true, true, false])
    tick(receiving, 1)
    expect(receiving.plan.ready).toHaveLength(receiving.plan.ticked)
    const asked = receiving.primary()
    await turn()
    const call = fake.next('receiving.import')
    expect(call.input).toMatchObject({ caseId: caseId(2) })
    await call.answer(importOf(2, { state: 'accepted' }))
    expect(await asked).toMatchObject({ kind: 'saved' })
    expect(receiving.selection.tickOf(caseId(2))).toBeUndefined()
  })

  it('counts a ticked case with missing ids, and none that a person unticked', async () => {
    const { receiving } = await readyPackage()
    tick(receiving, 1)
    tick(receiving, 3)
    const { ticked, ready, incomplete } = receiving.plan
    expect([ticked, ready.length, incomplete.map((row) => row.caseId)]).toEqual([2, 1, [caseId(3)]])
    tick(receiving, 3)
    expect([receiving.plan.ticked, receiving.plan.incomplete]).toEqual([1, []])
    expect(receiving.tickable(receiving.delivery.rows)).toHaveLength(3)
  })

  it('stays with the case in view if its ids are missing', async () => {
    const { fake, receiving, told } = await receivingPackage()
    receiving.select(caseId(2))
    await receiving.act()
    expect(receiving.selected?.caseId).toBe(caseId(2))
    expect(receiving.form?.wrongOf('posProductId')?.key).toBe('receiving.field.missing')
    expect(told.map(({ what, detail }) => [what.key, detail])).toEqual([['scan.action.incomplete.product', undefined]])
    expect(fake.asked).toEqual([])
  })

  it('says which case it left if nothing of the case in view can be imported', async () => {
    const elsewhere = { kind: 'imported-elsewhere' as const, at: null }
    const { receiving, told } = await receivingPackage([
      caseView(1),
      caseView(2, { packagedProducts: [product(2, elsewhere)] }),
    ])
    receiving.select(caseId(2))
    const [first, second] = receiving.delivery.rows.map(({ view }) => view?.packagedProducts[0]?.productName)
    expect(receiving.importing.nextIncomplete(receiving.plan)?.row.caseId).toBe(caseId(1))
    await receiving.act()
    expect(receiving.selected?.caseId).toBe(caseId(1))
    expect(told).toMatchObject([
      { what: { values: { product: first } }, detail: { key: 'scan.action.left', values: { product: second } } },
    ])
  })

  it('names what it imported in the scan strip', async () => {
    const { fake, receiving, told } = await receivingPackage([caseView(1)])
    fill(receiving)
    const acted = receiving.act()
    await turn()
    await fake.next('receiving.import').answer(importOf(1, { state: 'accepted', itemCount: 24 }))
    await acted
    expect(told).toMatchObject([{ tone: 'good', what: { key: 'scan.action.import', values: { count: 24 } } }])
  })

  it('leads to an incomplete case that a person ticked before the others', async () => {
    const { receiving } = await receivingPackage()
    tick(receiving, 2)
    receiving.select(caseId(3))
    expect(await receiving.primary()).toMatchObject({ kind: 'incomplete' })
    expect(receiving.selected?.caseId).toBe(caseId(2))
  })

  it('leaves out imported cases, and refused ones unless they are ticked', async () => {
    const states = [
      { kind: 'imported-elsewhere' as const, at: null },
      { kind: 'imported-by-company' as const, at: null, dispensary: 'Green Door, Hoboken' },
      { kind: 'refused' as const, operation: importOf(3, { state: 'rejected', reason: { code: 'service/busy' } }) },
    ]
    const { receiving } = await receivingPackage(
      states.map((state, index) => caseView(index + 1, { packagedProducts: [product(1, state)] })),
    )
    receiving.select(caseId(3))
    fill(receiving)
    expect(receiving.plan.imports).toEqual([])
    tick(receiving, 1)
    tick(receiving, 3)
    expect(receiving.plan.ready.map((row) => row.caseId)).toEqual([caseId(3)])
    expect(ticksOf(receiving)).toEqual([null, null, true])
  })

  it('asks whether to finish when nothing is left', async () => {
    const elsewhere = { kind: 'imported-elsewhere' as const, at: null }
    const { receiving } = await receivingPackage([caseView(1, { packagedProducts: [product(1, elsewhere)] })])
    expect(await receiving.primary()).toEqual({ kind: 'finishing' })
    expect(receiving.panes.isFinishing).toBe(true)
  })

  it('finishes the delivery, prints its record, and makes way for the next delivery', async () => {
    const elsewhere = { kind: 'imported-elsewhere' as const, at: null }
    const { fake, receiving } = await receivingPackage([caseView(1, { packagedProducts: [product(1, elsewhere)] })])
    await receiving.primary()
    const about = { receivedBy: 'Maya Ortiz', shippedBy: null, driver: null, manifestNumber: null }
    const offered = { about, names: [], behind: [], differences: 0 }
    await fake.next('receiving.finishing').answer(offered)
    const finishing = receiving.primary()
    await turn()
    const asked = fake.next('receiving.finishDelivery')
    expect(asked.input).toEqual({ deliveryId: deliveryHead.id, about })
    await announce(fake, { delivery: null })
    await asked.answer(null)
    expect(await finishing).toMatchObject({ kind: 'shown', outcome: { what: { key: 'delivery.finished' } } })
    expect(receiving.panes.finished).toEqual({ id: deliveryHead.id, record: 'closed' })
    await receiving.primary()
    expect(receiving.panes.finished?.record).toBe('print')
    const added = receiving.add({ kind: 'package', packageUid: uid })
    expect(receiving.panes.finished).toBeNull()
    await answerPackage(fake, uid, [caseView(1)])
    await added
  })

  it('stays with what waits if the delivery can’t be finished, with what was typed', async () => {
    const { fake, receiving } = await receivingPackage([])
    await receiving.primary()
    await fake.next('receiving.finishing').disconnect()
    if (receiving.finishForm) receiving.finishForm.values.driver = 'D. Cole'
    const finishing = receiving.primary()
    await turn()
    await fake.next('receiving.finishDelivery').refuse({ code: 'store/not-saved' })
    expect(await finishing).toEqual({ kind: 'refused', error: { code: 'store/not-saved' } })
    expect([receiving.panes.isFinishing, receiving.finishForm?.values.driver]).toEqual([true, 'D. Cole'])
  })

  it('asks whether to finish while imports wait, also those that were saved together', async () => {
    const { fake, receiving } = await receivingPackage()
    for (const number of [1, 2]) {
      receiving.select(caseId(number))
      fill(receiving)
    }
    await receiving.primary()
    for (const number of [1, 2]) await announceState(fake, number, { kind: 'pending', operation: importOf(number) })
    await fake.next('receiving.importMany').answer({ saved: [importOf(1), importOf(2)], refused: [] })
    expect(receiving.many.isRunning).toBe(true)
    expect(await receiving.primary()).toEqual({ kind: 'finishing' })
    expect(receiving.panes.isFinishing).toBe(true)
  })

  it('does nothing without a delivery', async () => {
    const { receiving } = createReceiving()
    expect(await receiving.primary()).toEqual({ kind: 'nothing' })
  })

  it('leaves out what a person undid until it is ticked, scanned or changed', async () => {
    const undone = (number: number) =>
      caseView(number, { packagedProducts: [{ ...product(number), heldBack: 'undone' as const }] })
    const { fake, receiving } = await receivingPackage([undone(1), undone(2), undone(3)])
    for (const number of [1, 2, 3]) {
      receiving.select(caseId(number))
      fill(receiving)
    }
    expect(ticksOf(receiving)).toEqual([false, false, false])
    expect(receiving.plan.leftOut.map(({ why }) => why)).toEqual(['undone', 'undone', 'undone'])
    const [row] = receiving.delivery.rows
    expect(row && receiving.statusOf(row).text.key).toBe('delivery.import-undone')
    tick(receiving, 1)
    const scanned = receiving.add({ kind: 'case', identifier: caseId(2) })
    await announce(fake, { cases: [deliveryCase(undone(2), uid)] })
    await fake.next('receiving.addCase').answer(caseAdded(undone(2)))
    await scanned
    receiving.select(caseId(3))
    receiving.form?.corrected('posInventoryId')
    expect(ticksOf(receiving)).toEqual([true, true, true])
    expect(receiving.tickable(receiving.delivery.rows)).toHaveLength(3)
  })

  it('says what a bulk import left out, and what is missing of it', async () => {
    const { fake, receiving } = await readyPackage()
    const left = () => receiving.many.leftOut
    await receiving.primary()
    expect(left()).toEqual(['ids'])
    await fake.next('receiving.importMany').answer({ saved: [importOf(1), importOf(2)], refused: [] })
    expect(leftOutText(left())).toEqual({ key: 'delivery.left-out', values: { count: 1, why: 'POS IDs missing' } })
    receiving.select(caseId(3))
    receiving.form?.ids.choose('posProductId', 'P-3')
    expect(receiving.form?.missing).toBe('inventory')
    receiving.many.clear()
    expect(leftOutText(left())).toBeNull()
  })

  it('tells which package a case stands under if another one is entered', async () => {
    const { receiving } = await receivingPackage([caseView(1)])
    const { selected: row, form } = receiving
    if (!row || !form) throw new Error('no case is selected')
    expect(receiving.forms.otherPackages(row, form)).toEqual([])
    form.packageUid = `${uid}9`
    expect(receiving.forms.otherPackages(row, form)).toEqual([uid])
    form.packageUid = ` ${uid.toLowerCase()} `
    expect(receiving.forms.otherPackages(row, form)).toEqual([])
  })

  it('says of each case that it leaves out why', async () => {
    const { receiving } = await receivingPackage([
      caseView(1, { packagedProducts: [{ ...product(1), heldBack: 'coa' }] }),
      caseView(2, { packagedProducts: [product(2, refusedState(2))] }),
      caseView(3),
    ])
    receiving.select(caseId(3))
    fill(receiving)
    tick(receiving, 3)
    expect(receiving.plan.leftOut.map(({ row, why }) => [row.caseId, why])).toEqual([
      [caseId(1), 'coa'],
      [caseId(2), 'refused'],
      [caseId(3), 'not-selected'],
    ])
  })
})

describe('after an import', () => {
  const pending = (number: number): ImportState => ({ kind: 'pending', operation: importOf(number) })

  /** Imports the case in view, of which main says something before its answer. */
  async function importThis(fake: FakeWire, receiving: Receiving, number: number, state = pending(number)) {
    receiving.select(caseId(number))
    fill(receiving)
    const asked = receiving.importThis()
    await turn()
    await announceState(fake, number, state)
    await fake.next('receiving.import').answer(importOf(number))
    await asked
  }

  it('the next case that needs something is selected, in the order of the list and then from its top', async () => {
    const { fake, receiving } = await receivingPackage([
      caseView(1),
      caseView(2, { packagedProducts: [product(2, { kind: 'imported-elsewhere', at: null })] }),
      caseView(3, { packagedProducts: [{ ...product(3), heldBack: 'coa' }] }),
      caseView(4),
    ])
    await importThis(fake, receiving, 1)
    // The one that the button names goes before one that is left out.
    expect(receiving.importing.named(receiving.plan)?.caseId).toBe(caseId(4))
    expect(receiving.selected?.caseId).toBe(caseId(4))
    await importThis(fake, receiving, 4)
    expect(receiving.selected?.caseId).toBe(caseId(3))
    await importThis(fake, receiving, 3)
    // None is left: it stays, and the primary action finishes the delivery.
    expect(receiving.selected?.caseId).toBe(caseId(3))
    expect(await receiving.primary()).toEqual({ kind: 'finishing' })
  })

  it('the case that the button names is the one that is shown, wherever in the list it is', async () => {
    const { fake, receiving } = await receivingPackage([caseView(1), caseView(2), caseView(3)])
    await importThis(fake, receiving, 2)
    expect(receiving.selected?.caseId).toBe(caseId(3))
    expect(receiving.importing.nextIncomplete(receiving.plan)?.row.caseId).toBe(caseId(3))
    await importThis(fake, receiving, 3)
    expect([receiving.selected?.caseId, receiving.importing.named(receiving.plan)?.caseId]).toEqual([
      caseId(1),
      caseId(1),
    ])
  })

  it('a case with another product to import, or that was refused, stays', async () => {
    const both = (first: ImportState) => caseView(1, { packagedProducts: [product(1, first), product(2)] })
    const { fake, receiving } = await receivingPackage([both({ kind: 'to-import' }), caseView(3)])
    const [first] = receiving.selected?.view?.packagedProducts ?? []
    if (first) receiving.choose(first.packagedProductId)
    fill(receiving)
    const asked = receiving.importThis()
    await turn()
    await announce(fake, { cases: [deliveryCase(both(pending(1)), uid)] })
    await fake.next('receiving.import').answer(importOf(1))
    await asked
    expect([receiving.selected?.caseId, receiving.product?.packagedProductId]).toEqual([caseId(1), productId(2)])
    await importThis(fake, receiving, 3, refusedState(3))
    expect(receiving.selected?.caseId).toBe(caseId(3))
  })

  it('of many, the next case is selected once they are saved, unless a person went elsewhere', async () => {
    const { fake, receiving } = await readyPackage()
    receiving.select(caseId(1))
    await receiving.primary()
    for (const number of [1, 2]) await announceState(fake, number, pending(number))
    await fake.next('receiving.importMany').answer({ saved: [importOf(1), importOf(2)], refused: [] })
    await turn()
    expect(receiving.selected?.caseId).toBe(caseId(3))
  })
})

const refusedState = (number: number): ImportState => ({
  kind: 'refused',
  operation: importOf(number, { state: 'rejected', reason: { code: 'service/busy' } }),
})

describe('a bulk import', () => {
  it.each([
    ['one case of two products', [1, 1], ['imported', 'imported'], { imported: 1 }],
    ['one that is refused in part', [1, 1, 2], ['imported', 'refused', 'imported'], { imported: 1, refused: 1 }],
    ['one that waits in part', [1, 1], ['waiting', 'refused'], { waiting: 1 }],
    ['one that was taken back in part', [1, 1], ['withdrawn', 'imported'], { imported: 1 }],
  ] as const)('counts cases, as its button does: %s', (_what, cases, outcomes, counts) => {
    const imports = cases.map((number, index) => ({
      caseId: caseId(number),
      outcome: outcomes[index] ?? ('waiting' as const),
    }))
    expect(countedByCase(imports)).toEqual({ waiting: 0, imported: 0, refused: 0, withdrawn: 0, ...counts })
  })

  it('says what is saved while there is no connection, and calls nothing imported that is not', () => {
    const said = (counts: { waiting: number; imported: number; refused: number }) => t('delivery.progress.cut', counts)
    expect(said({ waiting: 3, imported: 0, refused: 0 })).toBe(
      'The imports of 3 cases are saved. They will be sent when the connection is back.',
    )
    expect(said({ waiting: 1, imported: 1, refused: 2 })).toBe(
      'The import of 1 case is saved. It will be sent when the connection is back. 1 case imported. 2 refused.',
    )
  })

  it('counts each outcome, even one that came before the answer, and keeps the result', async () => {
    const { fake, receiving } = await readyPackage()
    const { many } = receiving
    await receiving.primary()
    await announceState(fake, 1, importedHere(1))
    await announceState(fake, 2, { kind: 'pending', operation: importOf(2) })
    expect(many.isRunning).toBe(true)
    await fake.next('receiving.importMany').answer({ saved: [importOf(1), importOf(2)], refused: [] })
    expect([many.settled, many.total, many.isRunning]).toEqual([1, 2, true])
    await announceState(fake, 2, refusedState(2))
    expect([many.imported, many.refused, many.isRunning]).toEqual([1, 1, false])
    receiving.importing.toRefused()
    expect(receiving.selected?.caseId).toBe(caseId(2))
    many.clear()
    expect(many.isShown).toBe(false)
  })

  it('is no longer counted once another import was saved, unless it has something to say: then it counts that one too', async () => {
    const { fake, receiving } = await readyPackage()
    const { many } = receiving
    const importThird = async () => {
      receiving.select(caseId(3))
      fill(receiving)
      const asked = receiving.importThis()
      await turn()
      await fake.next('receiving.import').answer(importOf(3, { state: 'accepted' }))
      await asked
    }
    await receiving.primary()
    await fake.next('receiving.importMany').answer({ saved: [importOf(1), importOf(2)], refused: [] })
    await importThird()
    expect([many.settled, many.total, many.isRunning]).toEqual([1, 3, true])
    await announceState(fake, 1, importedHere(1))
    await announceState(fake, 2, importedHere(2))
    expect([many.imported, many.isRunning]).toEqual([3, false])
    await importThird()
    expect(many.isShown).toBe(false)
  })

  it('says what was taken back since, and imported again if that was given up', async () => {
    const { fake, receiving } = await readyPackage()
    const { many } = receiving
    await receiving.primary()
    const saved = [importOf(1, { state: 'accepted' }), importOf(2, { state: 'accepted' })]
    await fake.next('receiving.importMany').answer({ saved, refused: [] })
    const removal = importOf(1, { kind: 'import-removal', id: operationId(9) })
    await announceState(fake, 1, { kind: 'pending', operation: removal })
    expect([many.imported, many.withdrawn]).toEqual([1, 1])
    await announceState(fake, 1, { kind: 'refused', operation: { ...removal, state: 'rejected' } })
    expect([many.imported, many.withdrawn]).toEqual([2, 0])
  })

  const importedHere = (number: number): ImportState => ({
    kind: 'imported-here',
    at: null,
    packageUid: uid,
    operation: importOf(number, { state: 'accepted' }),
  })
  const withdrawal = {
    at: '2026-11-12T14:02:10.000Z',
    actor: 'person',
    what: 'withdrawn',
    from: 'queued',
    to: 'cancelled',
    reason: null,
    shown: null,
    because: null,
    name: null,
    approvedBy: null,
  }

  it('ends after events were missed, and says what was taken back later', async () => {
    const { fake, receiving } = await readyPackage()
    const { many } = receiving
    await receiving.primary()
    await fake.next('receiving.importMany').answer({ saved: [importOf(1), importOf(2)], refused: [] })
    expect([many.settled, many.isRunning]).toEqual([0, true])
    // The connection to main was lost; the second import was withdrawn meanwhile.
    const loading = receiving.load()
    const cases = ([importedHere(1), { kind: 'to-import' }] as const).map((state, index) =>
      deliveryCase(caseView(index + 1, { packagedProducts: [product(index + 1, state)] }), uid),
    )
    const packages = [packageView(uid)]
    await fake
      .next('receiving.delivery')
      .answer({ ...deliveryHead, packages, cases, blind: [], undoable: 1, revision: 0 })
    const asked = fake.next('outbox.journal')
    expect(asked.input).toEqual({ operationId: operationId(2) })
    await asked.answer([withdrawal])
    await loading
    expect([many.imported, many.withdrawn, many.isRunning]).toEqual([1, 1, false])
    const removal = importOf(9, { kind: 'import-removal', caseId: caseId(1), packagedProductId: productId(1) })
    await announceState(fake, 1, { kind: 'pending', operation: removal })
    expect([many.imported, many.withdrawn, many.isRunning]).toEqual([0, 2, false])
  })

  it('takes each outcome from its own operation', async () => {
    const { fake, receiving } = await readyPackage()
    const { many } = receiving
    await receiving.primary()
    await fake.next('receiving.importMany').answer({ saved: [importOf(1), importOf(2)], refused: [] })
    await fake.emit('outbox.changed', importOf(1, { state: 'cancelled' }))
    await announceState(fake, 1, { kind: 'to-import' })
    expect([many.withdrawn, many.isRunning]).toEqual([1, true])
    // Imported again by itself, which is another operation.
    const again = importOf(7, { caseId: caseId(1), packagedProductId: productId(1), state: 'accepted' })
    await fake.emit('outbox.changed', again)
    await fake.emit('outbox.changed', importOf(2, { state: 'accepted' }))
    await announceState(fake, 2, importedHere(2))
    expect([many.imported, many.withdrawn, many.isRunning]).toEqual([1, 1, false])
  })

  it('follows what was saved although the answer failed', async () => {
    const { fake, receiving } = await readyPackage()
    const { many } = receiving
    await receiving.primary()
    await fake.emit('outbox.changed', importOf(1))
    await fake.next('receiving.importMany').refuse({ code: 'app/saved-unseen', reference: '1' })
    expect([many.refused, many.isRunning, many.error?.code]).toEqual([1, true, 'app/saved-unseen'])
    await fake.emit('outbox.changed', importOf(1, { state: 'accepted' }))
    await announceState(fake, 2, { kind: 'pending', operation: importOf(2) })
    expect([many.imported, many.refused, many.isRunning]).toEqual([1, 0, true])
    await announceState(fake, 2, importedHere(2))
    expect([many.imported, many.total, many.isRunning]).toEqual([2, 2, false])
  })

  it('is over with its delivery, even if another page finishes it', async () => {
    const { fake, receiving } = await readyPackage()
    await receiving.primary()
    const accepted = [1, 2].map((number) => importOf(number, { state: 'accepted' }))
    await fake.next('receiving.importMany').answer({ saved: accepted, refused: [] })
    receiving.steps.undone = { saved: 1, refused: 0 }
    expect(receiving.many.imported).toBe(2)
    await announce(fake, { delivery: null })
    expect([receiving.many.isShown, receiving.steps.undone]).toEqual([false, null])
  })

  it('no longer waits for a case that was taken off the list', async () => {
    const { fake, receiving } = await readyPackage()
    await receiving.primary()
    await fake.next('receiving.importMany').answer({ saved: [importOf(1), importOf(2)], refused: [] })
    await announceState(fake, 2, { kind: 'pending', operation: importOf(2) })
    await announceState(fake, 1, importedHere(1))
    await announce(fake, { dropped: { packageUids: [], caseIds: [caseId(2)] } })
    const { imported, total, isRunning } = receiving.many
    expect([imported, total, isRunning]).toEqual([1, 1, false])
  })

  it('shows at its case why main did not save an import', async () => {
    const { fake, receiving } = await readyPackage()
    await receiving.primary()
    const error = { code: 'receiving/already-importing' as const, caseId: caseId(2) }
    const refused = [{ caseId: caseId(2), packagedProductId: productId(2), productName: 'Product 2', error }]
    await fake.next('receiving.importMany').answer({ saved: [importOf(1, { state: 'accepted' })], refused })
    expect([receiving.many.imported, receiving.many.refused]).toEqual([1, 1])
    receiving.select(caseId(2))
    expect(receiving.form?.placed.rest?.code).toBe('receiving/already-importing')
  })

  it('ends if main can’t be reached, and counts nothing twice', async () => {
    const { fake, receiving } = await readyPackage()
    await receiving.primary()
    await fake.next('receiving.importMany').disconnect()
    expect(receiving.many.error?.code).toBe('ipc/disconnected')
    expect([receiving.many.refused, receiving.many.isRunning]).toEqual([2, false])
  })
})

describe('the POS ids of a product', () => {
  it('are asked for again when a catalog is loaded, even if main could not be reached before', async () => {
    const { fake, receiving } = createReceiving()
    fake.never('receiving.prefills')
    const added = receiving.add({ kind: 'package', packageUid: uid })
    await answerPackage(fake, uid, [caseView(1)])
    await added
    const unanswered = fake.next('receiving.prefills')
    await unanswered.disconnect()
    void receiving.forms.askAgain()
    expect(fake.next('receiving.prefills').input).toEqual(unanswered.input)
    expect(fake.asked).toEqual([])
  })
})
