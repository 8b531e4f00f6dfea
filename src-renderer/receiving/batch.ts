/** Does what comes in a rain of events once per frame, in the order in which it came. */
export interface Batch {
  later(step: () => void): void
}

/** `schedule` runs something soon; not by frames, for a window that nobody sees has none. */
export function createBatch(schedule: (run: () => void) => void = (run) => void setTimeout(run, 16)): Batch {
  let steps: (() => void)[] = []
  return {
    later(step) {
      steps.push(step)
      if (steps.length > 1) return
      schedule(() => {
        const due = steps
        steps = []
        for (const run of due) run()
      })
    },
  }
}
