import type { testNames } from '../../src-shared/service/coas'
import type { Thing } from '../../src-shared/ipc/contract/find'
import type { ChipTone } from '../ui/tones'
import type { MessageKey } from '../text/en'
import { t } from '../text/text.svelte'

type Coa = Thing<'coa'>
type Measured = Coa['totals'][number]

const testKeys: Record<(typeof testNames)[number], MessageKey> = {
  cannabinoid_potency_tests: 'find.test.cannabinoid_potency_tests',
  filth_and_foreign_material_tests: 'find.test.filth_and_foreign_material_tests',
  heavy_metals_tests: 'find.test.heavy_metals_tests',
  homogeneity_tests: 'find.test.homogeneity_tests',
  microbials_tests: 'find.test.microbials_tests',
  moisture_content_tests: 'find.test.moisture_content_tests',
  mycotoxins_tests: 'find.test.mycotoxins_tests',
  pesticides_tests: 'find.test.pesticides_tests',
  residual_solvents_tests: 'find.test.residual_solvents_tests',
  terpene_profiling_tests: 'find.test.terpene_profiling_tests',
  water_activity_tests: 'find.test.water_activity_tests',
  ph_tests: 'find.test.ph_tests',
  chemical_residue_tests: 'find.test.chemical_residue_tests',
}

const groupKeys = {
  tests_cannabinoids: 'find.test.tests_cannabinoids',
  tests_terpenes: 'find.test.tests_terpenes',
  tests_residual_solvents: 'find.test.tests_residual_solvents',
  tests_pesticides: 'find.test.tests_pesticides',
  tests_heavy_metals: 'find.test.tests_heavy_metals',
  tests_mycotoxins: 'find.test.tests_mycotoxins',
  tests_microbials: 'find.test.tests_microbials',
  tests_filth_and_foreign_material: 'find.test.tests_filth_and_foreign_material',
  tests_moisture_content: 'find.test.tests_moisture_content',
  tests_water_activity: 'find.test.tests_water_activity',
  tests_ph: 'find.test.tests_ph',
  tests_homogeneity: 'find.test.tests_homogeneity',
  tests_density: 'find.test.tests_density',
} as const

const keys = new Map<string, MessageKey>([...Object.entries(testKeys), ...Object.entries(groupKeys)])

/** A test or a group by its name in the specification; an unknown name as it is, without underscores. */
export function testName(name: string): string {
  const key = keys.get(name)
  return key ? t(key) : name.replaceAll('_', ' ')
}

/** Every result but `pass` and `not_tested` counts as failed. */
export function testChip({ name, result }: Coa['tests'][number]): { tone: ChipTone; text: string } {
  const said = testName(name)
  if (result === 'pass') return { tone: 'good', text: t('find.test.pass', { name: said }) }
  if (result === 'not_tested') return { tone: 'plain', text: t('find.test.not_tested', { name: said }) }
  return { tone: 'bad', text: t('find.test.other', { name: said, result }) }
}

export function amountText({ value, unit }: Measured): string {
  if (value === null) return t('find.measured.not-given')
  return unit === null ? value : `${value} ${unit}`
}
