import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dayOf } from '../../../src-main/day/history'
import type { OperationId } from '../../../src-shared/ids'
import { type Station, startStation } from './station'
import { pos, stepsOf } from './steps'

const reason = 'Wrong case'
const approval = { reason }

describe('a change of the regulator’s view outside a sale', () => {
  let station: Station
  const { caseToImport } = stepsOf(() => station)
  beforeEach(async () => {
    station = await startStation()
    await station.online()
  })
  afterEach(() => station.close())

  const imported = async () => {
    const { form } = await caseToImport()
    const operation = await station.ask('receiving.import', form)
    return { form, operation }
  }
  const journalOf = async (operationId: OperationId) =>
    (await station.ask('outbox.journal', { operationId })).map(({ what, because }) => ({ what, because }))

  const permittedToday = async () => {
    const { permitted } = await station.ask('checkout.day', { day: dayOf(Date.now()) })
    return permitted
  }

  it('is refused without an approval, and nothing is saved', async () => {
    const { form, operation } = await imported()
    const before = await station.ask('outbox.list', { show: 'recent' })
    const collectionId = form.caseId
    const tagId = 'Cs8EamxhuTPLSy7PLJKpmp'
    const answers = [
      await station.refused('receiving.undo', { operationId: operation.id }),
      await station.refused('checkout.void', { orderId: '10482' }),
      await station.refused('collection.remove', { collectionId }),
      await station.refused('collection.restore', { collectionId }),
      await station.refused('collection.removeItem', { collectionId, tagId }),
      await station.refused('collection.restoreItem', { collectionId, tagId }),
      await station.refused('collection.addItems', { caseId: form.caseId, tagIds: [tagId] }),
    ]
    expect(answers.map((one) => (one.code === 'gate/not-asked' ? `${one.gate} ${one.wants}` : one.code))).toEqual([
      'un-import reason',
      'void reason',
      'remove-collection reason',
      'restore-collection ask',
      'take-out reason',
      'put-back ask',
      'add-items ask',
    ])
    expect(await station.refused('receiving.undo', { operationId: operation.id, approval: {} })).toEqual({
      code: 'gate/reason-missing',
    })
    expect(await station.ask('outbox.list', { show: 'recent' })).toEqual(before)
  })

  it('has its reason in the journal, and the closing report names it with the time', async () => {
    const { operation } = await imported()
    const removal = await station.ask('receiving.undo', { operationId: operation.id, approval })
    expect(removal).toMatchObject({ kind: 'import-removal', state: 'accepted' })
    expect(await journalOf(removal.id)).toContainEqual({ what: 'permitted', because: reason })
    expect(JSON.stringify(await journalOf(operation.id))).not.toContain(reason)
    const { id } = await station.ask('checkout.void', { orderId: '10482', approval })
    const permitted = await permittedToday()
    const now = new Date()
    expect(permitted.map((one) => [one.operation.id, one.reason])).toEqual([
      [removal.id, reason],
      [id, reason],
    ])
    for (const { at } of permitted) expect(Math.abs(Date.parse(at) - now.getTime())).toBeLessThan(60_000)
  })

  it('is withdrawn without an approval while nothing of it was sent, and then not in the closing report', async () => {
    const { operation } = await imported()
    await station.knobs.setFaults({ offline: true })
    const removal = await station.ask('receiving.undo', { operationId: operation.id, approval })
    expect(await permittedToday()).toMatchObject([{ reason, operation: { id: removal.id } }])
    expect(removal).toMatchObject({ kind: 'import-removal', undo: 'withdraw' })
    expect(await station.ask('outbox.withdraw', { operationId: removal.id })).toMatchObject({ state: 'cancelled' })
    expect(await permittedToday()).toEqual([])
  })

  it('is asked about when a case with a failed or expired certificate is imported, and printed with the delivery', async () => {
    for (const packageUid of await station.codes('package')) {
      await station.ask('receiving.addPackage', { packageUid })
    }
    const { form, name } = await badCase()
    expect(await station.refused('receiving.import', form)).toMatchObject({
      code: 'gate/not-asked',
      gate: 'import-against-certificate',
      count: 1,
      name,
      certificate: expect.objectContaining({}) as unknown,
    })
    const operation = await station.ask('receiving.import', { ...form, approval })
    expect(await journalOf(operation.id)).toContainEqual({ what: 'permitted', because: reason })
    const delivery = await station.ask('receiving.delivery', undefined)
    const report = await station.ask('receiving.report', { deliveryId: delivery?.id ?? '' })
    expect(report.permitted).toMatchObject([{ reason, operation: { id: operation.id } }])
  })

  it('asks before a blind import of a case whose bad certificate is remembered', async () => {
    for (const packageUid of await station.codes('package')) {
      await station.ask('receiving.addPackage', { packageUid })
    }
    const { form } = await badCase()
    const { caseId: scanned, packagedProductId: _, ...ids } = form
    const blind = { scanned, ...ids }
    expect(await station.refused('receiving.importBlind', blind)).toMatchObject({
      code: 'gate/not-asked',
      gate: 'import-against-certificate',
    })
    const saved = await station.ask('receiving.importBlind', { ...blind, approval })
    await station.drained()
    expect((await station.ask('outbox.journal', { operationId: saved.id })).at(-1)?.to).toBe('accepted')
  })

  it('goes to a person when an unread case turns out to be such a one, and is sent once permitted', async () => {
    const other = await startStation()
    for (const packageUid of await other.codes('package')) await other.ask('receiving.addPackage', { packageUid })
    const { form } = await badCase(other)
    await other.close()
    const { caseId: scanned, packagedProductId: _, ...ids } = form
    const { id } = await station.ask('receiving.importBlind', { scanned, ...ids })
    await expect
      .poll(async () => (await station.ask('outbox.list', { show: 'attention' })).operations)
      .toMatchObject([{ id, kind: 'blind-import', reason: { code: 'receiving/bad-certificate' } }])
    expect(await station.knobs.imports()).not.toContainEqual(expect.objectContaining({ caseId: scanned }))
    const question = { code: 'gate/not-asked', gate: 'import-against-certificate', count: 1 }
    expect(await station.refused('outbox.retry', { operationId: id })).toMatchObject(question)
    expect(await station.refused('outbox.retryMany', { operationIds: [id] })).toMatchObject(question)
    await station.ask('outbox.retry', { operationId: id, approval })
    expect(await journalOf(id)).toContainEqual({ what: 'permitted', because: reason })
    await station.drained()
    expect(await station.knobs.imports()).toContainEqual(expect.objectContaining({ caseId: scanned }))
  })

  /** A case of the delivery whose certificate speaks against it. */
  async function badCase(at = station) {
    for (let look = 0; look < 1_200; look++) {
      const view = await at.ask('receiving.delivery', undefined)
      for (const { caseId, case: found, packageUid } of view?.cases ?? []) {
        const product = found?.packagedProducts.find((one) => one.heldBack === 'coa' && one.canImport)
        if (!product) continue
        const uid = packageUid ?? found?.packageUids[0] ?? ''
        const form = { caseId, packagedProductId: product.packagedProductId, packageUid: uid, ...pos }
        return { form, name: product.productName }
      }
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error('no case with a bad certificate')
  }
})
