import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { OperationId } from '../../src-shared/ids'
import { type JournalFilter, type JournalLine, LineWhat } from '../../src-shared/ipc/contract/journal'
import { JournalEntry, OperationKind, OperationState } from '../../src-shared/ipc/contract/outbox'
import { ok } from '../../src-shared/result'
import { iso } from '../core/clock'
import type { HandlersOf } from '../ipc/handlers'
import { RowReader } from '../database/row-reader'
import { type Journal, becauseIn } from './journal'

/** Lines looked at for one part: some milliseconds, also for a filter that leaves none of them. */
const lookedAt = 2_000
/** Lines in one part. */
const mostLines = 200
const mostFaults = 500

const lineRows = new RowReader(
  z.object({
    ...{ entry: z.number(), at: z.number(), actor: JournalEntry.shape.actor, what: LineWhat.catch('other') },
    ...{ id: OperationId.nullable().catch(null), kind: OperationKind.catch('unreadable') },
    ...{ fromState: OperationState.nullable().catch(null), toState: OperationState.nullable().catch(null) },
    ...{ subject: z.string().nullable(), name: z.string().nullable(), approverName: z.string().nullable() },
    ...{ about: z.string().nullable(), detail: z.string().nullable(), hash: z.string() },
  }),
)

const statementsOf = (db: Database) => ({
  newest: db.prepare('SELECT coalesce(max(entry), 0) FROM journal').pluck(),
  lines: db.prepare(`
    SELECT entry, at, actor, what, id, kind, from_state, to_state, subject, name, approver_name, detail, hash,
      (SELECT substr(has.key, instr(has.key, ':') + 1) FROM operation_key AS has
        WHERE has.seq = operation_seq AND (has.key GLOB 'order:*' OR has.key GLOB 'case:*')
        ORDER BY has.key DESC LIMIT 1) AS about
    FROM journal LEFT JOIN operation ON seq = operation_seq
    WHERE entry < @before AND entry >= @after AND at >= @from AND at < @to
      AND (@person IS NULL OR person = @person OR approver = @person OR subject = @person)
      AND (@kind IS NULL OR coalesce(kind, 'other') = @kind)
      AND (@orderId IS NULL OR subject = @orderId OR EXISTS (
        SELECT 1 FROM operation_key AS has WHERE has.seq = operation_seq AND key = 'order:' || @orderId))
      AND (@item IS NULL OR subject = @item OR EXISTS (
        SELECT 1 FROM operation_key AS has WHERE has.seq = operation_seq AND key = 'tag:' || @item))
    ORDER BY entry DESC LIMIT ${mostLines}`),
})

/** The journal as a screen shows it, a part at a time. */
export class JournalPages {
  readonly #sql: ReturnType<typeof statementsOf>

  constructor(db: Database) {
    this.#sql = statementsOf(db)
  }

  page(filter: JournalFilter, from?: number): { lines: JournalLine[]; older: number | null } {
    const before = from ?? z.number().parse(this.#sql.newest.get()) + 1
    const after = Math.max(before - lookedAt, 1)
    const wanted = {
      ...{ before, after, person: filter.person ?? null, kind: filter.kind ?? null },
      ...{ orderId: filter.orderId ?? null, item: filter.item ?? null },
      from: filter.from === undefined ? Number.MIN_SAFE_INTEGER : Date.parse(filter.from),
      to: filter.to === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(filter.to),
    }
    const { rows } = lineRows.readable(this.#sql.lines, wanted)
    const lines = rows.map(
      ({
        id,
        kind,
        about,
        at,
        fromState: from,
        toState: to,
        approverName: approvedBy,
        detail,
        ...line
      }): JournalLine => ({
        ...{ ...line, at: iso(at), from, to, approvedBy },
        report: id === null ? null : { id, kind, about },
        because: detail === null ? null : becauseIn(detail),
      }),
    )
    const last = lines.length === mostLines ? lines.at(-1)?.entry : undefined
    const older = last ?? after
    return { lines, older: older > 1 ? older : null }
  }
}

/** Calls about the journal. */
export const journalHandlers = (pages: JournalPages, journal: Journal): HandlersOf<'journal'> => ({
  'journal.page': ({ filter, before }) => ok(pages.page(filter, before)),
  'journal.export': ({ filter, before }) => ok(pages.page(filter, before)),
  'journal.verify': async () => {
    const { lines, faults } = await journal.verify()
    return ok({ lines, faults: faults.slice(0, mostFaults), total: faults.length })
  },
})
