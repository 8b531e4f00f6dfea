import { describe, expect, it } from 'vitest'
import {
  caseAdded,
  caseId,
  caseView,
  deliveryCase,
  deliveryHead,
  operation,
  packageAdded,
  packageView,
  product,
  productId,
} from './examples'
import {
  announce,
  announceState,
  answerCase,
  answerPackage,
  createReceiving,
  fill,
  receivingCases,
  receivingPackage,
  uid,
} from './deliveries'

describe('a scan', () => {
  it('adds a package with its cases, selects the first of them, and puts the package into its form', async () => {
    const { receiving } = await receivingPackage()
    expect(receiving.delivery.packages.map(({ packageUid }) => packageUid)).toEqual([uid])
    expect(receiving.delivery.rows).toHaveLength(2)
    expect(receiving.selected?.caseId).toBe(caseId(1))
    expect(receiving.form?.packageUid).toBe(uid)
  })

  it('adds a package even if its look-up is slow, and never takes the selection from a newer scan', async () => {
    const { fake, receiving } = createReceiving()
    const slow = receiving.add({ kind: 'package', packageUid: uid })
    const quick = receiving.add({ kind: 'case', identifier: 'quick' })
    const first = fake.next('receiving.addPackage')
    await answerCase(fake, caseView(2))
    await announce(fake, { packages: [packageView(uid)], cases: [deliveryCase(caseView(1), uid)] })
    await first.answer(packageAdded(uid, [caseView(1)]))
    await Promise.all([slow, quick])
    expect(receiving.delivery.rows.map((row) => row.caseId)).toEqual([caseId(2), caseId(1)])
    expect(receiving.selected?.caseId).toBe(caseId(2))
    expect(receiving.scanned.loading).toBeNull()
  })

  it('leaves the history open that a person opened before its answer', async () => {
    const { fake, receiving } = createReceiving()
    receiving.panes.isHistoryOpen = true
    const added = receiving.add({ kind: 'package', packageUid: uid })
    expect(receiving.panes.isHistoryOpen).toBe(false)
    receiving.panes.isHistoryOpen = true
    await answerPackage(fake, uid, [caseView(1)])
    await added
    expect(receiving.panes.isHistoryOpen).toBe(true)
  })

  it('does not show a late failure over a newer scan', async () => {
    const { fake, receiving } = createReceiving()
    const slow = receiving.add({ kind: 'case', identifier: 'slow' })
    const quick = receiving.add({ kind: 'case', identifier: 'quick' })
    const first = fake.next('receiving.addCase')
    await answerCase(fake, caseView(2))
    await first.refuse({ code: 'service/not-found', id: 'slow' })
    await Promise.all([slow, quick])
    expect(receiving.scanned.failure).toBeNull()
  })

  it('leaves the screen as it is when it fails, and shows the error', async () => {
    const { fake, receiving } = await receivingPackage()
    const added = receiving.add({ kind: 'case', identifier: 'x' })
    await fake.next('receiving.addCase').refuse({ code: 'service/not-found', id: 'x' })
    await added
    expect(receiving.delivery.rows).toHaveLength(2)
    expect(receiving.scanned.failure?.error.code).toBe('service/not-found')
    expect(receiving.blind.current).toBeNull()
  })

  it('is not repeated on the screen if the scan strip says it', async () => {
    const { fake, receiving } = await receivingPackage()
    const added = receiving.add({ kind: 'case', identifier: 'x' }, true)
    await fake.next('receiving.addCase').refuse({ code: 'service/not-found', id: 'x' })
    expect((await added).ok).toBe(false)
    expect(receiving.scanned.failure).toBeNull()
  })

  it('selects the row of a case that is already listed, and adds none', async () => {
    const { fake, receiving } = await receivingPackage()
    const added = receiving.add({ kind: 'case', identifier: caseId(2) })
    const listed = caseView(2, { packageUids: [uid] })
    await announce(fake, { cases: [deliveryCase(listed, uid)] })
    await fake.next('receiving.addCase').answer({ ...caseAdded(listed), isNew: false })
    await added
    expect(receiving.delivery.rows).toHaveLength(2)
    expect(receiving.selected?.caseId).toBe(caseId(2))
  })

  it("adds a package even if the service can't be asked about it", async () => {
    const { fake, receiving } = createReceiving()
    const added = receiving.add({ kind: 'package', packageUid: uid })
    const unseen = { ...packageView(uid), knowledge: null, error: { code: 'service/unreachable' as const } }
    await announce(fake, { packages: [unseen] })
    await fake.next('receiving.addPackage').answer(packageAdded(uid, []))
    await added
    expect(receiving.items.map(({ kind }) => kind)).toEqual(['package'])
  })
})

describe('the import form', () => {
  it('is shared only by cases of the same product in the same package', async () => {
    const same = product(1)
    const { receiving } = await receivingPackage([
      caseView(1, { packagedProducts: [same] }),
      caseView(2, { packagedProducts: [same] }),
      caseView(3),
    ])
    fill(receiving)
    expect(receiving.form && receiving.forms.sharers(receiving.form)).toBe(2)
    receiving.select(caseId(2))
    expect(receiving.form?.ids.posProductId).toBe('P-1')
    receiving.select(caseId(3))
    expect(receiving.form?.ids.posProductId).toBe('')
  })

  it('keeps what was typed while another case is selected', async () => {
    const { receiving } = await receivingPackage()
    fill(receiving)
    receiving.select(caseId(2))
    receiving.select(caseId(1))
    expect(receiving.form?.ids.posProductId).toBe('P-1')
  })

  it('keeps what was typed when it can’t be saved, and says why', async () => {
    const { fake, receiving } = await receivingPackage()
    fill(receiving)
    const saved = receiving.importThis()
    await fake.next('receiving.import').refuse({ code: 'store/not-saved' })
    expect(await saved).toBe(false)
    expect(receiving.form?.ids.posProductId).toBe('P-1')
    expect(receiving.form?.placed.rest?.code).toBe('store/not-saved')
  })

  it('keeps what was typed when the package is corrected', async () => {
    const { receiving } = await receivingPackage()
    fill(receiving)
    const { form, product: shown } = receiving
    if (!form || !shown) throw new Error('nothing is selected')
    await receiving.forms.usePackage(form, shown, 'U2')
    expect([form.packageUid, form.ids.posProductId]).toEqual(['U2', 'P-1'])
    // An inventory id belongs to one package.
    expect([form.ids.posInventoryId, form.isComplete]).toEqual(['', false])
  })

  it('exists once per packaged product if a case holds several', async () => {
    const { receiving } = await receivingPackage([caseView(1, { packagedProducts: [product(1), product(2)] })])
    fill(receiving)
    receiving.choose(productId(2))
    expect(receiving.form?.ids.posProductId).toBe('')
    receiving.choose(productId(1))
    expect(receiving.form?.ids.posProductId).toBe('P-1')
  })

  it('uses the only package of a case, and leaves the choice open if there are several', async () => {
    const { receiving } = await receivingCases(
      caseView(1, { packageUids: ['U1'] }),
      caseView(2, { packageUids: ['U1', 'U2'] }),
    )
    expect(receiving.form?.packageUid).toBe('')
    receiving.select(caseId(1))
    expect(receiving.form?.packageUid).toBe('U1')
  })

  it('follows the case into another package unless a person typed one', async () => {
    const { fake, receiving } = await receivingCases(caseView(1, { packageUids: ['U1'] }))
    fill(receiving)
    const moved = deliveryCase(caseView(1, { packageUids: ['U2'] }), 'U1')
    await announce(fake, { cases: [moved] })
    expect([receiving.form?.packageUid, receiving.form?.ids.posProductId]).toEqual(['U2', ''])
    const { form, product: shown } = receiving
    if (!form || !shown) throw new Error('nothing is selected')
    await receiving.forms.usePackage(form, shown, 'mine')
    await announce(fake, { cases: [deliveryCase(caseView(1, { packageUids: ['U3'] }))] })
    expect(receiving.form?.packageUid).toBe('mine')
    expect(fake.asked).toEqual([])
  })

  it.each([
    { why: 'are in several packages', packageUids: [uid, 'U2'], choices: [uid, 'U2'] },
    { why: 'are not in the scanned package', packageUids: ['U2'], choices: [uid, 'U2'] },
  ])('leaves the package open and imports nothing if the items $why', async ({ packageUids, choices }) => {
    const { fake, receiving } = await receivingPackage([caseView(1, { packageUids })])
    fill(receiving)
    const { form, product: shown, selected } = receiving
    if (!form || !shown || !selected) throw new Error('nothing is selected')
    expect([form.packageUid, receiving.forms.packagesOf(selected)]).toEqual(['', choices])
    expect([receiving.plan.ready, receiving.plan.lacksPackage]).toEqual([[], true])
    expect(await receiving.primary()).toMatchObject({ kind: 'incomplete', left: null })
    expect(fake.asked).toEqual([])
    await receiving.forms.usePackage(form, shown, 'U2')
    expect([form.packageUid, form.ids.posProductId]).toEqual(['U2', 'P-1'])
  })

  it('shares nothing between cases without a chosen package', async () => {
    const same = product(1)
    const { receiving } = await receivingPackage(
      [1, 2].map((number) => caseView(number, { packagedProducts: [same], packageUids: [uid, 'U2'] })),
    )
    fill(receiving)
    receiving.select(caseId(2))
    expect(receiving.form?.ids.posInventoryId).toBe('')
  })

  it('is forgotten with its delivery and its row', async () => {
    const { fake, receiving } = await receivingPackage([caseView(1)])
    const { form, product: shown } = receiving
    if (!form || !shown) throw new Error('nothing is selected')
    fill(receiving)
    await receiving.forms.usePackage(form, shown, 'mine')
    const finishing = receiving.steps.finish({ receivedBy: null, shippedBy: null, driver: null, manifestNumber: null })
    await announce(fake, { delivery: null })
    await fake.next('receiving.finishDelivery').answer(null)
    await finishing
    const added = receiving.add({ kind: 'package', packageUid: 'U2' })
    await answerPackage(fake, 'U2', [caseView(1)])
    await added
    expect([receiving.form?.packageUid, receiving.form?.ids.posProductId]).toEqual(['U2', ''])
  })

  it('asks for missing ids before it calls main', async () => {
    const { fake, receiving } = await receivingPackage()
    expect(await receiving.importThis()).toBe(false)
    expect(fake.asked).toEqual([])
    expect(receiving.form?.wrongOf('posProductId')?.key).toBe('receiving.field.missing')
  })
})

describe('an import', () => {
  const saved = operation({ kind: 'import', caseId: caseId(1), state: 'sending', undo: 'inverse' })
  const imported = { kind: 'imported-here' as const, at: null, packageUid: uid, operation: null }

  async function importing() {
    const { fake, receiving } = await receivingPackage()
    fill(receiving)
    const asked = receiving.importThis()
    await announceState(fake, 1, { kind: 'pending', operation: saved })
    await fake.next('receiving.import').answer(saved)
    expect(await asked).toBe(true)
    // It went on to the next case; the person looks at this one again.
    expect(receiving.selected?.caseId).toBe(caseId(2))
    receiving.select(caseId(1))
    return { fake, receiving }
  }

  it('shows the state that main announces, in its row and its panel', async () => {
    const { fake, receiving } = await importing()
    expect(receiving.product?.importState.kind).toBe('pending')
    await announceState(fake, 1, imported)
    expect(receiving.product?.importState.kind).toBe('imported-here')
    expect(receiving.selected?.importState.kind).toBe('imported-here')
  })

  it('shows a late refusal beside its field, each refusal once', async () => {
    const { fake, receiving } = await importing()
    const reason = { code: 'service/invalid-fields' as const, fields: { pos_product_id: ['Unknown.'] } }
    const refused = { kind: 'refused' as const, operation: { ...saved, state: 'rejected' as const, reason } }
    const placed = () => receiving.form?.placed.fields.posProductId?.values
    await announceState(fake, 1, refused)
    expect(receiving.product?.importState.kind).toBe('refused')
    expect(placed()).toEqual({ words: 'Unknown.' })
    receiving.form?.corrected('posProductId')
    await announceState(fake, 1, refused)
    expect(placed()).toBeUndefined()
    // Corrected and refused again before the screen received any event in between.
    await announceState(fake, 1, { ...refused, operation: { ...refused.operation, attempts: 2 } })
    expect(placed()).toEqual({ words: 'Unknown.' })
  })

  it('puts a refusal that came while the page was away beside its field', async () => {
    const { fake, receiving } = await importing()
    const reason = { code: 'service/invalid-fields' as const, fields: { pos_product_id: ['Unknown.'] } }
    const refused = { kind: 'refused' as const, operation: { ...saved, state: 'rejected' as const, reason } }
    const loading = receiving.load()
    const view = caseView(1, { packagedProducts: [product(1, refused)] })
    const cases = [deliveryCase(view, uid)]
    const packages = [packageView(uid)]
    await fake
      .next('receiving.delivery')
      .answer({ ...deliveryHead, packages, cases, blind: [], undoable: 0, revision: 0 })
    await loading
    expect(receiving.form?.placed.fields.posProductId?.values).toEqual({ words: 'Unknown.' })
  })

  it('can be repeated after a refusal', async () => {
    const reason = { code: 'service/busy' as const }
    const refused = operation({ kind: 'import', caseId: caseId(1), state: 'rejected', reason })
    const { fake, receiving } = await receivingPackage([
      caseView(1, { packagedProducts: [product(1, { kind: 'refused', operation: refused })] }),
    ])
    fill(receiving)
    const asked = receiving.importThis()
    await fake.next('receiving.import').answer(saved)
    expect(await asked).toBe(true)
  })

  it('is not repeated for an imported case', async () => {
    const { fake, receiving } = await receivingPackage([caseView(1, { packagedProducts: [product(1, imported)] })])
    fill(receiving)
    expect(await receiving.importThis()).toBe(false)
    expect(fake.asked).toEqual([])
  })

  it('shows in its row why it can’t be undone', async () => {
    const pending = operation({ kind: 'import', caseId: caseId(1), state: 'queued', undo: 'withdraw' })
    const { fake, receiving } = await receivingPackage()
    const undone = receiving.steps.undo(caseId(1), pending)
    const asked = fake.next('receiving.undo')
    expect(asked.input).toEqual({ operationId: pending.id })
    await asked.refuse({ code: 'store/not-saved' })
    await undone
    expect(receiving.steps.undoError).toEqual({ id: caseId(1), error: { code: 'store/not-saved' } })
  })
})
