import { nowByService } from '../core/clock'
import type { AppError, ResultOf } from '../../src-shared/errors'
import { isUnanswered, isUnreachable } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import type { DayVerification } from '../../src-shared/ipc/contract/checkout'
import { type Result, err, ok } from '../../src-shared/result'
import type { CollectionItem } from '../../src-shared/service/collections'
import { singleFlight, sleep as realSleep } from '../core/async'
import { type ItemSource, readItems } from '../outbox/evidence'
import type { ServiceCode, ServiceError } from '../service/reply'
import type { DayContext } from './day-context'
import { type ReadBackPlan, type Shown, tallyOf } from './readback'
import type { DayItem, ReadBackRows, VerificationViews } from './readback-store'

/** Pause before each request, in ms: the counter goes first. */
const betweenReads = 150
/** How often it checks whether it may continue, in ms. */
const betweenLooks = 250
/** After so many checks it reads one case although operations are being sent: a report may be stuck for hours. */
const mostLooks = 120
/** A wait of fewer checks is not shown. */
const unseenLooks = 8
/** At most so many items of one case are read together. */
const mostAtOnce = 200
/** Answers in a row that can't be used before the items of a case count as not shown. */
const mostFaults = 6
const longestBackoff = 60_000
/** Pause after the store itself failed, in ms. */
const storePause = 30_000
type Wait = 'connection' | 'sending'

/** Items of one case that were not read yet; once all were, those that differ, to be read a second time. */
function nextOf(items: readonly DayItem[]): DayItem[] {
  const notRead = items.filter(({ shown }) => shown === null)
  const again = () => tallyOf(items).differing.flatMap(({ item }) => (item.readings < 2 ? [item] : []))
  const pending = notRead.length > 0 ? notRead : again()
  return pending.filter(({ caseId }) => caseId === pending[0]?.caseId).slice(0, mostAtOnce)
}

/** True for an unusable answer; false if the service was out of reach or asked to wait. */
const isFault = (error: AppError) => !isUnreachable(error) && error.code !== 'service/busy'

function shownAs(item: CollectionItem | undefined): Shown {
  if (item === undefined) return 'nothing'
  return item.sold_at_dispensary_on == null ? 'free' : Date.parse(item.sold_at_dispensary_on)
}

/** Reads the items of the running day back from the service, case by case, while nothing else is to be done. */
export class DayReader {
  readonly #context: DayContext
  readonly #rows: ReadBackRows
  readonly #plan: ReadBackPlan
  readonly #views: VerificationViews
  readonly #sleep: typeof realSleep
  readonly #client: ItemSource['client']
  readonly #stopping = new AbortController()
  readonly #worker = singleFlight(
    () => this.#work(),
    (cause) => {
      this.#context.log.error('reading days back ended', { cause })
    },
  )
  #waitsFor: Wait | null = null
  /** Failures in a row; faults are those with an unusable answer. */
  #failures = 0
  #faults = 0

  constructor(context: DayContext, rows: ReadBackRows, plan: ReadBackPlan, views: VerificationViews) {
    const { client, sleep = realSleep } = context
    this.#context = context
    this.#rows = rows
    this.#plan = plan
    this.#views = views
    this.#sleep = sleep
    this.#client = {
      collections: { get: this.#paced((caseId) => client.collections.get(caseId)) },
      items: { get: this.#paced((tagId) => client.items.get(tagId)) },
    }
  }

  view(day: string): DayVerification {
    return this.#views.view(day, this.#waitsFor)
  }

  announce(day: string): void {
    if (!this.#isStopped) this.#context.events.emit('checkout.verification', this.view(day))
  }

  /** Reads the running day, if there is one. */
  ask(): void {
    this.#worker.ask()
  }

  /** The day isn't to be read any more. */
  paused(): void {
    this.#waitsFor = null
  }

  /** Resolves once nothing is being read. */
  stop(): Promise<void> {
    this.#stopping.abort()
    return this.#worker.stop()
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted
  }

  #isCurrent(day: string): boolean {
    return !this.#isStopped && this.#rows.running() === day
  }

  #pause(ms: number): Promise<void> {
    return this.#sleep(ms, this.#stopping.signal)
  }

  async #work(): Promise<void> {
    this.#failures = 0
    this.#faults = 0
    while (!this.#isStopped) {
      const day = this.#rows.running()
      if (day === undefined) return
      try {
        await this.#untilFree(day)
        if (this.#isCurrent(day)) await this.#step(day)
      } catch (cause) {
        this.#context.log.error('reading a day back failed', { day, cause })
        await this.#pause(storePause)
      }
    }
  }

  /** Reads the items of the next case, or finishes the day. */
  async #step(day: string): Promise<void> {
    const { log } = this.#context
    const group = nextOf([...this.#views.itemsOf(day).values()])
    if (group.length > 0) {
      await this.#readOrWait(day, group)
    } else {
      this.#rows.finish(day, nowByService(this.#context))
      const { total, differenceCount } = this.view(day)
      log.info('a day was read back', { day, total, differences: differenceCount })
    }
    this.announce(day)
  }

  /** Waits after a failure, longer each time. */
  async #readOrWait(day: string, group: DayItem[]): Promise<void> {
    const { random = Math.random } = this.#context
    const read = await this.#readGroup(day, group, this.#faults >= mostFaults - 1)
    this.#failures = read.ok ? 0 : this.#failures + 1
    if (read.ok) this.#faults = 0
    else if (isFault(read.error)) this.#faults++
    if (this.#failures === 0) return
    await this.#pause(Math.min(2 ** this.#failures * 500, longestBackoff) * (0.75 + random() / 2))
  }

  /** Reads one group. Fails if reading may succeed later. */
  async #readGroup(day: string, group: DayItem[], isLastTry: boolean): Promise<ResultOf<null, ServiceCode>> {
    const before = new Map(group.map(({ tagId }) => [tagId, JSON.stringify(this.#plan.reported(tagId))]))
    const cases = new Map(group.map(({ tagId, caseId }) => [tagId, caseId ?? undefined]))
    const read = await readItems([...cases.keys()], { client: this.#client, caseOf: (tagId) => cases.get(tagId) })
    if (!this.#isCurrent(day)) return ok(null)
    if (!read.ok && (!isLastTry || !isFault(read.error))) return read
    const items: ReadonlyMap<TagId, CollectionItem> = read.ok ? read.value : new Map()
    this.#keep(day, group, before, (tagId) => shownAs(items.get(tagId)))
    if (read.ok) await this.#learnNames(group)
    return ok(null)
  }

  /** Stores what the service showed, except for items of which this station reported something meanwhile. */
  #keep(day: string, group: DayItem[], before: Map<TagId, string>, shownOf: (tagId: TagId) => Shown): void {
    const items = this.#views.itemsOf(day)
    const gone: TagId[] = []
    const read: DayItem[] = []
    for (const item of group) {
      const reported = this.#plan.reported(item.tagId)
      if (!reported) gone.push(item.tagId)
      else if (JSON.stringify(reported) === before.get(item.tagId))
        read.push({ ...item, reported, shown: shownOf(item.tagId), readings: item.readings + 1 })
    }
    this.#rows.keep(day, read, gone)
    for (const item of read) items.set(item.tagId, item)
    for (const tagId of gone) items.delete(tagId)
  }

  /** What was sold without a connection may have no product yet: the service can be asked about it now. */
  async #learnNames(group: DayItem[]): Promise<void> {
    const { lookup } = this.#context
    for (const { tagId } of group) {
      if ((lookup.cached(tagId)?.productName ?? null) !== null) continue
      await this.#pause(betweenReads)
      if (this.#isStopped) return
      const found = await lookup.tag(tagId)
      if (!found.ok && isUnanswered(found.error)) return
    }
  }

  async #untilFree(day: string): Promise<void> {
    for (let looks = 0; this.#isCurrent(day); looks++) {
      const why = this.#obstacle()
      if (why === null || (why === 'sending' && looks >= mostLooks)) break
      const shown = why === 'connection' || looks >= unseenLooks ? why : null
      this.#showWait(day, shown)
      await this.#pause(betweenLooks)
    }
    this.#showWait(day, null)
  }

  /** Why nothing should be read at the moment; null if it may. */
  #obstacle(): Wait | null {
    const { connection, outbox, clock } = this.#context
    if (!connection.isAnswering()) return 'connection'
    const due = outbox.read.nextDueAt()
    const isSending = outbox.read.inState('sending').length > 0 || (due !== null && due <= clock.now())
    return isSending ? 'sending' : null
  }

  #showWait(day: string, wait: Wait | null): void {
    if (wait === this.#waitsFor) return
    this.#waitsFor = wait
    this.announce(day)
  }

  /** Makes a pause before each request, and no request after `stop`. */
  #paced<Value>(ask: (id: string) => Promise<Result<Value, ServiceError>>) {
    return async (id: string): Promise<Result<Value, ServiceError>> => {
      await this.#pause(betweenReads)
      return this.#isStopped ? err({ code: 'service/unreachable' }) : ask(id)
    }
  }
}
