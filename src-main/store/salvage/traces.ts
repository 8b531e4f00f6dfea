import { randomUUID } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { OperationId } from '../../../src-shared/ids'
import { OperationState } from '../../../src-shared/ipc/operation-view'
import { iso } from '../../clock'
import { OperationRow, isFinished } from '../../outbox/operation'
import { plausible } from './numbers'

const Seq = z.object({ seq: z.number() })
const Trace = z.object({ seq: z.number(), at: z.number().nullable(), state: OperationState.nullable().catch(null) })

/**
 * Operations whose own row is lost, but whose number the journal or the keys still name, get a row that says just that. It
 * keeps its keys, so that nobody sells the items of a lost sale, and waits for a person; what the journal knows to be over
 * stays over. Gives their number.
 */
export function keepTraces(db: Database, now: number): number {
  dropUnreadable(db)
  const traces = db
    .prepare(
      `SELECT seq, (SELECT min(at) FROM journal WHERE operation_seq = seq) AS at,
         (SELECT to_state FROM journal WHERE operation_seq = seq ORDER BY entry DESC LIMIT 1) AS state
       FROM (SELECT seq FROM operation_key UNION SELECT operation_seq FROM journal)
       WHERE seq NOT IN (SELECT seq FROM operation)
         AND seq BETWEEN 1 AND ${plausible} + (SELECT coalesce(max(seq), 0) FROM operation) ORDER BY seq`,
    )
    .all()
    .map((row) => Trace.parse(row))
  const insert = db.prepare(`
    INSERT INTO operation (seq, id, kind, payload, state, performed_at, performed_at_raw, clock_offset, uncertain, reason)
    VALUES (@seq, @id, 'unreadable', '{}', @state, @performedAt, @at, 0, 1, @reason)`)
  for (const { seq, at, state } of traces) {
    const isOver = state !== null && isFinished(state)
    insert.run({
      seq,
      id: OperationId.parse(randomUUID()),
      state: isOver ? state : 'rejected',
      performedAt: iso(at ?? now),
      at: at ?? now,
      reason: isOver ? null : JSON.stringify({ code: 'outbox/unreadable' }),
    })
  }
  // A key of a number that was never given out, such as 0 in a page that was cut off, is part of the damage.
  db.exec('DELETE FROM operation_key WHERE seq NOT IN (SELECT seq FROM operation)')
  return traces.length
}

/** A row with a value that no part of the app would take is no better than none: what is left of it are its traces. */
function dropUnreadable(db: Database): void {
  const unreadable = db
    .prepare('SELECT * FROM operation')
    .all()
    .filter((row) => !OperationRow.safeParse(row).success)
  const drop = db.prepare('DELETE FROM operation WHERE seq = ?')
  for (const row of unreadable) drop.run(Seq.parse(row).seq)
}
