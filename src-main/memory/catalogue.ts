import type { AppError } from '../../src-shared/errors'
import type { EntityLink } from '../../src-shared/ipc/contract/find'
import { type Result, ok } from '../../src-shared/result'
import type { Clock } from '../core/clock'
import type { V15Client } from '../service/v15'
import { link } from './find/links'

/** A thing, and every text by which it may be looked for. */
export interface Candidate {
  link: EntityLink
  words: readonly (string | null)[]
}

/** How long the lists count as new, in ms. */
const freshFor = 60_000
/** Limits of what is read of each list: its length is not known before. */
const mostEntries = 500
const patience = 4_000

/** The products and batches of the caller's company, as its catalogue lists them. Spec: Products, Batches (v1.5). */
export class Catalogue {
  readonly #v15: Pick<V15Client, 'products' | 'batches'>
  readonly #clock: Clock
  #kept: { at: number; names: Promise<Result<Candidate[], AppError>> } | undefined

  constructor(v15: Pick<V15Client, 'products' | 'batches'>, clock: Clock) {
    this.#v15 = v15
    this.#clock = clock
  }

  async candidates(): Promise<Result<Candidate[], AppError>> {
    const now = this.#clock.now()
    const kept = this.#kept
    // A clock that was set back makes the age meaningless: then the lists are read again.
    const isFresh = kept && now - kept.at < freshFor && now >= kept.at
    const mine = isFresh ? kept : { at: now, names: this.#read() }
    this.#kept = mine
    const found = await mine.names
    // A failure is not kept: the next search asks again.
    if (!found.ok && this.#kept === mine) this.#kept = undefined
    return found
  }

  async #read(): Promise<Result<Candidate[], AppError>> {
    const v15 = this.#v15
    const [products, batches] = await Promise.all([
      this.#beginningOf(v15.products.list()),
      this.#beginningOf(v15.batches.list()),
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

  /** The first entries of a list; an error counts only if it comes before all entries. */
  async #beginningOf<T>(list: AsyncIterable<Result<T, AppError>>): Promise<Result<T[], AppError>> {
    const until = this.#clock.now() + patience
    const entries: T[] = []
    for await (const entry of list) {
      if (!entry.ok) return entries.length > 0 ? ok(entries) : entry
      entries.push(entry.value)
      if (entries.length >= mostEntries || this.#clock.now() > until) break
    }
    return ok(entries)
  }
}
