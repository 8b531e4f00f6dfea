import { err } from '../../src-shared/result'
import { type Asking, type Found, errorsIn, readCoas, told, valueOf } from './ask'
import { askCaseAbout } from './ask-case'
import { batchBody } from './batch-thing'
import { coaBody } from './coa-thing'
import { createGaps, judge } from './gaps'
import { productBody } from './product-thing'

/** A product, in both versions. Spec: Products (v1.5); v1.2 endpoints. */
export async function askProduct({ v12, v15, turns }: Asking, productId: string): Promise<Found> {
  const gaps = createGaps()
  const [product, productV15] = await Promise.all([
    turns(() => v12.products.get(productId)),
    turns(() => v15.products.get(productId)),
  ])
  const body = productBody({ product: valueOf(product), productV15: valueOf(productV15) })
  if (!body) return err(judge(errorsIn(product, productV15)) ?? { code: 'service/not-found', id: productId })
  gaps.take('product', product)
  gaps.take('catalogue', productV15)
  return told(body, gaps)
}

/**
 * A batch: only v1.5 shows one alone, and only to its own company; of any other, a case that it was seen in (`via`) tells
 * what there is. Spec: Batches (v1.5).
 */
export async function askBatch(asking: Asking, batchId: string, via: string | null): Promise<Found> {
  const batch = await asking.turns(() => asking.v15.batches.get(batchId))
  if (!batch.ok) return via === null ? batch : byWayOf(asking, via, { kind: 'batch', id: batchId }, batch)
  const { digital_coa_uuids: own, packaged_products: packaged } = batch.value
  const gaps = createGaps()
  const ids = [...(own ?? []), ...(packaged ?? []).flatMap((one) => one.digital_coa_uuids ?? [])]
  return told(batchBody(batch.value, await readCoas(asking, ids, gaps)), gaps)
}

/** A certificate, in the same two ways. Spec: Digital COAs (v1.5). */
export async function askCoa(asking: Asking, coaId: string, via: string | null): Promise<Found> {
  const coa = await asking.turns(() => asking.v15.digitalCoas.get(coaId))
  if (!coa.ok) return via === null ? coa : byWayOf(asking, via, { kind: 'coa', id: coaId }, coa)
  const { batch_uuid: batchId } = coa.value
  const gaps = createGaps()
  const batch =
    batchId == null ? undefined : gaps.take('batch', await asking.turns(() => asking.v15.batches.get(batchId)))
  return told(coaBody(coa.value, batch?.name ?? null), gaps)
}

type Refused = Extract<Found, { ok: false }>

async function byWayOf(asking: Asking, via: string, ref: { kind: 'batch' | 'coa'; id: string }, refused: Refused) {
  const found = await askCaseAbout(asking, via, ref)
  if (!found.ok) return err(judge([refused.error, found.error]) ?? refused.error)
  const gaps = createGaps()
  gaps.take('catalogue', refused)
  return { ...found, value: { ...found.value, gaps: [...gaps.all(), ...found.value.gaps] } }
}
