import type { Database } from 'better-sqlite3'
import { setImmediate } from 'node:timers/promises'
import type { AppError } from '../../src-shared/errors'
import { OrderId } from '../../src-shared/ids'
import {
  type PosDayPart,
  type PosDayView,
  type PosDifference,
  type PosDifferenceKind,
  PosDifferenceKind as Kinds,
  type PosFilter,
  type PosPage,
  type PosProduct,
  type PosStore,
  mostPosInFile,
  mostPosProducts,
  posPage,
} from '../../src-shared/ipc/contract/pos-day'
import { type Result, assertNever, err, ok } from '../../src-shared/result'
import { singleFlight } from '../core/async'
import { type Clock, iso } from '../core/clock'
import type { MainEvents } from '../core/events'
import type { Log } from '../core/log'
import { saved } from '../database/saved'
import { type Span, ofOrder } from './history'
import {
  type Comparison,
  type ComparisonParts,
  type FoundDifference,
  compareDay,
  createYieldNow,
  reportSpanOf,
} from './pos-comparison'
import { type StoredReason, createPosDayRows } from './pos-day-rows'
import { type OtherReports, createOthers, noOthers } from './pos-others'
import type { NamedByPos } from './pos-products'
import { type StoreStatus, notAsked, outOfReach, statusOf, storeView } from './pos-store'
import type { OthersOfDay } from './store-day'

interface PosDayParts {
  db: Database
  events: Pick<MainEvents, 'emit' | 'on'>
  catalogue: ComparisonParts['catalogue']
  /** Whether an order number was used at this station. */
  isUsed: (orderId: OrderId) => boolean
  /** The other stations of the store; undefined for a station alone. Errors: hub/unreachable, -day-too-old. */
  store: { ownId: string | null; read: (day: string, span: Span) => Promise<Result<OthersOfDay, AppError>> } | undefined
  clock: Clock
  log: Pick<Log, 'info' | 'error'>
  /** Lets other work run. */
  pause?: () => Promise<unknown>
}

/** Days whose comparison is kept in memory: the one on the screen, and one that was. */
const mostHeld = 2
interface ComparedDay {
  comparison: Comparison | null
  done: number
  revision: number
  reasons: Map<string, StoredReason>
  /** Orders that were reported on while the day was compared. */
  changed: Set<string>
  /** All must be compared again. */
  isStale: boolean
  /** The last comparison broke off. Looking at the day compares it again. */
  hasFailed: boolean
  others: OtherReports
  /** What is known of the other stations; null for a station alone. */
  store: StoreStatus | null
  /** In the order of the list; null after a change. */
  sorted: PosDifference[] | null
}

const byNumber = new Intl.Collator('en', { numeric: true })

/**
 * What is left of a day. `left`: how many were left out; `isMissing`: the day could not be compared; `faulty`: lines of the
 * file that could not be read; `unknown`: products to decide about.
 */
interface AllOfDay {
  differences: PosDifference[]
  left: number
  isMissing: boolean
  faulty: number
  unknown: number
  /** What is known of the other stations; null for a station alone, or without a file. */
  store: PosStore | null
}

export type PosDays = ReturnType<typeof createPosDays>

/**
 * Compares days with the sales of the POS, and follows what is reported since. What a file said and what a person said of it
 * is stored; the comparison is made anew after a start, when the day is looked at. The rules are in day.md.
 */
export function createPosDays(parts: PosDayParts) {
  const { db, events, clock, log, isUsed, catalogue, store, pause = () => setImmediate() } = parts
  const rows = createPosDayRows(db)
  const days = new Map<string, ComparedDay>()
  let isStopped = false
  /** Grows over a restart, too: pages keep the newest view. */
  let revisions = clock.now()
  /** To be compared, the newest last: that one is looked at. */
  const wanted = new Set<string>()
  /** Days that are compared, about which the other stations are asked again. */
  const asked = new Set<string>()
  let running: string | null = null
  /** The running day is compared as a whole, not only followed. */
  let isWhole = false
  let waiting: { day: string; end: (held: ComparedDay | null) => void }[] = []
  /** Grows whenever something changes that every comparison depends on. */
  let inputsVersion = 0

  /** Gives those who wait for a day what there is: it may leave the memory before they go on. Null: nothing will come. */
  const endWaiting = (day: string, held: ComparedDay | null) => {
    const over = waiting.filter((one) => one.day === day)
    waiting = waiting.filter((one) => one.day !== day)
    for (const { end } of over) end(held)
  }
  const endAllWaiting = () => {
    for (const { day } of waiting) endWaiting(day, null)
  }
  const isComing = (day: string) => wanted.has(day) || asked.has(day)
  const isNeeded = (day: string) => day === running || isComing(day) || waiting.some((one) => one.day === day)

  const heldOf = (day: string): ComparedDay => {
    const known = days.get(day)
    const held = known ?? {
      ...{ comparison: null, done: 0, revision: revisions, sorted: null },
      reasons: rows.reasons(day),
      changed: new Set<string>(),
      others: noOthers,
      store: store ? notAsked : null,
      isStale: true,
      hasFailed: false,
    }
    days.delete(day)
    days.set(day, held)
    for (const oldest of days.keys()) {
      if (days.size > mostHeld && oldest !== day && !isNeeded(oldest)) days.delete(oldest)
    }
    return held
  }

  const productView = (product: NamedByPos, { comparison }: ComparedDay): PosProduct => {
    const { id, posProductId, sku, productName } = product
    return { ...{ id, posProductId, sku, productName }, ...(comparison?.sold.get(id) ?? { items: 0, orders: 0 }) }
  }
  /** Another station may have reported the order: this isn't known yet. */
  const mayBeUnknown = ({ store: standing }: ComparedDay, { kind }: Pick<FoundDifference, 'kind'>) =>
    kind === 'only-pos' && standing?.isIncomplete === true
  const withReason = (held: ComparedDay, found: FoundDifference): PosDifference => {
    const given = held.reasons.get(found.orderId)
    const reason = given && { text: given.reason, at: iso(given.at), isCurrent: given.mark === found.mark }
    const isPending = reason?.isCurrent !== true && mayBeUnknown(held, found)
    // What another station may have sold isn't sold once more.
    return { ...found, scan: isPending ? null : found.scan, isPending, reason: reason ?? null }
  }
  const isOpen = ({ reason, isPending }: PosDifference) => reason?.isCurrent !== true && !isPending
  const rankOf = (one: PosDifference) => (isOpen(one) ? 0 : one.isPending ? 1 : 2)
  const sorted = (held: ComparedDay): PosDifference[] => {
    held.sorted ??= [...(held.comparison?.differences.values() ?? [])]
      .map((found) => withReason(held, found))
      .sort((one, other) => rankOf(one) - rankOf(other) || byNumber.compare(one.orderId, other.orderId))
    return held.sorted
  }

  const stateOf = ({ hasFailed, isStale, comparison }: ComparedDay, isLoaded: boolean): PosDayView['state'] => {
    if (!isLoaded) return 'none'
    if (hasFailed) return 'failed'
    return isStale || comparison === null ? 'comparing' : 'compared'
  }

  const unknownOf = ({ comparison }: ComparedDay): NamedByPos[] =>
    (comparison?.products ?? []).filter(({ id }) => comparison?.statusOf(id) === 'unknown')

  const view = (day: string): PosDayView => {
    const held = heldOf(day)
    const loaded = rows.loaded(day)
    const { comparison, revision } = held
    const open: Record<PosDifferenceKind, number> = {
      ...{ 'only-pos': 0, 'only-here': 0, count: 0, 'voided-pos': 0, 'voided-here': 0 },
    }
    let [reasoned, pending] = [0, 0]
    for (const { orderId, kind, mark } of loaded ? (comparison?.differences.values() ?? []) : []) {
      if (held.reasons.get(orderId)?.mark === mark) reasoned++
      else if (mayBeUnknown(held, { kind })) pending++
      else open[kind]++
    }
    const unknown = unknownOf(held)
      .map((product) => productView(product, held))
      .sort((one, other) => other.items - one.items)
    const decided = rows.decided()
    const decidedAs = (isTracked: boolean) =>
      decided
        .filter((product) => product.isTracked === isTracked)
        .slice(0, mostPosProducts)
        .map((product) => productView(product, held))
    const state = stateOf(held, loaded !== null)
    const isDone = state === 'compared' && pending === 0 && Kinds.options.every((kind) => open[kind] === 0)
    return {
      ...{ day, revision, state, open, pending, reasoned },
      store: held.store && storeView(held.store, held.others),
      file: loaded && { ...loaded.file, loadedAt: iso(loaded.loadedAt), orders: comparison?.posCount ?? 0 },
      done: held.done,
      matched: comparison?.matched.size ?? 0,
      unknown: unknown.slice(0, mostPosProducts),
      unknownCount: unknown.length,
      untracked: decidedAs(false),
      tracked: decidedAs(true),
      // What could not be read may differ.
      isSettled: isDone && unknown.length === 0 && loaded?.file.faulty === 0,
    }
  }

  const announce = (day: string) => {
    const held = heldOf(day)
    held.revision = ++revisions
    held.sorted = null
    if (!isStopped) events.emit('posDay.changed', view(day))
  }

  class Stopped extends Error {}
  const yielding = () =>
    createYieldNow(async () => {
      await pause()
      if (isStopped) throw new Stopped()
    })

  /** Reads what the other stations have reported by now. Without an answer, what was read before stays. */
  async function askOthers(day: string, held: ComparedDay): Promise<void> {
    if (!store) return
    const read = await store.read(day, reportSpanOf(day))
    if (isStopped) throw new Stopped()
    if (read.ok) held.others = await createOthers(read.value.entries, rows, yielding())
    held.store = read.ok
      ? statusOf(read.value, store.ownId, clock.now())
      : outOfReach(held.store ?? notAsked, read.error.code === 'hub/day-too-old' ? 'too-old' : 'unreachable')
  }

  /** Follows what the other stations have reported since a day was compared. */
  async function askAgain(day: string): Promise<void> {
    const held = heldOf(day)
    // It is compared as a whole, or not at all.
    if (held.isStale || !held.comparison) return
    await askOthers(day, held)
    // The file may have been replaced meanwhile.
    const { comparison, isStale, others } = heldOf(day)
    if (!isStale && comparison && !(await comparison.othersChanged(others))) compare(day)
  }

  /** Compares a day as it is now; it is wanted again if it has changed meanwhile. */
  async function compareOne(day: string): Promise<void> {
    const held = heldOf(day)
    const loaded = rows.loaded(day)
    held.changed.clear()
    held.done = 0
    if (loaded === null) {
      held.comparison = null
      held.isStale = false
      return
    }
    const before = inputsVersion
    await askOthers(day, held)
    const { others } = held
    const comparison = await compareDay({ rows, catalogue, others }, day, loaded, yielding(), (done) => {
      held.done = done
      announce(day)
    })
    // Another file came meanwhile, or the day was forgotten: it is compared anew.
    if (rows.loaded(day)?.load !== loaded.load) {
      wanted.add(day)
      return
    }
    held.comparison = comparison
    held.done = comparison.posCount
    const areTaken = [...held.changed].map((orderId) => comparison.reportChanged(orderId))
    held.isStale = inputsVersion !== before || areTaken.includes(false)
    if (held.isStale) wanted.add(day)
  }

  async function compareWanted(): Promise<void> {
    const next = () => [...wanted].at(-1) ?? [...asked].at(-1)
    for (let day = next(); day !== undefined && !isStopped; day = next()) {
      isWhole = wanted.delete(day)
      asked.delete(day)
      running = day
      try {
        await (isWhole ? compareOne(day) : askAgain(day))
      } catch (cause) {
        if (cause instanceof Stopped) return
        log.error('a day could not be compared with the POS', { cause })
        heldOf(day).hasFailed = true
      }
      running = null
      if (!isComing(day)) endWaiting(day, heldOf(day))
      announce(day)
    }
    await sweepAway()
  }

  /** Lines of files that don't count, piece by piece. A file that is arriving has the highest load. */
  async function sweepAway(): Promise<void> {
    while (!isStopped && wanted.size + asked.size === 0 && rows.sweep(staged?.load ?? rows.nextLoad())) await pause()
  }

  const worker = singleFlight(
    () =>
      compareWanted().catch((cause: unknown) => {
        if (!(cause instanceof Stopped)) throw cause
      }),
    (cause) => {
      log.error('the comparison with the POS broke off', { cause })
      running = null
      wanted.clear()
      asked.clear()
      for (const held of days.values()) held.hasFailed ||= held.isStale
      endAllWaiting()
    },
  )

  const compare = (day: string) => {
    const held = heldOf(day)
    held.isStale = true
    held.hasFailed = false
    wanted.delete(day)
    wanted.add(day)
    worker.ask()
  }
  /** What is known of the products, or which orders are of another day, has changed: that concerns every day. */
  const compareAll = (day: string) => {
    inputsVersion++
    for (const held of days.values()) held.isStale = true
    compare(day)
  }
  /** Compares a day whose comparison isn't in memory. */
  const look = (day: string) => {
    const held = heldOf(day)
    if (rows.loaded(day) === null) held.isStale = false
    else if (held.isStale && !held.hasFailed && !wanted.has(day) && !(running === day && isWhole)) compare(day)
  }
  /** Compares a day as `look` does, and once more if the last comparison broke off. */
  const lookAgain = (day: string) => {
    heldOf(day).hasFailed = false
    look(day)
    if (!store || wanted.has(day) || rows.loaded(day) === null) return
    asked.add(day)
    worker.ask()
  }

  let staged: { day: string; fileName: string; load: number; rows: number } | null = null

  const load = ({ day, file, start, rows: part, isLast }: PosDayPart): Result<PosDayView | null, AppError> => {
    if (start === 0) staged = { day, fileName: file.fileName, load: rows.nextLoad(), rows: 0 }
    if (!staged || staged.day !== day || staged.fileName !== file.fileName || staged.rows !== start) {
      staged = null
      return err({ code: 'pos-day/broken' })
    }
    const { load: number } = staged
    staged.rows += part.length
    const kept = saved(() => {
      rows.add(number, part, file.hasProducts)
      if (isLast) rows.finish(day, number, file, clock.now())
      return ok(null)
    })
    if (!kept.ok) {
      staged = null
      return kept
    }
    if (!isLast) return ok(null)
    staged = null
    log.info('sales of the POS were loaded', { day, lines: file.lines })
    heldOf(day).comparison = null
    compareAll(day)
    announce(day)
    return ok(view(day))
  }

  const find = (day: string, orderId: string): PosDifference | undefined => {
    const held = heldOf(day)
    const found = held.comparison?.differences.get(orderId)
    return found && withReason(held, found)
  }
  const changed = err({ code: 'pos-day/changed' as const })

  const matches = (filter: PosFilter, one: PosDifference) => {
    switch (filter) {
      case 'all':
        return true
      case 'open':
        return isOpen(one)
      case 'pending':
        return one.isPending
      case 'reasoned':
        return one.reason?.isCurrent === true
      case 'only-pos':
      case 'only-here':
      case 'count':
      case 'voided-pos':
      case 'voided-here':
        return one.kind === filter && !one.isPending
      default:
        return assertNever(filter)
    }
  }

  events.on('operation.changed', 'day/pos-day.ts', (operation) => {
    const orderId = ofOrder(operation)?.orderId
    if (orderId === undefined) return
    // Looking at a day moves it in the list.
    for (const [day, held] of [...days]) {
      held.changed.add(orderId)
      if (held.isStale || !held.comparison) continue
      if (held.comparison.reportChanged(orderId)) announce(day)
      else compare(day)
    }
  })

  return {
    /** Looks at a day: it is compared if it isn't, also if that broke off before. */
    view(day: string): PosDayView {
      lookAgain(day)
      return view(day)
    },
    /** Takes the next part of a file. The last one makes it the day's file. Errors: pos-day/broken, store/not-saved. */
    load,
    /** Errors: store/not-saved. */
    forget: (day: string): Result<null, AppError> =>
      saved(() => {
        rows.forget(day)
        heldOf(day).comparison = null
        compareAll(day)
        announce(day)
        return ok(null)
      }),
    list(day: string, filter: PosFilter, from: number): PosPage {
      look(day)
      const held = heldOf(day)
      const found = held.hasFailed ? [] : sorted(held).filter((one) => matches(filter, one))
      const { revision } = held
      return { day, revision, filter, differences: found.slice(from, from + posPage), total: found.length }
    },
    /**
     * All that is left of a day, for its file; empty without a file of the POS. Waits while the day is compared, and until the other
     * stations were asked.
     */
    async all(day: string): Promise<AllOfDay> {
      lookAgain(day)
      let held: ComparedDay | null = heldOf(day)
      const nothing = { ...{ differences: [], left: 0, isMissing: false, faulty: 0, unknown: 0 }, store: null }
      if (rows.loaded(day) === null) return nothing
      if (held.isStale || asked.has(day))
        held = isStopped ? null : await new Promise<ComparedDay | null>((end) => waiting.push({ day, end }))
      const faulty = rows.loaded(day)?.file.faulty ?? 0
      if (held === null || held.hasFailed) return { ...nothing, isMissing: true, faulty }
      const found = sorted(held)
      const left = Math.max(found.length - mostPosInFile, 0)
      const known = held.store && storeView(held.store, held.others)
      const unknown = unknownOf(held).length
      return { differences: found.slice(0, mostPosInFile), left, isMissing: false, faulty, unknown, store: known }
    },
    /** Errors: pos-day/changed, store/not-saved. */
    setReason(day: string, orderId: OrderId, mark: string, reason: string | null): Result<null, AppError> {
      const found = find(day, orderId)
      if (found?.mark !== mark) return changed
      return saved(() => {
        const at = clock.now()
        const { reasons } = heldOf(day)
        if (reason === null) {
          rows.dropReason(day, orderId)
          reasons.delete(orderId)
        } else {
          rows.setReason(day, orderId, { mark, reason, at })
          reasons.set(orderId, { mark, reason, at })
        }
        announce(day)
        return ok(null)
      })
    },
    /** Errors: pos-day/changed (there is no such product), store/not-saved. */
    setTracked: (day: string, productId: number, isTracked: boolean | null): Result<null, AppError> =>
      saved(() => {
        if (!rows.setTracked(productId, isTracked)) return changed
        compareAll(day)
        announce(day)
        return ok(null)
      }),
    /** Errors: pos-day/changed, store/not-saved. */
    saleNumber(day: string, orderId: OrderId): Result<{ orderId: OrderId }, AppError> {
      const found = find(day, orderId)
      const loaded = rows.loaded(day)
      if (found?.scan !== 'sale' || !loaded) return changed
      const base = found.hereId ?? orderId
      const { comparison } = heldOf(day)
      const isTaken = (one: OrderId) => isUsed(one) || comparison?.isSoldElsewhere(one) === true
      if (!isTaken(base)) return ok({ orderId: base })
      const free = freeNumber(base, (one) => !isTaken(one) && !rows.isInFile(one, loaded.load))
      if (free === null) return changed
      return saved(() => {
        rows.addSecond(free, base)
        return ok({ orderId: free })
      })
    },
    /** Clears away what an earlier process left. */
    start() {
      worker.ask()
    },
    async stop(): Promise<void> {
      isStopped = true
      endAllWaiting()
      await worker.stop()
    },
  }
}

/** 1001-2, 1001-3 …; null if all are taken, or none fits. */
function freeNumber(base: string, isFree: (orderId: OrderId) => boolean): OrderId | null {
  for (let n = 2; n < 100; n++) {
    const orderId = OrderId.safeParse(`${base}-${n}`).data
    if (orderId !== undefined && isFree(orderId)) return orderId
  }
  return null
}
