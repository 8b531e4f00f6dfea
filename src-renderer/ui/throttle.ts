/** Changes of one step come together, in ms. */
const calm = 100
/** Shortest time between two runs, in ms: people don't read faster, and sending must not wait for the lists. */
const rest = 500

/**
 * Runs `run` soon after a call, and at most twice a second while calls keep coming. `reset` cancels a run that is due,
 * because it has just been run for another reason. `now`: monotonic clock, in ms.
 */
export function throttle(run: () => void, now: () => number = () => performance.now()) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let ranAt = Number.NEGATIVE_INFINITY

  const reset = () => {
    clearTimeout(timer)
    timer = undefined
    ranAt = now()
  }
  const runNow = () => {
    reset()
    run()
  }
  const call = () => {
    timer ??= setTimeout(runNow, Math.max(calm, ranAt + rest - now()))
  }
  return Object.assign(call, { reset })
}

export type Throttled = ReturnType<typeof throttle>

/** Typing counts as finished after this pause, in ms. */
const pause = 250

/** Runs `run` once no call has come for a moment: not at every letter. `cancel` drops a run that is due. */
export function debounce(run: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const cancel = () => clearTimeout(timer)
  const call = () => {
    cancel()
    timer = setTimeout(run, pause)
  }
  return Object.assign(call, { cancel })
}

/** The new rows, with the old object for each row that did not change: only rows that changed are drawn again. */
export function keepUnchanged<Row>(before: readonly Row[], after: readonly Row[], idOf: (row: Row) => string): Row[] {
  const known = new Map(before.map((row) => [idOf(row), row]))
  return after.map((row) => {
    const old = known.get(idOf(row))
    return old && JSON.stringify(old) === JSON.stringify(row) ? old : row
  })
}
