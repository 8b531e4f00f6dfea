import type { ShortUuid } from '../../src-shared/ids'
import { PosIds } from './pos-ids.svelte'

/** The ids of every product in every package that was looked at in this delivery. */
export class PosIdsBook {
  readonly #known = new Map<string, PosIds>()

  of(productId: ShortUuid, packageUid: string): PosIds {
    const key = `${productId}/${packageUid}`
    const ids = this.#known.get(key) ?? new PosIds()
    this.#known.set(key, ids)
    return ids
  }

  forget(): void {
    this.#known.clear()
  }
}
