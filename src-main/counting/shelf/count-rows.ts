import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { CountId } from '../../../src-shared/ids'
import { ShelfAsOf, ShelfCount, ShelfResults } from '../../../src-shared/ipc/contract/stock'
import { Flag, RowReader, storedJson } from '../../database/row-reader'
import { ShelfEnd } from '../../hub/rows'
import { KeptScope } from './scope'

/** A count as it is kept. Instants are ms since 1970. */
export const ShelfCountRow = z.object({
  seq: z.number(),
  id: CountId,
  scope: storedJson(KeptScope),
  state: ShelfCount.shape.state,
  isRecount: Flag,
  startedAt: z.number(),
  startedMove: z.number(),
  asOf: storedJson(ShelfAsOf),
  finishedAt: z.number().nullable(),
  signedAt: z.number().nullable(),
  signature: z.string().nullable(),
  revision: z.number(),
  results: storedJson(ShelfResults.nullable()).nullable(),
  /** How another station finished it last, also while it is counted again: then the differences are there. */
  ended: storedJson(ShelfEnd).nullable(),
  /** Who scanned how much, once it is signed. */
  stations: storedJson(ShelfCount.shape.stations),
  /** How another station signed it, apart from this one, before this one's signature was told. */
  signedToo: storedJson(ShelfEnd).nullable().catch(null),
  /** The finding whose differences count; 0 before the first. */
  round: z.number(),
})
export type ShelfCountRow = z.output<typeof ShelfCountRow>
export type ShelfCountState = ShelfCountRow['state']

export const isUnderWay = ({ state }: Pick<ShelfCountRow, 'state'>) => state === 'counting' || state === 'paused'

type NewCount = Pick<ShelfCountRow, 'id' | 'scope' | 'startedAt' | 'startedMove' | 'asOf'>

/** What was found, in which finding, and how old what it was made with is. */
interface KeptResults {
  results: ShelfResults
  round: number
  asOf: ShelfAsOf
}
const jsonOf = ({ results, round, asOf }: KeptResults) => ({
  results: JSON.stringify(results),
  round,
  asOf: JSON.stringify(asOf),
})

const reader = new RowReader(ShelfCountRow)

const selectsOf = (db: Database) => {
  const select = `SELECT stock_count.*, signed_too.ended AS signed_too FROM stock_count
    LEFT JOIN stock_count_signed_too AS signed_too ON signed_too.count = seq`
  return {
    byId: db.prepare(`${select} WHERE id = ?`),
    bySeq: db.prepare(`${select} WHERE seq = ?`),
    open: db.prepare(`${select} WHERE state IN ('counting', 'paused', 'finished') ORDER BY seq LIMIT 100`),
    past: db.prepare(`${select} WHERE state IN ('finished', 'signed') AND seq < +? ORDER BY seq DESC LIMIT +?`),
  }
}

const changesOf = (db: Database) => ({
  insert: db.prepare(`
    INSERT INTO stock_count (id, scope, state, started_at, started_move, as_of)
    VALUES (@id, @scope, 'counting', @startedAt, @startedMove, @asOf)`),
  // One that is given up here was ended by this station, not by the one that finished it before.
  setState: db.prepare(`
    UPDATE stock_count SET state = @state, is_recount = @isRecount, ended = iif(@state = 'dropped', NULL, ended),
      revision = revision + 1 WHERE seq = @seq`),
  finish: db.prepare(`
    UPDATE stock_count SET state = 'finished', is_recount = 0, finished_at = @at, results = @results, round = @round, as_of = @asOf,
      ended = NULL, revision = revision + 1
    WHERE seq = @seq`),
  setResults: db.prepare('UPDATE stock_count SET results = ?, revision = revision + 1 WHERE seq = ?'),
  setFound: db.prepare(
    'UPDATE stock_count SET results = @results, round = @round, as_of = @asOf, revision = revision + 1 WHERE seq = @seq',
  ),
  setAsOf: db.prepare('UPDATE stock_count SET as_of = ? WHERE seq = ?'),
  sign: db.prepare(`UPDATE stock_count SET state = 'signed', signed_at = ?, signature = ?, stations = ? WHERE seq = ?`),
  end: db.prepare(`
    UPDATE stock_count SET state = @state, is_recount = 0, finished_at = @at, signed_at = @signedAt, signature = @signature,
      results = @results, ended = @ended, stations = @stations, revision = revision + 1 WHERE seq = @seq`),
  reopen: db.prepare(`
    UPDATE stock_count SET state = 'counting', is_recount = 1, ended = coalesce(?, ended), revision = revision + 1 WHERE seq = ?`),
  setSignedToo: db.prepare('INSERT INTO stock_count_signed_too (count, ended) VALUES (?, ?) ON CONFLICT DO NOTHING'),
})

/**
 * The table of counts of the shelf. A count that another version saved and this one can't read counts as not there. Writing
 * throws if the disk refuses. Why `+?`: database.md.
 */
export class ShelfCountRows {
  readonly #selects: ReturnType<typeof selectsOf>
  readonly #changes: ReturnType<typeof changesOf>

  constructor(db: Database) {
    this.#selects = selectsOf(db)
    this.#changes = changesOf(db)
  }

  byId(id: CountId): ShelfCountRow | undefined {
    return reader.readable(this.#selects.byId, id).rows[0]
  }

  bySeq(seq: number): ShelfCountRow | undefined {
    return reader.readable(this.#selects.bySeq, seq).rows[0]
  }

  /** Neither signed nor dropped, oldest first. */
  open(): ShelfCountRow[] {
    return reader.readable(this.#selects.open).rows
  }

  /** Finished and signed ones before a number, newest first. */
  past(before: number, limit: number): ShelfCountRow[] {
    return reader.readable(this.#selects.past, before, limit).rows
  }

  insert(count: NewCount): void {
    this.#changes.insert.run({ ...count, scope: JSON.stringify(count.scope), asOf: JSON.stringify(count.asOf) })
  }

  setState(seq: number, state: ShelfCountState, isRecount: boolean): void {
    this.#changes.setState.run({ state, isRecount: Number(isRecount), seq })
  }

  /** `round`: the finding whose differences count from now on. */
  finish(seq: number, { at, ...found }: KeptResults & { at: number }): void {
    this.#changes.finish.run({ seq, at, ...jsonOf(found) })
  }

  /** A finished count was looked at again. */
  setFound(seq: number, found: KeptResults): void {
    this.#changes.setFound.run({ seq, ...jsonOf(found) })
  }

  /** It was looked at again, with the same results. */
  setAsOf(seq: number, asOf: ShelfAsOf): void {
    this.#changes.setAsOf.run(JSON.stringify(asOf), seq)
  }

  setResults(seq: number, results: ShelfResults): void {
    this.#changes.setResults.run(JSON.stringify(results), seq)
  }

  sign(seq: number, at: number, signature: string | null, stations: ShelfCountRow['stations']): void {
    this.#changes.sign.run(at, signature, JSON.stringify(stations), seq)
  }

  /** Another station finished it, signed it, or gave it up. */
  end(seq: number, end: ShelfEnd, stations: ShelfCountRow['stations']): void {
    const texts = {
      results: JSON.stringify(end.results),
      ended: JSON.stringify(end),
      stations: JSON.stringify(stations),
    }
    this.#changes.end.run({ ...end, ...texts, seq })
  }

  /** Another station signed it too. Returns whether that is news. */
  setSignedToo(seq: number, end: ShelfEnd): boolean {
    return this.#changes.setSignedToo.run(seq, JSON.stringify(end)).changes > 0
  }

  /** The differences are counted again. `ended`: they are at another station, if that wasn't known. */
  reopen(seq: number, ended: ShelfEnd | null = null): void {
    this.#changes.reopen.run(ended && JSON.stringify(ended), seq)
  }
}
