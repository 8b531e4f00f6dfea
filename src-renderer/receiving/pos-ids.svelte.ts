import { SvelteMap } from 'svelte/reactivity'
import type { Prefill, Suggestion } from '../../src-shared/ipc/pos-view'

export type PosField = 'posProductId' | 'posInventoryId' | 'sku'

/** What is the same for a product in every package: an inventory id never is. */
const ofProduct = ['posProductId', 'sku'] as const

type Suggestions = Record<PosField, Suggestion[]>
const none: Suggestions = { posProductId: [], posInventoryId: [], sku: [] }

/**
 * What the POS calls one product in one package: the same for all its cases, so it is entered once. Only what a person
 * typed or chose is kept; what else stands in a field is always what is suggested now.
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

  /** Several, or one that may be of something else, are left to choose. */
  #certainOf(field: PosField): string | undefined {
    const [only, ...others] = this.suggestions[field]
    return only?.isCertain && others.length === 0 ? only.value : undefined
  }

  /** What is known of this very package comes before what a person typed for another one. */
  #inheritedOf(field: PosField): string | undefined {
    const isKnown = this.suggestions[field].some(({ isOfPackage }) => isOfPackage)
    return isKnown ? undefined : this.#inherited.get(field)
  }

  /** A person typed or chose it: nothing fills it in any more. */
  choose(field: PosField, value: string): void {
    this.#typed.set(field, value)
  }

  /** Takes in what may be meant now; what was suggested before and is not any more is gone from the fields as well. */
  offer(prefill: Prefill): void {
    this.suggestions = prefill
  }

  /** Nobody can say what may be meant. */
  withdraw(): void {
    this.suggestions = none
  }

  /** Where the value of a field comes from, when it is one that was suggested. */
  sourceOf(field: PosField): Suggestion | null {
    return this.suggestions[field].find(({ value }) => value === this[field]) ?? null
  }

  /** Whether the value of a field was typed for another package of the product. */
  isInherited(field: PosField): boolean {
    return !this.#typed.has(field) && this.#inheritedOf(field) !== undefined
  }

  /** What can be chosen instead of the value that stands there. */
  choicesOf(field: PosField): Suggestion[] {
    return this.suggestions[field].filter(({ value }) => value !== this[field])
  }

  /** What a person typed of the product for another package goes along when the package is corrected. */
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
