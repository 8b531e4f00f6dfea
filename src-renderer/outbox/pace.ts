/** Runs something after changes: soon after the first, and at a steady pace while they rain. */
export interface Pace {
  /** Something changed. */
  changed(): void
  /** It was just run for another reason: what changed until now is taken in. */
  done(): void
}

/** Changes of one step come together, in ms. */
const calm = 100
/** Between two runs while a thousand reports go out, in ms: nobody reads faster, and the till has a sale to make. */
const rest = 500

export function createPace(run: () => void, now: () => number): Pace {
  let timer: ReturnType<typeof setTimeout> | undefined
  let ranAt = Number.NEGATIVE_INFINITY

  const done = () => {
    clearTimeout(timer)
    timer = undefined
    ranAt = now()
  }
  return {
    changed() {
      timer ??= setTimeout(
        () => {
          done()
          run()
        },
        Math.max(calm, ranAt + rest - now()),
      )
    },
    done,
  }
}
