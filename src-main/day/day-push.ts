import { setImmediate } from 'node:timers/promises'
import { settleWithin, singleFlight } from '../core/async'
import type { Log } from '../core/log'
import type { Hub } from '../hub/port'
import { pushDirty } from '../sharing/pushing'
import type { DayEntryRows } from './day-entry-rows'

/** So many entries are told, or compared, at a time. */
const atOnce = 200
/** Reports of so many ms are compared with those that the hub has: when it answers again, and so often in ms. */
const compared = 7 * 24 * 3_600_000
const betweenComparisons = 3_600_000
/** The days that began within so many ms are known; the hub forgets its entries a day later. */
export const knownFor = 59 * 24 * 3_600_000
/** How long the last reports may take to be told when Countertag is closed, in ms. */
const pushingLast = 1_000

interface DayPushContext {
  rows: DayEntryRows
  hub: Pick<Hub, 'epoch' | 'day'>
  /** By the service's clock. */
  now: () => number
  isStopped: () => boolean
  log: Pick<Log, 'error'>
}

/** Tells the hub this station's sales, returns and voids in brief, and every change of them. What could not be told stays noted. */
export class DayPush {
  readonly #context: DayPushContext
  readonly #pushing = singleFlight(
    async () => void (await this.push()),
    (cause) => {
      this.failed(cause)
    },
  )
  readonly #comparing = singleFlight(
    () => this.#compare(),
    (cause) => {
      this.failed(cause)
    },
  )
  #last: Promise<boolean> = Promise.resolve(true)
  /** When all was compared, in ms since 1970; null if the hub was out of reach since. */
  #comparedAt: number | null = null

  constructor(context: DayPushContext) {
    this.#context = context
  }

  /** A report was made, or has changed. */
  ask(): void {
    this.#pushing.ask()
  }

  /** The hub answers, or a while has passed. */
  askAll(): void {
    if (this.#comparedAt === null || Date.now() - this.#comparedAt > betweenComparisons) this.#comparing.ask()
    this.#pushing.ask()
  }

  hubLost(): void {
    this.#comparedAt = null
  }

  /** Pushes all, one call after the other. Returns whether the hub has everything. */
  push(): Promise<boolean> {
    const next = () => this.#push()
    this.#last = this.#last.then(next, next)
    return this.#last
  }

  /** What is on its way is told, and what is left now; the rest at the next start. */
  async finish(): Promise<void> {
    await this.#comparing.stop()
    await settleWithin(this.push(), pushingLast)
  }

  stop(): Promise<void> {
    return this.#pushing.stop()
  }

  failed(cause: unknown): void {
    this.#context.log.error("the store's day could not be told", { cause })
  }

  async #push(): Promise<boolean> {
    const { rows, hub, isStopped } = this.#context
    const pushed = await pushDirty(rows.dirty, {
      ...{ hub, atOnce, isStopped },
      push: async (dirty, epoch) => {
        const entries = rows.told(dirty)
        return entries.length === 0 || hub.day.push(epoch, entries)
      },
    })
    return pushed === 'done'
  }

  async #compare(): Promise<void> {
    this.#comparedAt = Date.now()
    if (await this.#compareAll()) this.#pushing.ask()
    else this.#comparedAt = null
  }

  /**
   * The hub may be new, or restored from a backup: if it lacks something of the last days, or has fewer entries in all, all that it
   * keeps is compared. Returns false without an answer.
   */
  async #compareAll(): Promise<boolean> {
    const { rows, hub, now } = this.#context
    for (const span of [compared, knownFor]) {
      const since = now() - span
      const there = await hub.day.own(since)
      if (!there) return false
      if ((await this.#noteMissing(since, there)) > 0) continue
      const oldest = now() - knownFor
      const total = await hub.day.total(oldest)
      if (total === undefined) return false
      if (total + rows.dirty.count() >= rows.countSince(oldest)) break
    }
    return true
  }

  /** Notes the reports that the hub doesn't have as they are here. Returns how many were thought to be there. */
  async #noteMissing(since: number, there: ReadonlyMap<string, string>): Promise<number> {
    const { rows, isStopped } = this.#context
    let count = 0
    let after: number | null = null
    while (!isStopped()) {
      const { missing, last }: ReturnType<DayEntryRows['noteMissing']> = rows.noteMissing(since, after, atOnce, there)
      count += missing
      if (last === null) break
      after = last
      // Scans come between.
      await setImmediate()
    }
    return count
  }
}
