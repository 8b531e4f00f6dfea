/** Signs of units, the same in every language. Spec: Product > Allowed values. */
const signs: Record<string, string> = {
  milligram: 'mg',
  gram: 'g',
  milliliter: 'mL',
  liter: 'L',
  ounces: 'oz',
  pounds: 'lb',
  percentage: '%',
  milligram_per_gram: 'mg/g',
  microgram_per_gram: 'µg/g',
  parts_per_million: 'ppm',
  milligram_per_kilogram: 'mg/kg',
  milligram_per_milliliter: 'mg/mL',
  gram_per_milliliter: 'g/mL',
  parts_per_billion: 'ppb',
  water_activity: 'aw',
  ph: 'pH',
  cfu_per_gram: 'CFU/g',
}

/** The sign of a unit, or the unit itself where there is none; null for none. */
export const unitSign = (unit: string | null | undefined): string | null =>
  unit == null || unit === '' ? null : (signs[unit] ?? unit.replaceAll('_', ' '))

/** A value with its unit behind it. */
export const inUnits = (value: string | number, unit: string | null | undefined): string =>
  [String(value), unitSign(unit)].filter((part) => part !== null && part !== '').join(' ')
