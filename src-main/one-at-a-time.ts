/** Work that never runs beside itself: asked for while it runs, it runs once more after, however often it was asked for. */
export interface OneAtATime {
  ask(): void
  /** Nothing begins any more; resolves once what runs has ended. */
  stop(): Promise<void>
}

export function oneAtATime(work: () => Promise<void>, onError: (cause: unknown) => void): OneAtATime {
  let running: Promise<void> | undefined
  let isWantedAgain = false
  let isStopped = false

  const ask = () => {
    if (isStopped) return
    if (running) {
      // What it finds out now may be from before there was a reason to ask.
      isWantedAgain = true
      return
    }
    running = work()
      .catch(onError)
      .finally(() => {
        running = undefined
        if (!isWantedAgain) return
        isWantedAgain = false
        ask()
      })
  }

  return {
    ask,
    async stop() {
      isStopped = true
      await running
    },
  }
}
