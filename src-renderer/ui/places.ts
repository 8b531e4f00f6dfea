/** The place of each row among all rows of a list; undefined for its headings. */
export function placesOf<Item>(items: readonly Item[], isHeading: (item: Item) => boolean): (number | undefined)[] {
  let count = 0
  return items.map((item) => (isHeading(item) ? undefined : (count += 1)))
}

/**
 * The item that a key leads to from another one (-1: from none), at most the first or last row; undefined if the key leads
 * nowhere. `page`: how many rows a page is.
 */
export function itemByKey(
  key: string,
  places: readonly (number | undefined)[],
  from: number,
  page: number,
): number | undefined {
  const steps = new Map([
    ['ArrowDown', 1],
    ['ArrowUp', -1],
    ['PageDown', page],
    ['PageUp', -page],
    ['Home', -Infinity],
    ['End', Infinity],
  ])
  const step = steps.get(key)
  if (step === undefined) return undefined
  const rows = [...places.keys()].filter((index) => places[index] !== undefined)
  return rows[Math.min(Math.max(rows.indexOf(from) + step, 0), rows.length - 1)]
}
