/** Pauses that end early when the part that makes them is stopped. */
export interface Nap {
  sleep(ms: number): Promise<void>
  /** Ends every pause, and those to come at once. */
  end(): void
}

export function createNap(): Nap {
  const sleeping = new Set<() => void>()
  let isEnded = false
  return {
    sleep: (ms) =>
      new Promise((resolve) => {
        if (isEnded) {
          resolve()
          return
        }
        const wake = () => {
          clearTimeout(timer)
          sleeping.delete(wake)
          resolve()
        }
        const timer = setTimeout(wake, ms)
        sleeping.add(wake)
      }),
    end() {
      isEnded = true
      for (const wake of [...sleeping]) wake()
    },
  }
}
