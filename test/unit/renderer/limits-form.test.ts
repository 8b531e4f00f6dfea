import { describe, expect, it } from 'vitest'
import { createClient } from '../../../src-shared/ipc/client'
import { say } from '../../../src-renderer/text/text.svelte'
import { createLimitsForm } from '../../../src-renderer/settings/forms.svelte'
import { createFakeWire } from './fake-wire'

async function createForm() {
  const fake = createFakeWire()
  const form = createLimitsForm(createClient(fake.wire))
  void form.load()
  await fake.next('outbox.limits').answer({ count: 500, hours: 12 })
  const type = (count: string, hours: string) => {
    form.values.count = count
    form.typed('count')
    form.values.hours = hours
    form.typed('hours')
  }
  return { fake, form, type }
}

const faultOf = (form: ReturnType<typeof createLimitsForm>, name: 'count' | 'hours') => {
  const fault = form.faults[name]
  return fault ? say(fault) : null
}

describe('the limits of unsent reports', () => {
  it('show the stored values', async () => {
    const { form } = await createForm()
    expect([form.values.count, form.values.hours, form.isLoaded]).toEqual(['500', '12', true])
  })

  it('are saved, and shown as saved until something is typed', async () => {
    const { fake, form, type } = await createForm()
    type(' 20 ', '3')
    void form.save()
    const asked = fake.next('outbox.setLimits')
    expect(asked.input).toEqual({ count: 20, hours: 3 })
    expect(form.isSaving).toBe(true)
    await asked.answer(null)
    expect([form.isSaving, form.isSaved]).toEqual([false, true])
    type('21', '3')
    expect(form.isSaved).toBe(false)
  })

  it.each([
    ['', 'Enter a number.'],
    ['   ', 'Enter a number.'],
    ['0', 'Use a number from 1 to 100,000.'],
    ['-1', 'Use a number from 1 to 100,000.'],
    ['1000000000', 'Use a number from 1 to 100,000.'],
    ['100001', 'Use a number from 1 to 100,000.'],
    ['9'.repeat(400), 'Use a number from 1 to 100,000.'],
    ['1e9', 'Use a whole number, digits only.'],
    ['1.5', 'Use a whole number, digits only.'],
    ['1,000', 'Use a whole number, digits only.'],
    ['many', 'Use a whole number, digits only.'],
    ['0x10', 'Use a whole number, digits only.'],
    ['NaN', 'Use a whole number, digits only.'],
    ['٣', 'Use a whole number, digits only.'],
  ])('are not saved with the bad input %j, and the field says why', async (bad, why) => {
    const { fake, form, type } = await createForm()
    type(bad, '12')
    await form.save()
    expect([faultOf(form, 'count'), faultOf(form, 'hours')]).toEqual([why, null])
    expect(fake.asked).toEqual([])
    form.values.count = '7'
    form.typed('count')
    expect(faultOf(form, 'count')).toBeNull()
  })

  it('show beside each field what is wrong, with the bounds of that field', async () => {
    const { fake, form, type } = await createForm()
    type('x', '721')
    await form.save()
    expect([faultOf(form, 'count'), faultOf(form, 'hours')]).toEqual([
      'Use a whole number, digits only.',
      'Use a number from 1 to 720.',
    ])
    expect(fake.asked).toEqual([])
  })

  it('accept the smallest and the largest value that main accepts', async () => {
    const { fake, form, type } = await createForm()
    for (const [count, hours] of [
      ['1', '1'],
      ['100000', '720'],
    ] as const) {
      type(count, hours)
      const saving = form.save()
      await fake.next('outbox.setLimits').answer(null)
      await saving
      expect(form.isSaved).toBe(true)
    }
  })

  it('keep what was typed if the disk refuses, and say so', async () => {
    const { fake, form, type } = await createForm()
    type('20', '3')
    void form.save()
    await fake.next('outbox.setLimits').refuse({ code: 'store/not-saved' })
    expect([form.error?.code, form.isSaved, form.values.count]).toEqual(['store/not-saved', false, '20'])
  })

  it('do not show text typed during a save as saved', async () => {
    const { fake, form, type } = await createForm()
    type('20', '3')
    void form.save()
    type('30', '3')
    await fake.next('outbox.setLimits').answer(null)
    expect([form.isSaved, form.values.count]).toEqual([false, '30'])
  })

  it('are not overwritten by the stored values while a person types', async () => {
    const { fake, form, type } = await createForm()
    type('20', '3')
    void form.load()
    await fake.next('outbox.limits').answer({ count: 500, hours: 12 })
    expect(form.values.count).toBe('20')
  })

  it('can’t be saved before they are loaded', async () => {
    const fake = createFakeWire()
    const form = createLimitsForm(createClient(fake.wire))
    void form.load()
    await fake.next('outbox.limits').disconnect()
    await form.save()
    expect([form.isLoaded, form.error?.code, fake.asked.length]).toEqual([false, 'ipc/disconnected', 0])
  })
})
