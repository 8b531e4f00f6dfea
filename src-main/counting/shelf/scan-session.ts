import type { Transaction } from 'better-sqlite3'
import type { ResultOf } from '../../../src-shared/errors'
import { CaseId, type CountId, type TagId } from '../../../src-shared/ids'
import {
  type ShelfLate,
  type ShelfScan,
  type ShelfScanResult,
  mostDifferences,
  mostShelfScans,
} from '../../../src-shared/ipc/contract/stock'
import { err, ok } from '../../../src-shared/result'
import { iso } from '../../core/clock'
import { saved } from '../../database/saved'
import { whyOf } from '../../stock/shelf-status'
import type { CountBook, NotChanged } from './count-book'
import { type ShelfCountRow, isUnderWay } from './count-rows'
import type { Differences } from './differences'
import { type InScope, isInScope } from './scope'
import type { ShelfScanRow } from './scan-rows'
import type { ShelfContext } from './shelf-context'

/** Unknown items that are asked about again after a restart. */
const mostUnknown = 500

/**
 * Whether a count takes an item. `isDifference`: whether the item was one when the count was last finished, which only
 * the station that finished it knows.
 */
export function isOfCount(
  { isRecount, ended, scope }: Pick<ShelfCountRow, 'isRecount' | 'ended' | 'scope'>,
  item: InScope,
  isDifference: () => boolean,
): boolean {
  return isRecount && ended === null ? isDifference() : isInScope(scope, item)
}

const scanView = ({ tagId, productName, at }: Pick<ShelfScanRow, 'tagId' | 'productName' | 'at'>): ShelfScan => ({
  tagId,
  productName,
  at: iso(at),
})

interface Written {
  result: ShelfScanResult
  /** Null if nothing is new. */
  scan: ShelfScan | null
}

/** The scans of counts under way: taken, taken back, and named once more is known of an item. */
export class ScanSession {
  readonly #context: ShelfContext
  readonly #book: CountBook
  readonly #differences: Differences
  /** Made once: a scan is the most frequent commit of a count. */
  readonly #writeInOne: Transaction<(row: ShelfCountRow, tagId: TagId) => Written>

  constructor(context: ShelfContext, book: CountBook, differences: Differences) {
    this.#context = context
    this.#book = book
    this.#differences = differences
    this.#writeInOne = context.db.transaction((row, tagId) => this.#write(row, tagId))
  }

  /** Asks about the unknown items of counts under way: after a restart. */
  identifyUnknown(): void {
    const { rows, scans } = this.#book
    for (const row of rows.open()) {
      if (isUnderWay(row)) for (const { tagId } of scans.unknown(row.seq, mostUnknown)) this.#context.identify(tagId)
    }
  }

  /** Saves a scan with how the item stands at this moment, which the answer doesn't tell. */
  scan(id: CountId, tagId: TagId): ResultOf<ShelfScanResult, NotChanged | 'scan/wrong-place' | 'stock/count-full'> {
    const { ledger, atStep, identify } = this.#context
    const done = saved(() => {
      const row = this.#book.inState(id, 'counting')
      if (!row.ok) return row
      if (this.#book.tallies.scanned(row.value.seq) >= mostShelfScans) return err({ code: 'stock/count-full' })
      if (this.#isCase(tagId)) return err({ code: 'scan/wrong-place', found: 'case', expected: 'tag' })
      return ok({ row: row.value, ...this.#writeInOne.immediate(row.value, tagId) })
    })
    if (!done.ok) return done
    const { row, result, scan } = done.value
    if (scan) {
      atStep('scan.saved')
      this.#book.tallies.note(row.seq, null, 1)
      this.#announce(row, scan, null)
      if (!ledger.rows.item(tagId)) identify(tagId)
    }
    return ok(result)
  }

  unscan(id: CountId, tagId: TagId): ResultOf<null, NotChanged> {
    const done = saved(() => {
      const row = this.#book.inState(id, 'counting')
      if (!row.ok) return row
      const { seq } = row.value
      const scan = this.#book.scans.one(seq, tagId)
      // Read before the scan is deleted.
      this.#book.tallies.scanned(seq)
      if (scan) this.#book.scans.remove(seq, tagId)
      return ok({ row: row.value, scan })
    })
    if (!done.ok) return done
    const { row, scan } = done.value
    if (scan) {
      this.#book.tallies.note(row.seq, scan.station, -1)
      this.#announce(row, null, tagId)
    }
    return ok(null)
  }

  /** What was scanned as an item is a case, the service says: counts under way lose it. */
  isNoItem(tagId: TagId): void {
    for (const row of this.#book.rows.open()) if (row.state === 'counting') this.unscan(row.id, tagId)
  }

  /** The service has said more of an item. Returns whether a finished count says that nothing is known of it. */
  learned(tagId: TagId): boolean {
    this.#nameScans(tagId)
    return this.#book.rows
      .open()
      .some(({ seq, state }) => state === 'finished' && this.#differences.isUnknown(seq, tagId))
  }

  recent(id: CountId): ResultOf<ShelfScan[], 'stock/no-count'> {
    const row = this.#book.find(id)
    return row.ok ? ok(this.#book.scans.recent(row.value.seq).map(scanView)) : row
  }

  /** Scans that came after the signature, in the order of their items. */
  late(id: CountId, after: TagId | null): ResultOf<{ scans: ShelfLate[]; next: TagId | null }, 'stock/no-count'> {
    const row = this.#book.find(id)
    if (!row.ok) return row
    const found = this.#book.scans.late(row.value.seq, after, mostDifferences + 1)
    const scans = found.slice(0, mostDifferences).map((scan) => ({ ...scan, at: iso(scan.at) }))
    return ok({ scans, next: found.length > mostDifferences ? (scans.at(-1)?.tagId ?? null) : null })
  }

  /** Inside the commit of a scan. */
  #write(row: ShelfCountRow, tagId: TagId): Written {
    const { clock, atStep } = this.#context
    const before = this.#book.scans.one(row.seq, tagId)
    if (before) {
      const { productName, at, station } = before
      return { result: { kind: 'again', productName, at: iso(at), station }, scan: null }
    }
    const found = this.#lookAt(tagId)
    const { productName } = found
    if (!isOfCount(row, found, () => this.#differences.has(row.seq, tagId)))
      return { result: { kind: 'not-of-count', productName }, scan: null }
    const at = clock.now()
    this.#book.scans.add(row.seq, { ...found, at })
    atStep('scan.writing')
    return { result: { kind: 'counted', productName }, scan: scanView({ tagId, productName, at }) }
  }

  /** What is known of an item at this moment. */
  #lookAt(tagId: TagId): Omit<ShelfScanRow, 'number' | 'at'> {
    const { ledger, seen } = this.#context
    const item = ledger.item(tagId)
    const facts = item ? undefined : seen.tag(tagId)?.value
    const { productId = null, productName = null, brandName = null, caseId = null } = item ?? facts ?? {}
    return { tagId, standing: item?.standing ?? whyOf(facts), productId, productName, brandName, caseId, station: null }
  }

  /** An id alone doesn't say what it names: the label of a case that was seen is no item. */
  #isCase(tagId: TagId): boolean {
    const { ledger, seen } = this.#context
    return !ledger.rows.item(tagId) && !seen.tag(tagId) && seen.case(tagId)?.value.caseId === CaseId.parse(tagId)
  }

  /** Counts under way show what an item is that they scanned before anything was known of it. */
  #nameScans(tagId: TagId): void {
    const { seen } = this.#context
    const facts = seen.tag(tagId)?.value
    if (!facts) return
    for (const row of this.#book.rows.open()) {
      // If the disk refuses, the finding names it.
      const named = saved(() => ok(this.#book.scans.name(row.seq, tagId, facts)))
      const scan = named.ok && named.value && isUnderWay(row) ? this.#book.scans.one(row.seq, tagId) : undefined
      if (scan?.station === null) this.#announce(row, scanView(scan), null)
    }
  }

  #announce({ id: countId, seq }: ShelfCountRow, last: ShelfScan | null, undone: TagId | null): void {
    const { events } = this.#context
    const { tallies } = this.#book
    const sums = { scanned: tallies.scanned(seq), stations: tallies.stations(seq) }
    events.emit('stock.progress', { countId, ...sums, last, undone })
  }
}
