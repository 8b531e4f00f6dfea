import { setImmediate, setTimeout } from 'node:timers/promises'

/** Code of the error that `withDeadline` rejects with: the request may have arrived. */
const deadlineCode = 'DEADLINE'

/** The outcome of a promise, or `timeout` if it did not settle in time. */
type Settled<T> = PromiseSettledResult<T> | { status: 'timeout' }

/**
 * Waits for a promise for at most `ms`, or until the signal aborts. Never rejects. An abandoned promise may still settle:
 * the caller must close what it opens. The timer does not keep the process alive.
 */
export function settleWithin<T>(promise: Promise<T>, ms: number, signal?: AbortSignal): Promise<Settled<T>> {
  return new Promise((resolve) => {
    const end = (settled: Settled<T>) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
      resolve(settled)
    }
    const giveUp = () => {
      end({ status: 'timeout' })
    }
    // `setTimeout` treats Infinity as 0.
    const timer = Number.isFinite(ms) ? globalThis.setTimeout(giveUp, ms).unref() : undefined
    signal?.addEventListener('abort', giveUp)
    promise.then(
      (value) => {
        end({ status: 'fulfilled', value })
      },
      (reason: unknown) => {
        end({ status: 'rejected', reason })
      },
    )
    if (signal?.aborted) giveUp()
  })
}

/** The promise's value, or the value of `late` after `ms`. Rejects if the promise does. */
export async function withTimeout<T, Late>(promise: Promise<T>, ms: number, late: () => Late): Promise<T | Late> {
  const settled = await settleWithin(promise, ms)
  if (settled.status === 'timeout') return late()
  return promise
}

/**
 * The value of `work`, or a rejection after `ms`. The signal ends the work as well. Work that still waits for a
 * connection can't be ended yet, so it is abandoned: undici begins no request whose signal has aborted.
 */
export async function withDeadline<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController()
  return withTimeout(work(abort.signal), ms, () => {
    const cause = Object.assign(new Error(`no answer within ${ms} ms`), { code: deadlineCode })
    abort.abort(cause)
    throw cause
  })
}

/** Resolves after `ms`, or as soon as the signal aborts. */
export const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal, ref: false }).catch((cause: unknown) => {
    if (!signal.aborted) throw cause
  })

/**
 * Work that never overlaps itself. If it is requested while it runs, it runs once more afterwards, no matter how many
 * requests there were.
 */
export interface SingleFlight {
  ask(): void
  /** Starts no further run; resolves once the current run has ended. */
  stop(): Promise<void>
}

export function singleFlight(work: () => Promise<void>, onError: (cause: unknown) => void): SingleFlight {
  let running: Promise<void> | undefined
  let isWantedAgain = false
  let isStopped = false

  const ask = () => {
    if (isStopped) return
    // The current run may have read its data before the reason for the new request arose.
    isWantedAgain = running !== undefined
    running ??= work()
      .catch(onError)
      .finally(() => {
        running = undefined
        if (isWantedAgain) ask()
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

/** Lets other work run, if enough time has passed since it last did. */
export type YieldNow = () => Promise<void>

/** After so long, in ms, other work comes first. */
const longestSlice = 8

export function createYieldNow(pause: () => Promise<unknown>): YieldNow {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < longestSlice) return
    await pause()
    since = performance.now()
  }
}

/** Makes something in slices: other work runs between two of them. */
export async function inSlices<Made>(pieces: Generator<undefined, Made>): Promise<Made> {
  for (;;) {
    const piece = pieces.next()
    if (piece.done === true) return piece.value
    await setImmediate()
  }
}

/** Makes something in pieces, all of them at once. */
export function atOnceOf<Made>(pieces: Generator<undefined, Made>): Made {
  for (;;) {
    const piece = pieces.next()
    if (piece.done === true) return piece.value
  }
}
