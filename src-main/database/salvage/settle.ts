import { randomUUID } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { OperationId } from '../../../src-shared/ids'
import { OperationState } from '../../../src-shared/ipc/contract/outbox'
import { iso } from '../../core/clock'
import { Memory } from '../../memory/store'
import { keysOf } from '../../outbox/kinds/kinds'
import { Journal } from '../../outbox/journal'
import { isFinished, type Operation, operationOf, OperationRow } from '../../outbox/operation'
import type { Key } from '../../outbox/payload'

/**
 * The state of a salvaged operation. The data may be outdated: an unfinished operation may have been sent since, so it is
 * checked with the service before it is sent again. `row`: the state in its row; `steps`: the states in its journal,
 * oldest first.
 */
export function salvagedState(row: OperationState, steps: readonly OperationState[]): OperationState {
  const last = steps.at(-1)
  // A finished state is final, so it is the newest wherever it is found.
  if (isFinished(row)) return row
  if (last !== undefined && isFinished(last)) return last
  // A refusal that is only in the journal is newer than the row; one that is only in the row is newer than the journal.
  if (last === 'rejected') return 'rejected'
  if (row === 'rejected' && !steps.includes('rejected')) return 'rejected'
  return 'unknown'
}

/** A number further than this above the last row was never assigned: it is part of the damage. */
const plausible = 1_000_000

const NameRow = z.object({ name: z.string() })
const Highest = z.object({ highest: z.number().nullable() })

/**
 * Makes sure that no number is assigned twice, and returns the highest known operation number. At this point,
 * sqlite_sequence has a row for every source of numbers.
 */
export function keepNumbers(db: Database): number {
  const tables = db
    .prepare(`SELECT DISTINCT name FROM sqlite_sequence JOIN sqlite_schema USING (name) WHERE type = 'table'`)
    .all()
    .map((row) => NameRow.parse(row).name)
  const sequences = new Map(tables.map((table) => [table, highestOf(db, table)]))
  db.exec('DELETE FROM sqlite_sequence')
  const insert = db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)')
  for (const [table, highest] of sequences) insert.run(table, highest)
  return sequences.get('operation') ?? 0
}

function highestOf(db: Database, table: string): number {
  const last = Highest.parse(db.prepare(`SELECT max(rowid) AS highest FROM "${table}"`).get()).highest ?? 0
  const given = db
    .prepare('SELECT max(seq) AS highest FROM sqlite_sequence WHERE name = ? AND seq <= ?')
    .get(table, last + plausible)
  return Math.max(last, Highest.parse(given).highest ?? 0)
}

/** An unfinished operation and the keys it holds. */
export interface UnfinishedOperation {
  seq: number
  state: OperationState
  keys: Iterable<Key>
}

export interface Link {
  waiter: number
  blocker: number
}

/**
 * The links between waiting operations and their blockers, as if all operations were saved again in order. Applies the
 * rule of `outbox/locks.ts` in memory, because in the database it takes a minute and a half for 100,000 operations. A
 * test checks that both agree.
 */
export function linksOf(oldestFirst: Iterable<UnfinishedOperation>): Link[] {
  const links: Link[] = []
  const held = new Map<string, { exclusive: number | undefined; shared: number[] }>()
  for (const { seq, state, keys } of oldestFirst) {
    const blockers = new Set<number>()
    for (const { key, isExclusive } of keys) {
      const before = held.get(key) ?? { exclusive: undefined, shared: [] }
      if (isExclusive && before.shared.length > 0) for (const holder of before.shared) blockers.add(holder)
      else if (before.exclusive !== undefined) blockers.add(before.exclusive)
      if (isExclusive) held.set(key, { exclusive: seq, shared: [] })
      else if (state !== 'rejected') {
        before.shared.push(seq)
        held.set(key, before)
      }
    }
    // A refused operation isn't blocked and releases its shared keys.
    if (state !== 'rejected') for (const blocker of blockers) links.push({ waiter: seq, blocker })
  }
  return links
}

const Seq = z.object({ seq: z.number() })
const Trace = z.object({ seq: z.number(), at: z.number().nullable(), state: OperationState.nullable().catch(null) })

/**
 * Adds a placeholder row for operations whose row is lost but whose number is still in the journal or the keys. It keeps
 * its keys, so that the items of a lost sale can't be sold, and waits for a person; operations that ended according to
 * the journal stay ended. Returns the number of placeholders.
 */
export function keepTraces(db: Database, now: number): number {
  dropUnreadable(db)
  const traces = db
    .prepare(
      `SELECT seq, (SELECT min(at) FROM journal WHERE operation_seq = seq) AS at,
         (SELECT to_state FROM journal WHERE operation_seq = seq ORDER BY entry DESC LIMIT 1) AS state
       FROM (SELECT seq FROM operation_key UNION SELECT operation_seq FROM journal WHERE operation_seq IS NOT NULL)
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
  // A key with a number that was never assigned, such as 0 in a truncated page, is part of the damage.
  db.exec('DELETE FROM operation_key WHERE seq NOT IN (SELECT seq FROM operation)')
  return traces.length
}

/** Removes rows with a value that the app can't parse; `keepTraces` then treats them as lost rows. */
function dropUnreadable(db: Database): void {
  const unreadable = db
    .prepare('SELECT * FROM operation')
    .all()
    .filter((row) => !OperationRow.safeParse(row).success)
  const drop = db.prepare('DELETE FROM operation WHERE seq = ?')
  for (const row of unreadable) drop.run(Seq.parse(row).seq)
}

const OperationStep = z.object({ to: OperationState })
const KeyRow = z.object({ key: z.string(), is_exclusive: z.number() })

/** Sets the state, the keys and the blockers of every salvaged operation. */
export function settleOperations(db: Database, now: number): void {
  const settle = createSettle(db, now)
  const holdKeys = createHoldKeys(db)
  const holders: UnfinishedOperation[] = []
  for (const row of db.prepare('SELECT * FROM operation ORDER BY seq').all()) {
    const operation = operationOf(row)
    const state = settle(operation)
    const keys = holdKeys(operation)
    if (!isFinished(state)) holders.push({ seq: operation.seq, state, keys })
  }
  link(db, holders)
}

function createSettle(db: Database, now: number) {
  const journal = new Journal(db, () => now)
  const stepsOf = db.prepare('SELECT to_state AS "to" FROM journal WHERE operation_seq = ? ORDER BY entry')
  const update = db.prepare('UPDATE operation SET state = ?, uncertain = ?, next_attempt_at = 0 WHERE seq = ?')
  return ({ seq, state: from, isUncertain }: Operation): OperationState => {
    if (isFinished(from)) return from
    const steps = stepsOf.all(seq).flatMap((row) => OperationStep.safeParse(row).data?.to ?? [])
    const to = salvagedState(from, steps)
    update.run(to, to === 'unknown' || isUncertain ? 1 : 0, seq)
    journal.write({ seq, actor: 'station', what: 'salvaged', from, to })
    return to
  }
}

/** Lost keys are derived again from the operation's payload. */
function createHoldKeys(db: Database) {
  const seen = new Memory(db)
  const found = db.prepare('SELECT key, is_exclusive FROM operation_key WHERE seq = ?')
  const insert = db.prepare('INSERT OR IGNORE INTO operation_key (key, seq, is_exclusive) VALUES (?, ?, ?)')
  return ({ seq, payload }: Operation): Key[] => {
    const keys = payload ? keysOf(payload, (tagId) => seen.caseOf(tagId)) : []
    for (const { key, isExclusive } of keys) insert.run(key, seq, isExclusive ? 1 : 0)
    return found
      .all(seq)
      .map((row) => KeyRow.parse(row))
      .map(({ key, is_exclusive }) => ({ key, isExclusive: is_exclusive === 1 }))
  }
}

function link(db: Database, holders: UnfinishedOperation[]): void {
  db.exec('UPDATE operation SET blockers = 0 WHERE blockers > 0; DELETE FROM operation_wait')
  const insert = db.prepare('INSERT INTO operation_wait (waiter, blocker) VALUES (?, ?)')
  for (const { waiter, blocker } of linksOf(holders)) insert.run(waiter, blocker)
  db.exec(`
    UPDATE operation SET blockers = (SELECT count(*) FROM operation_wait WHERE waiter = seq)
    WHERE seq IN (SELECT waiter FROM operation_wait)`)
}

/** Entries of sales were made before the names of their items and the keys by which they are found were copied. */
export function nameEntries(db: Database): void {
  db.exec(`
    UPDATE sale_entry SET (words, products) = (SELECT words, products FROM sale_entry_of AS made WHERE made.seq = sale_entry.seq)
    WHERE seq IN (SELECT seq FROM sale_entry_of)`)
}
