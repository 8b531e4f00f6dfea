import type { Database } from 'better-sqlite3'
import type { AppError, ResultOf, ResultOr } from '../../../src-shared/errors'
import type { CountId } from '../../../src-shared/ids'
import type { ShelfCount, ShelfPast } from '../../../src-shared/ipc/contract/stock'
import { type Result, err, ok } from '../../../src-shared/result'
import type { MainEvents } from '../../core/events'
import { type NotSaved, saved } from '../../database/saved'
import { type ShelfCountRow, ShelfCountRows, type ShelfCountState } from './count-rows'
import { type ScanSums, pastOf, viewOf } from './count-view'
import { ShelfScanRows } from './scan-rows'
import { Tallies } from './tallies'

/** Why a count isn't one that this station finished. */
export type NotFinishedHere = 'stock/no-count' | 'stock/wrong-state' | 'stock/finished-elsewhere'

/** Why a count was not changed. */
export type NotChanged = NotSaved | 'stock/no-count' | 'stock/wrong-state'

/** The answer to a disk that refused outside of `saved`. Throws whatever else it was. */
export const refusalOf = (cause: unknown): ResultOf<never, NotSaved> =>
  saved(() => {
    throw cause
  })

/** The counts of the shelf as they are kept: read by their state, changed in one commit, announced after it. */
export class CountBook {
  readonly rows: ShelfCountRows
  readonly scans: ShelfScanRows
  readonly tallies: Tallies
  readonly #db: Database
  readonly #events: Pick<MainEvents, 'emit'>

  constructor(db: Database, events: Pick<MainEvents, 'emit'>) {
    this.#db = db
    this.#events = events
    this.rows = new ShelfCountRows(db)
    this.scans = new ShelfScanRows(db)
    this.tallies = new Tallies(this.scans)
  }

  find(id: CountId): ResultOf<ShelfCountRow, 'stock/no-count'> {
    const row = this.rows.byId(id)
    return row ? ok(row) : err({ code: 'stock/no-count' })
  }

  /** The count in one of some states. */
  inState(
    id: CountId,
    ...wanted: readonly ShelfCountState[]
  ): ResultOf<ShelfCountRow, 'stock/no-count' | 'stock/wrong-state'> {
    const row = this.find(id)
    if (!row.ok || wanted.includes(row.value.state)) return row
    return err({ code: 'stock/wrong-state', state: row.value.state })
  }

  /** The finished count, if this station finished it. */
  finishedHere(id: CountId, ...also: readonly ShelfCountState[]): ResultOf<ShelfCountRow, NotFinishedHere> {
    const row = this.inState(id, 'finished', ...also)
    if (!row.ok || row.value.ended === null) return row
    return err({ code: 'stock/finished-elsewhere', station: row.value.ended.station })
  }

  /** A count that was just changed. */
  again(id: CountId): ShelfCountRow {
    const row = this.rows.byId(id)
    if (!row) throw new Error('a count that was just changed is not there')
    return row
  }

  inOne<T>(write: () => T): T {
    return this.#db.transaction(write).immediate()
  }

  /** Changes a count in one commit. */
  change<Done extends Result<unknown, AppError>>(
    id: CountId,
    wanted: readonly ShelfCountState[],
    write: (row: ShelfCountRow) => Done,
  ): ResultOr<Done, NotChanged> {
    return saved(() => {
      const row = this.inState(id, ...wanted)
      return row.ok ? this.inOne(() => write(row.value)) : row
    })
  }

  /** Changes a count in one commit, and announces it. `isSaved`: called between the two. */
  changed<Done extends Result<null, AppError>>(
    id: CountId,
    wanted: readonly ShelfCountState[],
    write: (row: ShelfCountRow) => Done,
    isSaved: () => void = () => undefined,
  ): ResultOr<Done, NotChanged> {
    const done = this.change(id, wanted, write)
    if (!done.ok) return done
    isSaved()
    this.announce(this.again(id))
    return done
  }

  moveTo({ seq, isRecount }: ShelfCountRow, state: ShelfCountState): Result<null, never> {
    this.rows.setState(seq, state, isRecount)
    return ok(null)
  }

  announce(row: ShelfCountRow): void {
    this.#events.emit('stock.count', this.viewOf(row))
  }

  viewOf(row: ShelfCountRow): ShelfCount {
    return viewOf(row, this.#sumsOf(row))
  }

  pastOf(row: ShelfCountRow): ShelfPast {
    return pastOf(row, this.#sumsOf(row))
  }

  #sumsOf({ seq, state }: ShelfCountRow): ScanSums {
    return {
      scanned: this.tallies.scanned(seq),
      stations: this.tallies.stations(seq),
      lateOnes: state === 'signed' ? this.scans.lateOnes(seq) : 0,
    }
  }
}
