import { describe, expect, it } from 'vitest'
import { usualGateLevels } from '../../../src-shared/gates'
import { createClient } from '../../../src-shared/ipc/client'
import { CheckoutSettings } from '../../../src-shared/ipc/contract/checkout'
import { rulePresets } from '../../../src-shared/rule-presets'
import { RulePresets } from '../../../src-renderer/settings/presets.svelte'
import { createFakeWire, turn } from './fake-wire'

async function open() {
  const fake = createFakeWire()
  const presets = new RulePresets(createClient(fake.wire))
  presets.start()
  await fake.next('checkout.settings').answer(CheckoutSettings.parse({}))
  await fake.next('security.gates').answer({ levels: usualGateLevels, fixed: [] })
  await turn()
  return { fake, presets }
}

describe('a preset of all rules', () => {
  it('is saved by one call, and never shown as half of it', async () => {
    const { fake, presets } = await open()
    expect(presets.chosen).toBe('usual')
    const used = presets.use('strict')
    const asked = fake.next('checkout.usePreset')
    expect([asked.input, fake.asked]).toEqual([{ preset: 'strict' }, []])
    const { gates, ...rules } = rulePresets.strict
    await fake.emit('security.gates', { levels: gates, fixed: [] })
    expect([presets.chosen, presets.isSaving]).toEqual(['strict', true])
    await fake.emit('checkout.settings', CheckoutSettings.parse(rules))
    await asked.answer(null)
    await used
    expect([presets.chosen, presets.isSaved, fake.asked]).toEqual(['strict', true, []])
  })

  it('stays the old one if it can’t be saved', async () => {
    const { fake, presets } = await open()
    const used = presets.use('relaxed')
    await fake.next('checkout.usePreset').refuse({ code: 'store/not-saved' })
    await used
    expect([presets.chosen, presets.isSaved, presets.error?.code]).toEqual(['usual', false, 'store/not-saved'])
  })
})
