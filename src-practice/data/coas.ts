import { z } from 'zod'
import { Day, Id, Moment, Text } from './fields'

/** Spec: Digital COA. */

const Total = z.strictObject({ name: z.string(), value: z.string().nullable(), unit: z.string() })

/** Measurements by compound; empty if that test was not made. */
const Findings = z
  .record(z.string(), z.strictObject({ name: z.string(), value: z.string(), unit: z.string() }))
  .default({})

const TestsPerformed = z.strictObject({
  cannabinoid_potency_tests: z.string(),
  filth_and_foreign_material_tests: z.string(),
  heavy_metals_tests: z.string(),
  homogeneity_tests: z.string(),
  microbials_tests: z.string(),
  moisture_content_tests: z.string(),
  mycotoxins_tests: z.string(),
  pesticides_tests: z.string(),
  residual_solvents_tests: z.string(),
  terpene_profiling_tests: z.string(),
  water_activity_tests: z.string(),
  ph_tests: z.string(),
  chemical_residue_tests: z.string(),
})

export const CoaData = z.strictObject({
  uuid: Id,
  batch_uuid: Id,
  laboratory_uuid: Id,
  sample_regulator_id: Text,
  batch_regulatory_id: Text,
  sample_received_on: Moment,
  report_created_on: Moment,
  report_expires_on: Moment,
  certificate_url: Text,
  certificate_source_url: Text,
  totals: z.strictObject({
    total_active_cannabinoids: Total,
    total_potential_thc: Total,
    total_thc: Total,
    total_potential_cbd: Total,
    total_cbd: Total,
    total_terpenes: Total,
  }),
  tests_performed: TestsPerformed,
  sample_tested_on: Day,
  certificate_received_on: Day,
  entered_on: Moment,
  tests_cannabinoids: Findings,
  tests_terpenes: Findings,
  tests_residual_solvents: Findings,
  tests_pesticides: Findings,
  tests_heavy_metals: Findings,
  tests_mycotoxins: Findings,
  tests_microbials: Findings,
  tests_filth_and_foreign_material: Findings,
  tests_moisture_content: Findings,
  tests_water_activity: Findings,
  tests_ph: Findings,
  tests_homogeneity: Findings,
  tests_density: Findings,
})
export type CoaData = z.infer<typeof CoaData>
