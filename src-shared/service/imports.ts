import { z } from 'zod'
import { CaseId, PackageUid, ShortUuid } from '../ids'
import { Line } from './wire'

/** Body of `POST /api/v1.2/caseids/import/`. `sku` is the product's SKU in the POS. Spec: Import request. */
export const ImportRequest = z.strictObject({
  case_uuid: CaseId,
  packaged_product_uuid: ShortUuid,
  pos_product_id: Line.min(1),
  pos_inventory_id: Line.min(1),
  package_uid: PackageUid,
  sku: Line.optional(),
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
