import type { ResultOf } from '../../../src-shared/errors'
import type { CaseId, CountId, TagId } from '../../../src-shared/ids'
import type { OperationState } from '../../../src-shared/ipc/contract/outbox'
import { err, ok } from '../../../src-shared/result'
import { parseStored } from '../../database/settings'
import { type ShelfBody, type ShelfEnd, ShelfScanned, mostShelfCases } from '../../hub/rows'
import type { MergedEntry } from '../../hub/lists/list-parts'
import { type MergedChange, changesOf } from '../session/merging'
import type { ScannedBy } from '../session/station-tally'
import type { CountBook } from './count-book'
import { type ShelfCountRow, isUnderWay } from './count-rows'
import type { Rivals } from './rivals'
import type { ShelfScanRow } from './scan-rows'
import type { Shelf } from './shelf'
import type { ShelfContext } from './shelf-context'

/** What other stations did in a count. `end`: how another one finished it; null if it is open, or this station did. */
export interface ShelfNews {
  entries: MergedEntry<TagId>[]
  isFinished: boolean
  end: ShelfEnd | null
}

/** What of the news was merged: items whose own scan is gone, unknown items, whether a case has to be read. */
interface Merged {
  changes: number
  gone: TagId[]
  unknown: TagId[]
  hasNewCases: boolean
}

type Change = MergedChange<MergedEntry<TagId>, ShelfScanRow>

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

/**
 * What the end that the store knows does to a count: opens it again, ends it as another station did, or nothing. Its own end, of
 * which this station doesn't know any more, is as one of another station.
 */
export function endOf(
  row: Pick<ShelfCountRow, 'state' | 'ended'>,
  { isFinished, end }: Omit<ShelfNews, 'entries'>,
): 'reopen' | ShelfEnd | null {
  if (!isFinished) return row.state === 'finished' ? 'reopen' : null
  const ended = end ?? (isUnderWay(row) ? endedSomewhere : null)
  return ended && JSON.stringify(ended) === JSON.stringify(row.ended) ? null : ended
}

/** Who scanned how much, as the station says that finished the count. `own`: this station's name there. */
export function scannedByHere(stations: NonNullable<ShelfEnd['stations']>, own: string | undefined): ScannedBy {
  const here = stations.find(({ station }) => station === own)
  const others = stations.filter(({ station }) => station !== own)
  return others.length === 0 ? [] : [{ station: null, scanned: here?.scanned ?? 0 }, ...others]
}

/** The counts that several stations make: what is told of them, and what others tell. Writing throws if the disk refuses. */
export class CountMerging {
  readonly #context: ShelfContext
  readonly #book: CountBook
  readonly #shelf: Shelf
  readonly #rivals: Rivals

  constructor(context: ShelfContext, book: CountBook, shelf: Shelf, rivals: Rivals) {
    this.#context = context
    this.#book = book
    this.#shelf = shelf
    this.#rivals = rivals
  }

  /** Whether this station counts it: then it is not offered to be joined. */
  isHere(id: CountId): boolean {
    const row = this.#book.rows.byId(id)
    return row !== undefined && isUnderWay(row)
  }

  bodyOf({ scope, startedAt }: ShelfCountRow): ShelfBody {
    return { scope, startedAt, cases: this.#shelf.casesOf(scope, mostShelfCases) }
  }

  /** A scan of this station as the others are told it; undefined if it is gone. */
  entry(seq: number, tagId: TagId): { at: number; value: string; station: string | null } | undefined {
    const scan = this.#book.scans.one(seq, tagId)
    if (!scan) return undefined
    const { at, standing, productId, productName, brandName, caseId, station } = scan
    const known: ShelfScanned = {
      ...{ standing, isUnsent: standing === 'sold' && this.#hasUnsentSale(tagId) },
      ...{ productId, productName: cut(productName), brandName: cut(brandName), caseId },
    }
    return { at, value: JSON.stringify(known), station }
  }

  /** What `own.merge` of shared lists does. What was signed never changes, and what was given up is not made again. */
  merge(seq: number, news: ShelfNews, isOwn: (tagId: TagId) => boolean): () => void {
    const row = this.#book.rows.bySeq(seq)
    if (!row || row.state === 'dropped') return () => undefined
    if (row.state === 'signed') return this.#mergeLate(row, news, isOwn)
    const merged = this.#mergeScans(seq, news.entries, isOwn)
    const isChanged = this.#mergeEnd(row, news)
    if (merged.changes === 0 && !isChanged) return () => undefined
    return () => {
      this.#announce(row, merged, isChanged)
    }
  }

  /**
   * Counts along with another station. Call inside a transaction, once the ledger has taken in every report; a reading is due
   * afterwards.
   */
  join(
    id: CountId,
    { scope, startedAt, cases = [] }: ShelfBody,
    isRecount: boolean,
  ): ResultOf<null, 'stock/wrong-state' | 'stock/count-open' | 'stock/too-many-counts'> {
    const { ledger } = this.#context
    const before = this.#book.rows.byId(id)
    if (before && isUnderWay(before)) return ok(null)
    if (before?.state === 'signed') return err({ code: 'stock/wrong-state', state: before.state })
    const no = this.#rivals.tooMany() ?? this.#rivals.rival(scope, before?.seq)
    if (no) return no
    if (!before) {
      this.#book.rows.insert({ id, scope, startedAt, startedMove: ledger.newestMove(), asOf: ledger.asOf() })
      // What this station sold or took back since the count began counts as changed during it.
      ledger.changedSince(startedAt)
    }
    const row = this.#book.rows.byId(id)
    if (row && isRecount) this.#book.rows.reopen(row.seq, before?.state === 'finished' ? null : endedSomewhere)
    else if (row && before) this.#book.rows.setState(row.seq, 'counting', false)
    for (const caseId of cases) this.#want(caseId)
    this.#book.tallies.forget()
    return ok(null)
  }

  #hasUnsentSale(tagId: TagId): boolean {
    const reports = this.#context.ledger.rows.ofTag(tagId)
    return reports.some(({ kind, state }) => kind === 'complete' && unsent.includes(state))
  }

  /** Marks a case to be read that another station knows and this one doesn't. Returns whether it is one. */
  #want(caseId: CaseId): boolean {
    const { rows } = this.#context.ledger
    if (rows.case(caseId)) return false
    rows.wantCase(caseId)
    return true
  }

  #mergeScans(seq: number, entries: readonly MergedEntry<TagId>[], isOwn: (tagId: TagId) => boolean): Merged {
    const { scans } = this.#book
    const merged: Merged = { changes: 0, gone: [], unknown: [], hasNewCases: false }
    const changes = changesOf(entries, {
      isOwn,
      scanOf: (tagId: TagId) => scans.one(seq, tagId),
      isSame: (scan, { station, at }) => scan.station === station && scan.at === at,
    })
    for (const change of changes) {
      if (change.does === 'remove') this.#unscan(seq, change.before, merged)
      else this.#addScan(seq, change, merged)
      merged.changes += 1
    }
    return merged
  }

  #unscan(seq: number, { tagId, station }: ShelfScanRow, merged: Merged): void {
    const { scans, tallies } = this.#book
    tallies.note(seq, station, -1)
    scans.remove(seq, tagId)
    if (station === null) merged.gone.push(tagId)
  }

  #addScan(seq: number, { entry, before }: Change, merged: Merged): void {
    const { ledger } = this.#context
    const { key: tagId, at, value, station } = entry
    const known = knownOf(value)
    if (before) this.#book.tallies.note(seq, before.station, -1)
    this.#book.tallies.note(seq, station, 1)
    // Nothing that the service says is newer than a sale that it doesn't have.
    const move = station === null || known.isUnsent ? null : ledger.newestMove()
    this.#book.scans.add(seq, { ...known, tagId, at, station }, move)
    if (known.standing === 'unknown') merged.unknown.push(tagId)
    const isExpectedElsewhere = station !== null && known.standing === 'here'
    if (isExpectedElsewhere && known.caseId !== null && this.#want(known.caseId)) merged.hasNewCases = true
  }

  /** Changes the state as the store says. Returns whether it changed. */
  #mergeEnd(row: ShelfCountRow, news: ShelfNews): boolean {
    const { stationName } = this.#context
    const end = endOf(row, news)
    if (end === null) return false
    if (end === 'reopen') this.#book.rows.reopen(row.seq)
    else {
      const { stations } = end
      this.#book.rows.end(
        row.seq,
        end,
        stations ? scannedByHere(stations, stationName()) : this.#book.tallies.stations(row.seq),
      )
    }
    return true
  }

  /** Merges into a signed count: nothing changes but which scans aren't in it, and who signed it too. */
  #mergeLate(row: ShelfCountRow, { entries, end }: ShelfNews, isOwn: (tagId: TagId) => boolean): () => void {
    const { rows, scans } = this.#book
    const isNews = ({ key: tagId, at, value, station, isGone }: MergedEntry<TagId>) => {
      if (isOwn(tagId) || scans.one(row.seq, tagId)) return false
      if (isGone) return scans.dropLate(row.seq, tagId)
      const { productName, brandName } = knownOf(value)
      return scans.addLate(row.seq, { tagId, at, station, productName, brandName })
    }
    const news = entries.filter(isNews)
    // This station may have had another id when it signed.
    const isOther = end?.state === 'signed' && end.stationId !== row.ended?.stationId && end.signedAt !== row.signedAt
    const isSignedToo = isOther && rows.setSignedToo(row.seq, end)
    return () => {
      if (news.length > 0 || isSignedToo) this.#book.announce(this.#now(row))
    }
  }

  #announce(row: ShelfCountRow, { changes, gone, unknown, hasNewCases }: Merged, isChanged: boolean): void {
    const { ledger, events, identify } = this.#context
    const now = this.#now(row)
    const { tallies } = this.#book
    const sums = { countId: row.id, scanned: tallies.scanned(row.seq), stations: tallies.stations(row.seq), last: null }
    for (const undone of gone) events.emit('stock.progress', { ...sums, undone })
    if (isChanged || !isUnderWay(now)) this.#book.announce(now)
    else events.emit('stock.progress', { ...sums, undone: null })
    for (const tagId of unknown) if (!ledger.rows.item(tagId)) identify(tagId)
    if (hasNewCases) events.emit('shelf-count.new-cases', null)
    if (changes > 0 && now.state === 'finished' && now.ended === null) events.emit('shelf-count.late', null)
    if (now.state === 'dropped') events.emit('shelf-count.dropped', null)
  }

  #now(row: ShelfCountRow): ShelfCountRow {
    return this.#book.rows.bySeq(row.seq) ?? row
  }
}
