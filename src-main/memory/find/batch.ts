import type { AppError } from '../../../src-shared/errors'
import type { Entity } from '../../../src-shared/ipc/contract/find'
import { err } from '../../../src-shared/result'
import type { Batch, BatchDetail } from '../../../src-shared/service/batches'
import type { CaseDetail } from '../../../src-shared/service/collections'
import {
  type Asked,
  type Asking,
  type EntityBody,
  type Related,
  answer,
  createMissing,
  judge,
  readCoas,
} from './asking'
import { type AnyCoa, coaBody, coaLinks } from './certificate'
import { facts, id, text, when } from './facts'
import { filled, link } from './links'

/**
 * A batch: only v1.5 has it alone, and only for its own company. Any other is read from a case that it was seen in (`via`).
 * Spec: Batches (v1.5).
 */
export async function askBatch(asking: Asking, batchId: string, via: string | null): Promise<Asked> {
  const batch = await asking.limit(() => asking.v15.batches.get(batchId))
  if (!batch.ok)
    return via === null ? batch : askCaseInstead(asking, { kind: 'batch', id: batchId, via, refusal: batch.error })
  const { digital_coa_uuids: own, packaged_products: packaged } = batch.value
  const missing = createMissing()
  const ids = [...(own ?? []), ...(packaged ?? []).flatMap((one) => one.digital_coa_uuids ?? [])]
  return answer(batchBody(batch.value, await readCoas(asking, ids, missing)), missing)
}

/** A certificate, in the same two ways. Spec: Digital COAs (v1.5). */
export async function askCoa(asking: Asking, coaId: string, via: string | null): Promise<Asked> {
  const coa = await asking.limit(() => asking.v15.digitalCoas.get(coaId))
  if (!coa.ok) return via === null ? coa : askCaseInstead(asking, { kind: 'coa', id: coaId, via, refusal: coa.error })
  const { batch_uuid: batchId } = coa.value
  const missing = createMissing()
  const batch =
    batchId == null ? undefined : missing.take('batch', await asking.limit(() => asking.v15.batches.get(batchId)))
  return answer(coaBody(coa.value, batch?.name ?? null), missing)
}

/** Reads the case in which a batch or certificate was seen, because asking for it alone was refused. */
async function askCaseInstead(
  { v12, limit }: Asking,
  { kind, id, via, refusal }: { kind: 'batch' | 'coa'; id: string; via: string; refusal: AppError },
): Promise<Asked> {
  const detail = await limit(() => v12.cases.get(via))
  const related = detail.ok ? relatedOf(detail.value) : undefined
  const body = related?.bodies.find((one) => one.kind === kind && one.ref.id === id)
  if (!body) {
    const error: AppError = detail.ok ? { code: 'service/not-found', id } : detail.error
    return err(judge([refusal, error]) ?? refusal)
  }
  const missing = createMissing()
  missing.take('catalogue', err(refusal))
  return answer(body, missing, related)
}

/** The batches and certificates of a case. It describes them in full, also those that no account of ours may ask for. */
export function relatedOf(detail: CaseDetail): Related {
  const batchName = new Map(detail.batches?.map((batch) => [batch.uuid, batch.name]))
  const coas = (detail.digital_coas ?? []).map((coa) =>
    coaBody(coa, coa.batch_uuid == null ? null : (batchName.get(coa.batch_uuid) ?? null)),
  )
  return { via: detail.uuid, bodies: [...batchesOfCase(detail), ...coas] }
}

export type PackagedLine = Entity<'batch'>['packagedProducts'][number]

/** A batch from its own page of v1.5. Spec: Batch. */
export function batchBody(batch: BatchDetail, coas: readonly AnyCoa[]): EntityBody<'batch'> {
  const first = batch.packaged_products?.[0]
  return {
    ...common({ ...batch, harvested_on: first?.harvested_on, extraction_method: first?.extraction_method }, null),
    coas: coaLinks(coas),
    packagedProducts: (batch.packaged_products ?? []).flatMap((packaged): PackagedLine[] => {
      const { product } = packaged
      if (product == null) return []
      return [
        {
          packagedProductId: packaged.uuid,
          product: link('product', product.uuid, product.name, product.sku),
          batch: null,
          regulatoryId: filled(packaged.regulatory_id),
          packagedOn: filled(packaged.packaged_on),
          useBy: null,
        },
      ]
    }),
  }
}

/** Every batch in a case, with the facts that the case gives. */
export function batchesOfCase(detail: CaseDetail): EntityBody<'batch'>[] {
  const brands = new Map((detail.brands ?? []).map((brand) => [brand.uuid, brand.name]))
  return (detail.batches ?? []).map((batch) => {
    const packaged = (detail.packaged_products ?? []).filter((one) => one.batch_uuid === batch.uuid)
    const wanted = new Set([batch, ...packaged].flatMap((one) => one.digital_coa_uuids ?? []))
    return {
      ...common(batch, batch.brand_uuid == null ? null : (brands.get(batch.brand_uuid) ?? null)),
      coas: coaLinks(
        (detail.digital_coas ?? []).filter((coa) => wanted.has(coa.uuid) || coa.batch_uuid === batch.uuid),
      ),
      packagedProducts: packaged.map((one) => packagedLine(one, detail)).map((line) => ({ ...line, batch: null })),
    }
  })
}

type Flat = NonNullable<CaseDetail['packaged_products']>[number]
type Naming = Partial<Pick<CaseDetail, 'products' | 'batches'>>

/** A packaged product of `/api/v1.2`, with the names from the rest of the answer. */
export function packagedLine(packaged: Flat, { products, batches }: Naming): PackagedLine {
  const product = products?.find((one) => one.uuid === packaged.product_uuid)
  const batch = batches?.find((one) => one.uuid === packaged.batch_uuid)
  return {
    packagedProductId: packaged.uuid,
    product: link('product', packaged.product_uuid, product?.name, product?.sku),
    batch:
      packaged.batch_uuid == null
        ? null
        : link('batch', packaged.batch_uuid, packaged.batch_name ?? batch?.name, batch?.regulatory_id),
    regulatoryId: filled(packaged.regulatory_id),
    packagedOn: filled(packaged.packaged_on),
    useBy: filled(packaged.use_by),
  }
}

type Common = Pick<Batch, 'uuid' | 'name' | 'regulatory_id' | 'produced_on' | 'updated_on'> &
  Partial<Pick<Batch, 'harvested_on' | 'extraction_method' | 'solvents'> & Pick<BatchDetail, 'testing_laboratories'>>

const common = (batch: Common, brandName: string | null) => ({
  kind: 'batch' as const,
  ref: { kind: 'batch' as const, id: batch.uuid },
  name: filled(batch.name),
  facts: facts(
    id('id', batch.uuid),
    text('brand', brandName),
    ...regulatoryIds(batch.regulatory_id),
    when('produced-on', batch.produced_on),
    when('harvested-on', batch.harvested_on),
    ...(batch.testing_laboratories ?? []).map(({ name }) => text('laboratory', name)),
    text('extraction', batch.extraction_method),
    text('solvents', batch.solvents),
    when('updated-on', batch.updated_on),
  ),
})

/** One text may hold several, separated by commas. */
const regulatoryIds = (all: string | null | undefined) =>
  (all ?? '').split(',').map((one) => text('regulatory-id', one))
