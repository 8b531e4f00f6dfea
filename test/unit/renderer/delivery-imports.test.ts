import { describe, expect, it } from 'vitest'
import { caseId, caseView, product, productId } from './examples'
import { answerPackage, createReceiving, fill, importOf, readyPackage, receivingPackage, uid } from './deliveries'
import { turn } from './fake-wire'

describe('the primary action', () => {
  it('leaves out a case with a failed or expired certificate until somebody ticks it', async () => {
    const failed = { verdict: 'failed' as const, expiresOn: null, isExpired: false }
    const expired = { verdict: 'passed' as const, expiresOn: '2020-01-01', isExpired: true }
    const none = { verdict: 'none' as const, expiresOn: null, isExpired: true }
    const { fake, receiving } = await receivingPackage(
      [failed, expired, none].map((coa, index) => caseView(index + 1, { packagedProducts: [{ ...product(1), coa }] })),
    )
    fill(receiving)
    expect(receiving.plan.leftOut.map((row) => row.caseId)).toEqual([caseId(1), caseId(2)])
    expect(receiving.plan.ready.map((row) => row.caseId)).toEqual([caseId(3)])
    void receiving.primary()
    expect(fake.next('receiving.import').input).toMatchObject({ caseId: caseId(3) })
    receiving.selection.tick(caseId(2))
    expect(receiving.plan.ready.map((row) => row.caseId)).toEqual([caseId(2)])
    expect(receiving.plan.leftOut).toEqual([])
  })

  it('says that it is saving while one or many are saved, and takes no ticks off', async () => {
    const { fake, receiving } = await readyPackage()
    await receiving.primary()
    receiving.selection.tick(caseId(1))
    receiving.selection.tick(caseId(2))
    expect(await receiving.primary()).toMatchObject({ kind: 'told', outcome: { what: { key: 'receiving.saving' } } })
    expect([...receiving.selection.ticked]).toEqual([caseId(1), caseId(2)])
    await fake.next('receiving.importMany').answer({ saved: [], refused: [] })
    receiving.selection.tick(caseId(1))
    void receiving.primary()
    expect(await receiving.primary()).toMatchObject({ kind: 'told' })
    expect([receiving.panes.dialog, fake.asked.length]).toEqual([null, 1])
  })

  it('imports all that are ready, and none whose ids are missing', async () => {
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

  it('imports only the ticked ones where some are ticked, one alone with its answer', async () => {
    const { fake, receiving } = await readyPackage()
    receiving.selection.tick(caseId(2))
    const asked = receiving.primary()
    await turn()
    const call = fake.next('receiving.import')
    expect(call.input).toMatchObject({ caseId: caseId(2) })
    await call.answer(importOf(2, { state: 'accepted' }))
    expect(await asked).toMatchObject({ kind: 'saved' })
    expect(receiving.selection.ticked.size).toBe(0)
  })

  it('leads to the first case of which something is missing when none is ready', async () => {
    const { fake, receiving } = await receivingPackage()
    receiving.select(caseId(2))
    expect(await receiving.primary()).toEqual({ kind: 'incomplete', count: 2 })
    expect(receiving.selected?.caseId).toBe(caseId(1))
    expect(receiving.form?.wrongOf('posProductId')?.key).toBe('receiving.field.missing')
    expect(fake.asked).toEqual([])
  })

  it('leaves out what is imported by whomever, and what was refused unless it is ticked', async () => {
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
    receiving.selection.tick(caseId(1))
    receiving.selection.tick(caseId(3))
    expect(receiving.plan.ready.map((row) => row.caseId)).toEqual([caseId(3)])
    expect(receiving.plan.skipped.map((row) => row.caseId)).toEqual([caseId(1)])
  })

  it('asks whether to finish when nothing is left', async () => {
    const elsewhere = { kind: 'imported-elsewhere' as const, at: null }
    const { receiving } = await receivingPackage([caseView(1, { packagedProducts: [product(1, elsewhere)] })])
    expect(await receiving.primary()).toEqual({ kind: 'finishing' })
    expect(receiving.panes.dialog).toBe('finish')
  })

  it('does nothing where there is no delivery', async () => {
    const { receiving } = createReceiving()
    expect(await receiving.primary()).toEqual({ kind: 'nothing' })
  })
})

describe('an import of many', () => {
  it('counts what becomes of each, also what came before its answer, and keeps the result', async () => {
    const { fake, receiving } = await readyPackage()
    const { many } = receiving
    await receiving.primary()
    await fake.emit('outbox.changed', importOf(1, { state: 'accepted' }))
    expect(many.isRunning).toBe(true)
    await fake.next('receiving.importMany').answer({ saved: [importOf(1), importOf(2)], refused: [] })
    expect([many.settled, many.total, many.isRunning]).toEqual([1, 2, true])
    await fake.emit('outbox.changed', importOf(2, { state: 'rejected', reason: { code: 'service/busy' } }))
    expect([many.imported, many.refused, many.isRunning]).toEqual([1, 1, false])
    receiving.importing.toRefused()
    expect(receiving.selected?.caseId).toBe(caseId(2))
    many.clear()
    expect(many.isShown).toBe(false)
  })

  it('says of what main did not save why, at its case', async () => {
    const { fake, receiving } = await readyPackage()
    await receiving.primary()
    const error = { code: 'receiving/already-importing' as const, caseId: caseId(2) }
    const refused = [{ caseId: caseId(2), packagedProductId: productId(2), productName: 'Product 2', error }]
    await fake.next('receiving.importMany').answer({ saved: [importOf(1, { state: 'accepted' })], refused })
    expect([receiving.many.imported, receiving.many.refused]).toEqual([1, 1])
    receiving.select(caseId(2))
    expect(receiving.form?.placed.rest?.code).toBe('receiving/already-importing')
  })

  it('ends when the core can’t be asked, and counts nothing twice', async () => {
    const { fake, receiving } = await readyPackage()
    await receiving.primary()
    await fake.next('receiving.importMany').disconnect()
    expect(receiving.many.error?.code).toBe('ipc/disconnected')
    expect([receiving.many.refused, receiving.many.isRunning]).toEqual([2, false])
  })
})

describe('what the POS calls a product', () => {
  it('is asked for when a catalogue was loaded, also where nobody could be asked before', async () => {
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
