import type { Entity } from '../../../src-shared/ipc/contract/find'
import type { DigitalCoa, DigitalCoaV15 } from '../../../src-shared/service/coas'
import { type CoaFacts, verdictOf } from '../../../src-shared/service/facts'
import { certificateFaults, certificateWord } from '../certificate'
import { secureUrl } from './addresses'
import type { EntityBody } from './asking'
import { facts, id, text, unitSign, when } from './facts'
import { filled, link } from './links'

export type AnyCoa = DigitalCoa | DigitalCoaV15
type CoaLink = Entity<'tag'>['coas'][number]

/** A certificate by its laboratory and the day of its report; `asOf` says whether it has expired. */
const coaLink = (coa: AnyCoa): CoaLink => ({
  link: link(
    'coa',
    coa.uuid,
    coa.testing_laboratory?.name,
    (coa.report_created_on ?? coa.sample_tested_on)?.slice(0, 10),
  ),
  verdict: verdictOf(Object.values(coa.tests_performed ?? {})),
  expiresOn: filled(coa.report_expires_on),
  isExpired: false,
  word: 'none',
})

/** Certificates, each once. */
export const coaLinks = (coas: readonly AnyCoa[]): CoaLink[] => [
  ...new Map(coas.map((coa) => [coa.uuid, coaLink(coa)])).values(),
]

type Measured = Entity<'coa'>['totals'][number]

/** The groups of measurements, in the specification's order. */
const groupNames = [
  'tests_cannabinoids',
  'tests_terpenes',
  'tests_residual_solvents',
  'tests_pesticides',
  'tests_heavy_metals',
  'tests_mycotoxins',
  'tests_microbials',
  'tests_filth_and_foreign_material',
  'tests_moisture_content',
  'tests_water_activity',
  'tests_ph',
  'tests_homogeneity',
  'tests_density',
] as const

const totalNames = [
  'total_active_cannabinoids',
  'total_potential_thc',
  'total_thc',
  'total_potential_cbd',
  'total_cbd',
  'total_terpenes',
] as const

/** A Digital COA as Find shows it. Spec: Digital COA. */
export function coaBody(coa: AnyCoa, batchName: string | null): EntityBody<'coa'> {
  const laboratory = coa.testing_laboratory
  const performed = coa.tests_performed ?? {}
  return {
    kind: 'coa',
    ref: { kind: 'coa', id: coa.uuid },
    name: filled(laboratory?.name),
    facts: facts(
      id('id', coa.uuid),
      text('laboratory', laboratory?.name),
      text('laboratory-address', laboratory && addressOf(laboratory)),
      text('sample', coa.sample_regulator_id),
      text('batch-sample', coa.batch_regulatory_id),
      when('received-on', coa.sample_received_on),
      when('tested-on', coa.sample_tested_on),
      when('reported-on', coa.report_created_on),
      when('expires-on', coa.report_expires_on),
      when('certificate-received-on', coa.certificate_received_on),
      when('entered-on', coa.entered_on),
    ),
    batch: coa.batch_uuid == null ? null : link('batch', coa.batch_uuid, batchName, coa.batch_regulatory_id),
    verdict: verdictOf(Object.values(performed)),
    isExpired: false,
    word: 'none',
    totals: totalNames.flatMap((key) => {
      const total = coa.totals?.[key]
      return total == null ? [] : [measured(key, total)]
    }),
    // As given: which results mean a failure is not specified.
    tests: Object.entries(performed).map(([name, result]) => ({ name, result })),
    groups: groupNames.map((name) => ({
      name,
      rows: Object.entries(coa[name] ?? {}).map(([compound, found]) => measured(compound, found)),
    })),
    certificateUrl: secureUrl(coa.certificate_url),
    sourceUrl: secureUrl(coa.certificate_source_url),
  }
}

type CannabinoidTest = NonNullable<AnyCoa['tests_cannabinoids']>[string]

const measured = (key: string, { name, value, unit }: CannabinoidTest): Measured => ({
  name: filled(name) ?? key,
  value: filled(value),
  unit: unitSign(unit),
})

function addressOf(one: NonNullable<AnyCoa['testing_laboratory']>): string {
  const town = [one.city, [one.state, one.postal_code].filter(isFilled).join(' ')].filter(isFilled).join(', ')
  return [one.street_address_1, one.street_address_2, town].filter(isFilled).join('\n')
}

const isFilled = (part: string | null | undefined) => filled(part) !== null

/** When the report of a certificate expires; undefined if it doesn't say. */
const expiryOf = (view: Entity<'coa'>) => view.facts.find(({ name }) => name === 'expires-on')?.value

/** Whether a certificate has expired at a moment, in ms since 1970, and what is said of it then. */
function stateAsOf({ verdict, expiresOn }: CoaFacts, now: number): Pick<CoaLink, 'isExpired' | 'word'> {
  const coa = { verdict, expiresOn }
  return { isExpired: certificateFaults(coa, now).includes('expired'), word: certificateWord(coa, now, true) }
}

export const coasAsOf = (coas: readonly CoaLink[], now: number): CoaLink[] =>
  coas.map((coa) => ({ ...coa, ...stateAsOf(coa, now) }))

export const coaAsOf = (view: Entity<'coa'>, now: number): Entity<'coa'> => ({
  ...view,
  ...stateAsOf({ verdict: view.verdict, expiresOn: expiryOf(view) ?? null }, now),
})
