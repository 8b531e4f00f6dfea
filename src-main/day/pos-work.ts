import { setImmediate } from 'node:timers/promises'
import { type YieldNow, createYieldNow, singleFlight } from '../core/async'
import type { ComparedDay, ComparedDays } from './compared-day'
import type { DayContext } from './day-context'
import { compareDay } from './pos-comparison'
import { queued } from './pos-day-state'
import type { PosDayRows } from './pos-day-rows'
import type { PosLoading } from './pos-loading'
import { OtherReports } from './pos-others'
import { reportSpanOf } from './pos-reports'
import { notAsked, outOfReach, statusOf } from './pos-store'
import { ReportedRows } from './reported-rows'
import type { StoreDays } from './store-day'

class Stopped extends Error {}

/** The days of the other stations of the store. */
export type OtherStations = Pick<StoreDays, 'ownId' | 'others'>

/** Compares the days that are in the queue, one at a time, and tells the pages. */
export class PosWork {
  readonly #context: DayContext
  readonly #rows: PosDayRows
  readonly #days: ComparedDays
  readonly #loading: PosLoading
  readonly #storeDays: OtherStations | undefined
  readonly #reported: ReportedRows
  readonly #pause: () => Promise<unknown>
  readonly #worker = singleFlight(
    () => this.#work(),
    (cause) => {
      this.#closed(cause)
    },
  )
  #waiting: { day: string; end: (held: ComparedDay | null) => void }[] = []
  #turn = 0
  #isStopped = false

  constructor(
    context: DayContext,
    rows: PosDayRows,
    days: ComparedDays,
    loading: PosLoading,
    storeDays: OtherStations | undefined,
  ) {
    this.#context = context
    this.#storeDays = storeDays
    this.#rows = rows
    this.#days = days
    this.#loading = loading
    this.#reported = new ReportedRows(context.db)
    this.#pause = context.pause ?? (() => setImmediate())
  }

  /** A person looks at a day. `isAnew`: one that broke off is compared anew, and the other stations are asked again. */
  look(held: ComparedDay, isAnew: boolean): void {
    const hasFile = this.#rows.loaded(held.day) !== null
    const asks = isAnew && this.#storeDays !== undefined
    const before = held.state
    held.on({ of: 'look', hasFile, isAnew, asks, turn: ++this.#turn })
    if (held.state !== before) this.#worker.ask()
  }

  /** Compares a day anew. */
  compare(held: ComparedDay): void {
    held.on({ of: 'due', turn: ++this.#turn })
    this.#worker.ask()
  }

  /** Compares a day anew, and all others when they are looked at next. */
  compareAll(held: ComparedDay): void {
    for (const one of this.#days.all()) one.on({ of: 'inputs', turn: ++this.#turn })
    this.compare(held)
  }

  /** Once a day is as it should be. Null: nothing will come. */
  async settled(held: ComparedDay): Promise<ComparedDay | null> {
    if (!held.isComing) return held
    if (this.#isStopped) return null
    return new Promise((end) => this.#waiting.push({ day: held.day, end }))
  }

  /** Tells the pages what a day is like now. */
  announce(held: ComparedDay): void {
    this.#days.changed(held)
    if (!this.#isStopped) this.#context.events.emit('posDay.changed', held.view())
  }

  /** Clears away what an earlier process left. */
  start(): void {
    this.#worker.ask()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    for (const { day } of this.#waiting) this.#endWaiting(day, null)
    await this.#worker.stop()
  }

  async #work(): Promise<void> {
    try {
      for (let held = this.#next(); held && !this.#isStopped; held = this.#next()) await this.#workOn(held)
      while (!this.#isStopped && !this.#next() && this.#loading.sweep()) await this.#pause()
    } catch (cause) {
      if (!(cause instanceof Stopped)) throw cause
    }
  }

  /** Days to be compared before those whose stations are asked again; of each, the one that was looked at last. */
  #next(): ComparedDay | undefined {
    const due = this.#days.all().flatMap((held) => {
      const place = queued(held.state)
      return place ? [{ held, ...place }] : []
    })
    const [first] = due.sort((a, b) => Number(a.what === 'others') - Number(b.what === 'others') || b.turn - a.turn)
    return first?.held
  }

  async #workOn(held: ComparedDay): Promise<void> {
    try {
      held.on({ of: 'begin', hasFile: this.#rows.loaded(held.day) !== null })
      await (held.state.is === 'following' ? this.#follow(held) : this.#compare(held))
    } catch (cause) {
      if (cause instanceof Stopped) throw cause
      this.#context.log.error('a day could not be compared with the POS', { cause })
      held.on({ of: 'broke' })
    }
    if (queued(held.state) === null) this.#endWaiting(held.day, held)
    this.announce(held)
  }

  /** Compares a day as it is now. If another file comes meanwhile, it is in the queue again. */
  async #compare(held: ComparedDay): Promise<void> {
    const loaded = this.#rows.loaded(held.day)
    if (loaded === null) {
      held.comparison = null
      return
    }
    await this.#askOthers(held)
    held.on({ of: 'answered' })
    const { others } = held
    const { catalogue } = this.#context
    const inputs = { rows: this.#rows, reported: this.#reported, others, loaded }
    const comparison = await compareDay(inputs, catalogue, held.day, this.#yielding(), (done) => {
      held.on({ of: 'progress', done })
      this.announce(held)
    })
    if (this.#rows.loaded(held.day)?.load !== loaded.load) return
    // It is in the queue again: what was reported meanwhile is not in this comparison.
    if (held.state.is !== 'reading') return
    held.comparison = comparison
    const areTaken = [...held.state.reported].map((orderId) => comparison.reportChanged(orderId))
    held.on({ of: 'end', isWhole: !areTaken.includes(false), turn: ++this.#turn })
  }

  /** Follows what the other stations have reported since a day was compared. */
  async #follow(held: ComparedDay): Promise<void> {
    await this.#askOthers(held)
    const { comparison, others } = held
    if (held.state.is !== 'following' || !comparison) return
    held.on({ of: 'end', isWhole: await comparison.othersChanged(others, this.#yielding()), turn: ++this.#turn })
  }

  /** Reads what the other stations have reported by now. Without an answer, what was read before stays. */
  async #askOthers(held: ComparedDay): Promise<void> {
    const storeDays = this.#storeDays
    if (!storeDays) return
    const read = await storeDays.others(held.day, reportSpanOf(held.day))
    if (this.#isStopped) throw new Stopped()
    if (read.ok) held.others = await OtherReports.read(read.value.entries, this.#reported, this.#yielding())
    held.store = read.ok
      ? statusOf(read.value, storeDays.ownId, this.#context.clock.now())
      : outOfReach(held.store ?? notAsked, read.error.code === 'hub/day-too-old' ? 'too-old' : 'unreachable')
  }

  #yielding(): YieldNow {
    return createYieldNow(async () => {
      await this.#pause()
      if (this.#isStopped) throw new Stopped()
    })
  }

  #closed(cause: unknown): void {
    this.#context.log.error('the comparison with the POS broke off', { cause })
    for (const held of this.#days.all()) held.on({ of: 'closed' })
    for (const { day } of this.#waiting) this.#endWaiting(day, null)
  }

  /** Gives those who wait for a day what there is: it may leave the memory before they go on. */
  #endWaiting(day: string, held: ComparedDay | null): void {
    const over = this.#waiting.filter((one) => one.day === day)
    this.#waiting = this.#waiting.filter((one) => one.day !== day)
    for (const { end } of over) end(held)
  }
}
