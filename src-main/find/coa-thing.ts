import type { Thing } from '../../src-shared/ipc/find-view'
import { verdictOf } from '../../src-shared/service/facts'
import type { Body } from './body'
import { facts, id, text, when } from './facts'
import { type AnyCoa, filled, link } from './links'
import { unitSign } from './units'

/** A Digital COA as Find shows it. Spec: Digital COA. */

type Measured = Thing<'coa'>['totals'][number]

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

export function coaBody(coa: AnyCoa, batchName: string | null): Body<'coa'> {
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
    totals: totalNames.flatMap((key) => {
      const total = coa.totals?.[key]
      return total == null ? [] : [measured(key, total)]
    }),
    // As it is given: the names of failing values are not known.
    tests: Object.entries(performed).map(([name, result]) => ({ name, result })),
    groups: groupNames.map((name) => ({
      name,
      rows: Object.entries(coa[name] ?? {}).map(([compound, found]) => measured(compound, found)),
    })),
    certificateUrl: secureUrl(coa.certificate_url),
    sourceUrl: secureUrl(coa.certificate_source_url),
  }
}

interface Found {
  name?: string | null | undefined
  value?: string | null | undefined
  unit?: string | null | undefined
}

const measured = (key: string, { name, value, unit }: Found): Measured => ({
  name: filled(name) ?? key,
  value: filled(value),
  unit: unitSign(unit),
})

interface Address {
  street_address_1?: string | null | undefined
  street_address_2?: string | null | undefined
  city?: string | null | undefined
  state?: string | null | undefined
  postal_code?: string | null | undefined
}

function addressOf(one: Address): string {
  const town = [one.city, [one.state, one.postal_code].filter(isFilled).join(' ')].filter(isFilled).join(', ')
  return [one.street_address_1, one.street_address_2, town].filter(isFilled).join('\n')
}

const isFilled = (part: string | null | undefined) => filled(part) !== null

/** When the report of a certificate ends; undefined where it does not say. */
export const expiryOf = (body: Pick<Body<'coa'>, 'facts'>) =>
  body.facts.find(({ name }) => name === 'expires-on')?.value

/** An address that may be opened outside the app: https and nothing else, as a browser would read it. */
export function secureUrl(url: string | null | undefined): string | null {
  if (url == null || !URL.canParse(url)) return null
  const { protocol, username, password, href } = new URL(url)
  return protocol === 'https:' && username === '' && password === '' ? href : null
}
