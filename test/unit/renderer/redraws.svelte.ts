import { flushSync } from 'svelte'

/** Draws each item as a row of a list does, and counts how often each is drawn again after that. */
export function countRedraws<Item>(items: Item[], draw: (item: Item) => unknown) {
  const draws = items.map(() => -1)
  const stop = $effect.root(() => {
    for (const [at, item] of items.entries()) {
      $effect(() => {
        draw(item)
        draws[at] = (draws[at] ?? 0) + 1
      })
    }
  })
  flushSync()
  return {
    /** The places of the rows that were drawn again, each as often as it was. */
    redrawn(): number[] {
      flushSync()
      return draws.flatMap((count, at) => Array<number>(count).fill(at))
    },
    stop,
  }
}
