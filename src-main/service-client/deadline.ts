/** Rejects with this code: the request may have arrived. */
const code = 'DEADLINE'

/**
 * What `work` gives, or a rejection after `ms`. Its signal ends the work as well; work that can't be ended yet, because it
 * waits for a connection, is not waited for: undici begins no request whose signal was given.
 */
export async function withDeadline<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const cause = Object.assign(new Error(`no answer within ${ms} ms`), { code })
      reject(cause)
      abort.abort(cause)
    }, ms)
    timer.unref()
  })
  try {
    return await Promise.race([work(abort.signal), passed])
  } finally {
    clearTimeout(timer)
  }
}
