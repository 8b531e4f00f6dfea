import type { Fact, FactName } from '../../../src-shared/ipc/contract/find'

/** Facts in one line each. What the service left out, or left empty, makes no fact. */

type Maybe<T> = T | null | undefined

/** The facts that exist, in order. */
export const facts = (...found: (Fact | undefined)[]): Fact[] => found.filter((fact) => fact !== undefined)

export function text(name: FactName, value: Maybe<string>): Fact | undefined {
  const trimmed = value?.trim() ?? ''
  return trimmed === '' ? undefined : { name, value: trimmed, form: 'text' }
}

export const id = (name: FactName, value: Maybe<string>): Fact | undefined =>
  value == null || value === '' ? undefined : { name, value, form: 'id' }

export const count = (name: FactName, value: Maybe<number>): Fact | undefined =>
  value == null ? undefined : { name, value: String(value), form: 'count' }

export const yesNo = (name: FactName, value: Maybe<boolean>): Fact | undefined =>
  value == null ? undefined : { name, value: value ? 'yes' : 'no', form: 'yes-no' }

export const measure = (name: FactName, value: Maybe<Measure>): Fact | undefined =>
  text(name, value?.value == null ? value?.name : inUnits(value.value, value.unit))

interface Measure {
  name?: Maybe<string>
  value?: Maybe<string | number>
  unit?: Maybe<string>
}

const american = /^(\d{2})\/(\d{2})\/(\d{4})$/

/** An instant or a day, in either form that the service writes; anything else is shown as it is. */
export function when(name: FactName, value: Maybe<string>): Fact | undefined {
  if (value == null || value === '') return undefined
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return { name, value, form: 'day' }
  const [, month = '', day = '', year] = american.exec(value) ?? []
  if (year !== undefined) return { name, value: `${year}-${month}-${day}`, form: 'day' }
  return /^\d{4}-\d{2}-\d{2}T/.test(value) && !Number.isNaN(Date.parse(value))
    ? { name, value, form: 'instant' }
    : text(name, value)
}

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
