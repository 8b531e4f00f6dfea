/**
 * Matching the order numbers of the POS with those that were reported. Two orders are never taken for one: a number in
 * another form counts only if there is one order of that form on either side.
 */

/**
 * The form in which numbers are compared if they aren't equal: without a leading number sign, blanks, case, width of
 * letters, and without leading zeros if nothing but digits is left.
 */
export function looseNumber(orderId: string): string {
  const plain = orderId.normalize('NFKC').toLowerCase().replaceAll(/\s/g, '')
  const text = plain.startsWith('#') ? plain.slice(1) : plain
  return /^\d+$/.test(text) ? text.replace(/^0+(?=\d)/, '') : text || plain
}

type Side = 'pos' | 'here'
const otherSide = { pos: 'here', here: 'pos' } as const

/** Orders of both sides, by the loose form of their numbers. */
export class OrderMatch {
  readonly #groups = new Map<string, Record<Side, Set<string>>>()

  add(side: Side, orderId: string): void {
    this.#groupOf(orderId)[side].add(orderId)
  }

  has(side: Side, orderId: string): boolean {
    return this.#groupOf(orderId)[side].has(orderId)
  }

  /** The same order on the other side; null if it has none, or it can't be told which. */
  partner(side: Side, orderId: string): string | null {
    const group = this.#groupOf(orderId)
    const there = group[otherSide[side]]
    if (there.has(orderId)) return orderId
    if (there.size !== 1 || [...group[side]].some((one) => one !== orderId)) return null
    return [...there][0] ?? null
  }

  /** An order on the other side whose number is almost the same, and which wasn't taken for this one. */
  similar(side: Side, orderId: string): string | null {
    const there = this.#groupOf(orderId)[otherSide[side]]
    return [...there].find((one) => one !== this.partner(side, orderId)) ?? null
  }

  /** Both numbers of each order that an order of this number may concern. */
  related(orderId: string): Record<Side, string[]> {
    const group = this.#groupOf(orderId)
    return { pos: [...group.pos], here: [...group.here] }
  }

  orders(side: Side): string[] {
    return [...this.#groups.values()].flatMap((group) => [...group[side]])
  }

  #groupOf(orderId: string): Record<Side, Set<string>> {
    const loose = looseNumber(orderId)
    const known = this.#groups.get(loose)
    if (known) return known
    const made = { pos: new Set<string>(), here: new Set<string>() }
    this.#groups.set(loose, made)
    return made
  }
}
