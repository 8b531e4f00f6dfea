import { readFileSync, statSync, writeFileSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { z } from 'zod'
import { backupsIn } from '../../src-main/database/backup-copy'
import { type Store, openStore } from '../../src-main/database/open'
import { backupFolder } from '../../src-main/database/quarantine'
import { type Kept, type KeptOperation, readKept } from './kept'
import { databaseIn } from './old-data'
import type { Promised, Promises } from './promises'

/** A fault that the judge found. */
export interface Complaint {
  kind: 'lost' | 'doubled' | 'unusable'
  text: string
}

export interface Verdict {
  complaints: Complaint[]
  /** The store's condition when it was opened. */
  found: Store['found'] | 'not opened'
  checks: number
}

export interface Expected {
  promises: Promises
  /** The data before the first line: by table, the rows as they are after all migrations. */
  old: ReadonlyMap<string, readonly string[]>
  /** Every operation's final history, without a power cut: by id. Undefined if there is none. */
  ends: ReadonlyMap<string, KeptOperation> | undefined
}

/** Opens a state with the real store, and compares it with the promises. */
export function judge(folder: string, expected: Expected): Verdict {
  const complaints: Complaint[] = []
  const file = databaseIn(folder)
  keepTimes(file)
  let store: Store
  try {
    store = openStore(file)
  } catch (cause) {
    return { complaints: [{ kind: 'unusable', text: String(cause) }], found: 'not opened', checks: 1 }
  }
  const { found, db } = store
  let checks = 1
  const check = (kind: Complaint['kind'], isTrue: boolean, text: () => string) => {
    checks++
    if (!isTrue) complaints.push({ kind, text: text() })
  }
  try {
    const kept = readKept(db)
    const isSalvaged = found !== 'sound' && found !== 'untouched'
    judgeOperations(kept, expected, isSalvaged, check)
    judgeCounter(kept, expected.promises, check)
    for (const [table, rows] of expected.old) {
      const now = new Set(rowsOf(db, table))
      for (const row of rows) check('lost', now.has(row), () => `of the old data, ${table} ${row}`)
    }
  } finally {
    store.close()
  }
  judgeBackups(file, expected.promises, check)
  return { complaints, found, checks }
}

type Check = (kind: Complaint['kind'], isTrue: boolean, text: () => string) => void

function judgeOperations(kept: Kept, { promises, ends }: Expected, isSalvaged: boolean, check: Check): void {
  for (const promised of promises.operations.values()) {
    const { id } = promised
    const name = `${promised.kind} of ${promised.orderId ?? promised.caseId ?? id}`
    const now = kept.operations.get(id)
    check('lost', now !== undefined, () => `${name} was ${promised.state} and is gone`)
    if (!now) continue
    check('lost', isSame(promised, now), () => `${name} became ${now.kind} of ${now.orderId ?? now.caseId ?? id}`)
    const steps = ends ? (ends.get(id)?.steps ?? []) : now.steps
    const [told, has] = [stepsTold(promised, steps), now.steps.length]
    if (isSalvaged) {
      const isOver = promised.state === 'accepted' || promised.state === 'cancelled'
      check('lost', !isOver || now.state === promised.state, () => `${name} was ${promised.state}, is ${now.state}`)
      continue
    }
    const isReached = ends !== undefined || promised.states.every((state) => hasReached(now, state))
    check(
      'lost',
      has >= told && isReached,
      () => `${name} was ${promised.states.join()}, and has ${now.steps.join()} only`,
    )
    const isPart = now.steps.every((step, at) => step === steps[at])
    check('doubled', isPart, () => `${name} went through ${now.steps.join()}, not through ${steps.join()}`)
  }
  for (const { id, kind, orderId } of kept.operations.values()) {
    const isKnown = promises.operations.has(id) || promises.mayAppear.has(id)
    check('doubled', isKnown || isOld(id), () => `${kind} of ${orderId ?? id}, which was not asked for`)
  }
  // The store must know that a report was sent: otherwise it would send the report again without checking.
  for (const [report, times] of promises.sent) {
    const attempts = [...kept.operations.values()]
      .filter(({ kind, orderId }) => `${kind} ${orderId ?? ''}` === report)
      .reduce((sum, one) => sum + one.attempts, 0)
    check('doubled', attempts >= times, () => `${report} left ${times} times, and ${attempts} are known`)
  }
}

const hasReached = ({ steps }: KeptOperation, state: string) => steps.some((step) => step.endsWith(`>${state}`))

/** The fixture operations, and no other, have these ids. */
const isOld = (id: string) => id.startsWith('00000000-0000-4000-8000-')

/** A blind import's later kind, and the kind shown for a kind that only another version knows. */
const isKind = (promised: Promised['kind'], now: string) =>
  promised === now || (promised === 'blind-import' && now === 'import') || promised === 'unreadable'

const isSame = (promised: Promised, now: KeptOperation) =>
  promised.orderId === now.orderId &&
  isKind(promised.kind, now.kind) &&
  (promised.kind !== 'complete' || promised.itemCount === now.itemCount || now.state === 'cancelled') &&
  (promised.caseId === null || promised.caseId === now.caseId)

/** An operation's progress when all these states were shown: the number of its final steps that it had taken. */
function stepsTold({ states }: Promised, steps: readonly string[]): number {
  let at = 0
  for (const state of states) {
    if (at > 0 && steps[at - 1]?.endsWith(`>${state}`) === true) continue
    const next = steps.findIndex((step, n) => n >= at && step.endsWith(`>${state}`))
    if (next !== -1) at = next + 1
  }
  return at
}

function judgeCounter(kept: Kept, promises: Promises, check: Check): void {
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  for (const mode of ['sale', 'return'] as const) {
    const allowed = promises.carts[mode]
    const cart = kept.carts[mode]
    const isAllowed = allowed.length === 0 || allowed.some((one) => same(one, cart))
    check('lost', isAllowed, () => `the ${mode} cart is ${JSON.stringify(cart)}, not ${JSON.stringify(allowed)}`)
  }
  for (const { mode, operations } of promises.finishing) {
    const isSaved = operations.some((id) => kept.operations.has(id))
    const isEmpty = kept.carts[mode].tagIds.length === 0
    check('lost', isSaved || !isEmpty, () => `the ${mode} cart is empty, and no operation is saved`)
    check('doubled', !isSaved || isEmpty, () => `the ${mode} cart is saved as an operation, and still there`)
  }
  const heldNow = kept.held.map(({ id, orderId, itemCount }) => ({ id, orderId, itemCount }))
  const isHeld = promises.held.length === 0 || promises.held.some((one) => same(one, heldNow))
  check('lost', isHeld, () => `on hold is ${JSON.stringify(heldNow)}, not ${JSON.stringify(promises.held)}`)
  for (const [name, values] of promises.settings) {
    const now = kept.settings.get(name)
    check(
      'lost',
      values.some((one) => same(one, now)),
      () => `${name} is ${JSON.stringify(now)}`,
    )
  }
}

/** A file named like a backup must be a backup: it isn't checked before the day on which it is needed. */
function judgeBackups(file: string, promises: Promises, check: Check): void {
  const names = backupsIn(backupFolder(file))
  const newest = promises.backups.at(-1)
  const isThere = newest === undefined || names.some((path) => path.endsWith(newest.name))
  check('lost', isThere, () => `the backup ${newest?.name ?? ''} is gone`)
  for (const path of names) {
    const db = new Sqlite(path)
    try {
      check('lost', db.pragma('quick_check(1)', { simple: true }) === 'ok', () => `${path} is damaged`)
      const { operations } = readKept(db)
      const promised = promises.backups.find((one) => path.endsWith(one.name))
      const missing = (promised?.operations ?? []).filter((id) => !operations.has(id))
      check('lost', missing.length === 0, () => `${path} lacks ${missing.length} operations`)
    } catch (cause) {
      check('lost', false, () => `${path}: ${String(cause)}`)
    } finally {
      db.close()
    }
  }
}

const Closed = z.object({ was: z.literal('closed'), size: z.number(), mtimeNs: z.string() })

/**
 * Restores the modification time of a database that was noted as closed, even if the cut undid later changes. With
 * another time the store would check every page, and the path without a check would never be tested.
 */
function keepTimes(file: string): void {
  const note = `${file}.last-end`
  try {
    const end = Closed.parse(JSON.parse(readFileSync(note, 'utf8')))
    const { size, mtimeNs } = statSync(file, { bigint: true })
    if (Number(size) === end.size) writeFileSync(note, JSON.stringify({ ...end, mtimeNs: String(mtimeNs) }))
  } catch {
    // No note, or an invalid one: the store checks every page.
  }
}

/** All rows of a table, as texts. */
export function rowsOf(db: Store['db'], table: string): string[] {
  const columns = steady.get(table) ?? '*'
  return db
    .prepare(`SELECT ${columns} FROM ${table}`)
    .all()
    .map((row) => JSON.stringify(row))
}

/** For tables that a station keeps writing to, the columns that never change in a row. */
const steady = new Map([
  ['operation', 'seq, id, performed_at, performed_at_raw, clock_offset'],
  ['journal', 'entry, operation_seq, at, actor, what, from_state, to_state, detail'],
  ['memory', `kind, id, form, iif(kind = 'collection' AND form = 'facts', content, NULL)`],
])
