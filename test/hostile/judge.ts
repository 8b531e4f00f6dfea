import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { z } from 'zod'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import type { PracticeService } from '../../src-practice/start'
import type { Kind } from './misbehaviour'

/** The kinds of complaint about a row. */
export interface Complaint {
  kind: 'dead' | 'memory' | 'slow' | 'untrue' | 'lost' | 'doubled' | 'secret' | 'unbounded' | 'pace' | 'error'
  text: string
}

/** A report of the station, by the service's name for it. */
export interface Report {
  kind: Kind
  /** For an import the case, for the other kinds the order. */
  subject: string
}

/** How often the service holds a report, and with which times. */
export function heldOf(
  admin: PracticeService['admin'],
  { kind, subject }: Report,
): { times: number; moments: string[] } {
  if (kind === 'import') {
    const all = admin.imports().filter((one) => one.case_uuid === subject)
    return { times: all.length, moments: [] }
  }
  const all = admin.transactions().filter((one) => one.kind === kind && one.order_id === subject)
  return { times: all.length, moments: all.map((one) => one.performed_at) }
}

/**
 * Only a person can settle the operation: whatever the service has, these states are not wrong; but a report that it calls
 * already processed must not be shown as refused.
 */
export const isUnsettled = ({ unsettled }: Pick<OperationView, 'unsettled'>) => unsettled !== null

/**
 * States that a view must not show while the service holds the report, or doesn't. `held` is checked before and after
 * the look.
 */
export function untruthsOf(view: OperationView, held: { before: boolean; after: boolean }, where: string): Complaint[] {
  const untrue = (text: string): Complaint => ({ kind: 'untrue', text: `${where} ${text}` })
  const reason = view.reason?.code ?? 'no reason'
  return [
    ...(view.state === 'accepted' && !held.after ? [untrue('says accepted, and the service does not have it')] : []),
    ...(view.state === 'cancelled' && held.before ? [untrue('says canceled, and the service has it')] : []),
    ...(view.undo === 'withdraw' && held.before
      ? [untrue(`lets it be withdrawn (${reason}), and the service has it`)]
      : []),
    ...(view.state === 'rejected' && held.before && (!isUnsettled(view) || reason === 'service/already-processed')
      ? [untrue(`says refused (${reason}), and the service has it`)]
      : []),
  ]
}

/** A day's sales are from this day, whatever a header said, in ms. */
const furthest = 24.5 * 3_600_000

/** Times in reports that no clock of this shop can have shown. */
export const oddMoments = (moments: readonly string[], now: number): Complaint[] =>
  moments
    .filter((moment) => !(Math.abs(Date.parse(moment) - now) < furthest))
    .map((moment) => ({ kind: 'untrue', text: `the service was told that it happened at ${moment}` }))

/** Where a secret occurs in the files of a station; `secrets` by name. */
export function secretsIn(folder: string, secrets: ReadonlyMap<string, string>): Complaint[] {
  const texts = textsIn(folder)
  // The station works on: a backup got its final name between the list and the reading.
  if (texts === undefined) return secretsIn(folder, secrets)
  return texts.flatMap(({ name: file, text }) =>
    [...secrets].flatMap(([name, secret]): Complaint[] =>
      text.includes(secret) ? [{ kind: 'secret', text: `${name} stands in ${file}` }] : [],
    ),
  )
}

/** The files below a folder; undefined if one of them was gone by the time it was to be read. */
function textsIn(folder: string): { name: string; text: string }[] | undefined {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  try {
    return files.map(({ parentPath, name }) => ({ name, text: readFileSync(join(parentPath, name), 'latin1') }))
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw cause
  }
}

/** Limits for stored texts about one operation, in characters. */
const longestReason = 2_048
const longestDetail = 4_096

const Stored = z.object({ payload: z.string(), reason: z.number().nullable(), detail: z.number().nullable() })

/** Stored texts that are too long, by the payload of their operation. The station must be closed. */
export function unboundedIn(file: string): { payload: string; complaint: Complaint }[] {
  const db = new Sqlite(file)
  const rows = db
    .prepare(
      `SELECT payload, length(reason) AS reason,
         (SELECT max(length(detail)) FROM journal WHERE operation_seq = seq) AS detail FROM operation`,
    )
    .all()
    .map((row) => Stored.parse(row))
  db.close()
  const tooLong = (what: string, length: number | null, limit: number): Complaint[] =>
    length !== null && length > limit ? [{ kind: 'unbounded', text: `${what} of ${length} characters is stored` }] : []
  return rows.flatMap(({ payload, reason, detail }) =>
    [...tooLong('a reason', reason, longestReason), ...tooLong('a journal entry', detail, longestDetail)].map(
      (complaint) => ({ payload, complaint }),
    ),
  )
}
