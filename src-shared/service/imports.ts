import { z } from 'zod'
import { CaseId, PackageUid, ShortUuid } from '../ids'
import { DateTime, maybe } from './wire'

/** Body of `POST /api/v1.2/caseids/import/`. `sku` is the product's SKU in the POS. Spec: Import request. */
export const ImportRequest = z.strictObject({
  case_uuid: CaseId,
  packaged_product_uuid: ShortUuid,
  pos_product_id: z.string().min(1),
  pos_inventory_id: z.string().min(1),
  package_uid: PackageUid,
  sku: z.string().optional(),
})
export type ImportRequest = z.infer<typeof ImportRequest>

export const ImportAnswer = z.looseObject({
  case_uuid: z.string(),
  packaged_product_uuid: z.string(),
  package_uid: z.string(),
})
export type ImportAnswer = z.infer<typeof ImportAnswer>

/** Body of `POST /api/v1.2/caseids/import/remove/`; the packaged product is for multi-batch cases. */
export const ImportRemovalRequest = z.strictObject({
  case_uuid: CaseId,
  package_uid: PackageUid,
  packaged_product_uuid: ShortUuid.optional(),
})
export type ImportRemovalRequest = z.infer<typeof ImportRemovalRequest>

/** One CaseID of a package UID. `package_uid` and `dispensary` only for dispensaries of the caller's company. */
export const PackageCase = z.looseObject({
  is_imported: z.boolean(),
  imported_on: maybe(DateTime),
  package_uid: maybe(z.string()),
  dispensary: maybe(z.looseObject({ uuid: z.string(), name: z.string(), state: maybe(z.string()) })),
})
export type PackageCase = z.infer<typeof PackageCase>

/** `GET /api/v1.2/package-uids/<package_uid>/caseids/`. Spec: Package UID lookup entry. */
export const PackageCases = z.looseObject({
  package_uid: z.string(),
  case_ids: z.record(CaseId, PackageCase),
})
export type PackageCases = z.infer<typeof PackageCases>
