import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { OperationId, TagId } from '../../../src-shared/ids'
import { RowReader } from '../../database/row-reader'

/** How a person resolved an item that differs, the report that was made for it, and why it is ignored. */
const ResolutionRow = z.object({
  tagId: TagId,
  how: z.enum(['ignored', 'removed', 'added']),
  operationId: OperationId.nullable(),
  because: z.string().nullable(),
})
export type Resolution = Omit<z.output<typeof ResolutionRow>, 'tagId'>

const resolutions = new RowReader(ResolutionRow)

const statementsOf = (db: Database) => {
  const select = 'SELECT tag_id, how, operation_id, because FROM tag_count_resolved WHERE count = ?'
  return {
    all: db.prepare(select),
    one: db.prepare(`${select} AND tag_id = ?`),
    put: db.prepare(`
      INSERT INTO tag_count_resolved (count, tag_id, how, operation_id, because) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET how = excluded.how, operation_id = coalesce(excluded.operation_id, operation_id),
        because = excluded.because`),
    dropIgnored: db.prepare(
      `DELETE FROM tag_count_resolved WHERE count = ? AND tag_id = ? AND how = 'ignored' AND operation_id IS NULL`,
    ),
    // A report still counts after an ignore is taken back; its kind is told by its payload.
    openReported: db.prepare(
      `UPDATE tag_count_resolved SET how = 'removed', because = NULL WHERE count = ? AND tag_id = ? AND how = 'ignored'`,
    ),
  }
}

/** What was decided about items that differ. Writing throws if the disk refuses. */
export class ResolutionRows {
  readonly #statements: ReturnType<typeof statementsOf>

  constructor(db: Database) {
    this.#statements = statementsOf(db)
  }

  one(seq: number, tagId: TagId): Resolution | undefined {
    return resolutions.get(this.#statements.one, seq, tagId)
  }

  all(seq: number): Map<TagId, Resolution> {
    return new Map(resolutions.all(this.#statements.all, seq).map(({ tagId, ...row }) => [tagId, row]))
  }

  /** Without an operation, the one that was saved before stays. */
  put(
    seq: number,
    tagId: TagId,
    how: Resolution['how'],
    { operationId, because }: { operationId?: OperationId; because?: string | undefined } = {},
  ): void {
    this.#statements.put.run(seq, tagId, how, operationId ?? null, because ?? null)
  }

  /** Takes an ignore back; a report stays. */
  forget(seq: number, tagId: TagId): void {
    this.#statements.dropIgnored.run(seq, tagId)
    this.#statements.openReported.run(seq, tagId)
  }
}
