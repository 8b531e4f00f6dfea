import type { TagId } from '../../src-shared/ids'
import { type CartLine, lookupPatience } from '../../src-shared/ipc/checkout-view'

/** Main answers a scan after `lookupPatience` at the latest; the way there and back takes a little. In ms. */
const patience = lookupPatience + 400

/** Changes of a cart that main was asked for and has not answered yet. */
export class InFlight {
  readonly #calls = new Map<Promise<unknown>, TagId | null>()

  /** `tagId`: of the item that goes in or out. */
  async track<Value>(call: Promise<Value>, tagId: TagId | null = null): Promise<Value> {
    this.#calls.set(call, tagId)
    try {
      return await call
    } finally {
      this.#calls.delete(call)
    }
  }

  has(tagId: TagId): boolean {
    return [...this.#calls.values()].includes(tagId)
  }

  /** Waits until what is under way now was answered, but not for ever. Gives the items that it is about. */
  async answered(): Promise<ReadonlySet<TagId>> {
    const items = new Set([...this.#calls.values()].filter((tagId) => tagId !== null))
    if (this.#calls.size === 0) return items
    let timer: ReturnType<typeof setTimeout> | undefined
    const tooLong = new Promise<void>((resolve) => (timer = setTimeout(resolve, patience)))
    await Promise.race([Promise.allSettled([...this.#calls.keys()]), tooLong])
    clearTimeout(timer)
    return items
  }
}

/** The items of a cart. */
export const tagIdsIn = (lines: CartLine[]): ReadonlySet<TagId> =>
  new Set(lines.flatMap(({ items }) => items.map(({ tagId }) => tagId)))
