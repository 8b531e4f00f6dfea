import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { GateQuestion } from '../../../src-shared/gates'
import { OrderId } from '../../../src-shared/ids'
import { createClient } from '../../../src-shared/ipc/client'
import { say } from '../../../src-renderer/text/text.svelte'
import { Gate, gating } from '../../../src-renderer/ui/gate.svelte'
import { operation } from './examples'
import { createFakeWire } from './fake-wire'

const orderId = OrderId.parse('7')
const refusal = { code: 'gate/not-asked', gate: 'void', count: 2, name: '7', wants: 'pin' } as const

/** A store with a lead, and with the manager's PIN or without. */
const lead = (isStorePin = false) => ({
  canApprove: () => true,
  hasStorePin: () => isStorePin,
  signedIn: () => 'Ana',
})

function start(approvers?: ReturnType<typeof lead>) {
  const fake = createFakeWire()
  const plain = createClient(fake.wire)
  const gate = new Gate(plain, approvers)
  return { fake, gate, client: gating(plain, gate) }
}

/** A void that main asks about. */
async function asked(
  by: Omit<typeof refusal, 'gate'> & Pick<GateQuestion, 'gate' | 'certificate'> = refusal,
  approvers?: ReturnType<typeof lead>,
) {
  const all = start(approvers)
  const answer = all.client.call('checkout.void', { orderId })
  void all.fake.next('checkout.void').refuse(by)
  await vi.waitUntil(() => all.gate.asked !== null, { interval: 1 })
  return { ...all, answer }
}

describe('the question before a regulated change', () => {
  it('reports nothing without the reason and the PIN, and the change with them', async () => {
    const { fake, gate, answer } = await asked()
    expect(gate.asked).toMatchObject({ title: { key: 'gate.void.title' }, wants: 'pin', isDangerous: true })
    await gate.submit()
    expect([gate.isReasonMissing, gate.isPinMissing, fake.asked]).toEqual([true, true, []])
    gate.reason = ' wrong customer '
    gate.pin = '2468'
    void gate.submit()
    const call = fake.next('checkout.void')
    expect(call.input).toMatchObject({ orderId, approval: { reason: 'wrong customer', pin: '2468' } })
    await call.answer(operation({ kind: 'void', orderId }))
    expect(await answer).toMatchObject({ ok: true, value: { kind: 'void' } })
    expect([gate.asked, gate.reason, gate.pin]).toEqual([null, '', ''])
  })

  it('asks again if what it asked about has changed since, and permits only what is shown', async () => {
    const { fake, gate, answer } = await asked()
    const approval = async () => {
      gate.reason = 'wrong customer'
      gate.pin = '2468'
      void gate.submit()
      await Promise.resolve()
      return fake.next('checkout.void')
    }
    expect(gate.asked?.hasChanged).toBe(false)
    const first = await approval()
    expect(first.input).toMatchObject({ approval: { asked: { gate: 'void', count: 2, name: '7' } } })
    await first.refuse({ ...refusal, count: 1 })
    await vi.waitUntil(() => gate.asked !== null && gate.asked.hasChanged === true, { interval: 1 })
    const second = await approval()
    expect(second.input).toMatchObject({ approval: { asked: { count: 1 } } })
    await second.answer(operation({ kind: 'void', orderId }))
    expect(await answer).toMatchObject({ ok: true })
  })

  it('asks for a name where something is signed, which destroys nothing, and for a reason elsewhere', async () => {
    expect((await asked({ ...refusal, gate: 'sign-count' })).gate.asked).toMatchObject({
      asksName: true,
      isDangerous: false,
    })
    expect((await asked()).gate.asked?.asksName).toBe(false)
  })

  it.each([
    [{ expiredOn: '2026-02-01' }, 'Certificate expired Feb 1, 2026. Import anyway?'],
    [{ expiredOn: null }, 'Certificate: test failed. Import anyway?'],
    [{ expiredOn: 'soon' }, 'Certificate expired. Import anyway?'],
    [undefined, '2 certificates failed or have expired. Import anyway?'],
  ])('says what is wrong with the certificate: %j', async (certificate, title) => {
    const { gate } = await asked({
      ...refusal,
      gate: 'import-against-certificate',
      ...(certificate && { certificate }),
    })
    expect(gate.asked && say(gate.asked.title)).toBe(title)
  })

  it('stays open after a wrong PIN and keeps the reason', async () => {
    const { fake, gate } = await asked()
    gate.reason = 'wrong customer'
    gate.pin = '1'
    void gate.submit()
    await fake.next('checkout.void').refuse({ code: 'security/wrong-pin', waitMs: 0 })
    expect([gate.asked !== null, gate.error?.code, gate.reason, gate.pin]).toEqual([
      true,
      'security/wrong-pin',
      'wrong customer',
      '',
    ])
  })

  it('takes the badge of a lead once the reason is there, for one use', async () => {
    const { fake, gate, answer } = await asked(refusal, lead())
    const proof = '5f0c9e0a-4a7b-4c3e-9d55-1b1a7f6a2c11'
    gate.show(proof, 'Lee')
    expect([gate.isReasonMissing, gate.isPinMissing, gate.shown?.name, fake.asked]).toEqual([true, false, 'Lee', []])
    gate.reason = 'wrong customer'
    void gate.submit()
    const refused = fake.next('checkout.void')
    expect(refused.input).toMatchObject({ approval: { reason: 'wrong customer', by: { proof } } })
    await refused.refuse({ code: 'people/not-permitted', needs: 'approve' })
    expect([gate.asked !== null, gate.error, gate.shown]).toEqual([true, null, null])
    expect(gate.leadFault && say(gate.leadFault)).toBe(
      'This needs a lead’s approval. Ask a person whose role allows it.',
    )
    gate.shortName = ' lw'
    gate.pin = '2222'
    void gate.submit()
    const call = fake.next('checkout.void')
    expect(call.input).toMatchObject({ approval: { by: { shortName: 'LW', pin: '2222' } } })
    await call.answer(operation({ kind: 'void', orderId }))
    expect(await answer).toMatchObject({ ok: true })
  })

  it('needs a short name, unless the manager’s PIN of the station is enough', async () => {
    const alone = await asked(refusal, lead())
    Object.assign(alone.gate, { reason: 'wrong customer', pin: '2222' })
    await alone.gate.submit()
    expect([alone.gate.leadFault, alone.fake.asked]).toEqual([{ key: 'people.short-name.form' }, []])
    const both = await asked(refusal, lead(true))
    Object.assign(both.gate, { reason: 'wrong customer', pin: '2222' })
    void both.gate.submit()
    const { input } = both.fake.next('checkout.void')
    expect(input).toMatchObject({ approval: { pin: '2222' } })
    expect(input).not.toHaveProperty('approval.by')
  })

  it('passes on that the role of who is signed in is not enough for the change itself', async () => {
    const { fake, gate, answer } = await asked(refusal, lead())
    gate.reason = 'wrong customer'
    gate.show('5f0c9e0a-4a7b-4c3e-9d55-1b1a7f6a2c11', 'Lee')
    const error = { code: 'people/not-permitted', needs: 'return' } as const
    await fake.next('checkout.void').refuse(error)
    expect(await answer).toEqual({ ok: false, error })
    expect(gate.asked).toBeNull()
  })

  it('changes nothing if the person leaves', async () => {
    const { fake, gate, answer } = await asked()
    gate.close()
    expect(await answer).toEqual({ ok: false, error: refusal })
    expect([fake.asked, gate.asked]).toEqual([[], null])
  })

  it('covers the one change that it named: the next is asked about again', async () => {
    const { fake, gate, client, answer } = await asked()
    gate.reason = 'wrong customer'
    gate.pin = '2468'
    void gate.submit()
    await fake.next('checkout.void').answer(operation({ kind: 'void', orderId }))
    await answer
    void client.call('checkout.void', { orderId: OrderId.parse('8') })
    expect(fake.next('checkout.void').input).toEqual({ orderId: '8' })
  })
})

describe('undo of what was permitted', () => {
  async function saved(undo: 'withdraw' | 'inverse' | null) {
    const all = await asked()
    all.gate.reason = 'wrong customer'
    all.gate.pin = '2468'
    void all.gate.submit()
    const voided = operation({ kind: 'void', orderId, state: 'queued', undo })
    void all.fake.next('checkout.void').answer(voided)
    await all.answer
    return { ...all, voided }
  }

  it('is offered while nothing was sent, and withdraws', async () => {
    const { fake, gate, voided } = await saved('withdraw')
    expect(gate.unsent).toEqual([voided])
    void gate.undo()
    expect(fake.next('outbox.withdraw').input).toEqual({ operationId: voided.id })
    expect(gate.unsent).toEqual([])
  })

  it('is over after 10 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { gate } = await saved('withdraw')
    await vi.advanceTimersByTimeAsync(9_999)
    expect(gate.unsent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(gate.unsent).toEqual([])
  })

  it('says for 10 s why something could not be taken back', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { fake, gate } = await saved('withdraw')
    void gate.undo()
    void fake.next('outbox.withdraw').refuse({ code: 'outbox/wrong-state', state: 'sending' })
    await vi.advanceTimersByTimeAsync(0)
    expect(gate.undoError?.code).toBe('outbox/wrong-state')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(gate.undoError).toBeNull()
  })

  it('is not offered for what may have been sent, and ends when it is sent', async () => {
    expect((await saved(null)).gate.unsent).toEqual([])
    const { gate, voided } = await saved('withdraw')
    gate.operationChanged({ ...voided, state: 'accepted', undo: null })
    expect(gate.unsent).toEqual([])
  })

  it('outlasts a try that fails without a connection, and waits for its end', async () => {
    const { fake, gate, voided } = await saved('withdraw')
    gate.operationChanged({ ...voided, state: 'sending', undo: null })
    expect(gate.unsent).toHaveLength(1)
    expect(gate.isBeingSent).toBe(true)
    void gate.undo()
    expect(gate.unsent).toHaveLength(1)
    gate.operationChanged({ ...voided, state: 'queued', undo: 'withdraw' })
    expect(gate.isBeingSent).toBe(false)
    void gate.undo()
    expect(fake.next('outbox.withdraw').input).toEqual({ operationId: voided.id })
  })
})
