import { z } from 'zod'
import type { BatchDetail, BatchV15, PackagedProductV15 } from '../../src-shared/service/batches'
import type { DigitalCoaV15 } from '../../src-shared/service/coas'
import { wireUuid } from '../../src-shared/service/wire'
import { type BatchRecord, createPackagedTable, type PackagedRecord } from '../catalogue/brands'
import { BatchData, LaboratoryData, PackagedProductData } from '../data/catalogue'
import { CoaData } from '../data/coas'
import type { Parts } from '../http/context'
import { json, query } from '../store/query'
import { createProductsV15 } from './products'

const BatchRow = z.object({ body: json(z.object(BatchData.omit({ packaged_products: true }).shape)) })
const PackagedRow = z.object({
  body: json(PackagedProductData),
  batch_uuid: z.string(),
  brand_uuid: z.string(),
  batch_name: z.string(),
})
const CoaRow = z.object({ body: json(CoaData), laboratory: json(LaboratoryData) })

/** Batches, packaged products (flat form) and COAs of a CaseID detail. Spec: Batch, Packaged product, Digital COA. */
export function createBatches({ store }: Parts) {
  const batches = query(
    store,
    'SELECT body FROM batches WHERE uuid IN (SELECT value FROM json_each(?)) ORDER BY rowid',
    BatchRow,
  )
  const packaged = query(
    store,
    `SELECT p.body, p.batch_uuid, b.brand_uuid, b.body ->> 'name' AS batch_name
     FROM packaged_products p JOIN batches b ON b.uuid = p.batch_uuid
     WHERE p.uuid IN (SELECT value FROM json_each(?)) ORDER BY p.rowid`,
    PackagedRow,
  )
  const coas = query(
    store,
    `SELECT d.body, l.body AS laboratory FROM digital_coas d JOIN laboratories l ON l.uuid = d.laboratory_uuid
     WHERE d.uuid IN (SELECT value FROM json_each(?)) ORDER BY d.rowid`,
    CoaRow,
  )

  return {
    batches: (uuids: readonly string[]) => batches.all(JSON.stringify(uuids)).map(({ body }) => body),
    packagedProducts: (uuids: readonly string[]) =>
      packaged.all(JSON.stringify(uuids)).map(({ body, batch_uuid, brand_uuid, batch_name }) => ({
        ...body,
        brand_uuid,
        batch_uuid,
        batch_name,
      })),
    coas: (uuids: readonly string[]) =>
      coas.all(JSON.stringify(uuids)).map(({ body: { laboratory_uuid: _, ...coa }, laboratory }) => ({
        ...coa,
        testing_laboratory: laboratory,
      })),
  }
}

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

type Coa = ReturnType<ReturnType<typeof createBatches>['coas']>[number]

/** A Digital COA as `/api/v1.5` shows it. Spec: Digital COA. */
export const coaV15 = (coa: Coa) =>
  ({
    ...coa,
    uuid: wireUuid(coa.uuid),
    batch_uuid: wireUuid(coa.batch_uuid),
    testing_laboratory: laboratoryV15(coa.testing_laboratory),
  }) satisfies z.input<typeof DigitalCoaV15>

/** Spec: Testing laboratory. */
const laboratoryV15 = <T extends { uuid: string }>(laboratory: T) => ({
  ...laboratory,
  uuid: wireUuid(laboratory.uuid),
})

/** The laboratories of some COAs, each once. */
export const laboratoriesOf = (coas: readonly Coa[]) => [
  ...new Map(coas.map(({ testing_laboratory: one }) => [one.uuid, laboratoryV15(one)])).values(),
]
