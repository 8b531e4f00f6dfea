import { describe, expect, it } from 'vitest'
import { createClient } from '../../../src-shared/ipc/client'
import { Receiving } from '../../../src-renderer/receiving/receiving.svelte'
import { caseId, caseView, operation, packageView, product, productId } from './examples'
import { createFakeWire } from './fake-wire'

const uid = '1A4060300020081000006609'

function createReceiving() {
  const fake = createFakeWire()
  return { fake, receiving: new Receiving(createClient(fake.wire)) }
}

async function openPackage(cases = [caseView(1), caseView(2)]) {
  const { fake, receiving } = createReceiving()
  const opened = receiving.open({ kind: 'package', packageUid: uid })
  await fake.next('receiving.package').answer(packageView(uid, cases))
  await opened
  return { fake, receiving }
}

function fill(receiving: Receiving) {
  Object.assign(receiving.form ?? {}, { posProductId: 'P-1', posInventoryId: 'I-1' })
}

describe('a look-up', () => {
  it('shows a package with its first case, and the package in its form', async () => {
    const { receiving } = await openPackage()
    expect(receiving.rows).toHaveLength(2)
    expect(receiving.selected?.caseId).toBe(caseId(1))
    expect(receiving.form?.packageUid).toBe(uid)
  })

  it('that is slow never shows over a newer one', async () => {
    const { fake, receiving } = createReceiving()
    const slow = receiving.open({ kind: 'case', identifier: 'slow' })
    const quick = receiving.open({ kind: 'case', identifier: 'quick' })
    const first = fake.next('receiving.case')
    await fake.next('receiving.case').answer(caseView(2))
    await first.answer(caseView(1))
    await Promise.all([slow, quick])
    expect(receiving.rows.map((row) => row.caseId)).toEqual([caseId(2)])
  })

  it('that fails leaves what is on screen, and says what failed', async () => {
    const { fake, receiving } = await openPackage()
    const opened = receiving.open({ kind: 'case', identifier: 'x' })
    await fake.next('receiving.case').refuse({ code: 'service/not-found', id: 'x' })
    await opened
    expect(receiving.rows).toHaveLength(2)
    expect(receiving.failure?.error.code).toBe('service/not-found')
  })

  it('of a case in the package selects its row instead of leaving the package', async () => {
    const { fake, receiving } = await openPackage()
    const opened = receiving.open({ kind: 'case', identifier: caseId(2) })
    await fake.next('receiving.case').answer(caseView(2))
    await opened
    expect(receiving.subject?.kind).toBe('package')
    expect(receiving.selected?.caseId).toBe(caseId(2))
  })

  it('of one case after the other gathers them, the newest first', async () => {
    const { fake, receiving } = createReceiving()
    for (const number of [1, 2]) {
      const opened = receiving.open({ kind: 'case', identifier: `${number}` })
      await fake.next('receiving.case').answer(caseView(number))
      await opened
    }
    expect(receiving.rows.map((row) => row.caseId)).toEqual([caseId(2), caseId(1)])
  })
})

describe('the import form', () => {
  it('keeps what was typed while another case is looked at', async () => {
    const { receiving } = await openPackage()
    fill(receiving)
    receiving.select(caseId(2))
    expect(receiving.form?.posProductId).toBe('')
    receiving.select(caseId(1))
    expect(receiving.form?.posProductId).toBe('P-1')
  })

  it('keeps what was typed when the service refuses', async () => {
    const { fake, receiving } = await openPackage()
    fill(receiving)
    const saved = receiving.import()
    await fake.next('receiving.import').refuse({ code: 'store/not-saved' })
    expect(await saved).toBe(false)
    expect(receiving.form?.posProductId).toBe('P-1')
    expect(receiving.form?.placed.rest?.code).toBe('store/not-saved')
  })

  it('is one per packaged product when a case holds several', async () => {
    const { receiving } = await openPackage([caseView(1, { packagedProducts: [product(1), product(2)] })])
    fill(receiving)
    receiving.choose(productId(2))
    expect(receiving.form?.posProductId).toBe('')
    receiving.choose(productId(1))
    expect(receiving.form?.posProductId).toBe('P-1')
  })

  it('takes the only package a case is in, and leaves the choice when there are several', async () => {
    const { fake, receiving } = createReceiving()
    for (const packageUids of [['U1'], ['U1', 'U2']]) {
      const opened = receiving.open({ kind: 'case', identifier: 'x' })
      await fake.next('receiving.case').answer(caseView(packageUids.length, { packageUids }))
      await opened
      expect(receiving.form?.packageUid).toBe(packageUids.length === 1 ? 'U1' : '')
    }
  })

  it('asks for what is missing before main is asked for anything', async () => {
    const { fake, receiving } = await openPackage()
    expect(await receiving.import()).toBe(false)
    expect(fake.asked).toEqual([])
    expect(receiving.form?.firstWrong).toBe('posProductId')
  })
})

describe('an import', () => {
  const saved = operation({ kind: 'import', caseId: caseId(1), state: 'sending', undo: 'inverse' })

  it('shows its state in the row, and follows it when the service answers later', async () => {
    const { fake, receiving } = await openPackage()
    fill(receiving)
    const importing = receiving.import()
    await fake.next('receiving.import').answer(saved)
    expect(await importing).toBe(true)
    expect(receiving.product?.importState.kind).toBe('pending')
    receiving.operationChanged({ ...saved, state: 'accepted' })
    expect(receiving.product?.importState.kind).toBe('imported-here')
  })

  it('puts a refusal that comes later beside the field it is about', async () => {
    const { fake, receiving } = await openPackage()
    fill(receiving)
    const importing = receiving.import()
    await fake.next('receiving.import').answer(saved)
    await importing
    const reason = { code: 'service/invalid-fields' as const, fields: { pos_product_id: ['Unknown.'] } }
    receiving.operationChanged({ ...saved, state: 'rejected', reason })
    expect(receiving.product?.importState.kind).toBe('refused')
    expect(receiving.form?.placed.fields.posProductId?.values).toEqual({ words: 'Unknown.' })
  })

  it('that was refused is replaced by the corrected one', async () => {
    const refused = operation({
      kind: 'import',
      caseId: caseId(1),
      state: 'rejected',
      reason: { code: 'service/busy' },
    })
    const { fake, receiving } = await openPackage([
      caseView(1, { packagedProducts: [product(1, { kind: 'refused', operation: refused })] }),
    ])
    fill(receiving)
    const importing = receiving.import()
    await fake.next('receiving.import').answer(saved)
    expect(await importing).toBe(true)
  })

  it('is not made twice of a case that is imported', async () => {
    const imported = { kind: 'imported-here' as const, at: null, packageUid: uid, operation: null }
    const { fake, receiving } = await openPackage([caseView(1, { packagedProducts: [product(1, imported)] })])
    fill(receiving)
    expect(await receiving.import()).toBe(false)
    expect(fake.asked).toEqual([])
  })

  it('that is undone unsent makes the case ready to import again', async () => {
    const pending = operation({ kind: 'import', caseId: caseId(1), state: 'queued', undo: 'withdraw' })
    const view = caseView(1, { packagedProducts: [product(1, { kind: 'pending', operation: pending })] })
    const { fake, receiving } = await openPackage([view])
    const { selected, product: shown } = receiving
    if (!selected || !shown) throw new Error('nothing is selected')
    const undone = receiving.undo(selected, shown)
    await fake.next('receiving.undo').answer({ ...pending, state: 'cancelled' })
    await undone
    expect(receiving.product?.importState.kind).toBe('to-import')
  })
})
