import type { Log } from './log'
import type { Connection } from './service-client/connection'
import type { V12Client } from './service-client/v12'

/** Asks the service something harmless while it is out of reach, so that the bar tells the truth without a scan. */
export interface Probe {
  start(): void
  stop(): void
}

export interface ProbeParts {
  connection: Connection
  client: Pick<V12Client, 'items'>
  log: Log
}

/** Between two questions while something is wrong, in ms: a line that comes back is to be seen at once. */
const interval = 2_000
/** A probe that is not answered by now is asked again: whoever waits for it waits for everything. */
const patience = 2_500

/** No item has the id of zeros: "not found" is the answer of a service that is well. */
const nobody = '2222222222222222222222'

export function createProbe({ connection, client, log }: ProbeParts): Probe {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const next = () => {
    if (isStopped) return
    // A little jitter: twenty tills of a store must not ask in step.
    timer = setTimeout(() => void look(), interval * (0.75 + Math.random() / 2))
    timer.unref()
  }
  const look = async () => {
    // While requests succeed there is nothing to find out.
    try {
      if (connection.view().state !== 'online') await client.items.get(nobody, { patience })
    } catch (cause) {
      log.error('the probe failed', { cause })
    }
    next()
  }

  return {
    start: () => void look(),
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
