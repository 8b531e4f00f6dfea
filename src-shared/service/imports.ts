import { z } from 'zod'
import { CaseId, PackageUid, ShortUuid } from '../ids'
import { DateTime, TextLine, maybe } from './wire'

/** Body of `POST /api/v1.2/caseids/import/`. `sku` is the product's SKU in the POS. Spec: Import request. */
export const ImportRequest = z.strictObject({
  case_uuid: CaseId,
  packaged_product_uuid: ShortUuid,
  pos_product_id: TextLine.min(1),
  pos_inventory_id: TextLine.min(1),
  package_uid: PackageUid,
  sku: TextLine.optional(),
})
export type ImportRequest = z.infer<typeof ImportRequest>

/** 200 of an import. */
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

/** 200 of an import removal; the specification does not show its body, so any body is accepted. */
export const ImportRemovalAnswer = z.unknown()

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

/** Countertag's terms of an import, which `importRequest` translates to the wire's. */
interface CaseImport {
  caseId: CaseId
  packagedProductId: ShortUuid
  packageUid: PackageUid
  posProductId: string
  posInventoryId: string
  sku?: string | undefined
}

export const importRequest = (of: CaseImport): ImportRequest => ({
  case_uuid: of.caseId,
  packaged_product_uuid: of.packagedProductId,
  pos_product_id: of.posProductId,
  pos_inventory_id: of.posInventoryId,
  package_uid: of.packageUid,
  ...(of.sku ? { sku: of.sku } : {}),
})

type CaseImportRemoval = Pick<CaseImport, 'caseId' | 'packagedProductId' | 'packageUid'>

export const importRemovalRequest = (of: CaseImportRemoval): ImportRemovalRequest => ({
  case_uuid: of.caseId,
  package_uid: of.packageUid,
  packaged_product_uuid: of.packagedProductId,
})
