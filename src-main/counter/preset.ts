import type { AppError } from '../../src-shared/errors'
import type { Result } from '../../src-shared/result'
import { type PresetName, rulePresets } from '../../src-shared/rule-presets'
import { type VerdictLevels, VerdictRule, usualLevels } from '../../src-shared/verdict'
import type { StationGates } from '../security/gates'
import type { Checkout } from './checkout'

/** Levels that are usual are not stored. */
function unusual(levels: Record<VerdictRule, NonNullable<VerdictLevels[VerdictRule]>>): VerdictLevels {
  const stored: VerdictLevels = {}
  for (const rule of VerdictRule.options) if (levels[rule] !== usualLevels[rule]) stored[rule] = levels[rule]
  return stored
}

/**
 * Sets all rules of the counter to those of a preset. The gates are in the station's file and the others in the profile's
 * database. The gates are set back if the database refuses; if the app is killed between the two, only the gates are set.
 */
export function usePreset(
  checkout: Pick<Checkout, 'settings' | 'setSettings'>,
  gates: StationGates | undefined,
  preset: PresetName,
): Result<null, AppError> {
  const { gates: gateLevels, levels, ...rules } = rulePresets[preset]
  const before = gates?.setAll(gateLevels)
  if (before && !before.ok) return before
  const set = checkout.setSettings({ ...checkout.settings(), ...rules, levels: unusual(levels) })
  if (!set.ok && before) gates?.use(before.value)
  return set
}
