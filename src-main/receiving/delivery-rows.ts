import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { CaseId, DeliveryId, PackageUid } from '../../src-shared/ids'
import { type Operation, operationOf } from '../outbox/operation'
import { caseKey } from '../outbox/payload'

/** The tables of deliveries behind prepared statements. */
export interface DeliveryRows {
  /** The one that is not finished. */
  open(): DeliveryRow | undefined
  byId(id: DeliveryId): DeliveryRow | undefined
  /** That an operation was saved in. */
  byOperation(operationSeq: number): DeliveryRow | undefined
  newest(limit: number): DeliveryRow[]
  start(id: DeliveryId, at: number): DeliveryRow
  finish(seq: number, at: number): void
  /** In the order of arrival, as the cases; without those that were dropped. */
  packages(seq: number): PackageUid[]
  cases(seq: number): ListedCase[]
  case(seq: number, caseId: CaseId): ListedCase | undefined
  /** Nothing happens to what is listed already: it keeps its place. */
  addPackage(seq: number, packageUid: PackageUid): void
  /** One that was dropped before comes anew. */
  addCase(seq: number, listed: ListedCase): void
  /** The same, but one that was dropped stays so: nobody asked for it. */
  listCase(seq: number, listed: ListedCase): void
  /**
   * With the cases that it listed, but for those that another one takes over (`heirOf`): these are given. Undefined when it
   * was not there.
   */
  dropPackage(
    seq: number,
    packageUid: PackageUid,
    heirOf: (caseId: CaseId) => PackageUid | undefined,
  ): CaseId[] | undefined
  /** With the link to what was imported of it. It is not listed anew until it is added. False when it was not there. */
  dropCase(seq: number, caseId: CaseId): boolean
  link(seq: number, operationSeq: number): void
  /** Newest first. */
  operations(seq: number): Operation[]
  counts(seq: number): z.infer<typeof Counts>
}

const Row = z
  .object({ seq: z.number(), id: DeliveryId, started_at: z.number(), finished_at: z.number().nullable() })
  .transform((row) => ({ seq: row.seq, id: row.id, startedAt: row.started_at, finishedAt: row.finished_at }))
export type DeliveryRow = z.output<typeof Row>

const Listed = z
  .object({ case_id: CaseId, package_uid: PackageUid.nullable() })
  .transform((row) => ({ caseId: row.case_id, packageUid: row.package_uid }))
export type ListedCase = z.output<typeof Listed>

const Package = z.object({ package_uid: PackageUid })
const Counts = z.object({
  caseCount: z.number(),
  imported: z.number(),
  pending: z.number(),
  refused: z.number(),
})

export function createDeliveryRows(db: Database): DeliveryRows {
  const open = db.prepare('SELECT * FROM delivery WHERE finished_at IS NULL')
  const byId = db.prepare('SELECT * FROM delivery WHERE id = ?')
  const byOperation = db.prepare(
    'SELECT delivery.* FROM delivery_operation JOIN delivery ON seq = delivery WHERE operation_seq = ?',
  )
  const newest = db.prepare('SELECT * FROM delivery ORDER BY seq DESC LIMIT ?')
  const insert = db.prepare('INSERT INTO delivery (id, started_at) VALUES (?, ?)')
  const finish = db.prepare('UPDATE delivery SET finished_at = ? WHERE seq = ?')
  const packages = db.prepare('SELECT package_uid FROM delivery_package WHERE delivery = ? ORDER BY position')
  const selectCases = 'SELECT case_id, package_uid FROM delivery_case WHERE dropped = 0 AND delivery = ?'
  const cases = db.prepare(`${selectCases} ORDER BY position`)
  const oneCase = db.prepare(`${selectCases} AND case_id = ?`)
  const addPackage = db.prepare(
    'INSERT INTO delivery_package (delivery, package_uid) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  const forgetDropped = db.prepare('DELETE FROM delivery_case WHERE delivery = ? AND case_id = ? AND dropped = 1')
  const listCase = db.prepare(
    'INSERT INTO delivery_case (delivery, case_id, package_uid) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const dropPackage = db.prepare('DELETE FROM delivery_package WHERE delivery = ? AND package_uid = ?')
  const dropCase = db.prepare('UPDATE delivery_case SET dropped = 1 WHERE delivery = ? AND case_id = ? AND dropped = 0')
  const removeCase = db.prepare('DELETE FROM delivery_case WHERE delivery = ? AND case_id = ?')
  const handOver = db.prepare('UPDATE delivery_case SET package_uid = ? WHERE delivery = ? AND case_id = ?')
  const casesOf = db.prepare(`${selectCases} AND package_uid = ?`)
  const link = db.prepare(
    'INSERT INTO delivery_operation (delivery, operation_seq) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  const unlink = db.prepare(`
    DELETE FROM delivery_operation WHERE delivery = ? AND operation_seq IN
      (SELECT seq FROM operation_key JOIN operation USING (seq) WHERE key = ?)`)
  const operations = db.prepare(`
    SELECT operation.* FROM delivery_operation JOIN operation ON seq = operation_seq
    WHERE delivery = ? ORDER BY seq DESC`)
  // An import that was taken back counts no more. The cases of blind ones are not known: each stands for itself.
  const counts = db.prepare(`
    SELECT count(*) FILTER (WHERE imported) AS imported, count(*) FILTER (WHERE pending) AS pending,
      count(*) FILTER (WHERE refused) AS refused,
      (SELECT count(*) FROM delivery_case WHERE delivery = @seq AND dropped = 0) AS caseCount
    FROM (
      SELECT max(state = 'accepted') AS imported, max(state IN ('queued', 'sending', 'unknown')) AS pending,
        max(state = 'rejected') AS refused
      FROM delivery_operation JOIN operation AS report ON report.seq = operation_seq
      WHERE delivery = @seq AND NOT EXISTS (
        SELECT 1 FROM operation AS inverse WHERE inverse.undoes = report.id AND inverse.state NOT IN ('cancelled', 'rejected'))
      GROUP BY coalesce(iif(json_valid(payload), payload ->> '$.caseId', NULL), id))`)

  const parseMaybe = (row: unknown) => (row === undefined ? undefined : Row.parse(row))
  const list = (seq: number, { caseId, packageUid }: ListedCase) => void listCase.run(seq, caseId, packageUid)

  return {
    open: () => parseMaybe(open.get()),
    byId: (id) => parseMaybe(byId.get(id)),
    byOperation: (seq) => parseMaybe(byOperation.get(seq)),
    newest: (limit) => newest.all(limit).map((row) => Row.parse(row)),
    start(id, at) {
      const { lastInsertRowid } = insert.run(id, at)
      return { seq: Number(lastInsertRowid), id, startedAt: at, finishedAt: null }
    },
    finish: (seq, at) => void finish.run(at, seq),
    packages: (seq) => packages.all(seq).map((row) => Package.parse(row).package_uid),
    cases: (seq) => cases.all(seq).map((row) => Listed.parse(row)),
    case(seq, caseId) {
      const row = oneCase.get(seq, caseId)
      return row === undefined ? undefined : Listed.parse(row)
    },
    addPackage: (seq, packageUid) => void addPackage.run(seq, packageUid),
    addCase: db.transaction((seq: number, listed: ListedCase) => {
      forgetDropped.run(seq, listed.caseId)
      list(seq, listed)
    }),
    listCase: list,
    dropPackage: db.transaction<DeliveryRows['dropPackage']>((seq, packageUid, heirOf) => {
      if (dropPackage.run(seq, packageUid).changes === 0) return undefined
      const handedOver: CaseId[] = []
      for (const { caseId } of casesOf.all(seq, packageUid).map((row) => Listed.parse(row))) {
        const heir = heirOf(caseId)
        if (heir !== undefined) {
          handOver.run(heir, seq, caseId)
          handedOver.push(caseId)
        } else {
          unlink.run(seq, caseKey(caseId))
          removeCase.run(seq, caseId)
        }
      }
      return handedOver
    }),
    dropCase: db.transaction((seq: number, caseId: CaseId) => {
      if (dropCase.run(seq, caseId).changes === 0) return false
      unlink.run(seq, caseKey(caseId))
      return true
    }),
    link: (seq, operationSeq) => void link.run(seq, operationSeq),
    operations: (seq) => operations.all(seq).map(operationOf),
    counts: (seq) => Counts.parse(counts.get({ seq })),
  }
}
