import type { Fact, FactName } from '../../src-shared/ipc/find-view'
import { inUnits } from './units'

/** Facts in one line each. What the service left out, or left empty, is no fact. */

type Maybe<T> = T | null | undefined

/** Those that are there, in order. */
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

/** A moment or a day, in whichever form the service wrote it; what is neither is shown as it stands. */
export function when(name: FactName, value: Maybe<string>): Fact | undefined {
  if (value == null || value === '') return undefined
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return { name, value, form: 'day' }
  const [, month = '', day = '', year] = american.exec(value) ?? []
  if (year !== undefined) return { name, value: `${year}-${month}-${day}`, form: 'day' }
  return /^\d{4}-\d{2}-\d{2}T/.test(value) && !Number.isNaN(Date.parse(value))
    ? { name, value, form: 'instant' }
    : text(name, value)
}
