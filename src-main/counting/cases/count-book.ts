import type { ResultOf } from '../../../src-shared/errors'
import type { CaseId, CountId, TagId } from '../../../src-shared/ids'
import type { CountView } from '../../../src-shared/ipc/contract/count'
import { err, ok } from '../../../src-shared/result'
import { isSameDay } from '../../core/clock'
import type { RoomContext } from '../../core/context'
import type { ScannedBy } from '../session/station-tally'
import { CaseTally } from './case-tally'
import { type CaseCountRow, CaseCountRows } from './count-rows'
import { ResolutionRows } from './resolution-rows'
import { CaseScanRows } from './scan-rows'

/** Whether a count can be gone on with: finished today, in the delivery under way, while no other one is open. */
export const canReopen = (row: CaseCountRow, { now, isAnyOpen }: { now: number; isAnyOpen: boolean }): boolean =>
  row.finishedAt !== null && row.deliveryFinishedAt === null && isSameDay(row.finishedAt, now) && !isAnyOpen

/** The counts of a delivery's cases as they are kept, and how far the open one has come. */
export class CaseCountBook {
  readonly rows: CaseCountRows
  readonly scans: CaseScanRows
  readonly resolutions: ResolutionRows
  readonly #context: RoomContext
  /** The counts that became another station's, by the ids that pages still have. */
  readonly #became = new Map<CountId, CountId>()
  #running: CaseTally | undefined

  constructor(context: RoomContext) {
    this.#context = context
    this.rows = new CaseCountRows(context.db)
    this.scans = new CaseScanRows(context.db)
    this.resolutions = new ResolutionRows(context.db)
  }

  /** The id that a count has by now, for one that a page has. */
  idNow(id: CountId): CountId {
    return this.#became.get(id) ?? id
  }

  find(id: CountId): ResultOf<CaseCountRow, 'receiving/no-count'> {
    const row = this.rows.byId(this.idNow(id))
    return row ? ok(row) : err({ code: 'receiving/no-count' })
  }

  /** The count, if it is open. */
  findOpen(id: CountId): ResultOf<CaseCountRow, 'receiving/no-count'> {
    const row = this.rows.open()
    return row?.id === this.idNow(id) ? ok(row) : err({ code: 'receiving/no-count' })
  }

  /** Who counted, if other stations did. */
  stationsOf(id: CountId): ScannedBy {
    const row = this.rows.byId(id)
    return row ? this.viewOf(row).stations : []
  }

  /** The count that scans go to, as it was when its tally was read. */
  running(): CaseCountRow | undefined {
    return this.#running?.row
  }

  tallyOf(row: CaseCountRow): CaseTally {
    if (row.finishedAt === null && this.#running?.row.seq === row.seq) return this.#running
    const tally = new CaseTally(row, this.rows, this.scans)
    if (row.finishedAt === null) this.#running = tally
    return tally
  }

  /** Tallies are read anew: a count was finished or opened again, or what was merged was not saved. */
  reread(): void {
    this.#running = undefined
  }

  canReopen(row: CaseCountRow): boolean {
    return canReopen(row, { now: this.#context.clock.now(), isAnyOpen: this.rows.open() !== undefined })
  }

  viewOf(row: CaseCountRow): CountView {
    return { ...this.tallyOf(row).view(), deliveryId: row.deliveryId, canReopen: this.canReopen(row) }
  }

  /** A count that was just changed, as it is now. */
  viewAgain(row: CaseCountRow): CountView {
    return this.viewOf(this.rows.bySeq(row.seq) ?? row)
  }

  announce(count: CountView): void {
    this.#context.events.emit('receiving.count', count)
  }

  /** An item of this case, or of none, was scanned (1) or taken back (-1); by another station if one is named. */
  note(tally: CaseTally, caseId: CaseId | undefined, by: 1 | -1, station: string | null): void {
    tally.note(caseId, by, station)
    const counted = (caseId && tally.of(caseId)) ?? null
    this.#context.events.emit('receiving.counted', { count: tally.sums(), case: counted })
  }

  inOne(write: () => void): void {
    this.#context.db.transaction(write).immediate()
  }

  /** Takes a scan back, if it is there. Throws if the disk refuses. */
  unscan(row: CaseCountRow, tagId: TagId): void {
    const scan = this.scans.one(row.seq, tagId)
    if (!scan) return
    // Read before the scan is deleted: a tally read after that would already lack it.
    const tally = this.tallyOf(row)
    this.scans.remove(row.seq, tagId)
    this.note(tally, this.rows.caseOf(row.seq, tagId), -1, scan.station)
  }

  /** A count has another id by now: pages that still have the one before go on. */
  becomes(before: CountId, now: CountId): void {
    for (const [from, to] of this.#became) if (to === before) this.#became.set(from, now)
    this.#became.set(before, now)
  }
}
