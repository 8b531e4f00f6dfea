import type { AppError } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import type { DayVerification } from '../../src-shared/ipc/verification-view'
import { type Result, err, ok } from '../../src-shared/result'
import type { CollectionItem } from '../../src-shared/service/collections'
import { isUnreachable } from '../../src-shared/unreachable'
import type { Clock, ServiceClock } from '../clock'
import type { Log } from '../log'
import { type Nap, createNap } from '../nap'
import { oneAtATime } from '../one-at-a-time'
import type { Outbox } from '../outbox/outbox'
import { type ItemSource, readItems } from '../outbox/evidence'
import type { Connection } from '../service-client/connection'
import { saved } from '../store/saved'
import { spanOf } from './entries'
import { type Shown, tallyOf } from './readback'
import type { ReadBackPlan } from './readback-plan'
import type { DayItem, ReadBackRows } from './readback-rows'
import { createVerificationViews } from './verification-view'

/** Reads the items of a day back from the service and compares them with what was reported. The rules are in checkout.md. */
export interface Verifying {
  view(day: string): DayVerification
  /** Starts a day, goes on with one that is paused, or reads a finished one again. Errors: store/not-saved. */
  verify(day: string): Result<DayVerification, AppError>
  /** Pauses until a person resumes it. Errors: store/not-saved. */
  pause(): Result<null, AppError>
  /** Goes on with what the last process left. */
  start(): void
  /** Resolves once nothing is read any more. */
  stop(): Promise<void>
}

export interface VerifyingParts {
  rows: ReadBackRows
  plan: ReadBackPlan
  client: ItemSource['client']
  outbox: { read: Pick<Outbox['read'], 'inState' | 'nextDueAt'> }
  connection: Pick<Connection, 'view'>
  productName: (tagId: TagId) => string | null
  clock: Clock
  serviceClock: Pick<ServiceClock, 'offset'>
  log: Pick<Log, 'info' | 'error'>
  onChange: (view: DayVerification) => void
  /** Left out, real pauses. */
  nap?: Nap
  /** [0, 1), for the jitter. */
  random?: () => number
}

/** Before each request, in ms: the counter goes first. */
const betweenReads = 150
/** How often it looks whether it may go on, in ms. */
const betweenLooks = 250
/** So many looks it gives way to what is being sent; then it reads one case, for a report may be stuck for hours. */
const mostLooks = 120
/** A wait of fewer looks is not worth showing. */
const unseenLooks = 8
/** Items of one case that are read together. */
const mostAtOnce = 200
/** Answers in a row that can't be used before the items of a case count as not shown. */
const mostFaults = 6
const longestBackoff = 60_000
/** Pause after the store itself failed, in ms. */
const storePause = 30_000

type Wait = 'connection' | 'sending'

export function createVerifying(parts: VerifyingParts): Verifying {
  const { rows, plan, client, outbox, connection, clock, serviceClock, log, onChange, random = Math.random } = parts
  const nap = parts.nap ?? createNap()
  const views = createVerificationViews(rows, parts.productName)
  let isStopped = false
  let waitsFor: Wait | null = null

  const now = () => clock.now() + serviceClock.offset()
  const view = (day: string) => views.view(day, waitsFor)
  const announce = (day: string) => {
    if (!isStopped) onChange(view(day))
  }
  const isCurrent = (day: string) => !isStopped && rows.running() === day

  /** Why nothing should be read at the moment. */
  const obstacle = (): Wait | null => {
    if (connection.view().state !== 'online') return 'connection'
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
      await nap.sleep(betweenLooks)
    }
    if (waitsFor === null) return
    waitsFor = null
    announce(day)
  }

  /** Each request after a pause; none once it is stopped. */
  const paced =
    <Value>(ask: (id: string) => Promise<Result<Value, AppError>>) =>
    async (id: string): Promise<Result<Value, AppError>> => {
      await nap.sleep(betweenReads)
      return isStopped ? err({ code: 'service/unreachable' }) : ask(id)
    }
  const pacedClient: ItemSource['client'] = {
    collections: { get: paced((caseId) => client.collections.get(caseId)) },
    items: { get: paced((tagId) => client.items.get(tagId)) },
  }

  /** Items of one case that were not read yet; when all were, those that differ, once more. */
  function nextOf(day: string): DayItem[] {
    const items = [...views.itemsOf(day).values()]
    const notRead = items.filter(({ shown }) => shown === null)
    const again = () => tallyOf(items).differing.flatMap(({ item }) => (item.readings < 2 ? [item] : []))
    const pending = notRead.length > 0 ? notRead : again()
    return pending.filter(({ caseId }) => caseId === pending[0]?.caseId).slice(0, mostAtOnce)
  }

  /** Stores what was shown of items, except where a report of this station came in between. */
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

  /** Reads one group. Errors: those of a reading that may succeed later. */
  async function readGroup(day: string, group: DayItem[], isLastTry: boolean): Promise<Result<null, AppError>> {
    const before = new Map(group.map(({ tagId }) => [tagId, JSON.stringify(plan.reported(tagId))]))
    const cases = new Map(group.map(({ tagId, caseId }) => [tagId, caseId ?? undefined]))
    const read = await readItems([...cases.keys()], { client: pacedClient, caseOf: (tagId) => cases.get(tagId) })
    if (!isCurrent(day)) return ok(null)
    if (!read.ok && (!isLastTry || !isFault(read.error))) return read
    const items: ReadonlyMap<TagId, CollectionItem> = read.ok ? read.value : new Map()
    keep(day, group, before, (tagId) => shownAs(items.get(tagId)))
    return ok(null)
  }

  /** Out of reach, or asked to wait: the item was not looked at. */
  const isFault = (error: AppError) => !isUnreachable(error) && error.code !== 'service/busy'

  async function work(): Promise<void> {
    /** In a row: all that failed, and of these the answers that could not be used. */
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
          if (failures > 0) await nap.sleep(Math.min(2 ** failures * 500, longestBackoff) * (0.75 + random() / 2))
        }
        announce(day)
      } catch (cause) {
        log.error('reading a day back failed', { day, cause })
        await nap.sleep(storePause)
      }
    }
  }

  const worker = oneAtATime(work, (cause) => {
    log.error('reading days back ended', { cause })
  })

  return {
    view,
    verify: (day) =>
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
      }),
    pause: () =>
      saved(() => {
        const day = rows.running()
        rows.pauseAll()
        waitsFor = null
        if (day !== undefined) announce(day)
        return ok(null)
      }),
    start: () => {
      worker.ask()
    },
    async stop() {
      isStopped = true
      nap.end()
      await worker.stop()
    },
  }
}

function shownAs(item: CollectionItem | undefined): Shown {
  if (item === undefined) return 'nothing'
  return item.sold_at_dispensary_on == null ? 'free' : Date.parse(item.sold_at_dispensary_on)
}
