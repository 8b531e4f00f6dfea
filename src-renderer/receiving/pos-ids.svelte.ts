import { SvelteMap } from 'svelte/reactivity'
import type { Prefill, Suggestion } from '../../src-shared/ipc/contract/receiving'

export type PosField = 'posProductId' | 'posInventoryId' | 'sku'

/** Fields that are the same for a product in every package; inventory ids differ by package. */
const ofProduct = ['posProductId', 'sku'] as const

type Suggestions = Record<PosField, Suggestion[]>
const none: Suggestions = { posProductId: [], posInventoryId: [], sku: [] }

/**
 * The POS ids of one product in one package, shared by its cases except those for which something else was typed. Only what a person typed or chose is kept; other
 * values always follow the current suggestions.
 */
export class PosIds {
  #offered = $state.raw<Suggestions>(none)
  /** The ids that these differ from in what was typed; null if these are not of one case only. */
  #shared = $state.raw<PosIds | null>(null)
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

  get suggestions(): Suggestions {
    return this.#shared?.suggestions ?? this.#offered
  }

  #valueOf(field: PosField): string {
    return this.#typed.get(field) ?? this.#shared?.[field] ?? this.#inheritedOf(field) ?? this.#certainOf(field) ?? ''
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
    this.#offered = prefill
  }

  /** Suggestions could not be loaded. */
  withdraw(): void {
    this.#offered = none
  }

  /** The suggestion that a field shows; null if it shows another value. */
  sourceOf(field: PosField): Suggestion | null {
    return this.suggestions[field].find(({ value }) => value === this[field]) ?? null
  }

  /** Whether the value of a field was typed for another package of the product. */
  isInherited(field: PosField): boolean {
    if (this.#typed.has(field)) return false
    return this.#shared?.isInherited(field) ?? this.#inheritedOf(field) !== undefined
  }

  /** Suggestions other than the current value. */
  choicesOf(field: PosField): Suggestion[] {
    return this.suggestions[field].filter(({ value }) => value !== this[field])
  }

  /**
   * Takes over what was typed before the package was known; fields that were left blank follow the suggestions. Returns
   * false, and takes nothing, if something else was typed for the package since.
   */
  adopt(from: PosIds): boolean {
    for (const [field, value] of from.#typed) if (value.trim() === '') from.#typed.delete(field)
    const typed = [...from.#typed]
    if (typed.some(([field, value]) => this.#typed.has(field) && this.#typed.get(field) !== value)) return false
    for (const [field, value] of typed) this.#typed.set(field, value)
    from.#typed.clear()
    return true
  }

  /** What was typed stays here; all else is as in the shared ids. */
  stayBeside(shared: PosIds): void {
    this.#shared = shared
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
