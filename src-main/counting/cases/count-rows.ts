import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { CaseId, CountId, DeliveryId, TagId } from '../../../src-shared/ids'
import { RowReader } from '../../database/row-reader'

/** A count as it is kept. Instants are ms since 1970. */
const CaseCountRow = z.object({
  seq: z.number(),
  id: CountId,
  deliveryId: DeliveryId.nullable(),
  caseId: CaseId.nullable(),
  startedAt: z.number(),
  finishedAt: z.number().nullable(),
  /** When its delivery was finished. */
  deliveryFinishedAt: z.number().nullable(),
})
export type CaseCountRow = z.output<typeof CaseCountRow>

/** A case of a count, as it was when the count started. */
const CountCase = z.object({ caseId: CaseId, identifier: z.string(), productName: z.string().nullable() })
type CountCase = z.output<typeof CountCase>

export interface NewCount {
  id: CountId
  delivery: number | null
  caseId: CaseId | null
  at: number
  cases: (CountCase & { tagIds: TagId[] })[]
}

const counts = new RowReader(CaseCountRow)
const countCases = new RowReader(CountCase)
const sums = new RowReader(z.object({ caseId: CaseId, expected: z.number(), counted: z.number() }))
const CountedItem = z.tuple([TagId, CaseId])
const CaseIds = z.array(CaseId)

const readsOf = (db: Database) => {
  const select = `SELECT tag_count.seq, tag_count.id, delivery.id AS delivery_id, case_id, tag_count.started_at, tag_count.finished_at,
    delivery.finished_at AS delivery_finished_at FROM tag_count LEFT JOIN delivery ON delivery.seq = tag_count.delivery`
  return {
    open: db.prepare(`${select} WHERE tag_count.finished_at IS NULL`),
    byId: db.prepare(`${select} WHERE tag_count.id = +?`),
    bySeq: db.prepare(`${select} WHERE tag_count.seq = ?`),
    ofDelivery: db.prepare(`${select} WHERE delivery.id = +? ORDER BY tag_count.seq`),
    delivery: db.prepare('SELECT seq FROM delivery WHERE finished_at IS NULL').pluck(),
    deliveryCases: db
      .prepare('SELECT case_id FROM delivery_case WHERE delivery = +? AND dropped = 0 ORDER BY position')
      .pluck(),
    cases: db.prepare(
      'SELECT case_id, identifier, product_name FROM tag_count_case WHERE count = +? ORDER BY position',
    ),
    sums: db.prepare(`
      SELECT case_id, count(*) AS expected, count(scanned.tag_id) AS counted FROM tag_count_expected AS expected
      LEFT JOIN tag_count_scanned AS scanned ON scanned.count = expected.count AND scanned.tag_id = expected.tag_id
      WHERE expected.count = +? GROUP BY case_id`),
    caseOf: db.prepare('SELECT case_id FROM tag_count_expected WHERE count = ? AND tag_id = ?').pluck(),
    expected: db.prepare('SELECT tag_id, case_id FROM tag_count_expected WHERE count = ?').raw(),
  }
}

const writesOf = (db: Database) => ({
  count: db.prepare('INSERT INTO tag_count (id, delivery, case_id, started_at) VALUES (?, ?, ?, ?)'),
  case: db.prepare(
    'INSERT OR IGNORE INTO tag_count_case (count, case_id, identifier, product_name) VALUES (?, ?, ?, ?)',
  ),
  expected: db.prepare('INSERT OR IGNORE INTO tag_count_expected (count, tag_id, case_id) VALUES (?, ?, ?)'),
  finished: db.prepare('UPDATE tag_count SET finished_at = ? WHERE seq = ?'),
  id: db.prepare('UPDATE tag_count SET id = ?, started_at = ? WHERE seq = ?'),
  dropCases: db.prepare('DELETE FROM tag_count_case WHERE count = ?'),
  dropExpected: db.prepare('DELETE FROM tag_count_expected WHERE count = ?'),
})

/** The tables of counts of a delivery's cases, and what they expect. Writing throws if the disk refuses. */
export class CaseCountRows {
  readonly #db: Database
  readonly #reads: ReturnType<typeof readsOf>
  readonly #writes: ReturnType<typeof writesOf>

  constructor(db: Database) {
    this.#db = db
    this.#reads = readsOf(db)
    this.#writes = writesOf(db)
  }

  /** The delivery under way and its cases in the order of arrival. */
  delivery(): { seq: number; caseIds: CaseId[] } | undefined {
    const seq = z.number().optional().parse(this.#reads.delivery.get())
    return seq === undefined ? undefined : { seq, caseIds: CaseIds.parse(this.#reads.deliveryCases.all(seq)) }
  }

  open(): CaseCountRow | undefined {
    return counts.get(this.#reads.open)
  }

  byId(id: CountId): CaseCountRow | undefined {
    return counts.get(this.#reads.byId, id)
  }

  bySeq(seq: number): CaseCountRow | undefined {
    return counts.get(this.#reads.bySeq, seq)
  }

  ofDelivery(id: DeliveryId): CaseCountRow[] {
    return counts.all(this.#reads.ofDelivery, id)
  }

  cases(seq: number): CountCase[] {
    return countCases.all(this.#reads.cases, seq)
  }

  /** How many items each case holds, and how many of them were scanned: reads every item. */
  sums(seq: number): Map<CaseId, { expected: number; counted: number }> {
    return new Map(sums.all(this.#reads.sums, seq).map(({ caseId, ...ofCase }) => [caseId, ofCase]))
  }

  /** The case that an item is expected in. */
  caseOf(seq: number, tagId: TagId): CaseId | undefined {
    return CaseId.optional().parse(this.#reads.caseOf.get(seq, tagId))
  }

  expected(seq: number): Map<TagId, CaseId> {
    return new Map(this.#reads.expected.all(seq).map((row) => CountedItem.parse(row)))
  }

  expectedByCase(seq: number): Map<CaseId, TagId[]> {
    const cases = Map.groupBy(this.expected(seq), ([, caseId]) => caseId)
    return new Map([...cases].map(([caseId, items]) => [caseId, items.map(([tagId]) => tagId)]))
  }

  /** An item that several cases hold is expected in the first of them. */
  insert({ id, delivery, caseId, at, cases }: NewCount): void {
    this.#db.transaction(() => {
      this.#addCases(Number(this.#writes.count.run(id, delivery, caseId, at).lastInsertRowid), cases)
    })()
  }

  /** Makes a count that of another station: its id, and what it expects. What was scanned stays. */
  become(seq: number, { id, at, cases }: Pick<NewCount, 'id' | 'at' | 'cases'>): void {
    this.#db.transaction(() => {
      this.#writes.id.run(id, at, seq)
      this.#writes.dropExpected.run(seq)
      this.#writes.dropCases.run(seq)
      this.#addCases(seq, cases)
    })()
  }

  finish(seq: number, at: number): void {
    this.#writes.finished.run(at, seq)
  }

  reopen(seq: number): void {
    this.#writes.finished.run(null, seq)
  }

  #addCases(seq: number, cases: NewCount['cases']): void {
    for (const { caseId, identifier, productName, tagIds } of cases) {
      this.#writes.case.run(seq, caseId, identifier, productName)
      for (const tagId of tagIds) this.#writes.expected.run(seq, tagId, caseId)
    }
  }
}
