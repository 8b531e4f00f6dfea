import type { TagId } from '../../src-shared/ids'
import type { CartItem, CartLine, CartView, ItemFlag } from '../../src-shared/ipc/checkout-view'

/** An item of which something else is known now than what was said when it was scanned. */
export interface LateNews {
  item: CartItem
  line: CartLine
  itemCount: number
}

/** What was last said of each item of a cart. */
export class Told {
  #flags = new Map<TagId, ItemFlag | null>()

  said(tagId: TagId, flag: ItemFlag | null): void {
    this.#flags.set(tagId, flag)
  }

  /** Everything in the cart is known to whoever looks at it. */
  seen({ lines }: CartView): void {
    this.#flags = new Map(lines.flatMap(({ items }) => items.map(({ tagId, flag }) => [tagId, flag])))
  }

  /** What is new in a cart; of an item that nobody was told of there is no news. */
  newsIn({ lines, itemCount }: CartView): LateNews[] {
    return lines.flatMap((line) =>
      line.items
        .filter(({ tagId, flag }) => this.#flags.has(tagId) && this.#flags.get(tagId) !== flag)
        .map((item) => ({ item, line, itemCount })),
    )
  }
}
