import type { Database, Transaction } from 'better-sqlite3'
import { z } from 'zod'
import { CaseId, DeliveryId, PackageUid } from '../../../src-shared/ids'
import type { DeliverySummary } from '../../../src-shared/ipc/contract/delivery'
import { iso, isSameDay } from '../../core/clock'
import type { Finisher } from '../../hub/rows'
import { operationOf } from '../../outbox/operation'
import { caseKey } from '../../outbox/payload'
import { likeOf } from '../../database/schema'

const DeliveryHeadRow = z
  .object({ seq: z.number(), id: DeliveryId, started_at: z.number(), finished_at: z.number().nullable() })
  .transform((row) => ({ seq: row.seq, id: row.id, startedAt: row.started_at, finishedAt: row.finished_at }))
export type DeliveryRow = z.output<typeof DeliveryHeadRow>

const Listed = z
  .object({ case_id: CaseId, package_uid: PackageUid.nullable(), station: z.string().nullable() })
  .transform(({ case_id: caseId, package_uid: packageUid, station }) => ({ caseId, packageUid, station }))
/** A case of a delivery. `station`: the other one of the store that listed it; null for this one. */
export type ListedCase = z.output<typeof Listed>
/** A case that this station lists. */
export type NewCase = Omit<ListedCase, 'station'>

const Package = z.object({ package_uid: PackageUid })
const Station = z.string().nullable().optional()
const FinishedBy = z.object({ finished_by: z.string().nullable(), finished_by_name: z.string().nullable() }).optional()
const Undoable = z.object({ undoable: z.number() })
const DeliveryCounts = z.object({
  caseCount: z.number(),
  imported: z.number(),
  pending: z.number(),
  refused: z.number(),
})

const Recorded = z.object({ version: z.number().nullable(), corrections: z.number() })

function statementsOf(db: Database) {
  const open = db.prepare('SELECT * FROM delivery WHERE finished_at IS NULL')
  const byId = db.prepare('SELECT * FROM delivery WHERE id = ?')
  const bySeq = db.prepare('SELECT * FROM delivery WHERE seq = ?')
  const byOperation = db.prepare(
    'SELECT delivery.* FROM delivery_operation JOIN delivery ON seq = delivery WHERE operation_seq = +?',
  )
  const newest = db.prepare('SELECT * FROM delivery ORDER BY seq DESC LIMIT +?')
  // By package UID, or by the label and product of a remembered case.
  const holding = db.prepare(`
    SELECT * FROM delivery WHERE
      seq IN (SELECT delivery FROM delivery_package WHERE package_uid LIKE @like ESCAPE '\\')
      OR seq IN (SELECT delivery FROM delivery_case
        LEFT JOIN memory ON kind = 'collection' AND id = case_id AND form = 'facts'
        WHERE dropped = 0 AND (case_id LIKE @like ESCAPE '\\' OR identifier LIKE @like ESCAPE '\\' OR name LIKE @like ESCAPE '\\'))
    ORDER BY seq DESC LIMIT +@limit`)
  const insert = db.prepare('INSERT INTO delivery (id, started_at) VALUES (?, ?)')
  const finish = db.prepare(
    'UPDATE delivery SET finished_at = ?, finished_by = NULL, finished_by_name = NULL WHERE seq = ?',
  )
  const reopen = db.prepare(
    'UPDATE delivery SET finished_at = NULL, finished_by = NULL, finished_by_name = NULL WHERE seq = ?',
  )
  const packages = db.prepare('SELECT package_uid FROM delivery_package WHERE delivery = +? ORDER BY position')
  const selectCases = 'SELECT case_id, package_uid, station FROM delivery_case WHERE dropped = 0 AND delivery = +?'
  const cases = db.prepare(`${selectCases} ORDER BY position`)
  const oneCase = db.prepare(`${selectCases} AND case_id = ?`)
  const addPackage = db.prepare(
    'INSERT INTO delivery_package (delivery, package_uid, station) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const forgetDropped = db.prepare('DELETE FROM delivery_case WHERE delivery = ? AND case_id = ? AND dropped = 1')
  const listCase = db.prepare(
    'INSERT INTO delivery_case (delivery, case_id, package_uid, station) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const packageStation = db
    .prepare('SELECT station FROM delivery_package WHERE delivery = ? AND package_uid = ?')
    .pluck()
  // The station that began it, and those that listed something.
  const stations = db
    .prepare(
      `SELECT begun_by AS station FROM delivery WHERE seq = +@seq AND begun_by IS NOT NULL
      UNION SELECT station FROM delivery_package WHERE delivery = +@seq AND station IS NOT NULL
      UNION SELECT station FROM delivery_case WHERE delivery = +@seq AND station IS NOT NULL ORDER BY station`,
    )
    .pluck()
  const finisher = db.prepare('SELECT finished_by, finished_by_name FROM delivery WHERE seq = ?')
  const setFinisher = db.prepare('UPDATE delivery SET finished_by = ?, finished_by_name = ? WHERE seq = ?')
  const dropPackage = db.prepare('DELETE FROM delivery_package WHERE delivery = ? AND package_uid = ?')
  const dropCase = db.prepare('UPDATE delivery_case SET dropped = 1 WHERE delivery = ? AND case_id = ? AND dropped = 0')
  const removeCase = db.prepare('DELETE FROM delivery_case WHERE delivery = ? AND case_id = ?')
  const handOver = db.prepare('UPDATE delivery_case SET package_uid = ? WHERE delivery = ? AND case_id = ?')
  const casesOf = db.prepare(`${selectCases} AND package_uid = ?`)
  const link = db.prepare(
    'INSERT INTO delivery_operation (delivery, operation_seq) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  const unlink = db.prepare(`
    DELETE FROM delivery_operation WHERE delivery = +? AND operation_seq IN
      (SELECT seq FROM operation_key JOIN operation USING (seq) WHERE key = +?)`)
  const operations = db.prepare(`
    SELECT operation.* FROM delivery_operation JOIN operation ON seq = operation_seq
    WHERE delivery = +? ORDER BY seq DESC`)
  const blind = db.prepare(`
    SELECT operation.* FROM delivery_operation JOIN operation ON seq = operation_seq
    WHERE delivery = +? AND kind = 'blind-import' AND state NOT IN ('accepted', 'cancelled') ORDER BY seq`)
  // As `undoOf` of the outbox decides: only imports have an inverse.
  const undoable = db.prepare(`
    SELECT count(*) AS undoable FROM delivery_operation JOIN operation AS report ON report.seq = operation_seq
    WHERE delivery = +? AND (
      (state = 'queued' AND uncertain = 0 AND NOT EXISTS (SELECT 1 FROM operation_wait WHERE blocker = report.seq))
      OR (kind = 'import' AND state NOT IN ('rejected', 'cancelled') AND NOT EXISTS (
        SELECT 1 FROM operation AS inverse WHERE inverse.undoes = report.id AND inverse.state NOT IN ('cancelled', 'rejected'))))`)
  // CROSS JOIN keeps this order: from the few keys to their cases, not through the cases of all deliveries.
  const casesHeldBy = db.prepare(`
    SELECT case_id, package_uid, station FROM operation_key
    CROSS JOIN delivery ON finished_at IS NULL
    CROSS JOIN delivery_case ON delivery = delivery.seq AND case_id = substr(key, ${caseKey('').length + 1})
    WHERE operation_key.seq = +? AND key GLOB '${caseKey('*')}' AND dropped = 0`)
  // Without imports that were taken back. The case of a blind import is unknown, so each counts as one.
  const counts = db.prepare(`
    SELECT count(*) FILTER (WHERE imported) AS imported, count(*) FILTER (WHERE pending) AS pending,
      count(*) FILTER (WHERE refused) AS refused,
      (SELECT count(*) FROM delivery_case WHERE delivery = +@seq AND dropped = 0) AS caseCount
    FROM (
      SELECT max(state = 'accepted') AS imported, max(state IN ('queued', 'sending', 'unknown')) AS pending,
        max(state = 'rejected') AS refused
      FROM delivery_operation JOIN operation AS report ON report.seq = operation_seq
      WHERE delivery = +@seq AND NOT EXISTS (
        SELECT 1 FROM operation AS inverse WHERE inverse.undoes = report.id AND inverse.state NOT IN ('cancelled', 'rejected'))
      GROUP BY coalesce(iif(json_valid(payload), payload ->> '$.caseId', NULL), id))`)
  const record = db.prepare(`
    SELECT max(version) AS version, count(*) FILTER (WHERE version IS NULL) AS corrections
    FROM delivery_entry WHERE delivery = +?`)
  return {
    open,
    byId,
    bySeq,
    byOperation,
    newest,
    holding,
    insert,
    finish,
    reopen,
    packages,
    cases,
    oneCase,
    addPackage,
    forgetDropped,
    listCase,
    packageStation,
    stations,
    finisher,
    setFinisher,
    dropPackage,
    dropCase,
    removeCase,
    handOver,
    casesOf,
    link,
    unlink,
    operations,
    blind,
    undoable,
    casesHeldBy,
    counts,
    record,
  }
}

/** The tables of deliveries behind prepared statements. Lists are in order of arrival unless a method says otherwise. */
export class DeliveryRows {
  readonly #db: Database
  readonly #sql: ReturnType<typeof statementsOf>
  /** A case that is listed already keeps its place; a dropped one is listed again, as the last. */
  readonly addCase: Transaction<(seq: number, listed: NewCase, station?: string | null) => void>
  /**
   * Drops a package and its cases, except those that another package takes over (`heirOf`). False if the package was not
   * listed.
   */
  readonly dropPackage: Transaction<
    (seq: number, packageUid: PackageUid, heirOf: (caseId: CaseId) => PackageUid | undefined) => boolean
  >
  /** Drops a case and its link to what was imported of it. False if it was not listed. */
  readonly dropCase: Transaction<(seq: number, caseId: CaseId) => boolean>

  constructor(db: Database) {
    this.#db = db
    this.#sql = statementsOf(this.#db)
    this.addCase = this.#db.transaction((seq: number, listed: NewCase, station: string | null = null) => {
      this.#sql.forgetDropped.run(seq, listed.caseId)
      this.listCase(seq, listed, station)
    })
    this.dropPackage = this.#db.transaction(
      (seq: number, packageUid: PackageUid, heirOf: (caseId: CaseId) => PackageUid | undefined) => {
        if (this.#sql.dropPackage.run(seq, packageUid).changes === 0) return false
        for (const { caseId } of this.#sql.casesOf.all(seq, packageUid).map((row) => Listed.parse(row))) {
          const heir = heirOf(caseId)
          if (heir !== undefined) this.#sql.handOver.run(heir, seq, caseId)
          else {
            this.#sql.unlink.run(seq, caseKey(caseId))
            this.#sql.removeCase.run(seq, caseId)
          }
        }
        return true
      },
    )
    this.dropCase = this.#db.transaction((seq: number, caseId: CaseId) => {
      if (this.#sql.dropCase.run(seq, caseId).changes === 0) return false
      this.#sql.unlink.run(seq, caseKey(caseId))
      return true
    })
  }

  /** Lists a case; one that was dropped stays dropped. */
  listCase(seq: number, { caseId, packageUid }: NewCase, station: string | null = null) {
    this.#sql.listCase.run(seq, caseId, packageUid, station)
  }

  /** The delivery that is not finished. */
  open() {
    return this.#parseMaybe(this.#sql.open.get())
  }

  byId(id: DeliveryId) {
    return this.#parseMaybe(this.#sql.byId.get(id))
  }

  bySeq(seq: number) {
    return this.#parseMaybe(this.#sql.bySeq.get(seq))
  }

  /** The delivery in which an operation was saved. */
  byOperation(operationSeq: number) {
    return this.#parseMaybe(this.#sql.byOperation.get(operationSeq))
  }

  /** Newest first. */
  newest(limit: number) {
    return this.#sql.newest.all(limit).map((row) => DeliveryHeadRow.parse(row))
  }

  /** The newest of those with a package or case that contains a text. */
  holding(text: string, limit: number) {
    return this.#sql.holding.all({ like: likeOf(text), limit }).map((row) => DeliveryHeadRow.parse(row))
  }

  start(id: DeliveryId, at: number): DeliveryRow {
    const { lastInsertRowid } = this.#sql.insert.run(id, at)
    return { seq: Number(lastInsertRowid), id, startedAt: at, finishedAt: null }
  }

  finish(seq: number, at: number) {
    this.#sql.finish.run(at, seq)
  }

  reopen(seq: number) {
    this.#sql.reopen.run(seq)
  }

  packages(seq: number) {
    return this.#sql.packages.all(seq).map((row) => Package.parse(row).package_uid)
  }

  /** Without dropped cases. */
  cases(seq: number) {
    return this.#sql.cases.all(seq).map((row) => Listed.parse(row))
  }

  case(seq: number, caseId: CaseId): ListedCase | undefined {
    const row = this.#sql.oneCase.get(seq, caseId)
    return row === undefined ? undefined : Listed.parse(row)
  }

  /** A package that is listed already keeps its place. */
  addPackage(seq: number, packageUid: PackageUid, station: string | null = null) {
    this.#sql.addPackage.run(seq, packageUid, station)
  }

  /** The other station that listed a package; null for this one, undefined if it is not listed. */
  packageStation(seq: number, packageUid: PackageUid) {
    return Station.parse(this.#sql.packageStation.get(seq, packageUid))
  }

  /** The other stations of the store that receive it too. */
  stations(seq: number) {
    return z.array(z.string()).parse(this.#sql.stations.all({ seq }))
  }

  /** The other station of the store that finished it; null for this one, or if it isn't known. */
  finishedBy(seq: number): Finisher | null {
    const row = FinishedBy.parse(this.#sql.finisher.get(seq))
    const [stationId, stationName] = [row?.finished_by ?? null, row?.finished_by_name ?? null]
    return stationId === null || stationName === null ? null : { stationId, stationName }
  }

  setFinishedBy(seq: number, { stationId, stationName }: Finisher) {
    this.#sql.setFinisher.run(stationId, stationName, seq)
  }

  link(seq: number, operationSeq: number) {
    this.#sql.link.run(seq, operationSeq)
  }

  /** Newest first. */
  operations(seq: number) {
    return this.#sql.operations.all(seq).map(operationOf)
  }

  /** Imports of cases that the service has not identified yet; oldest first. */
  blind(seq: number) {
    return this.#sql.blind.all(seq).map(operationOf)
  }

  /** How many operations "undo all" would take back. */
  undoable(seq: number) {
    return Undoable.parse(this.#sql.undoable.get(seq)).undoable
  }

  /** The cases of the delivery under way that an operation takes, alone or with others. */
  casesHeldBy(operationSeq: number): CaseId[] {
    return this.#sql.casesHeldBy.all(operationSeq).map((row) => Listed.parse(row).caseId)
  }

  counts(seq: number) {
    return DeliveryCounts.parse(this.#sql.counts.get({ seq }))
  }

  /** The last version of its record, and how often it was corrected; null if it has none. */
  record(seq: number): DeliverySummary['record'] {
    const { version, corrections } = Recorded.parse(this.#sql.record.get(seq))
    return version === null ? null : { version, corrections }
  }

  #parseMaybe(row: unknown) {
    return row === undefined ? undefined : DeliveryHeadRow.parse(row)
  }
}

/** Whether a delivery can be received further: finished on the day of `now` (ms since 1970), and no other is open. */
export const canReopen = ({ finishedAt }: DeliveryRow, rows: Pick<DeliveryRows, 'open'>, now: number): boolean =>
  finishedAt !== null && isSameDay(finishedAt, now) && rows.open() === undefined

/** A delivery in the list of deliveries, at `now` (ms since 1970). */
export const summaryOf = (row: DeliveryRow, rows: DeliveryRows, now: number): DeliverySummary => ({
  id: row.id,
  startedAt: iso(row.startedAt),
  stations: rows.stations(row.seq),
  finishedAt: row.finishedAt === null ? null : iso(row.finishedAt),
  finishedAtStation: rows.finishedBy(row.seq)?.stationName ?? null,
  canReopen: canReopen(row, rows, now),
  packageUids: rows.packages(row.seq),
  ...rows.counts(row.seq),
  record: rows.record(row.seq),
})
