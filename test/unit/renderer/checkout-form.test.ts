import { describe, expect, it } from 'vitest'
import { createClient } from '../../../src-shared/ipc/client'
import { CheckoutSettings } from '../../../src-shared/ipc/contract/checkout'
import { CheckoutForm } from '../../../src-renderer/settings/checkout-form.svelte'
import { createFakeWire, turn } from './fake-wire'

const ana = { id: 'B-7', name: 'Ana' }
const ben = { id: 'B-8', name: 'Ben' }

async function open(budtenders = [ana]) {
  const fake = createFakeWire()
  const client = createClient(fake.wire)
  const form = new CheckoutForm(client)
  client.on('checkout.settings', (settings) => (form.settings = settings))
  const loaded = form.load()
  await fake.next('checkout.settings').answer(CheckoutSettings.parse({ budtenders }))
  await loaded
  const enter = (id: string, name: string) => {
    Object.assign(form.entry.values, { id, name })
    return form.submit()
  }
  /** Main saves what is asked: the new settings come as an event, then the answer. */
  const saved = async () => {
    const asked = fake.next('checkout.setSettings')
    await fake.emit('checkout.settings', CheckoutSettings.parse(asked.input))
    await asked.answer(null)
    return asked.input
  }
  return { fake, form, saved, enter }
}

describe('the rules of checkout', () => {
  it('are saved as they are ticked', async () => {
    const { form, saved } = await open()
    const set = form.setRule('requiresBudtender', true)
    expect(await saved()).toEqual({ takesUnchecked: true, requiresBudtender: true, budtenders: [ana] })
    await set
    expect([form.entry.isSaved, form.settings?.requiresBudtender]).toEqual([true, true])
  })

  it('keep what another page has changed since', async () => {
    const { fake, form, saved, enter } = await open()
    const takesUnchecked = false
    await fake.emit('checkout.settings', { takesUnchecked, requiresBudtender: false, budtenders: [ana, ben] })
    const set = form.setRule('requiresBudtender', true)
    expect(await saved()).toEqual({ takesUnchecked, requiresBudtender: true, budtenders: [ana, ben] })
    await set
    form.change(ana)
    await fake.emit('checkout.settings', { takesUnchecked, requiresBudtender: true, budtenders: [ben] })
    const changed = enter('B-9', 'Ana María')
    expect(await saved()).toMatchObject({ budtenders: [ben, { id: 'B-9', name: 'Ana María' }] })
    await changed
  })

  it('stay as they were if they can’t be saved', async () => {
    const { fake, form } = await open()
    const set = form.setRule('takesUnchecked', false)
    await fake.next('checkout.setSettings').refuse({ code: 'store/not-saved' })
    await set
    expect([form.settings?.takesUnchecked, form.entry.error?.code]).toEqual([true, 'store/not-saved'])
  })
})

describe('the list of budtenders', () => {
  it('adds, changes and removes a budtender', async () => {
    const { form, saved, enter } = await open()
    const added = enter(' B-8 ', ' Ben ')
    expect(await saved()).toMatchObject({ budtenders: [ana, ben] })
    await added
    expect([form.entry.values.id, form.entry.values.name]).toEqual(['', ''])
    form.change(ana)
    const changed = enter('B-9', 'Ana María')
    await saved()
    await changed
    expect(form.settings?.budtenders).toEqual([{ id: 'B-9', name: 'Ana María' }, ben])
    const removed = form.remove('B-9')
    await saved()
    await removed
    expect(form.settings?.budtenders).toEqual([ben])
  })

  it.each([
    ['', 'Ben', 'id'],
    ['  ', 'Ben', 'id'],
    ['B-7', 'Ben', 'id'],
    ['B-8', ' ', 'name'],
  ] as const)('does not take badge %j with name %j', async (id, name, fault) => {
    const { fake, form, enter } = await open()
    await enter(id, name)
    expect(form.entry.faults[fault]).toBeDefined()
    expect(fake.asked).toEqual([])
  })

  it('accepts no more than 200, and says so', async () => {
    const many = Array.from({ length: 200 }, (_, index) => ({ id: `B-${index}`, name: `Name ${index}` }))
    const { fake, form, enter } = await open(many)
    await enter('B-new', 'One more')
    expect(form.entry.faults.id?.key).toBe('settings.checkout.full')
    expect(fake.asked).toEqual([])
  })

  it('puts a scanned badge into the field, or opens the budtender it belongs to', async () => {
    const { form } = await open()
    expect(form.takeBadge('B-8').tone).toBe('good')
    expect([form.entry.values.id, form.changing]).toEqual(['B-8', null])
    expect(form.takeBadge('B-7').tone).toBe('attention')
    expect([form.entry.values.id, form.entry.values.name, form.changing]).toEqual(['B-7', 'Ana', 'B-7'])
    // A new badge for the same budtender.
    expect(form.takeBadge('B-9').tone).toBe('good')
    expect([form.entry.values.id, form.changing]).toEqual(['B-9', 'B-7'])
  })

  it('is not overwritten if it could not be loaded', async () => {
    const fake = createFakeWire()
    const form = new CheckoutForm(createClient(fake.wire))
    void form.load()
    await fake.next('checkout.settings').refuse({ code: 'ipc/disconnected' })
    Object.assign(form.entry.values, { id: 'B-1', name: 'Ana' })
    await form.submit()
    await form.setRule('takesUnchecked', false)
    await turn()
    expect(fake.asked).toEqual([])
  })
})
