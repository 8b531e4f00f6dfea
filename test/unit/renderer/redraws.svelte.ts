import { flushSync } from 'svelte'

/** Draws each item as a list row does, and counts how often each row is redrawn. */
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
    /** The indexes of the redrawn rows, one entry per redraw. */
    redrawn(): number[] {
      flushSync()
      return draws.flatMap((count, at) => Array<number>(count).fill(at))
    },
    stop,
  }
}
