import { describe, expect, it } from 'vitest'
import { Importing } from '../../../../src-main/receiving/import/importing'
import { caseFactsOf } from '../../../fakes/case-facts'
import { eventsOf } from '../../../fakes/events'
import { caseOf, packageUid, thing } from '../../../fakes/ids'
import { receivingContext } from '../../../fakes/receiving-context'
import { accepted, importing, rejected, useDesk } from '../outbox/desk'

const pos = { posProductId: 'P', posInventoryId: 'I' }
const form = { caseId: caseOf(1), packagedProductId: thing(1), packageUid: packageUid(1), ...pos }

describe('an import that is entered twice', () => {
  const desk = useDesk()
  const open = () => {
    const context = receivingContext({ ...desk, events: eventsOf(desk.db), serviceClock: desk.clock.serviceClock })
    const { seen } = context
    const made = new Importing(context, { remember: () => undefined })
    return {
      seen,
      import: () => made.import(form),
      importBlind: (scanned: string) => made.importBlind({ scanned, packageUid: packageUid(1), ...pos }),
    }
  }
  const settleNext = (outcome: typeof accepted) => {
    const claimed = desk.outbox.claim()
    if (!claimed) throw new Error('there is nothing to send')
    desk.outbox.settle(claimed.seq, outcome)
  }

  it('corrects the last refused one, whether it was scanned by case or by label', async () => {
    const shop = open()
    shop.seen.keepCase(caseFactsOf(1), desk.clock.now())
    desk.put(importing(1))
    settleNext(rejected)
    const newest = desk.put({
      kind: 'blind-import',
      scanned: 'CASE-1',
      caseId: null,
      packageUid: packageUid(1),
      ...pos,
    })
    settleNext(rejected)
    expect(await shop.import()).toMatchObject({ ok: true, value: { id: newest.id } })
  })

  it('is refused while the first one stands, and accepted once the case was seen without it', async () => {
    const shop = open()
    shop.seen.keepCase(caseFactsOf(1), desk.clock.now())
    desk.clock.advance(1_000)
    desk.put(importing(1))
    settleNext(accepted)
    // A reading from before the acceptance, or from the same millisecond, doesn't prove that the import is gone.
    shop.seen.keepCase(caseFactsOf(1), desk.clock.now())
    expect(await shop.import()).toMatchObject({ ok: false, error: { code: 'receiving/already-importing' } })
    desk.clock.advance(1)
    shop.seen.keepCase(caseFactsOf(1), desk.clock.now())
    expect(await shop.import()).toMatchObject({ ok: true, value: { state: 'queued' } })
  })

  it('keeps the product name shown in the form, even if a later reading finds the case empty', async () => {
    const shop = open()
    shop.seen.keepCase(caseFactsOf(1), desk.clock.now())
    desk.clock.advance(1)
    shop.seen.keepCase(caseFactsOf(1, { products: [] }), desk.clock.now())
    expect(await shop.import()).toMatchObject({ ok: true, value: { productName: 'Product 1', itemCount: 0 } })
  })

  it('keeps the name of the operation it corrects, also after a restart', async () => {
    const before = open()
    before.seen.keepCase(caseFactsOf(1), desk.clock.now())
    const first = await before.import()
    settleNext(rejected)
    desk.clock.advance(1)
    before.seen.keepCase(caseFactsOf(1, { products: [] }), desk.clock.now())
    expect(await open().import()).toMatchObject({
      ok: true,
      value: { id: first.ok ? first.value.id : '', productName: 'Product 1' },
    })
  })

  it('keeps the case found for a label when the label is scanned and entered again', async () => {
    const shop = open()
    const saved = await shop.importBlind(caseFactsOf(1).identifier)
    const claimed = desk.outbox.claim()
    if (!saved.ok || claimed?.payload?.kind !== 'blind-import') throw new Error('there is no blind import')
    // Found by the sender's look-up: the case is empty now.
    const facts = caseFactsOf(1, { products: [] })
    shop.seen.keepCase(facts, desk.clock.now())
    desk.outbox.identify(claimed.seq, { payload: { ...claimed.payload, caseId: facts.caseId }, tagIds: [] })
    desk.outbox.settle(claimed.seq, {
      kind: 'rejected',
      reason: { code: 'receiving/empty-case', caseId: facts.caseId },
    })
    const { id } = saved.value
    const again = await shop.importBlind(facts.identifier)
    expect(again).toMatchObject({
      ok: true,
      value: { id, kind: 'blind-import', state: 'queued', caseId: facts.caseId },
    })
  })
})
