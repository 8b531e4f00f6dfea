import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { CaseId, CountId, ShortUuid, TagId } from '../../../src-shared/ids'
import { type ShelfAsOf, ShelfAsOf as AsOf, ShelfCount, ShelfResults } from '../../../src-shared/ipc/contract/stock'
import { ShelfEnd } from '../../hub/rows'
import { parseStored } from '../../database/settings'
import { isShown } from './lines'
import { KeptScope } from './scope'
import { ScannedAs } from '../../stock/shelf-status'

type CountState = ShelfCount['state']

/**
 * A count as it is kept. Instants are ms since 1970. `ended`: how another station finished it last, also while it is counted again:
 * then the differences are there. `stations`: who scanned how much, once it is signed.
 */
export interface CountRow {
  seq: number
  id: CountId
  scope: KeptScope
  state: CountState
  isRecount: boolean
  startedAt: number
  startedMove: number
  asOf: ShelfAsOf
  finishedAt: number | null
  signedAt: number | null
  signature: string | null
  revision: number
  results: ShelfResults | null
  ended: ShelfEnd | null
  stations: ShelfCount['stations']
  /** How another station signed it, apart from this one, before this one's signature was told. */
  signedToo: ShelfEnd | null
  /** The finding whose differences count; 0 before the first. */
  round: number
}

const json = <T>(schema: z.ZodType<T>) =>
  z.string().transform((text, context): T => {
    const parsed = parseStored(schema, text)
    if (parsed !== undefined) return parsed
    context.addIssue('not of this version')
    return z.NEVER
  })

const ShelfCountRow = z
  .object({
    seq: z.number(),
    id: CountId,
    scope: json(KeptScope),
    state: ShelfCount.shape.state,
    is_recount: z.number(),
    started_at: z.number(),
    started_move: z.number(),
    as_of: json(AsOf),
    finished_at: z.number().nullable(),
    signed_at: z.number().nullable(),
    signature: z.string().nullable(),
    revision: z.number(),
    results: json(ShelfResults.nullable()).nullable(),
    ended: json(ShelfEnd).nullable(),
    stations: json(ShelfCount.shape.stations),
    signed_too: json(ShelfEnd).nullable().catch(null),
    round: z.number(),
  })
  .transform((row): CountRow => ({
    seq: row.seq,
    id: row.id,
    scope: row.scope,
    state: row.state,
    isRecount: row.is_recount === 1,
    startedAt: row.started_at,
    startedMove: row.started_move,
    asOf: row.as_of,
    finishedAt: row.finished_at,
    signedAt: row.signed_at,
    signature: row.signature,
    revision: row.revision,
    results: row.results,
    ended: row.ended,
    stations: row.stations,
    signedToo: row.signed_too,
    round: row.round,
  }))

/**
 * A scan of a count, with what was known of the item at that moment. `station`: the other one that scanned it. `move`: the newest
 * change here when that was heard; null for scans of this station.
 */
const Scan = z
  .object({
    number: z.number(),
    tag_id: TagId,
    at: z.number(),
    standing: ScannedAs,
    product_id: ShortUuid.nullable(),
    product_name: z.string().nullable(),
    brand_name: z.string().nullable(),
    case_id: CaseId.nullable(),
    station: z.string().nullable(),
  })
  .transform((row) => ({
    number: row.number,
    tagId: row.tag_id,
    at: row.at,
    standing: row.standing,
    productId: row.product_id,
    productName: row.product_name,
    brandName: row.brand_name,
    caseId: row.case_id,
    station: row.station,
  }))
export type CountScan = z.output<typeof Scan>

const Late = z
  .object({
    tag_id: TagId,
    at: z.number(),
    station: z.string().nullable(),
    product_name: z.string().nullable(),
    brand_name: z.string().nullable(),
  })
  .transform(({ tag_id: tagId, product_name: productName, brand_name: brandName, ...row }) => ({
    ...row,
    ...{ tagId, productName, brandName },
  }))
/** A scan that was told after the count was signed. */
export type LateScan = z.output<typeof Late>

export interface NewCount {
  id: CountId
  scope: KeptScope
  at: number
  startedMove: number
  asOf: ShelfAsOf
}

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

const NumberColumn = z.number()
const Others = z.object({ station: z.string(), scanned: z.number() })
const TagIds = z.array(TagId)

type ProductNames = Pick<CountScan, 'productId' | 'productName' | 'brandName' | 'caseId'>

export type CountRows = ReturnType<typeof createCountRows>

/** The tables of counts behind prepared statements. Writing throws if the disk refuses. Why `+?`: database.md. */
export function createCountRows(db: Database) {
  const insert = db.prepare(
    `INSERT INTO stock_count (id, scope, state, started_at, started_move, as_of) VALUES (?, ?, 'counting', ?, ?, ?)`,
  )
  const select = `SELECT stock_count.*, signed_too.ended AS signed_too FROM stock_count
    LEFT JOIN stock_count_signed_too AS signed_too ON signed_too.count = seq`
  const byId = db.prepare(`${select} WHERE id = ?`)
  const bySeq = db.prepare(`${select} WHERE seq = ?`)
  const selectOpen = db.prepare(`${select} WHERE state IN ('counting', 'paused', 'finished') ORDER BY seq LIMIT 100`)
  const selectPast = db.prepare(
    `${select} WHERE state IN ('finished', 'signed') AND seq < +? ORDER BY seq DESC LIMIT +?`,
  )
  // One that is given up here was ended by this station, not by the one that finished it before.
  const setState = db.prepare(`
    UPDATE stock_count SET state = @state, is_recount = @isRecount, ended = iif(@state = 'dropped', NULL, ended),
      revision = revision + 1 WHERE seq = @seq`)
  const setFinished = db.prepare(`
    UPDATE stock_count SET state = 'finished', is_recount = 0, finished_at = @at, results = @results, round = @round, as_of = @asOf,
      ended = NULL, revision = revision + 1
    WHERE seq = @seq`)
  const setResults = db.prepare('UPDATE stock_count SET results = ?, revision = revision + 1 WHERE seq = ?')
  const setFound = db.prepare(
    'UPDATE stock_count SET results = @results, round = @round, as_of = @asOf, revision = revision + 1 WHERE seq = @seq',
  )
  const setAsOf = db.prepare('UPDATE stock_count SET as_of = ? WHERE seq = ?')
  const setSigned = db.prepare(
    `UPDATE stock_count SET state = 'signed', signed_at = ?, signature = ?, stations = ? WHERE seq = ?`,
  )
  const setEnded = db.prepare(`
    UPDATE stock_count SET state = @state, is_recount = 0, finished_at = @at, signed_at = @signedAt, signature = @signature,
      results = @results, ended = @ended, stations = @stations, revision = revision + 1 WHERE seq = @seq`)
  const reopen = db.prepare(`
    UPDATE stock_count SET state = 'counting', is_recount = 1, ended = coalesce(?, ended), revision = revision + 1 WHERE seq = ?`)
  const columns = 'number, tag_id, at, standing, product_id, product_name, brand_name, case_id, station'
  const selectScan = db.prepare(`SELECT ${columns} FROM stock_count_scan WHERE count = ? AND tag_id = ?`)
  const insertScan = db.prepare(`
    INSERT INTO stock_count_scan (count, tag_id, at, standing, product_id, product_name, brand_name, case_id, station, move)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (count, tag_id) DO UPDATE SET at = excluded.at, standing = excluded.standing, product_id = excluded.product_id,
      product_name = excluded.product_name, brand_name = excluded.brand_name, case_id = excluded.case_id,
      station = excluded.station, move = excluded.move`)
  const nameScan = db.prepare(`
    UPDATE stock_count_scan SET product_id = @productId, product_name = @productName, brand_name = @brandName,
      case_id = coalesce(@caseId, case_id)
    WHERE count = @seq AND tag_id = @tagId AND product_id IS NULL AND product_name IS NULL`)
  const deleteScan = db.prepare('DELETE FROM stock_count_scan WHERE count = ? AND tag_id = ?')
  const countScans = db.prepare('SELECT count(*) FROM stock_count_scan WHERE count = ?').pluck()
  const countOthers = db.prepare(`
    SELECT station, count(*) AS scanned FROM stock_count_scan INDEXED BY stock_count_scan_others
    WHERE count = ? AND station IS NOT NULL GROUP BY station ORDER BY station`)
  const ownScans = db.prepare('SELECT tag_id FROM stock_count_scan WHERE count = ? AND station IS NULL').pluck()
  const recentScans = db.prepare(`
    SELECT ${columns} FROM stock_count_scan INDEXED BY stock_count_scan_of WHERE count = +? AND station IS NULL ORDER BY number DESC LIMIT 20`)
  const unknownScans = db.prepare(`
    SELECT ${columns} FROM stock_count_scan WHERE count = +? AND standing = 'unknown'
      AND NOT EXISTS (SELECT 1 FROM stock_item WHERE stock_item.tag_id = stock_count_scan.tag_id) ORDER BY number LIMIT +?`)
  const isUnknown = db.prepare(
    `SELECT 1 FROM stock_count_line WHERE count = @count AND tag_id = @tagId AND why = 'unknown' AND ${isShown}`,
  )
  const setSignedToo = db.prepare(
    'INSERT INTO stock_count_signed_too (count, ended) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  const addLate = db.prepare(`
    INSERT INTO stock_count_late (count, tag_id, at, station, product_name, brand_name) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING`)
  const selectLate = db.prepare(`
    SELECT tag_id, at, station, product_name, brand_name FROM stock_count_late
    WHERE count = ? AND tag_id > ? ORDER BY tag_id LIMIT ?`)
  const dropLate = db.prepare('DELETE FROM stock_count_late WHERE count = ? AND tag_id = ?')
  const countLate = db.prepare('SELECT count(*) FROM stock_count_late WHERE count = ?').pluck()
  const hasLine = db.prepare(`SELECT 1 FROM stock_count_line WHERE count = @count AND tag_id = @tagId AND ${isShown}`)

  const listeners = new Set<(tagId: TagId) => void>()
  const note = (tagId: TagId) => {
    for (const listener of listeners) listener(tagId)
  }

  return {
    /** Calls the listener with the item of each scan that is written or deleted, before the commit. Returns what ends that. */
    watch(listener: (tagId: TagId) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    insert: ({ id, scope, at, startedMove, asOf }: NewCount) =>
      void insert.run(id, JSON.stringify(scope), at, startedMove, JSON.stringify(asOf)),
    /** A count that another version saved and this one can't read counts as not there. */
    byId: (id: CountId): CountRow | undefined => ShelfCountRow.safeParse(byId.get(id)).data,
    bySeq: (seq: number): CountRow | undefined => ShelfCountRow.safeParse(bySeq.get(seq)).data,
    /** Neither signed nor dropped, oldest first. */
    open: (): CountRow[] => selectOpen.all().flatMap((row) => ShelfCountRow.safeParse(row).data ?? []),
    /** Finished and signed ones before a number, newest first. */
    past: (before: number, limit: number): CountRow[] =>
      selectPast.all(before, limit).flatMap((row) => ShelfCountRow.safeParse(row).data ?? []),
    setState: (seq: number, state: CountState, isRecount: boolean) =>
      void setState.run({ state, isRecount: Number(isRecount), seq }),
    /** `round`: the finding whose differences count from now on. */
    finish: (seq: number, { at, ...found }: KeptResults & { at: number }) =>
      void setFinished.run({ seq, at, ...jsonOf(found) }),
    /** A finished count was looked at again. */
    setFound: (seq: number, found: KeptResults) => void setFound.run({ seq, ...jsonOf(found) }),
    /** It was looked at again, with the same results. */
    setAsOf: (seq: number, asOf: ShelfAsOf) => void setAsOf.run(JSON.stringify(asOf), seq),
    setResults: (seq: number, results: ShelfResults) => void setResults.run(JSON.stringify(results), seq),
    sign: (seq: number, at: number, signature: string | null, stations: CountRow['stations']) =>
      void setSigned.run(at, signature, JSON.stringify(stations), seq),
    /** Another station finished it, signed it, or gave it up. */
    end: (seq: number, end: ShelfEnd, stations: CountRow['stations']) =>
      void setEnded.run({
        ...{ seq, state: end.state, at: end.at, signedAt: end.signedAt, signature: end.signature },
        ...{ results: JSON.stringify(end.results), ended: JSON.stringify(end), stations: JSON.stringify(stations) },
      }),
    /** Another station signed it too. Returns whether that is news. */
    setSignedToo: (seq: number, end: ShelfEnd): boolean => setSignedToo.run(seq, JSON.stringify(end)).changes > 0,
    /** The differences are counted again. `ended`: they are at another station, if that wasn't known. */
    reopen: (seq: number, ended: ShelfEnd | null = null) => void reopen.run(ended && JSON.stringify(ended), seq),
    scan: (seq: number, tagId: TagId): CountScan | undefined => Scan.optional().parse(selectScan.get(seq, tagId)),
    /** A scan of this station, or of another one that was heard at the change `move`. Of two of an item the new one counts. */
    addScan(seq: number, scan: Omit<CountScan, 'number'>, move: number | null = null): void {
      const { tagId, at, standing, productId, productName, brandName, caseId, station } = scan
      insertScan.run([seq, tagId, at, standing, productId, productName, brandName, caseId, station, move])
      note(tagId)
    },
    /** Says what an item is that nothing was known of when it was scanned. Returns whether that is news. */
    nameScan(seq: number, tagId: TagId, { productId, productName, brandName, caseId }: ProductNames): boolean {
      if (productId === null && productName === null) return false
      return nameScan.run({ seq, tagId, productId, productName, brandName, caseId }).changes > 0
    },
    unscan(seq: number, tagId: TagId): void {
      deleteScan.run(seq, tagId)
      note(tagId)
    },
    /** A scan of another station was told after the count was signed. Returns whether that is news. */
    addLate: (seq: number, { tagId, at, station, productName, brandName }: LateScan): boolean =>
      addLate.run([seq, tagId, at, station, productName, brandName]).changes > 0,
    /** It was undone. Returns whether that is news. */
    dropLate: (seq: number, tagId: TagId): boolean => dropLate.run(seq, tagId).changes > 0,
    lateOnes: (seq: number): number => NumberColumn.parse(countLate.get(seq)),
    /** In the order of their items. */
    lateScans: (seq: number, after: TagId | null, limit: number): LateScan[] =>
      selectLate.all(seq, after ?? '', limit).map((row) => Late.parse(row)),
    scanned: (seq: number): number => NumberColumn.parse(countScans.get(seq)),
    /** How many items each other station scanned. */
    scannedByOthers: (seq: number) => countOthers.all(seq).map((row) => Others.parse(row)),
    scannedHere: (seq: number): TagId[] => TagIds.parse(ownScans.all(seq)),
    /** Those of this station, newest first. */
    recent: (seq: number): CountScan[] => recentScans.all(seq).map((row) => Scan.parse(row)),
    /** Scans of items that nothing is known of, oldest first. */
    unknown: (seq: number, limit: number): CountScan[] => unknownScans.all(seq, limit).map((row) => Scan.parse(row)),
    /** Whether a finished count says of an item that nothing is known of it. */
    isUnknown: (seq: number, tagId: TagId): boolean => isUnknown.get({ count: seq, tagId }) !== undefined,
    /** Whether an item was a difference when the count was last finished. */
    isDifference: (seq: number, tagId: TagId): boolean => hasLine.get({ count: seq, tagId }) !== undefined,
  }
}
