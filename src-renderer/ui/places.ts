/** The place of each row among all rows of a list; undefined for its headings. */
export function placesOf<Item>(items: readonly Item[], isHeading: (item: Item) => boolean): (number | undefined)[] {
  let count = 0
  return items.map((item) => (isHeading(item) ? undefined : (count += 1)))
}
