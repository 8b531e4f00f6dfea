import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { CaseId, CountId, DeliveryId, OperationId, TagId } from '../../../src-shared/ids'

/** A count as it is kept. Instants are ms since 1970. */
export interface CountRow {
  seq: number
  id: CountId
  deliveryId: DeliveryId | null
  caseId: CaseId | null
  startedAt: number
  finishedAt: number | null
  /** Whether its delivery is finished. */
  isOfPastDelivery: boolean
}

/** A case of a count, as it was when the count started. */
export interface CountCase {
  caseId: CaseId
  identifier: string
  productName: string | null
}

/** How a person resolved an item that differs, and the report that was made for it. */
export interface Resolution {
  how: 'ignored' | 'removed' | 'added'
  operationId: OperationId | null
  /** Why it is ignored. */
  because: string | null
}

export interface NewCount {
  id: CountId
  delivery: number | null
  caseId: CaseId | null
  at: number
  cases: (CountCase & { tagIds: TagId[] })[]
}

const CaseCountRow = z
  .object({
    seq: z.number(),
    id: CountId,
    delivery_id: DeliveryId.nullable(),
    case_id: CaseId.nullable(),
    started_at: z.number(),
    finished_at: z.number().nullable(),
    delivery_finished_at: z.number().nullable(),
  })
  .transform((row): CountRow => {
    const { delivery_id: deliveryId, case_id: caseId, started_at: startedAt, finished_at: finishedAt } = row
    const isOfPastDelivery = row.delivery_finished_at !== null
    return { seq: row.seq, id: row.id, deliveryId, caseId, startedAt, finishedAt, isOfPastDelivery }
  })
const Case = z
  .object({ case_id: CaseId, identifier: z.string(), product_name: z.string().nullable() })
  .transform(({ case_id: caseId, identifier, product_name: productName }): CountCase => ({
    caseId,
    identifier,
    productName,
  }))
const Tally = z.object({ case_id: CaseId, expected: z.number(), counted: z.number() })
const CountedItem = z.tuple([TagId, CaseId])
const Scanned = z.tuple([TagId, z.number()])
const Scan = z.object({ at: z.number(), station: z.string().nullable() })
const OfStation = z.object({ station: z.string().nullable(), scanned: z.number() })
const Resolved = z.object({
  tag_id: TagId,
  how: z.enum(['ignored', 'removed', 'added']),
  operation_id: OperationId.nullable(),
  because: z.string().nullable(),
})

export type CountRows = ReturnType<typeof createCountRows>

/** The tables of counts behind prepared statements. Writing throws if the disk refuses. */
export function createCountRows(db: Database) {
  const selectDelivery = db.prepare('SELECT seq FROM delivery WHERE finished_at IS NULL').pluck()
  const selectDeliveryCases = db
    .prepare('SELECT case_id FROM delivery_case WHERE delivery = +? AND dropped = 0 ORDER BY position')
    .pluck()
  const insertCount = db.prepare('INSERT INTO tag_count (id, delivery, case_id, started_at) VALUES (?, ?, ?, ?)')
  const insertCase = db.prepare(
    'INSERT OR IGNORE INTO tag_count_case (count, case_id, identifier, product_name) VALUES (?, ?, ?, ?)',
  )
  const insertExpected = db.prepare(
    'INSERT OR IGNORE INTO tag_count_expected (count, tag_id, case_id) VALUES (?, ?, ?)',
  )
  const columns = `tag_count.seq, tag_count.id, delivery.id AS delivery_id, case_id, tag_count.started_at,
    tag_count.finished_at, delivery.finished_at AS delivery_finished_at FROM tag_count LEFT JOIN delivery ON delivery.seq = tag_count.delivery`
  const selectOpen = db.prepare(`SELECT ${columns} WHERE tag_count.finished_at IS NULL`)
  const selectById = db.prepare(`SELECT ${columns} WHERE tag_count.id = +?`)
  const selectBySeq = db.prepare(`SELECT ${columns} WHERE tag_count.seq = ?`)
  const selectOfDelivery = db.prepare(`SELECT ${columns} WHERE delivery.id = +? ORDER BY tag_count.seq`)
  const updateFinished = db.prepare('UPDATE tag_count SET finished_at = ? WHERE seq = ?')
  const reopen = db.prepare('UPDATE tag_count SET finished_at = NULL WHERE seq = ?')
  const updateId = db.prepare('UPDATE tag_count SET id = ?, started_at = ? WHERE seq = ?')
  const deleteCases = db.prepare('DELETE FROM tag_count_case WHERE count = ?')
  const deleteExpected = db.prepare('DELETE FROM tag_count_expected WHERE count = ?')
  const selectCases = db.prepare(
    'SELECT case_id, identifier, product_name FROM tag_count_case WHERE count = +? ORDER BY position',
  )
  const selectTallies = db.prepare(`
    SELECT case_id, count(*) AS expected, count(scanned.tag_id) AS counted FROM tag_count_expected AS expected
    LEFT JOIN tag_count_scanned AS scanned ON scanned.count = expected.count AND scanned.tag_id = expected.tag_id
    WHERE expected.count = +? GROUP BY case_id`)
  const countScanned = db.prepare('SELECT count(*) FROM tag_count_scanned WHERE count = ?').pluck()
  const selectCaseOf = db.prepare('SELECT case_id FROM tag_count_expected WHERE count = ? AND tag_id = ?').pluck()
  const selectScan = db.prepare('SELECT at, station FROM tag_count_scanned WHERE count = ? AND tag_id = ?')
  const insertScanned = db.prepare('INSERT INTO tag_count_scanned (count, tag_id, at, station) VALUES (?, ?, ?, ?)')
  const updateStation = db.prepare('UPDATE tag_count_scanned SET station = ? WHERE count = ? AND tag_id = ?')
  const countStations = db.prepare(
    'SELECT station, count(*) AS scanned FROM tag_count_scanned WHERE count = +? GROUP BY station ORDER BY station',
  )
  const deleteScanned = db.prepare('DELETE FROM tag_count_scanned WHERE count = ? AND tag_id = ?')
  const selectExpected = db.prepare('SELECT tag_id, case_id FROM tag_count_expected WHERE count = ?').raw()
  const selectScanned = db.prepare('SELECT tag_id, at FROM tag_count_scanned WHERE count = +? ORDER BY at').raw()
  const selectScannedHere = db
    .prepare('SELECT tag_id FROM tag_count_scanned WHERE count = ? AND station IS NULL')
    .pluck()
  const resolved = 'SELECT tag_id, how, operation_id, because FROM tag_count_resolved WHERE count = ?'
  const selectResolved = db.prepare(resolved)
  const selectResolution = db.prepare(`${resolved} AND tag_id = ?`)
  const upsertResolved = db.prepare(`
    INSERT INTO tag_count_resolved (count, tag_id, how, operation_id, because) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET how = excluded.how, operation_id = coalesce(excluded.operation_id, operation_id),
      because = excluded.because`)
  const deleteIgnored = db.prepare(
    `DELETE FROM tag_count_resolved WHERE count = ? AND tag_id = ? AND how = 'ignored' AND operation_id IS NULL`,
  )
  // A report still counts after an ignore is taken back; its kind is told by its payload.
  const openReported = db.prepare(
    `UPDATE tag_count_resolved SET how = 'removed', because = NULL WHERE count = ? AND tag_id = ? AND how = 'ignored'`,
  )

  const rowOf = (row: unknown) => (row === undefined ? undefined : CaseCountRow.parse(row))
  const resolutionOf = ({ how, operation_id: operationId, because }: z.infer<typeof Resolved>): Resolution => ({
    how,
    operationId,
    because,
  })

  const addCases = (seq: number, cases: NewCount['cases']) => {
    for (const one of cases) {
      insertCase.run(seq, one.caseId, one.identifier, one.productName)
      for (const tagId of one.tagIds) insertExpected.run(seq, tagId, one.caseId)
    }
  }

  return {
    /** The delivery under way and its cases in the order of arrival. */
    delivery(): { seq: number; caseIds: CaseId[] } | undefined {
      const seq = z.number().optional().parse(selectDelivery.get())
      return seq === undefined ? undefined : { seq, caseIds: z.array(CaseId).parse(selectDeliveryCases.all(seq)) }
    },
    /** An item that several cases hold is expected in the first of them. */
    insert: db.transaction(({ id, delivery, caseId, at, cases }: NewCount) => {
      addCases(Number(insertCount.run(id, delivery, caseId, at).lastInsertRowid), cases)
    }),
    /** Makes a count that of another station: its id, and what it expects. What was scanned stays. */
    become: db.transaction((seq: number, { id, at, cases }: Pick<NewCount, 'id' | 'at' | 'cases'>) => {
      updateId.run(id, at, seq)
      deleteExpected.run(seq)
      deleteCases.run(seq)
      addCases(seq, cases)
    }),
    open: () => rowOf(selectOpen.get()),
    byId: (id: CountId) => rowOf(selectById.get(id)),
    bySeq: (seq: number) => rowOf(selectBySeq.get(seq)),
    ofDelivery: (id: DeliveryId) => selectOfDelivery.all(id).map((row) => CaseCountRow.parse(row)),
    finish: (seq: number, at: number) => void updateFinished.run(at, seq),
    reopen: (seq: number) => void reopen.run(seq),
    cases: (seq: number) => selectCases.all(seq).map((row) => Case.parse(row)),
    /** How many items each case holds, and how many of them were scanned: reads every item. */
    tallies(seq: number): Map<CaseId, { expected: number; counted: number }> {
      const rows = selectTallies.all(seq).map((row) => Tally.parse(row))
      return new Map(rows.map(({ case_id: caseId, expected, counted }) => [caseId, { expected, counted }]))
    },
    scannedCount: (seq: number) => z.number().parse(countScanned.get(seq)),
    /** The case that an item is expected in. */
    caseOf: (seq: number, tagId: TagId) => CaseId.optional().parse(selectCaseOf.get(seq, tagId)),
    /** When an item was scanned, and the station; null for this one. */
    scan: (seq: number, tagId: TagId) => Scan.optional().parse(selectScan.get(seq, tagId)),
    addScan: (seq: number, tagId: TagId, at: number, station: string | null = null) =>
      void insertScanned.run(seq, tagId, at, station),
    scannedHere: (seq: number) => z.array(TagId).parse(selectScannedHere.all(seq)),
    setStation: (seq: number, tagId: TagId, station: string | null) => void updateStation.run(station, seq, tagId),
    /** Who scanned how many. */
    stations: (seq: number) => countStations.all(seq).map((row) => OfStation.parse(row)),
    unscan: (seq: number, tagId: TagId) => void deleteScanned.run(seq, tagId),
    expected: (seq: number) => new Map(selectExpected.all(seq).map((row) => CountedItem.parse(row))),
    scanned: (seq: number) => new Map(selectScanned.all(seq).map((row) => Scanned.parse(row))),
    resolution(seq: number, tagId: TagId): Resolution | undefined {
      const row = Resolved.optional().parse(selectResolution.get(seq, tagId))
      return row && resolutionOf(row)
    },
    resolutions(seq: number): Map<TagId, Resolution> {
      const rows = selectResolved.all(seq).map((row) => Resolved.parse(row))
      return new Map(rows.map((row) => [row.tag_id, resolutionOf(row)]))
    },
    /** Without an operation, the one that was saved before stays. */
    resolve: (
      seq: number,
      tagId: TagId,
      how: Resolution['how'],
      { operationId, because }: { operationId?: OperationId; because?: string | undefined } = {},
    ) => void upsertResolved.run(seq, tagId, how, operationId ?? null, because ?? null),
    /** Takes an ignore back; a report stays. */
    forget(seq: number, tagId: TagId): void {
      deleteIgnored.run(seq, tagId)
      openReported.run(seq, tagId)
    },
  }
}
