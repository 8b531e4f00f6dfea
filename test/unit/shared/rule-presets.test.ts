import { describe, expect, it } from 'vitest'
import { Gate, GateLevel, usualGateLevels } from '../../../src-shared/gates'
import { CheckoutSettings } from '../../../src-shared/ipc/contract/checkout'
import { differencesOf, presetNames, presetOf, rulePresets } from '../../../src-shared/rule-presets'
import { VerdictLevel, VerdictRule, usualLevels } from '../../../src-shared/verdict'

const { strict, usual, relaxed } = rulePresets

describe('the presets of the rules', () => {
  it.each(presetNames)('%s has a valid level for each rule and gate', (name) => {
    const { levels, gates, ...checkout } = rulePresets[name]
    expect(Object.keys(levels).sort()).toEqual([...VerdictRule.options].sort())
    expect(Object.keys(gates).sort()).toEqual([...Gate.options].sort())
    for (const rule of VerdictRule.options) expect(VerdictLevel.safeParse(levels[rule]).success).toBe(true)
    for (const gate of Gate.options) expect(GateLevel.safeParse(gates[gate]).success).toBe(true)
    expect(CheckoutSettings.parse({ ...checkout, levels })).toMatchObject({ ...checkout, levels })
  })

  it('usual is what a station does that has set nothing', () => {
    const { takesUnchecked, requiresBudtender } = CheckoutSettings.parse({})
    expect(usual).toEqual({ levels: usualLevels, gates: usualGateLevels, takesUnchecked, requiresBudtender })
  })

  it('relaxed is never stricter than usual, and strict never looser', () => {
    for (const rule of VerdictRule.options) {
      const places = [relaxed, usual, strict].map(({ levels }) => VerdictLevel.options.indexOf(levels[rule]))
      expect(places, rule).toEqual(places.toSorted((one, other) => one - other))
    }
    for (const gate of Gate.options) {
      const places = [relaxed, usual, strict].map(({ gates }) => GateLevel.options.indexOf(gates[gate]))
      expect(places, gate).toEqual(places.toSorted((one, other) => one - other))
    }
  })
})

describe('the preset of a station', () => {
  it.each(presetNames)('is %s with its rules, and its own with one that differs', (name) => {
    const rules = rulePresets[name]
    expect(presetOf(rules)).toBe(name)
    const own = { ...rules, takesUnchecked: !rules.takesUnchecked }
    expect([presetOf(own), differencesOf(own, rules)]).toEqual([null, 1])
  })

  it('does not count what the policy fixes', () => {
    const own = { ...usual, gates: { ...usual.gates, void: 'pin' as const } }
    expect([presetOf(own), presetOf(own, ['void']), differencesOf(own, usual, ['void'])]).toEqual([null, 'usual', 0])
  })
})
