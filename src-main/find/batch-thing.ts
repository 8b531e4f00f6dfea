import type { Thing } from '../../src-shared/ipc/find-view'
import type { Batch, BatchDetail } from '../../src-shared/service/batches'
import type { CaseDetail } from '../../src-shared/service/collections'
import type { Body } from './body'
import { facts, id, text, when } from './facts'
import { type AnyCoa, coaLinks, filled, link } from './links'

/** A batch as Find shows it: from its own page of v1.5, or from a case that holds items of it. Spec: Batch. */
export type PackagedLine = Thing<'batch'>['packagedProducts'][number]

export function batchBody(batch: BatchDetail, coas: readonly AnyCoa[]): Body<'batch'> {
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

/** The same of every batch in a case, as far as the case shows it. */
export function batchesOfCase(detail: CaseDetail): Body<'batch'>[] {
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

/** A packaged product of `/api/v1.2`, with the names that the rest of the answer gives. */
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

/** One text may hold several, with commas between them. */
const regulatoryIds = (all: string | null | undefined) =>
  (all ?? '').split(',').map((one) => text('regulatory-id', one))
