import pg from 'pg'
import { z } from 'zod'
import type { HubTrouble } from '../../../src-shared/ipc/contract/hub'
import { settleWithin } from '../../core/async'
import { BoundedName } from './columns'
import { type HubAddress, type Query, connectionOf, cut, isEncrypted } from './connections'
import type { PostgresHubParts } from './hub'
import { endingClaims, isDone } from './locks'
import { isPooled, limit } from './pooler'
import { nameStore } from './session'
import { tablesVersion, versionOf } from './tables'
import { HubProblem, answerOf, listenForOthers, troubleOf } from './trouble'

/**
 * What a station would find at a hub. `answer`: what the server answered, with a trouble that it told. `now`: the hub's clock, in
 * ms since 1970; null if it wasn't heard. `isNew`: no station was ever there.
 */
export interface Trial {
  trouble: HubTrouble | null
  answer: string | null
  now: number | null
  /** The names of the other stations. */
  names: string[]
  isNew: boolean
  /** The identity of the store's key, as its first station wrote it; null if none did. */
  storeId: string | null
}

/** How long a trial may take, in ms: a person waits for it. */
const patience = 10_000

const nothing = (trouble: HubTrouble | null, more: Partial<Trial> = {}): Trial => ({
  ...{ trouble, answer: null, now: null, names: [], isNew: trouble === null, storeId: null },
  ...more,
})

/** The station that would join. */
type Candidate = Pick<PostgresHubParts, 'stationId' | 'stationName' | 'storeHash'>

/** Tries a hub over a connection of its own, in a transaction that can only read. Never rejects. */
export async function tryHub({ address, ...station }: Candidate & { address: HubAddress }): Promise<Trial> {
  const tried = await connected(address, async (query) => {
    await query({ text: 'BEGIN TRANSACTION READ ONLY', row: z.unknown() })
    const [clock] = await query({ text: 'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now', row: HubNow })
    return { ...(await look(query, station)), now: clock ? Math.round(clock.now) : null }
  })
  return tried.ok ? tried.value : nothing(tried.trouble, { answer: tried.answer })
}

/**
 * Removes a station from a hub, with the claims of its open orders. `takesHeld`: its orders on hold stay with it, so no other
 * station may resume them. False if the hub did not answer. Never rejects.
 */
export async function leaveHub(address: HubAddress, stationId: string, takesHeld: boolean): Promise<boolean> {
  const left = await connected(address, (query) =>
    query({
      text: `WITH locked AS (
            SELECT id FROM countertag.held_order WHERE station = $1 AND taken_by IS NULL AND $2 ORDER BY id FOR UPDATE
          ), taken AS (DELETE FROM countertag.held_order AS one USING locked WHERE one.id = locked.id RETURNING one.id),
          ${endingClaims(isDone('taken'))},
          gone AS (DELETE FROM countertag.station WHERE id = $1 AND ${isDone('freed', 'let_go')} RETURNING id),
          here AS (UPDATE countertag.awaited SET is_here = true WHERE station = $1 RETURNING station)
        SELECT countertag.tell(about) FROM unnest(ARRAY['claims', 'held', 'stations']) AS about WHERE ${isDone('gone', 'here')}`,
      values: [stationId, takesHeld],
      row: z.unknown(),
    }),
  )
  return left.ok
}

/** Tells a hub that its store has another key. False if it did not answer, or has no tables yet. Never rejects. */
export async function renameStore(address: HubAddress, storeId: string): Promise<boolean> {
  const done = await connected(address, (query) => nameStore(query, storeId, true))
  return done.ok
}

type Outcome<T> = { ok: true; value: T } | { ok: false; trouble: HubTrouble; answer: string | null }

async function connected<T>(address: HubAddress, work: (query: Query) => Promise<T>): Promise<Outcome<T>> {
  const made: pg.Client[] = []
  let isOther = () => false
  const connect = async () => {
    const client = new pg.Client({
      ...connectionOf(address),
      application_name: 'countertag trial',
      connectionTimeoutMillis: patience / 2,
    })
    made.push(client)
    // The error of a connection that breaks while nothing is asked; what is asked rejects.
    client.on('error', () => undefined)
    isOther = listenForOthers(client, isEncrypted(address))
    await client.connect()
    return client
  }
  const tried = async () => {
    const client = await connect()
    if (await isPooled(client, connect)) throw new HubProblem('pooler')
    await limit(client)
    return work(async ({ row, ...statement }) => {
      const answer = await client.query<Record<string, unknown>>(statement)
      // One that can't be read costs itself alone.
      return answer.rows.flatMap((one) => {
        const parsed = row.safeParse(one)
        return parsed.success ? [parsed.data] : []
      })
    })
  }
  const settled = await settleWithin(tried(), patience)
  for (const one of made) cut(one)
  if (settled.status === 'fulfilled') return { ok: true, value: settled.value }
  if (isOther()) return { ok: false, trouble: 'not-postgres', answer: null }
  if (settled.status === 'timeout') return { ok: false, trouble: 'silent', answer: null }
  return { ok: false, trouble: troubleOf(settled.reason), answer: answerOf(settled.reason) }
}

const HubNow = z.object({ now: z.coerce.number() })
const Rights = z.object({ may_create: z.boolean(), is_read_only: z.boolean(), version: z.number() })

/** PostgreSQL 14. */
const oldest = 140_000
const Allowed = z.object({ is_allowed: z.boolean().nullable() })

async function look(query: Query, station: Candidate): Promise<Trial> {
  const [rights] = await query({
    text: `SELECT has_database_privilege(current_database(), 'CREATE') AS may_create, pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on' AS is_read_only,
      current_setting('server_version_num')::int AS version`,
    row: Rights,
  })
  if (!rights) return nothing('rights')
  // A standby is read-only too.
  if (rights.is_read_only) return nothing('read-only')
  if (rights.version < oldest) return nothing('old-server')
  const version = await versionOf(query)
  if (version === null) return nothing(rights.may_create ? null : 'rights')
  if (version > tablesVersion) return nothing('newer')
  if (version < tablesVersion && !rights.may_create) return nothing('rights')
  const [allowed] = await query({
    text: `SELECT bool_and(has_table_privilege(c.oid, p)) AND has_sequence_privilege('countertag.claim_revision', 'USAGE') AS is_allowed
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) p
      WHERE n.nspname = 'countertag' AND c.relkind = 'r' AND c.relname NOT IN ('migration', 'store')`,
    row: Allowed,
  })
  if (allowed?.is_allowed !== true) return nothing('rights')
  const [store] = await query({
    // Tables of version 0.2 have no such column.
    text: `SELECT mark, to_jsonb(store) ->> 'key_id' AS key_id FROM countertag.store`,
    row: z.object({ mark: z.string(), key_id: z.string().max(40).nullable().catch(null) }),
  })
  if (store && store.mark !== station.storeHash) return nothing('other-store')
  const others = await query({
    text: `SELECT name, lower(name) = lower($2) AS is_taken FROM countertag.station WHERE id <> $1 ORDER BY lower(name) LIMIT 1000`,
    values: [station.stationId, station.stationName],
    row: z.object({ name: BoundedName, is_taken: z.boolean() }),
  })
  const isTaken = others.some(({ is_taken }) => is_taken)
  return nothing(isTaken ? 'name-taken' : null, {
    names: others.map(({ name }) => name),
    isNew: store === undefined,
    storeId: store?.key_id ?? null,
  })
}
