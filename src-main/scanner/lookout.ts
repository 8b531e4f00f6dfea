interface LookoutParts {
  look: () => Promise<void>
  /** Whether polling makes sense now. */
  isWanted: () => boolean
  /** From a plug to the look. */
  settle: number
  /** Between two polls. */
  poll: number
  /** Called when a job throws; later jobs still run. */
  onError: (cause: unknown) => void
}

/**
 * Decides when to look for devices. Everything that opens or closes a device runs here, one job after the other: the same
 * path may be closed and opened again. Times in ms.
 */
export class Lookout {
  readonly #parts: LookoutParts
  #settleTimer: NodeJS.Timeout | undefined
  #pollTimer: NodeJS.Timeout | undefined
  #lastJob: Promise<void> = Promise.resolve()
  #isQueued = false
  #isStopped = false

  constructor(parts: LookoutParts) {
    this.#parts = parts
  }

  /** Runs a job after all earlier ones. Never rejects. */
  queue(job: () => Promise<void>): Promise<void> {
    this.#lastJob = this.#lastJob.then(job).catch(this.#parts.onError)
    return this.#lastJob
  }

  now(): void {
    this.#clear()
    if (this.#isStopped || this.#isQueued) return
    this.#isQueued = true
    void this.queue(async () => {
      this.#isQueued = false
      if (this.#isStopped) return
      await this.#parts.look()
      this.later()
    })
  }

  /** At the next poll, if a look is still wanted then. */
  later(): void {
    clearTimeout(this.#pollTimer)
    if (this.#isStopped || !this.#parts.isWanted()) return
    this.#pollTimer = setTimeout(() => {
      if (this.#parts.isWanted()) this.now()
    }, this.#parts.poll).unref()
  }

  /** After a plug: once, after `settle`, for all plugs until then. */
  soon(): void {
    if (this.#isStopped) return
    this.#settleTimer ??= setTimeout(() => {
      this.now()
    }, this.#parts.settle).unref()
  }

  stop(): void {
    this.#isStopped = true
    this.#clear()
  }

  #clear(): void {
    clearTimeout(this.#settleTimer)
    this.#settleTimer = undefined
    clearTimeout(this.#pollTimer)
  }
}
