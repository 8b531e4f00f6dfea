import { z } from 'zod'
import { Gate, type GateLevel, usualGateLevels } from './gates'
import { type VerdictLevel, VerdictRule, usualLevels } from './verdict'

/** How strict the counter is: every rule of it at once. */
export const PresetName = z.enum(['strict', 'usual', 'relaxed'])
export type PresetName = z.infer<typeof PresetName>
export const presetNames = PresetName.options

/** The rules of the counter: what it does with an item, what is asked before a change, and what a sale needs. */
export interface CounterRules {
  levels: Record<VerdictRule, VerdictLevel>
  gates: Record<Gate, GateLevel>
  takesUnchecked: boolean
  requiresBudtender: boolean
}

export const rulePresets: Record<PresetName, CounterRules> = {
  strict: {
    levels: {
      ...usualLevels,
      'not-imported': 'pin',
      'certificate-expired': 'refuse',
      'past-use-by': 'refuse',
      'product-unpublished': 'pin',
      'not-sold': 'refuse',
    },
    gates: {
      ...usualGateLevels,
      void: 'pin',
      'take-out': 'pin',
      'remove-collection': 'pin',
      'put-back': 'reason',
      'add-items': 'reason',
      'add-case': 'reason',
      'restore-collection': 'reason',
    },
    takesUnchecked: false,
    requiresBudtender: true,
  },
  usual: { levels: usualLevels, gates: usualGateLevels, takesUnchecked: true, requiresBudtender: false },
  // What the service refuses stays refused: a warning would only move the refusal to after the sale.
  relaxed: {
    levels: { ...usualLevels, 'certificate-expired': 'warn', 'past-use-by': 'warn', 'not-sold': 'warn' },
    gates: {
      ...usualGateLevels,
      'un-import': 'reason',
      'import-against-certificate': 'reason',
      void: 'ask',
      'take-out': 'ask',
      'remove-collection': 'ask',
      'sign-count': 'reason',
    },
    takesUnchecked: true,
    requiresBudtender: false,
  },
}

/** How many rules of two sets differ. What the company's policy fixes doesn't count. */
export function differencesOf(one: CounterRules, other: CounterRules, fixed: readonly Gate[] = []): number {
  const levels = VerdictRule.options.filter((rule) => one.levels[rule] !== other.levels[rule])
  const gates = Gate.options.filter((gate) => !fixed.includes(gate) && one.gates[gate] !== other.gates[gate])
  const sales = (['takesUnchecked', 'requiresBudtender'] as const).filter((rule) => one[rule] !== other[rule])
  return levels.length + gates.length + sales.length
}

/** The preset that the rules are; null if they are a station's own. */
export const presetOf = (rules: CounterRules, fixed: readonly Gate[] = []): PresetName | null =>
  presetNames.find((name) => differencesOf(rules, rulePresets[name], fixed) === 0) ?? null
