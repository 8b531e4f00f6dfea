import { type CartItem, type CartLine, isDoubtful } from '../../src-shared/ipc/checkout-view'

/** An item that the service will refuse, by all that is known. */
export interface Doubt {
  line: CartLine
  item: CartItem
}

export const doubtsIn = (lines: CartLine[]): Doubt[] =>
  lines.flatMap((line) =>
    line.items.filter(({ flag }) => flag !== null && isDoubtful(flag)).map((item) => ({ line, item })),
  )
