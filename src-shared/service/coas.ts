import { z } from 'zod'
import { DateTime, maybe } from './wire'

/** Spec: Testing laboratory. */
export const TestingLaboratory = z.looseObject({
  uuid: z.string(),
  name: z.string(),
  logo_url: maybe(z.string()),
  street_address_1: maybe(z.string()),
  street_address_2: maybe(z.string()),
  city: maybe(z.string()),
  state: maybe(z.string()),
  postal_code: maybe(z.string()),
})
export type TestingLaboratory = z.infer<typeof TestingLaboratory>

const Total = z.looseObject({ name: maybe(z.string()), value: maybe(z.string()), unit: maybe(z.string()) })

/**
 * A digital certificate of analysis. Values of `tests_performed` are `pass`, `not_tested` or a failing status whose
 * name the specification does not give. Spec: Digital COA.
 */
export const DigitalCoa = z.looseObject({
  uuid: z.string(),
  batch_uuid: maybe(z.string()),
  testing_laboratory: maybe(TestingLaboratory),
  sample_regulator_id: maybe(z.string()),
  batch_regulatory_id: maybe(z.string()),
  sample_received_on: maybe(DateTime),
  report_created_on: maybe(DateTime),
  report_expires_on: maybe(DateTime),
  certificate_url: maybe(z.string()),
  certificate_source_url: maybe(z.string()),
  totals: maybe(z.record(z.string(), Total)),
  tests_performed: maybe(z.record(z.string(), z.string())),
  sample_tested_on: maybe(z.string()),
  certificate_received_on: maybe(z.string()),
  entered_on: maybe(DateTime),
})
export type DigitalCoa = z.infer<typeof DigitalCoa>
