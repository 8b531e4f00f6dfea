import { z } from 'zod'
import { BatchData, LaboratoryData, PackagedProductData } from '../data/catalogue'
import { CoaData } from '../data/coas'
import type { Parts } from '../http/context'
import { json, query } from '../store/query'

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
