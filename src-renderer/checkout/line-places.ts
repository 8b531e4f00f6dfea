import type { TagId } from '../../src-shared/ids'
import { type CartLine, unknownLine } from '../../src-shared/ipc/contract/checkout'

export const tagIdsIn = (lines: CartLine[]): ReadonlySet<TagId> =>
  new Set(lines.flatMap(({ items }) => items.map(({ tagId }) => tagId)))

/** How many products items are of, and how many items are of products that aren't known yet. */
export function productsIn(lines: Pick<CartLine, 'key' | 'items'>[]): { count: number; unknown: number } {
  const scanned = lines.filter(({ items }) => items.length > 0)
  const unknown = scanned.find(({ key }) => key === unknownLine)?.items.length ?? 0
  return { count: scanned.length - (unknown > 0 ? 1 : 0), unknown }
}

/**
 * The line that a line of an earlier cart became. Its key changes once its product is known: then it is the line with one
 * of its items, or, without items, the new line with its product's name.
 */
export function successorOf(line: CartLine, before: CartLine[], now: CartLine[]): CartLine | undefined {
  const isNew = ({ key }: CartLine) => !before.some((one) => one.key === key)
  const hasItem = ({ items }: CartLine) => items.some(({ tagId }) => line.items.some((one) => one.tagId === tagId))
  return (
    now.find(({ key }) => key === line.key) ??
    now.find(hasItem) ??
    now.find((one) => line.productName !== null && one.productName === line.productName && isNew(one))
  )
}

/** Names each line by a place that stays when its key changes, so that the field in which a person types stays too. */
export class LinePlaces {
  #places = new Map<string, number>()
  #next = 0

  /** Call with each new cart, before it is shown. */
  follow(before: CartLine[], now: CartLine[]): void {
    const kept = new Map<string, number>()
    const keys = new Set(now.map(({ key }) => key))
    for (const line of before) {
      const place = this.#places.get(line.key)
      const key = keys.has(line.key) ? line.key : successorOf(line, before, now)?.key
      if (place !== undefined && key !== undefined && (key === line.key || !kept.has(key))) kept.set(key, place)
    }
    for (const { key } of now) if (!kept.has(key)) kept.set(key, this.#next++)
    this.#places = kept
  }

  of({ key }: CartLine): number | string {
    return this.#places.get(key) ?? key
  }
}
