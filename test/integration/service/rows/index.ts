import { endpointRows } from './endpoints'
import { catalogue, conventions, media, purpose, traceability } from './resources'
import { access, allowedValues, errors, requests, states } from './rules'

/** Every row of the specification, by section: what must hold, in short. Each has a test that names it. */
export const sections = {
  Conventions: conventions,
  'What the service does': purpose,
  'Resources: media': media,
  'Resources: catalogue': catalogue,
  'Resources: collections, TagIDs, assets': traceability,
  'Allowed values': allowedValues,
  'States and transitions': states,
  Endpoints: endpointRows,
  'Endpoints: requests': requests,
  'Authentication, limits, versioning': access,
  Errors: errors,
} as const

type Sections = typeof sections
export type RowId = { [Section in keyof Sections]: keyof Sections[Section] & string }[keyof Sections]
