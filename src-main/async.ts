import { setTimeout } from 'node:timers/promises'

/** Code of the error that `withDeadline` rejects with: the request may have arrived. */
const deadlineCode = 'DEADLINE'

/** What a promise came to in time, or that it did not. */
export type Settled<T> = PromiseSettledResult<T> | { status: 'timeout' }

/**
 * Waits for a promise for at most `ms`, and not after the signal. Never rejects. A promise that is given up may still
 * settle: what it opens, the caller must close. The timer does not keep the process alive.
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
    // A timer takes an endless time for none.
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

/** What the promise gives; after `ms`, what `late` gives. Rejects if the promise does. */
export async function withTimeout<T, Late>(promise: Promise<T>, ms: number, late: () => Late): Promise<T | Late> {
  const settled = await settleWithin(promise, ms)
  if (settled.status === 'timeout') return late()
  return promise
}

/**
 * What `work` gives, or a rejection after `ms`. Its signal ends the work as well; work that can't be ended yet, because it
 * waits for a connection, is not waited for: undici begins no request whose signal was given.
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

/** Work that never runs beside itself. Asked for while it runs, it runs once more after, however often it was asked for. */
export interface SingleFlight {
  ask(): void
  /** Starts nothing any more; resolves once what runs has ended. */
  stop(): Promise<void>
}

export function singleFlight(work: () => Promise<void>, onError: (cause: unknown) => void): SingleFlight {
  let running: Promise<void> | undefined
  let isWantedAgain = false
  let isStopped = false

  const ask = () => {
    if (isStopped) return
    // What the run finds out may be older than the reason to ask again.
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
