import { SvelteMap } from 'svelte/reactivity'
import type { Prefill, Suggestion } from '../../src-shared/ipc/contract/receiving'

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

  /** Takes over what was typed for this package before it was known. What was typed since stays. */
  adopt(from: PosIds): void {
    for (const [field, value] of from.#typed) if (!this.#typed.has(field)) this.#typed.set(field, value)
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
