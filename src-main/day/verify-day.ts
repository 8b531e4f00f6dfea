import type { Database } from 'better-sqlite3'
import { type AppError, isUnanswered, isUnreachable } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import type { DayVerification } from '../../src-shared/ipc/contract/checkout'
import { type Result, err, ok } from '../../src-shared/result'
import type { CollectionItem } from '../../src-shared/service/collections'
import type { Clock, ServiceClock } from '../core/clock'
import type { MainEvents } from '../core/events'
import type { Log } from '../core/log'
import { singleFlight, sleep as realSleep } from '../core/async'
import type { Outbox } from '../outbox/outbox'
import { type ItemSource, readItems } from '../outbox/evidence'
import type { Connection } from '../service/connection'
import { saved } from '../database/saved'
import { createEntries } from './entries'
import { createHistory, dayOf, spanOf } from './history'
import { type Shown, createReadBackPlan, tallyOf } from './readback'
import { type DayItem, createReadBackRows, createVerificationViews } from './readback-store'

interface VerifyingParts {
  db: Database
  events: Pick<MainEvents, 'emit'>
  client: ItemSource['client']
  outbox: Outbox
  connection: Pick<Connection, 'isAnswering'>
  productName: (tagId: TagId) => string | null
  /** Asks what an item is, and remembers it. */
  learn: (tagId: TagId) => Promise<Result<unknown, AppError>>
  clock: Clock
  serviceClock: Pick<ServiceClock, 'offset'>
  log: Pick<Log, 'info' | 'warn' | 'error'>
  sleep?: typeof realSleep
  /** [0, 1), for the jitter. */
  random?: () => number
}

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
/** How often it looks whether a day can be verified by itself, in ms. */
const betweenIdleLooks = 60_000
/** At a look, one idle station of so many begins: a day ends for all of a time zone at the same moment. */
const beginsOneIn = 30
/** The station counts as idle so long after the newest operation, in ms. */
const calm = 600_000
/** An older day is verified on request only, in ms. */
const oldest = 7 * 86_400_000

type Wait = 'connection' | 'sending'

export type Verifying = ReturnType<typeof createVerifying>

/**
 * Reads the items of a day back from the service and compares them with what was reported, on request, or by itself once
 * the day is over. The rules are in day.md.
 */
export function createVerifying(parts: VerifyingParts) {
  const { db, client, outbox, connection, clock, serviceClock, log, events } = parts
  const { sleep = realSleep, random = Math.random } = parts
  const rows = createReadBackRows(db)
  const history = createHistory(outbox)
  const plan = createReadBackPlan({ entries: createEntries(db), history, outbox, serviceClock })
  const views = createVerificationViews(rows, parts.productName)
  const stopping = new AbortController()
  let isStopped = false
  let idleTimer: NodeJS.Timeout | undefined
  let waitsFor: Wait | null = null

  const pause = (ms: number) => sleep(ms, stopping.signal)
  const now = () => clock.now() + serviceClock.offset()
  const view = (day: string) => views.view(day, waitsFor)
  const announce = (day: string) => {
    if (!isStopped) events.emit('checkout.verification', view(day))
  }
  const isCurrent = (day: string) => !isStopped && rows.running() === day

  /** Why nothing should be read at the moment; null if it may. */
  const obstacle = (): Wait | null => {
    if (!connection.isAnswering()) return 'connection'
    const due = outbox.read.nextDueAt()
    const isSending = outbox.read.inState('sending').length > 0 || (due !== null && due <= clock.now())
    return isSending ? 'sending' : null
  }

  async function untilFree(day: string): Promise<void> {
    for (let looks = 0; isCurrent(day); looks++) {
      const why = obstacle()
      if (why === null || (why === 'sending' && looks >= mostLooks)) break
      const shown = why === 'connection' || looks >= unseenLooks ? why : null
      if (shown !== waitsFor) {
        waitsFor = shown
        announce(day)
      }
      await pause(betweenLooks)
    }
    if (waitsFor === null) return
    waitsFor = null
    announce(day)
  }

  /** Makes a pause before each request, and no request after `stop`. */
  const paced =
    <Value>(ask: (id: string) => Promise<Result<Value, AppError>>) =>
    async (id: string): Promise<Result<Value, AppError>> => {
      await pause(betweenReads)
      return isStopped ? err({ code: 'service/unreachable' }) : ask(id)
    }
  const pacedClient: ItemSource['client'] = {
    collections: { get: paced((caseId) => client.collections.get(caseId)) },
    items: { get: paced((tagId) => client.items.get(tagId)) },
  }

  /** Items of one case that were not read yet; once all were, those that differ, to be read a second time. */
  function nextOf(day: string): DayItem[] {
    const items = [...views.itemsOf(day).values()]
    const notRead = items.filter(({ shown }) => shown === null)
    const again = () => tallyOf(items).differing.flatMap(({ item }) => (item.readings < 2 ? [item] : []))
    const pending = notRead.length > 0 ? notRead : again()
    return pending.filter(({ caseId }) => caseId === pending[0]?.caseId).slice(0, mostAtOnce)
  }

  /** Stores what the service showed, except for items of which this station reported something meanwhile. */
  function keep(day: string, group: DayItem[], before: Map<TagId, string>, shownOf: (tagId: TagId) => Shown): void {
    const items = views.itemsOf(day)
    const gone: TagId[] = []
    const read: DayItem[] = []
    for (const item of group) {
      const reported = plan.reported(item.tagId)
      if (!reported) gone.push(item.tagId)
      else if (JSON.stringify(reported) === before.get(item.tagId))
        read.push({ ...item, reported, shown: shownOf(item.tagId), readings: item.readings + 1 })
    }
    rows.keep(day, read, gone)
    for (const item of read) items.set(item.tagId, item)
    for (const tagId of gone) items.delete(tagId)
  }

  /** Reads one group. Errors: those after which reading may succeed later. */
  async function readGroup(day: string, group: DayItem[], isLastTry: boolean): Promise<Result<null, AppError>> {
    const before = new Map(group.map(({ tagId }) => [tagId, JSON.stringify(plan.reported(tagId))]))
    const cases = new Map(group.map(({ tagId, caseId }) => [tagId, caseId ?? undefined]))
    const read = await readItems([...cases.keys()], { client: pacedClient, caseOf: (tagId) => cases.get(tagId) })
    if (!isCurrent(day)) return ok(null)
    if (!read.ok && (!isLastTry || !isFault(read.error))) return read
    const items: ReadonlyMap<TagId, CollectionItem> = read.ok ? read.value : new Map()
    keep(day, group, before, (tagId) => shownAs(items.get(tagId)))
    if (read.ok) await learnNames(group)
    return ok(null)
  }

  /** What was sold without a connection may have no product yet: the service can be asked about it now. */
  async function learnNames(group: DayItem[]): Promise<void> {
    for (const { tagId } of group) {
      if (parts.productName(tagId) !== null) continue
      await pause(betweenReads)
      if (isStopped) return
      const found = await parts.learn(tagId)
      if (!found.ok && isUnanswered(found.error)) return
    }
  }

  /** True for an unusable answer; false if the service was out of reach or asked to wait. */
  const isFault = (error: AppError) => !isUnreachable(error) && error.code !== 'service/busy'

  async function work(): Promise<void> {
    // Failures in a row; faults are those with an unusable answer.
    let failures = 0
    let faults = 0
    while (!isStopped) {
      const day = rows.running()
      if (day === undefined) return
      try {
        await untilFree(day)
        if (!isCurrent(day)) continue
        const group = nextOf(day)
        if (group.length === 0) {
          rows.finish(day, now())
          const { total, differenceCount } = view(day)
          log.info('a day was read back', { day, total, differences: differenceCount })
        } else {
          const read = await readGroup(day, group, faults >= mostFaults - 1)
          failures = read.ok ? 0 : failures + 1
          if (read.ok) faults = 0
          else if (isFault(read.error)) faults++
          if (failures > 0) await pause(Math.min(2 ** failures * 500, longestBackoff) * (0.75 + random() / 2))
        }
        announce(day)
      } catch (cause) {
        log.error('reading a day back failed', { day, cause })
        await pause(storePause)
      }
    }
  }

  const worker = singleFlight(work, (cause) => {
    log.error('reading days back ended', { cause })
  })

  const verify = (day: string): Result<DayVerification, AppError> =>
    saved(() => {
      const reading = rows.reading(day)
      if (reading && reading.state !== 'finished') rows.resume(day, now())
      else {
        const tagIds = plan.itemsOf(day)
        if (tagIds.length === 0) return ok(view(day))
        rows.begin(day, now(), rows.reportsTaken(spanOf(day)), tagIds)
        views.forget(day)
      }
      worker.ask()
      announce(day)
      return ok(view(day))
    })

  const isIdle = () => {
    if (!connection.isAnswering() || outbox.read.counts().unsent > 0) return false
    const savedAt = rows.lastSavedAt()
    // A future time was saved before the clock was set back: it says nothing about how long ago that was.
    const since = savedAt === null ? calm : clock.now() - savedAt
    return since >= calm || since < 0
  }

  /** The last day before today with reports, unless it is verified, being verified, or paused by a person. */
  const dayToVerify = (): string | null => {
    if (rows.running() !== undefined) return null
    const now = clock.now() + serviceClock.offset()
    const [startOfToday] = spanOf(dayOf(now))
    const last = rows.lastReportBefore(startOfToday)
    if (last === null || last < now - oldest) return null
    const day = dayOf(last)
    const reading = rows.reading(day)
    if (!reading) return day
    return reading.state === 'finished' && rows.reportsTaken(spanOf(day)) !== reading.reports ? day : null
  }

  const verifyWhenIdle = () => {
    try {
      const day = isIdle() ? dayToVerify() : null
      if (day === null) return
      log.info('a day is verified by itself', { day })
      verify(day)
    } catch (cause) {
      // The disk refused: tried again at the next look.
      log.warn('no day could be verified', { cause })
    }
  }

  return {
    view,
    /** Starts a day, resumes one that is paused, or reads a finished one again. Errors: store/not-saved. */
    verify,
    /** Pauses until a person resumes it. Errors: store/not-saved. */
    pause: (): Result<null, AppError> =>
      saved(() => {
        const day = rows.running()
        rows.pauseAll()
        waitsFor = null
        if (day !== undefined) announce(day)
        return ok(null)
      }),
    /** Verifies the last day with reports if it is over and the station has nothing else to do. */
    verifyWhenIdle,
    /** Continues what the last process left, and verifies days by itself from then on. */
    start() {
      worker.ask()
      idleTimer = setInterval(() => {
        if (random() * beginsOneIn < 1) verifyWhenIdle()
      }, betweenIdleLooks)
      idleTimer.unref()
    },
    /** Resolves once nothing is being read. */
    async stop(): Promise<void> {
      isStopped = true
      clearInterval(idleTimer)
      stopping.abort()
      await worker.stop()
    },
  }
}

function shownAs(item: CollectionItem | undefined): Shown {
  if (item === undefined) return 'nothing'
  return item.sold_at_dispensary_on == null ? 'free' : Date.parse(item.sold_at_dispensary_on)
}
