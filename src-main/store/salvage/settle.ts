import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { OperationState } from '../../../src-shared/ipc/operation-view'
import { createMemory } from '../../memory/store'
import { createJournal } from '../../outbox/ledger'
import { type Operation, operationOf, isFinished } from '../../outbox/operation'
import { keysOf } from '../../outbox/kinds/kinds'
import type { Key } from '../../outbox/payload'
import { type Holder, linksOf } from './links'
import { salvagedState } from './state'

const Step = z.object({ to: OperationState })
const KeyRow = z.object({ key: z.string(), is_exclusive: z.number() })

/** Gives every salvaged operation its state, its keys, and those that it has to wait for. */
export function settleOperations(db: Database, now: number): void {
  const settle = createSettle(db, now)
  const holdKeys = createHoldKeys(db)
  const holders: Holder[] = []
  for (const row of db.prepare('SELECT * FROM operation ORDER BY seq').all()) {
    const operation = operationOf(row)
    const state = settle(operation)
    const keys = holdKeys(operation)
    if (!isFinished(state)) holders.push({ seq: operation.seq, state, keys })
  }
  link(db, holders)
}

function createSettle(db: Database, now: number) {
  const journal = createJournal(db, () => now)
  const stepsOf = db.prepare('SELECT to_state AS "to" FROM journal WHERE operation_seq = ? ORDER BY entry')
  const update = db.prepare('UPDATE operation SET state = ?, uncertain = ?, next_attempt_at = 0 WHERE seq = ?')
  return ({ seq, state: from, isUncertain }: Operation): OperationState => {
    if (isFinished(from)) return from
    const steps = stepsOf.all(seq).flatMap((row) => Step.safeParse(row).data?.to ?? [])
    const to = salvagedState(from, steps)
    update.run(to, to === 'unknown' || isUncertain ? 1 : 0, seq)
    journal.write({ seq, actor: 'station', what: 'salvaged', from, to })
    return to
  }
}

/** Keys may be lost where the operation isn't: what it says of itself makes up for them. */
function createHoldKeys(db: Database) {
  const seen = createMemory(db)
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

function link(db: Database, holders: Holder[]): void {
  db.exec('UPDATE operation SET blockers = 0 WHERE blockers > 0; DELETE FROM operation_wait')
  const insert = db.prepare('INSERT INTO operation_wait (waiter, blocker) VALUES (?, ?)')
  for (const { waiter, blocker } of linksOf(holders)) insert.run(waiter, blocker)
  db.exec(`
    UPDATE operation SET blockers = (SELECT count(*) FROM operation_wait WHERE waiter = seq)
    WHERE seq IN (SELECT waiter FROM operation_wait)`)
}
