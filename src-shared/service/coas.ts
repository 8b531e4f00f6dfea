import { z } from 'zod'
import { DateTime, longIds, maybe, ReadDate, shortIds } from './wire'

const laboratoryFields = <Id extends z.ZodType>({ id }: { id: Id }) => ({
  uuid: id,
  name: z.string(),
  logo_url: maybe(z.string()),
  street_address_1: maybe(z.string()),
  street_address_2: maybe(z.string()),
  city: maybe(z.string()),
  state: maybe(z.string()),
  postal_code: maybe(z.string()),
})

/** Inside a CaseID detail of `/api/v1.2`. Spec: Testing laboratory. */
export const TestingLaboratory = z.looseObject(laboratoryFields(shortIds))
export type TestingLaboratory = z.infer<typeof TestingLaboratory>

/** Inside batches, COAs and CaseID details of `/api/v1.5`. Spec: Testing laboratory. */
export const TestingLaboratoryV15 = z.looseObject(laboratoryFields(longIds))
export type TestingLaboratoryV15 = z.infer<typeof TestingLaboratoryV15>

/** A sum over a certificate; `value` is a number as text. */
const Total = z.looseObject({ name: maybe(z.string()), value: maybe(z.string()), unit: maybe(z.string()) })

/** Measurements by compound; empty if the test was not made. */
const Findings = z.record(
  z.string(),
  z.looseObject({ name: maybe(z.string()), value: maybe(z.string()), unit: maybe(z.string()) }),
)

const Totals = z.looseObject({
  total_active_cannabinoids: maybe(Total),
  total_potential_thc: maybe(Total),
  total_thc: maybe(Total),
  total_potential_cbd: maybe(Total),
  total_cbd: maybe(Total),
  total_terpenes: maybe(Total),
})

/** The tests listed in a certificate. Spec: Digital COA, "`tests_performed` keys". */
export const testNames = [
  'cannabinoid_potency_tests',
  'filth_and_foreign_material_tests',
  'heavy_metals_tests',
  'homogeneity_tests',
  'microbials_tests',
  'moisture_content_tests',
  'mycotoxins_tests',
  'pesticides_tests',
  'residual_solvents_tests',
  'terpene_profiling_tests',
  'water_activity_tests',
  'ph_tests',
  'chemical_residue_tests',
] as const

const coaFields = <Id extends z.ZodType, Laboratory extends z.ZodType>({ id }: { id: Id }, laboratory: Laboratory) => ({
  uuid: id,
  batch_uuid: maybe(id),
  testing_laboratory: maybe(laboratory),
  sample_regulator_id: maybe(z.string()),
  batch_regulatory_id: maybe(z.string()),
  sample_received_on: maybe(DateTime),
  report_created_on: maybe(DateTime),
  report_expires_on: maybe(DateTime),
  certificate_url: maybe(z.string()),
  certificate_source_url: maybe(z.string()),
  totals: maybe(Totals),
  tests_performed: maybe(z.record(z.string(), z.string())),
  sample_tested_on: maybe(ReadDate),
  certificate_received_on: maybe(ReadDate),
  entered_on: maybe(DateTime),
  tests_cannabinoids: maybe(Findings),
  tests_terpenes: maybe(Findings),
  tests_residual_solvents: maybe(Findings),
  tests_pesticides: maybe(Findings),
  tests_heavy_metals: maybe(Findings),
  tests_mycotoxins: maybe(Findings),
  tests_microbials: maybe(Findings),
  tests_filth_and_foreign_material: maybe(Findings),
  tests_moisture_content: maybe(Findings),
  tests_water_activity: maybe(Findings),
  tests_ph: maybe(Findings),
  tests_homogeneity: maybe(Findings),
  tests_density: maybe(Findings),
})

/**
 * A digital certificate of analysis inside a CaseID detail of `/api/v1.2`. Values of `tests_performed` are `pass`,
 * `not_tested` or a failing status whose name the specification does not give. Spec: Digital COA.
 */
export const DigitalCoa = z.looseObject(coaFields(shortIds, TestingLaboratory))
export type DigitalCoa = z.infer<typeof DigitalCoa>

/** `GET /api/v1.5/digital_coas/<uuid>/`, and the COAs of a CaseID detail of `/api/v1.5`. Spec: Digital COA. */
export const DigitalCoaV15 = z.looseObject(coaFields(longIds, TestingLaboratoryV15))
export type DigitalCoaV15 = z.infer<typeof DigitalCoaV15>
