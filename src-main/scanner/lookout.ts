/**
 * Decides when to look for devices. Everything that opens or closes a device runs here, one job after the other: the same
 * path may be closed and opened again. Times in ms.
 */
export function createLookout({
  look,
  isWanted,
  settle,
  poll,
  onError,
}: {
  look: () => Promise<void>
  /** Whether polling makes sense now. */
  isWanted: () => boolean
  /** From a plug to the look. */
  settle: number
  /** Between two polls. */
  poll: number
  /** Called when a job throws; later jobs still run. */
  onError: (cause: unknown) => void
}) {
  let settleTimer: NodeJS.Timeout | undefined
  let pollTimer: NodeJS.Timeout | undefined
  let lastJob: Promise<void> = Promise.resolve()
  let isQueued = false
  let isStopped = false

  const clear = () => {
    clearTimeout(settleTimer)
    settleTimer = undefined
    clearTimeout(pollTimer)
  }
  /** Runs a job after all earlier ones. Never rejects. */
  const queue = (job: () => Promise<void>): Promise<void> => {
    lastJob = lastJob.then(job).catch(onError)
    return lastJob
  }
  function now() {
    clear()
    if (isStopped || isQueued) return
    isQueued = true
    void queue(async () => {
      isQueued = false
      if (isStopped) return
      await look()
      later()
    })
  }
  /** At the next poll, if a look is still wanted then. */
  function later() {
    clearTimeout(pollTimer)
    if (isStopped || !isWanted()) return
    pollTimer = setTimeout(() => {
      if (isWanted()) now()
    }, poll).unref()
  }

  return {
    queue,
    now,
    later,
    /** After a plug: once, after `settle`, for all plugs until then. */
    soon() {
      if (isStopped) return
      settleTimer ??= setTimeout(now, settle).unref()
    },
    stop() {
      isStopped = true
      clear()
    },
  }
}
