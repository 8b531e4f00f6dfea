import type { Queue } from './queue'

/** Decides when the devices are looked at. */
export interface Lookout {
  now(): void
  /** After a plug: in a moment, once for all that comes until then. */
  soon(): void
  /** At the next poll, if a look is still wanted then. */
  later(): void
  stop(): void
}

export interface LookoutParts {
  queue: Queue
  look: () => Promise<void>
  /** Whether polling makes sense now. */
  isWanted: () => boolean
  /** ms from a plug to the look. */
  settle: number
  /** ms between two polls. */
  poll: number
}

export function createLookout({ queue, look, isWanted, settle, poll }: LookoutParts): Lookout {
  let settleTimer: NodeJS.Timeout | undefined
  let pollTimer: NodeJS.Timeout | undefined
  let isQueued = false
  let isStopped = false

  const clear = () => {
    clearTimeout(settleTimer)
    settleTimer = undefined
    clearTimeout(pollTimer)
  }
  const lookout: Lookout = {
    now() {
      clear()
      if (isStopped || isQueued) return
      isQueued = true
      void queue.add(async () => {
        isQueued = false
        if (isStopped) return
        await look()
        lookout.later()
      })
    },
    soon() {
      if (isStopped || settleTimer) return
      settleTimer = setTimeout(() => {
        lookout.now()
      }, settle)
      settleTimer.unref()
    },
    later() {
      clearTimeout(pollTimer)
      if (isStopped || !isWanted()) return
      pollTimer = setTimeout(() => {
        if (isWanted()) lookout.now()
      }, poll)
      pollTimer.unref()
    },
    stop() {
      isStopped = true
      clear()
    },
  }
  return lookout
}
