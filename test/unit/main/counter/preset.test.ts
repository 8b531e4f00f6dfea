import { describe, expect, it } from 'vitest'
import { type GateLevels, usualGateLevels } from '../../../../src-shared/gates'
import { CheckoutSettings } from '../../../../src-shared/ipc/contract/checkout'
import { err, ok } from '../../../../src-shared/result'
import { rulePresets } from '../../../../src-shared/rule-presets'
import { usePreset } from '../../../../src-main/counter/preset'

function aStation() {
  let settings = CheckoutSettings.parse({ budtenders: [{ id: 'B-7', name: 'Ana' }] })
  let levels: GateLevels = { void: 'ask' }
  const disk = { takesGates: true, takesRules: true }
  const full = err({ code: 'store/not-saved' as const })
  const checkout = {
    settings: () => settings,
    setSettings(next: CheckoutSettings) {
      if (!disk.takesRules) return full
      settings = next
      return ok(null)
    },
  }
  const use = (next: GateLevels) => {
    levels = next
    return ok(null)
  }
  const gates = {
    read: () => levels,
    use,
    setAll(next: GateLevels) {
      const before = levels
      if (!disk.takesGates) return full
      use(next)
      return ok(before)
    },
  }
  return { disk, checkout, gates, rules: () => ({ ...settings, gates: levels }) }
}

describe('a preset of all rules', () => {
  it('is set as a whole, beside the budtenders', () => {
    const { checkout, gates, rules } = aStation()
    expect(usePreset(checkout, gates, 'strict').ok).toBe(true)
    expect(rules()).toMatchObject({
      requiresBudtender: true,
      gates: rulePresets.strict.gates,
      budtenders: [{ id: 'B-7' }],
    })
    expect(usePreset(checkout, gates, 'usual').ok).toBe(true)
    expect(rules()).toMatchObject({ requiresBudtender: false, levels: {}, gates: usualGateLevels })
  })

  it('leaves every rule as it was if the disk takes only one of both', () => {
    for (const refused of ['takesGates', 'takesRules'] as const) {
      const { disk, checkout, gates, rules } = aStation()
      const before = rules()
      disk[refused] = false
      expect(usePreset(checkout, gates, 'strict')).toEqual(err({ code: 'store/not-saved' }))
      expect(rules()).toEqual(before)
    }
  })
})
