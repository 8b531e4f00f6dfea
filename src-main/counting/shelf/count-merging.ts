import type { AppError } from '../../../src-shared/errors'
import type { CaseId, CountId, TagId } from '../../../src-shared/ids'
import type { OperationState } from '../../../src-shared/ipc/contract/outbox'
import type { ShelfCount } from '../../../src-shared/ipc/contract/stock'
import { type Result, err, ok } from '../../../src-shared/result'
import { type ShelfBody, type ShelfEnd, ShelfScanned, mostShelfCases } from '../../hub/rows'
import type { MergedEntry } from '../../hub/lists/list-parts'
import { parseStored } from '../../database/settings'
import type { CountRow, CountRows, CountScan } from './count-rows'
import type { MainEvents } from '../../core/events'
import type { Ledger } from '../../stock/ledger'
import type { KeptScope } from './scope'
import type { Tallies } from './tallies'

interface MergingParts {
  rows: CountRows
  tallies: Tallies
  ledger: Ledger
  /** Why no count of this scope can be under way here; undefined if it can. `own`: the count itself. */
  objection: (scope: KeptScope, own?: number) => Result<never, AppError> | undefined
  /** The cases in which something of a scope is expected here, up to `limit`. */
  casesOf: (scope: KeptScope, limit: number) => CaseId[]
  viewOf: (row: CountRow) => ShelfCount
  /** What the others call this station; undefined if it has no name. */
  stationName: () => string | undefined
  identify: (tagId: TagId) => void
  events: Pick<MainEvents, 'emit'>
}

/** What other stations did in a count. `end`: how another one finished it; null if it is open, or this station did. */
export interface ShelfNews {
  entries: MergedEntry<TagId>[]
  isFinished: boolean
  end: ShelfEnd | null
}

/** Names that travel with a scan are cut, so that it stays within its bounds. */
const longestName = 300
const cut = (name: string | null) => name?.slice(0, longestName) ?? null
const unsent: readonly OperationState[] = ['queued', 'sending', 'unknown']
/** What an entry says that can't be read: its item was scanned. */
const nothingKnown: ShelfScanned = {
  standing: 'unknown',
  isUnsent: false,
  productId: null,
  productName: null,
  brandName: null,
  caseId: null,
}
const knownOf = (value: string | null): ShelfScanned =>
  (value === null ? undefined : parseStored(ShelfScanned, value)) ?? nothingKnown
/** The end of a count that another station finished, of which nothing more is known. */
export const endedSomewhere: ShelfEnd = {
  ...{ state: 'finished', stationId: '', station: '?' },
  ...{ at: null, signedAt: null, signature: null, results: null },
}

export const isUnderWay = ({ state }: Pick<CountRow, 'state'>) => state === 'counting' || state === 'paused'

export type CountMerging = ReturnType<typeof createCountMerging>

/** The tables of counts that several stations make. Writing throws if the disk refuses. */
export function createCountMerging(parts: MergingParts) {
  const { rows, tallies, ledger, viewOf, events } = parts

  const hasUnsentSale = (tagId: TagId) =>
    ledger.rows.ofTag(tagId).some(({ kind, state }) => kind === 'complete' && unsent.includes(state))
  /** Marks a case to be read that another station knows and this one doesn't. Returns whether it is one. */
  const want = (caseId: CaseId): boolean => {
    if (ledger.rows.case(caseId)) return false
    ledger.rows.wantCase(caseId)
    return true
  }
  const mergeScan = (seq: number, { key: tagId, at, value, station }: MergedEntry<TagId>, before?: CountScan) => {
    const known = knownOf(value)
    if (before) tallies.note(seq, before.station, -1)
    tallies.note(seq, station, 1)
    // Nothing that the service says is newer than a sale that it doesn't have.
    rows.addScan(seq, { ...known, tagId, at, station }, station === null || known.isUnsent ? null : ledger.newestMove())
    return {
      isUnknown: known.standing === 'unknown',
      isOfNewCase: station !== null && known.standing === 'here' && known.caseId !== null && want(known.caseId),
    }
  }
  /** Who scanned how much, as the station says that finished it: this one by null, as everywhere else. */
  const stationsHere = (stations: NonNullable<ShelfEnd['stations']>): CountRow['stations'] => {
    const own = parts.stationName()
    const here = stations.find(({ station }) => station === own)
    const others = stations.filter(({ station }) => station !== own)
    return others.length === 0 ? [] : [{ station: null, scanned: here?.scanned ?? 0 }, ...others]
  }
  /** Changes the state as the store says. Returns whether it changed. */
  const mergeEnd = (row: CountRow, { isFinished, end }: Omit<ShelfNews, 'entries'>): boolean => {
    if (!isFinished) {
      if (row.state !== 'finished') return false
      rows.reopen(row.seq)
      return true
    }
    // Its own end, of which this station doesn't know any more, is as one of another station.
    const ended = end ?? (isUnderWay(row) ? endedSomewhere : null)
    if (!ended || JSON.stringify(ended) === JSON.stringify(row.ended)) return false
    rows.end(row.seq, ended, ended.stations ? stationsHere(ended.stations) : tallies.stations(row.seq))
    return true
  }
  const under = (row: CountRow) => rows.bySeq(row.seq) ?? row
  /** Merges into a signed count: nothing changes but which scans aren't in it, and who signed it too. */
  const mergeLate = (row: CountRow, { entries, end }: ShelfNews, isOwn: (tagId: TagId) => boolean): (() => void) => {
    const isNews = ({ key: tagId, at, value, station, isGone }: MergedEntry<TagId>) => {
      if (isOwn(tagId) || rows.scan(row.seq, tagId)) return false
      if (isGone) return rows.dropLate(row.seq, tagId)
      const { productName, brandName } = knownOf(value)
      return rows.addLate(row.seq, { tagId, at, station, productName, brandName })
    }
    const news = entries.filter(isNews)
    // This station may have had another id when it signed.
    const isOther = end?.state === 'signed' && end.stationId !== row.ended?.stationId && end.signedAt !== row.signedAt
    const isSignedToo = isOther && rows.setSignedToo(row.seq, end)
    return () => {
      if (news.length > 0 || isSignedToo) events.emit('stock.count', viewOf(under(row)))
    }
  }
  return {
    rowOf: rows.bySeq,
    /** Those that are neither signed nor given up. */
    openSeqs: (): number[] => rows.open().map(({ seq }) => seq),
    /** Whether this station counts it: then it is not offered to be joined. */
    isHere(id: CountId): boolean {
      const row = rows.byId(id)
      return row !== undefined && isUnderWay(row)
    },
    bodyOf: ({ scope, startedAt }: CountRow): ShelfBody => ({
      scope,
      startedAt,
      cases: parts.casesOf(scope, mostShelfCases),
    }),
    /** A scan of this station as the others are told it; undefined if it is gone. */
    entry(seq: number, tagId: TagId): { at: number; value: string; station: string | null } | undefined {
      const scan = rows.scan(seq, tagId)
      if (!scan) return undefined
      const { at, standing, productId, productName, brandName, caseId, station } = scan
      const known: ShelfScanned = {
        ...{ standing, isUnsent: standing === 'sold' && hasUnsentSale(tagId) },
        ...{ productId, productName: cut(productName), brandName: cut(brandName), caseId },
      }
      return { at, value: JSON.stringify(known), station }
    },
    entered: rows.scannedHere,
    /** As `own.merge` of shared lists. What was signed never changes, and what was given up is not made again. */
    merge(seq: number, news: ShelfNews, isOwn: (tagId: TagId) => boolean): () => void {
      const row = rows.bySeq(seq)
      if (!row || row.state === 'dropped') return () => undefined
      if (row.state === 'signed') return mergeLate(row, news, isOwn)
      const { entries, ...end } = news
      const gone: TagId[] = []
      const unknown: TagId[] = []
      let changes = 0
      let hasNewCases = false
      for (const entry of entries) {
        const before = isOwn(entry.key) ? 'own' : rows.scan(seq, entry.key)
        if (before === 'own') continue
        if (entry.isGone) {
          if (!before) continue
          tallies.note(seq, before.station, -1)
          rows.unscan(seq, entry.key)
          if (before.station === null) gone.push(entry.key)
        } else {
          if (before?.station === entry.station && before.at === entry.at) continue
          const { isUnknown, isOfNewCase } = mergeScan(seq, entry, before)
          if (isUnknown) unknown.push(entry.key)
          hasNewCases ||= isOfNewCase
        }
        changes += 1
      }
      const isChanged = mergeEnd(row, end)
      if (changes === 0 && !isChanged) return () => undefined
      return () => {
        const now = under(row)
        const sums = { countId: row.id, scanned: tallies.scanned(seq), stations: tallies.stations(seq), last: null }
        for (const undone of gone) events.emit('stock.progress', { ...sums, undone })
        if (isChanged || !isUnderWay(now)) events.emit('stock.count', viewOf(now))
        else events.emit('stock.progress', { ...sums, undone: null })
        for (const tagId of unknown) if (!ledger.rows.item(tagId)) parts.identify(tagId)
        if (hasNewCases) events.emit('shelf-count.new-cases', null)
        if (changes > 0 && now.state === 'finished' && now.ended === null) events.emit('shelf-count.late', null)
        if (now.state === 'dropped') events.emit('shelf-count.dropped', null)
      }
    },
    reread: () => {
      tallies.forget()
    },
    /**
     * Counts along with another station. Call inside a transaction, once the ledger has taken in every report; a reading is due
     * afterwards. Errors: stock/wrong-state, stock/count-open, stock/too-many-counts.
     */
    join(id: CountId, { scope, startedAt, cases = [] }: ShelfBody, isRecount: boolean): Result<null, AppError> {
      const before = rows.byId(id)
      if (before && isUnderWay(before)) return ok(null)
      if (before?.state === 'signed') return err({ code: 'stock/wrong-state', state: before.state })
      const no = parts.objection(scope, before?.seq)
      if (no) return no
      if (!before) {
        const startedMove = ledger.newestMove()
        rows.insert({ id, scope, at: startedAt, startedMove, asOf: ledger.asOf() })
        // What this station sold or took back since the count began counts as changed during it.
        ledger.changedSince(startedAt)
      }
      const row = rows.byId(id)
      if (row && isRecount) rows.reopen(row.seq, before?.state === 'finished' ? null : endedSomewhere)
      else if (row && before) rows.setState(row.seq, 'counting', false)
      for (const caseId of cases) want(caseId)
      tallies.forget()
      return ok(null)
    },
    announceOf(id: CountId): void {
      const row = rows.byId(id)
      if (row) events.emit('stock.count', viewOf(row))
    },
  }
}
