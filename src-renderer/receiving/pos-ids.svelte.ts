import { SvelteMap } from 'svelte/reactivity'
import type { ShortUuid } from '../../src-shared/ids'
import type { Client } from '../../src-shared/ipc/client'
import { PosPair, type Prefill, type Suggestion } from '../../src-shared/ipc/contract/receiving'

export type PosField = 'posProductId' | 'posInventoryId' | 'sku'

/** Fields that are the same for a product in every package; inventory ids differ by package. */
const ofProduct = ['posProductId', 'sku'] as const

type Suggestions = Record<PosField, Suggestion[]>
const none: Suggestions = { posProductId: [], posInventoryId: [], sku: [] }

/**
 * The POS ids of one product in one package, shared by all its cases. Only what a person typed or chose is kept; other
 * values always follow the current suggestions.
 */
export class PosIds {
  suggestions = $state.raw<Suggestions>(none)
  readonly #typed = new SvelteMap<PosField, string>()
  readonly #inherited = new SvelteMap<PosField, string>()

  get posProductId(): string {
    return this.#valueOf('posProductId')
  }
  set posProductId(value: string) {
    this.choose('posProductId', value)
  }

  get posInventoryId(): string {
    return this.#valueOf('posInventoryId')
  }
  set posInventoryId(value: string) {
    this.choose('posInventoryId', value)
  }

  get sku(): string {
    return this.#valueOf('sku')
  }
  set sku(value: string) {
    this.choose('sku', value)
  }

  #valueOf(field: PosField): string {
    return this.#typed.get(field) ?? this.#inheritedOf(field) ?? this.#certainOf(field) ?? ''
  }

  /** The suggestion that is filled in: only a single, certain one. */
  #certainOf(field: PosField): string | undefined {
    const [only, ...others] = this.suggestions[field]
    return only?.isCertain && others.length === 0 ? only.value : undefined
  }

  /** A suggestion for this very package takes precedence over what was typed for another one. */
  #inheritedOf(field: PosField): string | undefined {
    const isKnown = this.suggestions[field].some(({ isOfPackage }) => isOfPackage)
    return isKnown ? undefined : this.#inherited.get(field)
  }

  /** A person typed or chose a value; suggestions no longer replace it. */
  choose(field: PosField, value: string): void {
    this.#typed.set(field, value)
  }

  /** Replaces the suggestions, and the values taken from earlier ones. */
  offer(prefill: Prefill): void {
    this.suggestions = prefill
  }

  /** Suggestions could not be loaded. */
  withdraw(): void {
    this.suggestions = none
  }

  /** The suggestion that a field shows; null if it shows another value. */
  sourceOf(field: PosField): Suggestion | null {
    return this.suggestions[field].find(({ value }) => value === this[field]) ?? null
  }

  /** Whether the value of a field was typed for another package of the product. */
  isInherited(field: PosField): boolean {
    return !this.#typed.has(field) && this.#inheritedOf(field) !== undefined
  }

  /** Suggestions other than the current value. */
  choicesOf(field: PosField): Suggestion[] {
    return this.suggestions[field].filter(({ value }) => value !== this[field])
  }

  /** Takes over what was typed for the product, when a person corrects the package. */
  inherit(from: PosIds): void {
    for (const field of ofProduct) {
      const value = from.#typed.get(field) ?? from.#inherited.get(field)
      if (value !== undefined && value.trim() !== '') this.#inherited.set(field, value)
    }
  }

  get isComplete(): boolean {
    return this.posProductId.trim() !== '' && this.posInventoryId.trim() !== ''
  }
}

/** `receiving.prefills` accepts so many pairs at once. */
const mostAtOnce = 500

/** The POS ids of every product in every package of the delivery. Asks main once for the suggestions of each pair. */
export class PosIdsBook {
  readonly #client: Client
  readonly #known = new Map<string, PosIds>()
  /** The pairs that were asked about, each with the number of its newest request. */
  readonly #asked = new Map<string, { pair: PosPair; request: number }>()
  #requests = 0

  constructor(client: Client) {
    this.#client = client
  }

  of(productId: ShortUuid, packageUid: string): PosIds {
    const key = keyOf({ productId, packageUid })
    const ids = this.#known.get(key) ?? new PosIds()
    this.#known.set(key, ids)
    return ids
  }

  /** Asks about pairs that were not asked about yet. Leaves out a package that is not a valid tag. */
  async need(wanted: { productId: string; packageUid: string }[]): Promise<void> {
    const pairs = new Map<string, PosPair>()
    for (const one of wanted) {
      const pair = PosPair.safeParse(one)
      if (pair.success && !this.#asked.has(keyOf(one))) pairs.set(keyOf(one), pair.data)
    }
    await this.#ask([...pairs.values()])
  }

  /** Asks about all pairs again: a catalogue was loaded or removed. */
  async again(): Promise<void> {
    await this.#ask([...this.#asked.values()].map(({ pair }) => pair))
  }

  forget(): void {
    this.#known.clear()
    this.#asked.clear()
  }

  async #ask(pairs: PosPair[]): Promise<void> {
    const request = ++this.#requests
    // A pair takes the answer to its newest request.
    const isNewest = (pair: PosPair) => this.#asked.get(keyOf(pair))?.request === request
    for (const pair of pairs) this.#asked.set(keyOf(pair), { pair, request })
    for (let start = 0; start < pairs.length; start += mostAtOnce) {
      const part = pairs.slice(start, start + mostAtOnce)
      const answer = await this.#client.call('receiving.prefills', { pairs: part })
      if (answer.ok) {
        for (const prefill of answer.value.filter(isNewest)) {
          this.of(prefill.productId, prefill.packageUid).offer(prefill)
        }
      } else {
        // Older suggestions may be wrong by now. Asked about again when they are next needed.
        for (const pair of part.filter(isNewest)) {
          this.#asked.delete(keyOf(pair))
          this.of(pair.productId, pair.packageUid).withdraw()
        }
      }
    }
  }
}

const keyOf = ({ productId, packageUid }: { productId: string; packageUid: string }) => `${productId}/${packageUid}`
