/** What became of a promise that somebody waited for. */
export type Waited<T> = { kind: 'done'; value: T } | { kind: 'failed'; cause: unknown } | { kind: 'late' }

/**
 * Waits for a promise for at most `ms`, and not after the signal. Devices hang: whoever waits for one must be able to go on.
 * A promise that is given up may still settle: what it opens, the caller must close.
 */
export function inTime<T>(promise: Promise<T>, ms: number, signal?: AbortSignal): Promise<Waited<T>> {
  return new Promise((resolve) => {
    const end = (waited: Waited<T>) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
      resolve(waited)
    }
    const giveUp = () => {
      end({ kind: 'late' })
    }
    const timer = setTimeout(giveUp, ms)
    timer.unref()
    signal?.addEventListener('abort', giveUp)
    promise.then(
      (value) => {
        end({ kind: 'done', value })
      },
      (cause: unknown) => {
        end({ kind: 'failed', cause })
      },
    )
    if (signal?.aborted) giveUp()
  })
}
