import { z } from 'zod'
import { CaseId } from '../ids'
import { DateTime, maybe } from './wire'

/**
 * One CaseID of a package UID. `imported_on` is the most recent import across all dispensaries; `package_uid` and
 * `dispensary` are filled only for dispensaries of the caller's company. Spec: Package UID lookup entry.
 */
export const PackageCase = z.looseObject({
  is_imported: z.boolean(),
  imported_on: maybe(DateTime),
  package_uid: maybe(z.string()),
  /** `state` is a two-letter US state code. */
  dispensary: maybe(z.looseObject({ uuid: z.string(), name: z.string(), state: maybe(z.string()) })),
})
export type PackageCase = z.infer<typeof PackageCase>

/** `GET /api/v1.2/package-uids/<package_uid>/caseids/`. */
export const PackageCases = z.looseObject({
  package_uid: z.string(),
  case_ids: z.record(CaseId, PackageCase),
})
export type PackageCases = z.infer<typeof PackageCases>
