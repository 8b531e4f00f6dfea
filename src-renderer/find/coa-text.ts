import type { Entity } from '../../src-shared/ipc/contract/find'
import type { ChipTone } from '../ui/tones'
import { t } from '../text/text.svelte'

type Coa = Entity<'coa'>
type Measured = Coa['totals'][number]

/** What is tested. In the specification the tests of a certificate are `ph_tests`, the groups of its values `tests_ph`. */
const subjects = [
  'cannabinoid_potency',
  'filth_and_foreign_material',
  'heavy_metals',
  'homogeneity',
  'microbials',
  'moisture_content',
  'mycotoxins',
  'pesticides',
  'residual_solvents',
  'terpene_profiling',
  'water_activity',
  'ph',
  'chemical_residue',
  'cannabinoids',
  'terpenes',
  'density',
] as const

/** A test or a group by its name in the specification; an unknown name as it is, without underscores. */
export function testName(name: string): string {
  const subject = name.replace(/^tests_|_tests$/, '')
  const known = subjects.find((one) => one === subject)
  return known ? t(`find.test.${known}`) : name.replaceAll('_', ' ')
}

/** Every result but `pass` and `not_tested` counts as failed. */
export function testChip({ name, result }: Coa['tests'][number]): { tone: ChipTone; text: string } {
  const said = testName(name)
  if (result === 'pass') return { tone: 'good', text: t('find.test.pass', { name: said }) }
  if (result === 'not_tested') return { tone: 'plain', text: t('find.test.not_tested', { name: said }) }
  return { tone: 'bad', text: t('find.test.other', { name: said, result }) }
}

/** A line doesn't break between a number and its unit. */
export function amountText({ value, unit }: Measured): string {
  if (value === null) return t('find.measured.not-given')
  return unit === null ? value : `${value}\u00a0${unit}`
}

/** Groups whose values are compared at a glance: what is in it, most first. Limits of contaminants are read one by one. */
const drawn = /^(?:tests_)?(?:cannabinoid|terpene)/

export const isDrawn = (group: string): boolean => drawn.test(group)

/**
 * Rows for bars, the largest first. A bar is drawn only for a plain number in the unit of most: "<0.01" and other units can't
 * be compared by length.
 */
export function barsOf(rows: readonly Measured[]) {
  const units = rows.map(({ unit }) => unit ?? '')
  const usual = units.toSorted((a, b) => countOf(units, b) - countOf(units, a))[0] ?? ''
  return rows
    .map((row) => ({
      name: row.name,
      text: amountText(row),
      value: (row.unit ?? '') === usual ? numberIn(row.value) : null,
    }))
    .toSorted((a, b) => (b.value ?? -1) - (a.value ?? -1))
}

const countOf = (all: readonly string[], one: string) => all.filter((other) => other === one).length

function numberIn(value: string | null): number | null {
  const text = value?.trim() ?? ''
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : null
}
