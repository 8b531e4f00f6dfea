import { randomInt, randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Database } from 'better-sqlite3'
import type { AppError } from '../../../src-shared/errors'
import type { GateQuestion } from '../../../src-shared/gates'
import { CaseId, CountId, type TagId } from '../../../src-shared/ids'
import {
  type DifferenceChoice,
  type DifferenceFilter,
  type ShelfCount,
  type ShelfLate,
  type ShelfLine,
  type ShelfPast,
  type ShelfReason,
  type ShelfScan,
  type ShelfScanResult,
  type ShelfScope,
  mostDifferences,
  mostShelfScans,
} from '../../../src-shared/ipc/contract/stock'
import { localTime } from '../../../src-shared/csv/local-time'
import { type Result, err, ok } from '../../../src-shared/result'
import { fileNamePart } from '../../../src-shared/text'
import { type Clock, iso } from '../../core/clock'
import type { MainEvents } from '../../core/events'
import type { ShelfBody, ShelfEnd } from '../../hub/rows'
import type { Memory } from '../../memory/store'
import type { AtStep, ReachedStep } from '../../core/steps'
import { saved } from '../../database/saved'
import { createCountMerging, isUnderWay } from './count-merging'
import { type CountRow, type CountScan, createCountRows } from './count-rows'
import { createDifferences } from './differences'
import { type FoundDifferences, createDifferenceFinder } from './difference-finder'
import type { Ledger } from '../../stock/ledger'
import type { Refresh } from '../../stock/refresh'
import { type KeptScope, isInScope, viewOfScope } from './scope'
import { createShelf } from './shelf'
import { whyOf } from '../../stock/shelf-status'
import { createTallies } from './tallies'

interface CountsParts {
  db: Database
  events: Pick<MainEvents, 'emit'>
  ledger: Ledger
  seen: Pick<Memory, 'case' | 'tag'>
  /** Asks what an unknown item is. */
  identify: Refresh['identify']
  clock: Clock
  /** [0, limit), for a sample. */
  random?: (limit: number) => number
  atStep?: AtStep | undefined
  /** What the others call this station; undefined if it has no name. */
  stationName?: () => string | undefined
  /** Lets other work run: between turns. */
  pause?: (() => Promise<unknown>) | undefined
  atOnce?: number | undefined
}

/** Counts that are open at once. */
const mostOpen = 20
/** Counts of a page of the history. */
const pageOfHistory = 100
/** Pairs of counts whose overlap is remembered. */
const mostRemembered = 500
/** Unknown items that are asked about again after a restart. */
const mostUnknown = 500

type Failure = Result<never, AppError>
type CountState = CountRow['state']

const noCount: Failure = err({ code: 'stock/no-count' })
const wrongState = (state: CountState): Failure => err({ code: 'stock/wrong-state', state })

export type ShelfCounts = ReturnType<typeof createShelfCounts>

/** Counts of the shelf: started, scanned, compared, explained, signed. Rules: counting.md. */
export function createShelfCounts(parts: CountsParts) {
  const { db, ledger, seen, clock, events, atStep = () => undefined } = parts
  const { pause = () => setImmediate() } = parts
  const rows = createCountRows(db)
  const shelf = createShelf(db)
  const differenceFinder = createDifferenceFinder({
    ...{ db, ledger, scans: rows, pause, atOnce: parts.atOnce },
    cached: (tagId) => seen.tag(tagId)?.value,
  })
  const differences = createDifferences(db, parts.atOnce)
  const tallies = createTallies(rows)

  const isBlind = isUnderWay
  /** Scans that came after the signature: those that this station had when it heard of that, and those told later. */
  const lateOf = ({ seq, ended }: CountRow): number => {
    const scanned = tallies.scanned(seq)
    return Math.max(0, scanned - (ended?.scanned ?? scanned)) + rows.lateOnes(seq)
  }
  const signedBy = ({ station, signedAt, results }: ShelfEnd): ShelfCount['signedToo'] => ({
    station,
    at: signedAt === null ? null : iso(signedAt),
    results,
  })
  const viewOf = (row: CountRow): ShelfCount => ({
    id: row.id,
    scope: viewOfScope(row.scope),
    state: row.state,
    isRecount: row.isRecount,
    startedAt: iso(row.startedAt),
    finishedAt: row.finishedAt === null ? null : iso(row.finishedAt),
    signedAt: row.signedAt === null ? null : iso(row.signedAt),
    asOf: row.asOf,
    scanned: row.state === 'signed' ? (row.ended?.scanned ?? tallies.scanned(row.seq)) : tallies.scanned(row.seq),
    late: row.state === 'signed' ? lateOf(row) : 0,
    stations: row.state === 'signed' ? row.stations : tallies.stations(row.seq),
    finishedBy: isBlind(row) ? null : (row.ended?.station ?? null),
    results: isBlind(row) ? null : row.results,
    signature: row.signature,
    signedToo: row.signedToo && signedBy(row.signedToo),
    revision: row.revision,
  })
  const pastOf = (row: CountRow): ShelfPast => {
    const {
      id,
      scope,
      state,
      startedAt,
      finishedAt,
      signedAt,
      results: found,
      stations,
      finishedBy,
      late,
      signedToo,
    } = viewOf(row)
    const times = { startedAt, finishedAt, signedAt }
    return { number: row.seq, id, scope, state, ...times, results: found, stations, finishedBy, late, signedToo }
  }

  /** The count in one of some states. Errors: stock/no-count, stock/wrong-state. */
  const inState = (id: CountId, ...wanted: CountState[]): Result<CountRow, AppError> => {
    const row = rows.byId(id)
    if (!row) return noCount
    return wanted.includes(row.state) ? ok(row) : wrongState(row.state)
  }
  /** The finished count, if this station finished it. Errors also: stock/finished-elsewhere. */
  const finishedHere = (id: CountId, ...also: CountState[]): Result<CountRow, AppError> => {
    const row = inState(id, 'finished', ...also)
    if (!row.ok || row.value.ended === null) return row
    return err({ code: 'stock/finished-elsewhere', station: row.value.ended.station })
  }
  const again = (id: CountId): CountRow => {
    const row = rows.byId(id)
    if (!row) throw new Error('a count that was just changed is not there')
    return row
  }
  const inOne = <T>(write: () => Result<T, AppError>): Result<T, AppError> => db.transaction(write).immediate()
  /** Changes a count in one commit. */
  const change = <T>(
    id: CountId,
    wanted: readonly CountState[],
    write: (row: CountRow) => Result<T, AppError>,
  ): Result<T, AppError> =>
    saved(() => {
      const row = inState(id, ...wanted)
      return row.ok ? inOne(() => write(row.value)) : row
    })
  /** Changes a count in one commit, and announces it. */
  const changed = (
    id: CountId,
    wanted: readonly CountState[],
    write: (row: CountRow) => Result<null, AppError>,
    step?: ReachedStep,
  ): Result<null, AppError> => {
    const done = change(id, wanted, write)
    if (!done.ok) return done
    if (step) atStep(step)
    events.emit('stock.count', viewOf(again(id)))
    return done
  }
  const moveTo = (state: CountState, isRecount?: boolean) => (row: CountRow) => {
    rows.setState(row.seq, state, isRecount ?? row.isRecount)
    return ok(null)
  }

  /** Another count under way that counts some of the same items. */
  const rival = (scope: KeptScope, own?: number): CountRow | undefined =>
    rows.open().find((row) => row.seq !== own && isBlind(row) && shelf.overlap(row.scope, scope))
  const countOpen = (row: CountRow): Failure => err({ code: 'stock/count-open', startedAt: iso(row.startedAt) })
  const objection = (scope: KeptScope, own?: number): Failure | undefined => {
    const open = rows.open()
    if (open.length >= mostOpen) return err({ code: 'stock/too-many-counts', count: open.length })
    const other = rival(scope, own)
    return other && countOpen(other)
  }
  const together = createCountMerging({
    ...{ rows, tallies, ledger, objection, viewOf, events },
    identify: parts.identify,
    casesOf: (scope, limit) => shelf.casesOf(scope, limit),
    stationName: () => parts.stationName?.(),
  })
  /** Whether scopes hold some of the same items, as it was when it was asked first: asking reads the whole ledger. */
  const overlapping = new Map<string, boolean>()
  const isOverlapping = (one: KeptScope, other: KeptScope): boolean => {
    const key = JSON.stringify([one, other])
    const known = overlapping.get(key) ?? shelf.overlap(one, other)
    if (overlapping.size >= mostRemembered) overlapping.clear()
    overlapping.set(key, known)
    return known
  }

  /** Takes in every report, then acts before another one can be saved. Errors also: store/not-saved, app/reopened. */
  const caughtUp = async <T>(act: () => Result<T, AppError>): Promise<Result<T, AppError>> => {
    for (;;) {
      try {
        await ledger.catchUp()
      } catch (cause) {
        return saved(() => {
          throw cause
        })
      }
      if (ledger.isStopped()) return err({ code: 'app/reopened' })
      if (ledger.isCaughtUp()) return act()
    }
  }

  const scanView = ({ tagId, productName, at }: Pick<CountScan, 'tagId' | 'productName' | 'at'>): ShelfScan => ({
    tagId,
    productName,
    at: iso(at),
  })
  const sumsOf = (seq: number) => ({ scanned: tallies.scanned(seq), stations: tallies.stations(seq) })
  /** What is known of an item at this moment. */
  const lookAt = (tagId: TagId): Omit<CountScan, 'number' | 'at'> => {
    const item = ledger.item(tagId)
    if (item) {
      const { standing, productId, productName, brandName, caseId } = item
      return { tagId, standing, productId, productName, brandName, caseId, station: null }
    }
    const facts = seen.tag(tagId)?.value
    const { productId = null, productName = null, brandName = null, caseId = null } = facts ?? {}
    return { tagId, standing: whyOf(facts), productId, productName, brandName, caseId, station: null }
  }

  /** An id alone doesn't say what it names: the label of a case that was seen is no item. */
  const isCase = (tagId: TagId) =>
    !ledger.rows.item(tagId) && !seen.tag(tagId) && seen.case(tagId)?.value.caseId === CaseId.parse(tagId)

  const unscan = (id: CountId, tagId: TagId): Result<null, AppError> => {
    const done = saved(() => {
      const row = inState(id, 'counting')
      if (!row.ok) return row
      const scan = rows.scan(row.value.seq, tagId)
      // Read before the scan is deleted.
      tallies.scanned(row.value.seq)
      if (scan) rows.unscan(row.value.seq, tagId)
      return ok({ seq: row.value.seq, scan })
    })
    if (!done.ok) return done
    const { seq, scan } = done.value
    if (scan) {
      tallies.note(seq, scan.station, -1)
      events.emit('stock.progress', { countId: id, ...sumsOf(seq), last: null, undone: tagId })
    }
    return ok(null)
  }

  const writeScan = db.transaction(
    (row: CountRow, tagId: TagId): { result: ShelfScanResult; scan: ShelfScan | null } => {
      const before = rows.scan(row.seq, tagId)
      if (before) {
        const { productName, at, station } = before
        return { result: { kind: 'again', productName, at: iso(at), station }, scan: null }
      }
      const found = lookAt(tagId)
      // Only the station that finished it knows its differences.
      const isOfDifferences = row.isRecount && row.ended === null
      const isOfCount = isOfDifferences ? rows.isDifference(row.seq, tagId) : isInScope(row.scope, found)
      const { productName } = found
      if (!isOfCount) return { result: { kind: 'not-of-count', productName }, scan: null }
      const at = clock.now()
      rows.addScan(row.seq, { ...found, at })
      atStep('scan.writing')
      return { result: { kind: 'counted', productName }, scan: scanView({ tagId, productName, at }) }
    },
  )

  /** Counts under way show what an item is that they scanned before anything was known of it. */
  const nameScans = (tagId: TagId) => {
    const facts = seen.tag(tagId)?.value
    if (!facts) return
    for (const row of rows.open()) {
      // If the disk refuses, the finding names it.
      const named = saved(() => ok(rows.nameScan(row.seq, tagId, facts)))
      const scan = named.ok && named.value && isBlind(row) ? rows.scan(row.seq, tagId) : undefined
      if (scan?.station === null)
        events.emit('stock.progress', { countId: row.id, ...sumsOf(row.seq), last: scanView(scan), undone: null })
    }
  }

  /** Errors: stock/no-count, stock/wrong-state, stock/not-read, app/reopened, store/not-saved. */
  const finish = async (id: CountId): Promise<Result<null, AppError>> => {
    const check = () => inState(id, 'counting', 'paused')
    const row = check()
    // Another station's count of something that was not read here would have nothing to miss.
    if (row.ok && !shelf.isKnown(row.value.scope)) return err({ code: 'stock/not-read' })
    const found = differenceFinder.find(check, ({ seq }, { results, round }) => {
      atStep('finish.writing')
      rows.finish(seq, { at: clock.now(), results, round, asOf: ledger.asOf() })
    })
    const done = await found.catch((cause: unknown) =>
      saved((): Result<null, AppError> => {
        throw cause
      }),
    )
    if (!done.ok) return done
    atStep('finish.saved')
    events.emit('stock.count', viewOf(again(id)))
    return done
  }
  /** Announces a finished count only if what was found of it, or as of when, is another now. */
  const findAgain = async (id: CountId): Promise<Result<null, AppError>> => {
    const isOther = (row: CountRow, { results, isChanged }: FoundDifferences) =>
      isChanged || !isDeepStrictEqual(results, row.results)
    let before = rows.byId(id)
    const done = await differenceFinder.find(
      () => finishedHere(id),
      (row, found) => {
        before = row
        const asOf = ledger.asOf()
        if (isOther(row, found)) rows.setFound(row.seq, { ...found, asOf })
        // What was seen can still be signed.
        else if (!isDeepStrictEqual(asOf, row.asOf)) rows.setAsOf(row.seq, asOf)
      },
    )
    if (!done.ok) return done
    const now = again(id)
    if (now.revision !== before?.revision || !isDeepStrictEqual(now.asOf, before.asOf))
      events.emit('stock.count', viewOf(now))
    return done
  }
  /** Why a count can't be signed; undefined if it can. */
  const objectionToSign = (id: CountId, revision: number): AppError | undefined => {
    const row = finishedHere(id)
    if (!row.ok) return row.error
    if (row.value.revision !== revision) return { code: 'stock/changed' }
    const open = differenceFinder.open(row.value)
    return open > 0 ? { code: 'stock/unexplained', count: open } : undefined
  }

  for (const row of rows.open()) {
    if (isBlind(row)) for (const { tagId } of rows.unknown(row.seq, mostUnknown)) parts.identify(tagId)
  }

  return {
    choices: (text: string) => shelf.choices(text),
    together,
    /** Whether scopes hold some of the same items. */
    doOverlap: (one: KeptScope, other: KeptScope): boolean => shelf.overlap(one, other),
    /** Counts under way here that have some items of a scope. */
    overlaps: (scope: KeptScope): CountId[] =>
      rows.open().flatMap((row) => (isBlind(row) && isOverlapping(row.scope, scope) ? [row.id] : [])),
    /** Who counted, if other stations did. */
    stationsOf(id: CountId): ShelfCount['stations'] {
      const row = rows.byId(id)
      return row ? viewOf(row).stations : []
    },
    /** Counts along with another station. Errors: stock/wrong-state, stock/count-open, stock/too-many-counts, store/not-saved. */
    async join(id: CountId, body: ShelfBody, isRecount: boolean): Promise<Result<null, AppError>> {
      const joined = await caughtUp(() => saved(() => inOne(() => together.join(id, body, isRecount))))
      if (joined.ok) together.announceOf(id)
      return joined
    },
    open: (): ShelfCount[] => rows.open().map(viewOf),
    /** Errors: stock/no-count. */
    count(id: CountId): Result<ShelfCount, AppError> {
      const row = rows.byId(id)
      return row ? ok(viewOf(row)) : noCount
    },
    /**
     * `objectionElsewhere`: of the other stations. Errors: those; stock/nothing-here, stock/count-open, stock/too-many-counts,
     * store/not-saved.
     */
    start: (
      scope: ShelfScope,
      objectionElsewhere: (scope: KeptScope) => Failure | undefined = () => undefined,
    ): Promise<Result<Pick<ShelfCount, 'id'>, AppError>> =>
      caughtUp(() => {
        const id = CountId.parse(randomUUID())
        const started = saved(() => {
          const open = rows.open()
          if (open.length >= mostOpen) return err({ code: 'stock/too-many-counts', count: open.length })
          const kept = shelf.keep(scope, parts.random ?? randomInt)
          if (!kept) return err({ code: 'stock/nothing-here' })
          const other = rival(kept)
          if (other) return countOpen(other)
          const elsewhere = objectionElsewhere(kept)
          if (elsewhere) return elsewhere
          const startedMove = ledger.newestMove()
          rows.insert({ id, scope: kept, at: clock.now(), startedMove, asOf: ledger.asOf() })
          return ok({ id })
        })
        if (started.ok) events.emit('stock.count', viewOf(again(id)))
        return started
      }),
    /**
     * Saves a scan with how the item stands at this moment, which the answer doesn't tell. Errors: stock/no-count,
     * stock/wrong-state, stock/count-full, store/not-saved; scan/wrong-place if it is a case's id.
     */
    scan(id: CountId, tagId: TagId): Result<ShelfScanResult, AppError> {
      const done = saved(() => {
        const row = inState(id, 'counting')
        if (!row.ok) return row
        if (tallies.scanned(row.value.seq) >= mostShelfScans) return err({ code: 'stock/count-full' })
        if (isCase(tagId)) return err({ code: 'scan/wrong-place', found: 'case', expected: 'tag' })
        return ok({ row: row.value, ...writeScan.immediate(row.value, tagId) })
      })
      if (!done.ok) return done
      const { row, result, scan } = done.value
      if (scan) {
        atStep('scan.saved')
        tallies.note(row.seq, null, 1)
        events.emit('stock.progress', { countId: id, ...sumsOf(row.seq), last: scan, undone: null })
        if (!ledger.rows.item(tagId)) parts.identify(tagId)
      }
      return ok(result)
    },
    /** Errors: stock/no-count, stock/wrong-state, store/not-saved. */
    unscan,
    /** What was scanned as an item is a case, the service says: counts under way lose it. */
    isNoItem(tagId: TagId): void {
      for (const row of rows.open()) if (row.state === 'counting') unscan(row.id, tagId)
    },
    /** The service has said more of an item. Returns whether a finished count says that nothing is known of it. */
    learned(tagId: TagId): boolean {
      differenceFinder.learned(tagId)
      nameScans(tagId)
      return rows.open().some(({ seq, state }) => state === 'finished' && rows.isUnknown(seq, tagId))
    },
    /** Errors: stock/no-count. */
    recent(id: CountId): Result<ShelfScan[], AppError> {
      const row = rows.byId(id)
      return row ? ok(rows.recent(row.seq).map(scanView)) : noCount
    },
    /** Scans that came after the signature, in the order of their items. Errors: stock/no-count. */
    late(id: CountId, after: TagId | null): Result<{ scans: ShelfLate[]; next: TagId | null }, AppError> {
      const row = rows.byId(id)
      if (!row) return noCount
      const found = rows.lateScans(row.seq, after, mostDifferences + 1)
      const scans = found.slice(0, mostDifferences).map((scan) => ({ ...scan, at: iso(scan.at) }))
      return ok({ scans, next: found.length > mostDifferences ? (scans.at(-1)?.tagId ?? null) : null })
    },
    pause: (id: CountId) => changed(id, ['counting'], moveTo('paused')),
    resume: (id: CountId) => changed(id, ['paused'], moveTo('counting')),
    /**
     * Finds what differs, with every report and scan that comes until the answer. Errors: stock/no-count, stock/wrong-state,
     * stock/not-read, app/reopened, store/not-saved.
     */
    finish,
    /** Errors: stock/no-count, stock/wrong-state, stock/finished-elsewhere, store/not-saved. */
    drop: (id: CountId) =>
      changed(id, ['counting', 'paused', 'finished'], (row) => {
        const here = isBlind(row) ? ok(row) : finishedHere(id)
        return here.ok ? moveTo('dropped')(row) : here
      }),
    /**
     * Counts the differences again. A count that another station finished is opened, to be finished here. Errors: those of `objectionElsewhere`;
     * stock/no-count, stock/wrong-state, stock/no-differences, stock/count-open, store/not-saved.
     */
    recount: (id: CountId, objectionElsewhere: (scope: KeptScope) => Failure | undefined = () => undefined) =>
      changed(id, ['finished'], (row) => {
        const { missing = 0, unexpected = 0 } = row.results ?? {}
        if (row.ended === null && missing + unexpected === 0) return err({ code: 'stock/no-differences' })
        const other = rival(row.scope, row.seq)
        if (other) return countOpen(other)
        const elsewhere = objectionElsewhere(row.scope)
        if (elsewhere) return elsewhere
        rows.reopen(row.seq)
        return ok(null)
      }),
    /**
     * Looks again at the differences of finished counts: the service may have said meanwhile that an item was sold. Ends when the
     * ledger is stopped. Rejects if the disk refuses.
     */
    async lookAgain(): Promise<void> {
      for (const { id, state, ended } of rows.open()) {
        if (state !== 'finished' || ended !== null) continue
        await setImmediate()
        const looked = await findAgain(id)
        if (!looked.ok && looked.error.code === 'app/reopened') return
      }
    },
    /** Errors: stock/no-count. */
    products(id: CountId) {
      const row = rows.byId(id)
      if (!row) return noCount
      return ok(isBlind(row) || row.ended ? { products: [], more: 0 } : differences.products(row.seq))
    },
    /** Errors: stock/no-count. */
    differences(id: CountId, filter: DifferenceFilter, after: number | null) {
      const row = rows.byId(id)
      if (!row) return noCount
      return ok(
        isBlind(row) || row.ended
          ? { differences: [], total: 0, kinds: [], next: null }
          : differences.page(row.seq, filter, after),
      )
    },
    /**
     * Gives differences a reason, many of them in turns: what was done before an error stays. Errors: stock/no-count,
     * stock/wrong-state, stock/changed, stock/reason-words, stock/reason-misfit, app/reopened, store/not-saved.
     */
    async explain(
      id: CountId,
      which: DifferenceChoice,
      reason: ShelfReason | null,
      text: string | null,
    ): Promise<Result<{ explained: number; revision: number }, AppError>> {
      if (reason === 'other' && !text) return err({ code: 'stock/reason-words' })
      const seen = finishedHere(id)
      if (!seen.ok) return seen
      const { revision = seen.value.revision } = 'filter' in which ? which : {}
      if (revision !== seen.value.revision) return err({ code: 'stock/changed' })
      if (reason !== null && !differences.doesFit(seen.value.seq, which, reason))
        return err({ code: 'stock/reason-misfit' })
      // What turns out to differ meanwhile has no reason yet.
      const upTo = differences.newest(seen.value.seq)
      const turn = (after: number) =>
        change(id, ['finished'], (row) => {
          const here = finishedHere(id)
          if (!here.ok) return here
          const part = differences.explain(row.seq, which, { reason, text: text || null }, { after, upTo })
          if (row.results) rows.setResults(row.seq, { ...row.results, open: differenceFinder.open(row) })
          return ok(part)
        })
      let explained = 0
      let next: number | null = 0
      while (next !== null) {
        const part: ReturnType<typeof turn> = ledger.isStopped() ? err({ code: 'app/reopened' }) : turn(next)
        if (!part.ok) {
          if (explained > 0) events.emit('stock.count', viewOf(again(id)))
          return part
        }
        explained += part.value.explained
        next = part.value.next
        if (next !== null) await pause()
      }
      const now = again(id)
      events.emit('stock.count', viewOf(now))
      return ok({ explained, revision: now.revision })
    },
    /** The gate that signing passes; null if it can't be signed: then `sign` says why. */
    gateOfSign(id: CountId, revision: number): GateQuestion | null {
      if (objectionToSign(id, revision)) return null
      const row = again(id)
      const { missing = 0, unexpected = 0 } = row.results ?? {}
      const { names } = viewOfScope(row.scope)
      return { gate: 'sign-count', count: missing + unexpected, name: names.length === 1 ? (names[0] ?? null) : null }
    },
    /** `because`: what the person wrote. Errors: stock/no-count, -wrong-state, -changed, -unexplained, store/not-saved. */
    sign(id: CountId, revision: number, because: string | undefined): Result<null, AppError> {
      const no = objectionToSign(id, revision)
      if (no) return err(no)
      const write = (row: CountRow) => {
        rows.sign(row.seq, clock.now(), because || null, tallies.stations(row.seq))
        atStep('sign.writing')
        return ok(null)
      }
      return changed(id, ['finished'], write, 'sign.saved')
    },
    /** Errors: stock/no-count, stock/wrong-state: also if it is counted again or was given up since the part before. */
    export(
      id: CountId,
      after: number | null,
    ): Result<{ fileName: string; lines: ShelfLine[]; next: number | null }, AppError> {
      const row = finishedHere(id, 'signed')
      if (!row.ok) return row
      const name = `shelf-count-${localTime(row.value.startedAt).slice(0, 16)}`
      const fileName = `${fileNamePart(name)}.csv`
      return ok({ fileName, ...differences.lines(row.value.seq, after) })
    },
    history(before: number | null): { counts: ShelfPast[]; next: number | null } {
      const found = rows.past(before ?? Number.MAX_SAFE_INTEGER, pageOfHistory + 1)
      const shown = found.slice(0, pageOfHistory)
      return { counts: shown.map(pastOf), next: found.length > pageOfHistory ? (shown.at(-1)?.seq ?? null) : null }
    },
  }
}
