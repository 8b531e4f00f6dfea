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

/** Orders of both sides, by the loose form of their numbers. */
export function createOrderMatch() {
  const groups = new Map<string, { pos: Set<string>; here: Set<string> }>()
  const groupOf = (orderId: string) => {
    const loose = looseNumber(orderId)
    const known = groups.get(loose)
    if (known) return known
    const made = { pos: new Set<string>(), here: new Set<string>() }
    groups.set(loose, made)
    return made
  }
  const other = { pos: 'here', here: 'pos' } as const
  const partner = (side: 'pos' | 'here', orderId: string): string | null => {
    const group = groupOf(orderId)
    const there = group[other[side]]
    if (there.has(orderId)) return orderId
    if (there.size !== 1 || [...group[side]].some((one) => one !== orderId)) return null
    return [...there][0] ?? null
  }
  return {
    add(side: 'pos' | 'here', orderId: string) {
      groupOf(orderId)[side].add(orderId)
    },
    has: (side: 'pos' | 'here', orderId: string) => groupOf(orderId)[side].has(orderId),
    /** The same order on the other side; null if it has none, or it can't be told which. */
    partner,
    /** An order on the other side whose number is almost the same, and which wasn't taken for this one. */
    similar(side: 'pos' | 'here', orderId: string): string | null {
      const there = groupOf(orderId)[other[side]]
      return [...there].find((one) => one !== partner(side, orderId)) ?? null
    },
    /** Both numbers of each order that an order of this number may concern. */
    related(orderId: string): { pos: string[]; here: string[] } {
      const group = groupOf(orderId)
      return { pos: [...group.pos], here: [...group.here] }
    },
    orders: (side: 'pos' | 'here'): string[] => [...groups.values()].flatMap((group) => [...group[side]]),
  }
}

export type OrderMatch = ReturnType<typeof createOrderMatch>
