import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { ActName } from '../../src-shared/acts'
import { AppError } from '../../src-shared/errors'
import { JournalEntry, OperationState } from '../../src-shared/ipc/contract/outbox'
import { sleep } from '../core/async'
import { iso } from '../core/clock'
import { hand } from '../core/hand'
import { parseStored } from '../database/settings'
import { type ChainFault, type Gap, type Removed, chainStart, covered, hashAfter, passGaps, verifyChain } from './chain'
import { WithShown } from './operation'

/** A step in the life of an operation, as it is written. */
interface JournalStep {
  seq: number
  actor: JournalEntry['actor']
  what: Exclude<JournalEntry['what'], 'other'>
  from: OperationState | null
  to: OperationState
  /** The reason of a refusal or fault, a person's words, or what was changed. */
  detail?: unknown
}

/** What is done about no report. `subject`: what it is about, for who looks for it; never a customer. */
export interface Act {
  actor: JournalEntry['actor']
  what: ActName
  subject?: string | null
  detail?: unknown
}

/** Characters of JSON; ours are much shorter. */
const longestDetail = 16_384

const JournalRow = z
  .object({
    at: z.number(),
    actor: z.enum(['person', 'station']),
    what: JournalEntry.shape.what.catch('other'),
    from_state: OperationState.nullable().catch(null),
    to_state: OperationState,
    // An earlier version stored whatever the service said.
    detail: z.string().max(longestDetail).nullable().catch(null),
    name: z.string().nullable(),
    approver_name: z.string().nullable(),
  })
  .transform(({ at, actor, what, from_state: from, to_state: to, detail, name, approver_name }): JournalEntry => ({
    at: iso(at),
    actor,
    what,
    from,
    to,
    reason: (detail === null ? undefined : parseStored(AppError, detail)) ?? null,
    shown: (detail === null ? undefined : parseStored(WithShown, detail)?.shown) ?? null,
    because: detail === null ? null : becauseIn(detail),
    name,
    approvedBy: approver_name,
  }))

const WithBecause = z.object({ because: z.string() })

/** The text that a person entered, alone or beside what was changed. */
export const becauseIn = (detail: string): string | null =>
  parseStored(z.string(), detail) ?? parseStored(WithBecause, detail)?.because ?? null

const Permitted = z
  .object({ operation_seq: z.number(), at: z.number(), detail: z.string().max(longestDetail).nullable() })
  .transform(({ operation_seq: seq, at, detail }) => ({
    seq,
    at,
    because: (detail === null ? undefined : parseStored(z.string(), detail)) ?? null,
  }))

const Time = z
  .object({ entered: z.number(), estimate: z.number() })
  .transform(({ entered, estimate }) => ({ isEntered: entered === 1, isEstimate: estimate === 1 }))

/** Shown in place of a step that can't be read. */
const unreadable: JournalEntry = {
  at: iso(0),
  actor: 'station',
  what: 'other',
  from: null,
  to: 'unknown',
  reason: null,
  shown: null,
  because: null,
  name: null,
  approvedBy: null,
}

/** `[first, last, hash]` of the lines that a line removed. */
const Gaps = z.array(z.tuple([z.number(), z.number(), z.string()]))
const LastHash = z.string().default('')
const MarkRow = z.tuple([z.number(), z.string(), z.string()])
const ChainRow = z.tuple([z.number(), z.string()]).rest(z.unknown())

/** Lines checked in one go, and the pause before the next, in ms: a scan waits for some milliseconds at most. */
const checkedAtOnce = 1_000
const pause = 5

/** What a check of the whole journal found. */
export interface JournalCheck {
  lines: number
  faults: ChainFault[]
}

/** The journal can't be erased when a customer asks to be forgotten, so it never names one. */
const unnamed = (key: string, value: unknown) => (key === 'customerId' ? undefined : value)
const textOf = (detail: unknown) => (detail === undefined ? null : JSON.stringify(detail, unnamed))

function statementsOf(db: Database) {
  const insert = db.prepare(
    `INSERT INTO journal (${covered.join(', ')}, hash) VALUES (${covered.map(() => '?').join(', ')}, ?)`,
  )
  const lastHash = db.prepare('SELECT hash FROM journal ORDER BY entry DESC LIMIT 1').pluck()
  const marks = db
    .prepare(`SELECT entry, what, detail FROM journal WHERE what IN ('removed', 'cut') ORDER BY entry`)
    .raw()
  const chained = db.prepare(`SELECT value FROM setting WHERE name = 'journal.chained'`).pluck()
  const given = db.prepare(`SELECT seq FROM sqlite_sequence WHERE name = 'journal'`).pluck()
  const lines = db
    .prepare(`SELECT entry, hash, ${covered.join(', ')} FROM journal WHERE entry >= ? ORDER BY entry LIMIT ?`)
    .raw()
  const permitted = db.prepare(
    `SELECT operation_seq, at, detail FROM journal JOIN operation ON seq = operation_seq
     WHERE what = 'permitted' AND at >= ? AND at < ? ORDER BY entry`,
  )
  const isPermitted = db.prepare(`SELECT 1 FROM journal WHERE operation_seq = ? AND what = 'permitted' LIMIT 1`)
  const timeOf = db.prepare(`
    SELECT coalesce(max(what = 'dated' AND actor = 'person'), 0) AS entered,
      coalesce(max(entry) FILTER (WHERE what = 'saved' AND detail IS NOT NULL), 0)
        > coalesce(max(entry) FILTER (WHERE what = 'dated'), 0) AS estimate
    FROM journal WHERE operation_seq = +?`)
  const select = db.prepare('SELECT * FROM journal WHERE operation_seq = +? ORDER BY entry')
  return { insert, lastHash, marks, chained, given, lines, permitted, isPermitted, timeOf, select }
}

/**
 * The append-only history of every operation, and of what else people do: who did what, when, from which state to which. Each
 * line carries a hash over the one before: see chain.ts.
 */
export class Journal {
  readonly #now: () => number
  readonly #sql: ReturnType<typeof statementsOf>

  constructor(db: Database, now: () => number) {
    this.#now = now
    this.#sql = statementsOf(db)
  }

  /** Call inside the transaction of the step itself. */
  write({ seq, actor, what, from, to, detail }: JournalStep): void {
    this.#append(actor, [seq, this.#now(), actor, what, from, to, textOf(detail), null])
  }

  /** Writes down what is done about no report. Call inside the transaction of the act itself, if it has one. */
  act({ actor, what, subject = null, detail }: Act): void {
    this.#append(actor, [null, this.#now(), actor, what, null, null, textOf(detail), subject])
  }

  /** The steps that gates let pass in a span. */
  permitted(from: number, to: number) {
    return this.#sql.permitted.all(from, to).flatMap((row) => Permitted.safeParse(row).data ?? [])
  }

  /** Whether a gate let this operation pass. */
  isPermitted(seq: number): boolean {
    return this.#sql.isPermitted.get(seq) !== undefined
  }

  /** Whether the time of an operation was entered by a person, or is an estimate because the clock was wrong. */
  timeOf(seq: number): { isEntered: boolean; isEstimate: boolean } {
    return Time.parse(this.#sql.timeOf.get(seq))
  }

  /** The steps of one operation, oldest first. */
  of(seq: number): JournalEntry[] {
    return this.#sql.select.all(seq).map((row) => JournalRow.safeParse(row).data ?? unreadable)
  }

  /** Checks the chain from its beginning, a part at a time. What is written meanwhile is checked too. */
  async verify(signal = new AbortController().signal): Promise<JournalCheck> {
    const faults: ChainFault[] = []
    let [lines, place] = [0, chainStart]
    while (!signal.aborted) {
      const part = this.#sql.lines.all(place.next, checkedAtOnce).map((row) => ChainRow.parse(row))
      const removed = this.#removed()
      const checked = verifyChain(
        part.map(([entry, hash, ...values]) => ({ entry, hash, values })),
        removed,
        place,
      )
      faults.push(...checked.faults)
      place = checked.place
      lines += part.length
      if (part.length < checkedAtOnce) {
        const end = z.number().optional().parse(this.#sql.given.get()) ?? 0
        const cuts = this.#marks().filter(([, what]) => what === 'cut')
        const told = cuts.map(([entry]) => ({ kind: 'cut' as const, entry }))
        return { lines, faults: [...faults, ...passGaps(place, end + 1, removed).faults, ...told] }
      }
      await sleep(pause, signal)
    }
    return { lines, faults }
  }

  #marks() {
    return this.#sql.marks.all().map((row) => MarkRow.parse(row))
  }

  /** Which lines are missing for their age. What can't be read of that is missing too. */
  #removed(): Removed {
    const removals = this.#marks().filter(([, what]) => what === 'removed')
    const gaps = removals.flatMap(([, , detail]) => parseStored(Gaps, detail) ?? [])
    const byFirst = gaps.map(([first, last, hash]): [number, Gap] => [first, { first, last, hash }])
    return { gaps: new Map(byFirst), before: z.coerce.number().int().catch(0).parse(this.#sql.chained.get()) }
  }

  #append(actor: JournalEntry['actor'], step: readonly unknown[]): void {
    const { person, approver } = actor === 'person' ? hand() : { person: null, approver: null }
    const values = [...step, person?.id ?? null, person?.name ?? null, approver?.id ?? null, approver?.name ?? null]
    const before = LastHash.parse(this.#sql.lastHash.get())
    this.#sql.insert.run(...values, hashAfter(before, values))
  }
}
