import type { AppError } from '../../src-shared/errors'
import { type Result, ok } from '../../src-shared/result'

import type { Clock } from '../clock'
import type { V15Client } from '../service-client/v15'
import { link } from './links'
import type { Candidate } from './ranking'

/** The products and batches of the caller's company by name, as its catalogue lists them. Spec: Products, Batches (v1.5). */
export type CatalogueNames = () => Promise<Result<Candidate[], AppError>>

/** What was read is good for so long, in ms. */
const freshFor = 60_000
/** Of each list so many entries are read at the most, and for so long: how long its pages are, nobody knows. */
const mostEntries = 500
const patience = 4_000

export function createCatalogueNames({ v15, clock }: { v15: Pick<V15Client, 'products' | 'batches'>; clock: Clock }) {
  let kept: { at: number; names: Promise<Result<Candidate[], AppError>> } | undefined

  const read = async (): Promise<Result<Candidate[], AppError>> => {
    const [products, batches] = await Promise.all([
      beginningOf(v15.products.list(), clock),
      beginningOf(v15.batches.list(), clock),
    ])
    if (!products.ok) return products
    if (!batches.ok) return batches
    return ok([
      ...products.value.map((one) => ({
        link: link('product', one.uuid, one.name, one.sku),
        words: [one.name, one.sku ?? null],
      })),
      ...batches.value.map((one) => ({
        link: link('batch', one.uuid, one.name, one.regulatory_id),
        words: [one.name, ...(one.regulatory_id ?? '').split(',')],
      })),
    ])
  }

  const names: CatalogueNames = async () => {
    const now = clock.now()
    // A clock that was set back makes it neither old nor new: then it is read anew.
    if (!kept || now - kept.at >= freshFor || now < kept.at) kept = { at: now, names: read() }
    const mine = kept
    const found = await mine.names
    // A failure is not kept: whoever looks next asks again.
    if (!found.ok && kept === mine) kept = undefined
    return found
  }
  return names
}

/** The first entries of a list; what came before an error counts, unless nothing did. */
async function beginningOf<T>(list: AsyncIterable<Result<T, AppError>>, clock: Clock): Promise<Result<T[], AppError>> {
  const until = clock.now() + patience
  const entries: T[] = []
  for await (const entry of list) {
    if (!entry.ok) return entries.length > 0 ? ok(entries) : entry
    entries.push(entry.value)
    if (entries.length >= mostEntries || clock.now() > until) break
  }
  return ok(entries)
}
