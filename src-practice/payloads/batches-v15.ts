import type { z } from 'zod'
import type { BatchDetail, BatchV15 } from '../../src-shared/service/batches'
import type { PackagedProductV15 } from '../../src-shared/service/packaged-products'
import { wireUuid } from '../../src-shared/service/wire-ids'
import { type BatchRecord, type PackagedRecord, createPackagedTable } from '../catalogue/batches'
import type { Parts } from '../http/context'
import { createBatches } from './batches'
import { laboratoriesOf } from './coas-v15'
import { createProductsV15 } from './products-v15'

/** A batch in lists, and as the answer to its creation and update. Spec: Endpoints > Batches (v1.5). */
export const batchV15 = (batch: BatchRecord) =>
  ({
    uuid: wireUuid(batch.uuid),
    name: batch.name,
    regulatory_id: batch.regulatory_id,
    produced_on: batch.produced_on,
    brand_uuid: wireUuid(batch.brand_uuid),
    updated_on: batch.updated_on,
    digital_coa_uuids: batch.digital_coa_uuids.map(wireUuid),
  }) satisfies z.input<typeof BatchV15>

/** Batches and packaged products as `/api/v1.5` shows them alone. Spec: Batch, Packaged product. */
export function createBatchesV15(parts: Parts) {
  const { products } = createProductsV15(parts)
  const { coas } = createBatches(parts)
  const table = createPackagedTable(parts.store)

  function packaged(records: readonly PackagedRecord[], batch: BatchRecord) {
    const found = products([...new Set(records.map(({ product_uuid }) => product_uuid))])
    const byUuid = new Map(found.map((product) => [product.uuid, product]))
    return records.map(
      (record) =>
        ({
          uuid: wireUuid(record.uuid),
          product: byUuid.get(wireUuid(record.product_uuid)),
          regulatory_id: record.regulatory_id,
          packaged_on: record.packaged_on,
          digital_coa_uuids: record.digital_coa_uuids.map(wireUuid),
          batch_name: batch.name,
        }) satisfies z.input<typeof PackagedProductV15>,
    )
  }

  return {
    packaged: (record: PackagedRecord, batch: BatchRecord) => packaged([record], batch)[0],
    detail: (batch: BatchRecord) => {
      const records = table.all(batch.uuid)
      const certificates = coas([batch, ...records].flatMap(({ digital_coa_uuids }) => digital_coa_uuids))
      return {
        ...batchV15(batch),
        testing_laboratories: laboratoriesOf(certificates),
        packaged_products: packaged(records, batch).map((one) => ({
          ...one,
          harvested_on: batch.harvested_on,
          extraction_method: batch.extraction_method,
        })),
      } satisfies z.input<typeof BatchDetail>
    },
  }
}
