import { z } from 'zod'
import { longIds, shortIds } from './wire-ids'
import { maybe } from './wire'

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
