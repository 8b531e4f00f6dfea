import type { CaseId, OrderId, PackageUid, ShortUuid, TagId } from '../ids'
import type { ImportRemovalRequest, ImportRequest } from './imports'
import type { CompleteRequest, ReturnRequest, VoidRequest } from './transactions'

/** From Countertag's terms to the wire's. Spec: Import request, Import remove request, Transactions. */

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

interface CaseImportRemoval {
  caseId: CaseId
  packagedProductId: ShortUuid
  packageUid: PackageUid
}

export const importRemovalRequest = (of: CaseImportRemoval): ImportRemovalRequest => ({
  case_uuid: of.caseId,
  package_uid: of.packageUid,
  packaged_product_uuid: of.packagedProductId,
})

interface Sale {
  orderId: OrderId
  tagIds: TagId[]
  budtenderId?: string | undefined
  customerId?: string | undefined
  /** ISO 8601 with offset, by the service's clock. */
  performedAt: string
}

const people = ({ budtenderId, customerId }: Pick<Sale, 'budtenderId' | 'customerId'>) => ({
  ...(budtenderId ? { budtender_id: budtenderId } : {}),
  ...(customerId ? { customer_id: customerId } : {}),
})

export const completeRequest = (of: Sale): CompleteRequest => ({
  performed_at: of.performedAt,
  order_id: of.orderId,
  items: of.tagIds,
  ...people(of),
})

export const returnRequest = (of: Sale): ReturnRequest => completeRequest(of)

export const voidRequest = (of: Omit<Sale, 'tagIds'>): VoidRequest => ({
  performed_at: of.performedAt,
  order_id: of.orderId,
  ...people(of),
})
