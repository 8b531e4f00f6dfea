import { type Growth, pauseOf } from './backoff'
import type { Log } from './log'
import type { Connection } from './service-client/connection'
import type { V12Client } from './service-client/v12'

/** Asks the service something harmless while it is out of reach, so that the bar tells the truth without a scan. */
export interface Probe {
  start(): void
  /** Asks at once, even if all was well a moment ago: the computer slept. */
  askNow(): void
  stop(): void
}

export interface ProbeParts {
  connection: Connection
  client: Pick<V12Client, 'items'>
  log: Log
  /** [0, 1), for the jitter. */
  random?: () => number
}

/**
 * Between two questions while something is wrong: a line that comes back is to be seen soon, and a service in trouble is
 * not to be asked by all stations of a store in step.
 */
const pauses: Growth = { first: 2_000, factor: 1.5, longest: 10_000, jitter: 0.5 }
/** In ms; a probe that is not answered by then is asked again. */
const patience = 2_500

/** No item has the id of zeros: "not found" is the answer of a service that is well. */
const nobody = '2222222222222222222222'

export function createProbe({ connection, client, log, random = Math.random }: ProbeParts): Probe {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let asked = 0

  const next = () => {
    clearTimeout(timer)
    if (isStopped) return
    timer = setTimeout(() => void look(), pauseOf(pauses, Math.max(asked - 1, 0), random))
    timer.unref()
  }
  const look = async (isUnsure = false) => {
    // While requests succeed there is nothing to find out.
    try {
      if (connection.view().state === 'online' && !isUnsure) asked = 0
      else {
        asked += 1
        // Retry-After needs no care here: reads rest as long as an answer to one of them said.
        await client.items.get(nobody, { patience, expects: 'report' })
      }
    } catch (cause) {
      log.error('the probe failed', { cause })
    }
    next()
  }

  return {
    start: () => void look(),
    askNow: () => void look(true),
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
