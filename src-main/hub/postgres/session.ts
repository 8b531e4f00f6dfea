import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { HubTrouble, HubView } from '../../../src-shared/ipc/contract/hub'
import type { Log } from '../../core/log'
import type { HubMemory } from '../port'
import { BoundedName, Id, WholeNumber } from './columns'
import type { HubConnections, Query } from './connections'
import { tablesVersion } from './tables'

interface SessionParts {
  stationId: string
  memory: HubMemory
  log: Log
}

const Backend = z.object({ backend: z.string().max(100) })
const Begun = z.object({ how: z.enum(['begun', 'in-use', 'copied']) })
const HubHead = z.object({ id: Id, newest: WholeNumber })
const SessionRow = z.object({ id: Id, turn: WholeNumber })
const RenewalRow = z.object({
  turn: WholeNumber,
  tables: WholeNumber,
  has_rival: z.boolean(),
  has_copy: z.boolean(),
  awaited: z.array(BoundedName),
})

type SessionView = Pick<HubView, 'hasRival' | 'hasCopy' | 'awaited'>
const nothing: SessionView = { hasRival: false, hasCopy: false, awaited: [] }

/** Remembers nothing but its own session. */
export function forgetful(): HubMemory {
  const session = randomUUID()
  return {
    lastSeen: () => undefined,
    lost: () => undefined,
    sessions: () => [session],
    lastBegun: () => undefined,
    sessionBegun: () => undefined,
  }
}

/** The number of a connection and its start: numbers are used again. */
const backendText = `SELECT concat_ws(' ', pid, extract(epoch FROM backend_start)) AS backend
  FROM pg_stat_activity WHERE pid = pg_backend_pid()`

/** Whether a hub lost what a station has seen of it: it was made anew, or restored from a backup. */
export const isLost = (seen: { hubId: string; newest: number }, hub: { id: string; newest: number }): boolean =>
  seen.hubId !== hub.id || hub.newest < seen.newest

/**
 * Whether the session that a hub has of a station is from before the newest one that it has had: then it was restored from a
 * backup. `sessions`: of the station, the newest first.
 */
export const isOlderSession = (stored: string, sessions: readonly string[], lastBegun: string | undefined): boolean =>
  lastBegun !== undefined && sessions.includes(lastBegun) && sessions.indexOf(stored) > sessions.indexOf(lastBegun)

/**
 * A station's identity at the hub: one process works under it at a time, for as long as its connections live. A process that
 * ended has no connections any more, and its next start begins at once; one that was cut off counts as gone after four missed
 * heartbeats, whether its connections live or not, and they are ended before another one begins: so nothing that is asked on a connection is asked by a process whose session is over.
 */
export class Session {
  readonly #stationId: string
  readonly #memory: HubMemory
  readonly #log: Log
  #seen = nothing
  /** Found at the begin, until the others are awaited: the hub lost what this station wrote. */
  #hasLostWrites = false
  /** The highest that this process has had from the hub. */
  #turn = 0

  constructor({ stationId, memory, log }: SessionParts) {
    this.#stationId = stationId
    this.#memory = memory
    this.#log = log
  }

  /** What was heard last. */
  view(): SessionView {
    return this.#seen
  }

  /** Begins the session, or goes on with it, for these two connections. Returns why that can't be. */
  async begin(background: Query, interactive: Query): Promise<HubTrouble | null> {
    const backends = await Promise.all([background, interactive].map((on) => on({ text: backendText, row: Backend })))
    const sessions = this.#memory.sessions()
    await this.#compare(background, sessions)
    const [answer] = await background({
      text: 'SELECT countertag.begin_session($1, $2, $3, $4) AS how',
      values: [this.#stationId, sessions[0], sessions, backends.flat().map(({ backend }) => backend)],
      row: Begun,
    })
    if (answer?.how !== 'begun' && answer?.how !== 'copied') return 'in-use'
    if (answer.how === 'copied') this.#log.warn('another copy of this station was at the hub')
    await this.#awaitOthers(background)
    this.#hasLostWrites = false
    this.#turn = 0
    this.#memory.sessionBegun()
    const [now] = await background(this.#renewal())
    if (now) this.#note(now)
    return null
  }

  /**
   * Renews the session; returns 'silent' if it is over, and 'newer' once another station has brought the tables to a version that
   * this one doesn't know. `onChange`: the view is another one.
   */
  async renew(connections: Pick<HubConnections, 'background'>, onChange: () => void): Promise<HubTrouble | null> {
    const rows = await connections.background(this.#renewal())
    if (!rows) return null
    const [now] = rows
    if (!now) return 'silent'
    if (now.tables > tablesVersion) return 'newer'
    if (this.#note(now)) onChange()
    return null
  }

  /** Goes on without some of those that are awaited, by name. */
  async goOn(connections: Pick<HubConnections, 'background'>, stations: readonly string[]): Promise<boolean> {
    const done = await connections.background({
      text: `WITH here AS (UPDATE countertag.awaited SET is_here = true WHERE station <> $1 AND name = ANY ($2) RETURNING 1)
        SELECT countertag.tell('claims'), countertag.tell('stations') FROM here LIMIT 1`,
      values: [this.#stationId, stations],
      row: z.unknown(),
    })
    if (done) this.#seen = { ...this.#seen, awaited: this.#seen.awaited.filter((name) => !stations.includes(name)) }
    return done !== undefined
  }

  /** Lets another process begin at once. */
  async end(connections: Pick<HubConnections, 'background'>): Promise<void> {
    await connections.background({
      text: `UPDATE countertag.session SET backends = '{}', heard_at = '-infinity' WHERE station = $1 AND id = $2`,
      values: [this.#stationId, this.#memory.sessions()[0]],
      row: z.unknown(),
    })
  }

  /** Finds out whether the hub has this station's session as it was left. */
  async #compare(query: Query, sessions: readonly string[]): Promise<void> {
    const [stored] = await query({
      text: 'SELECT id, turn FROM countertag.session WHERE station = $1',
      values: [this.#stationId],
      row: SessionRow,
    })
    this.#hasLostWrites ||= (stored?.turn ?? 0) < this.#turn
    this.#hasLostWrites ||= stored !== undefined && isOlderSession(stored.id, sessions, this.#memory.lastBegun())
  }

  /** The first station that comes back to a hub that lost what it knew: the others are awaited, and this one until it announced. */
  async #awaitOthers(query: Query): Promise<void> {
    const last = this.#memory.lastSeen()
    const [hub] = await query({
      text: `SELECT id, (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM countertag.claim_revision) AS newest
        FROM countertag.store`,
      row: HubHead,
    })
    if (!last || !hub || !(this.#hasLostWrites || isLost(last, hub))) return
    this.#log.warn('the hub was made anew or restored', { stations: last.stations.length })
    await query({
      text: 'SELECT countertag.await_stations($1, $2, $3)',
      values: [last.hubId, last.stations.map(({ id }) => id), last.stations.map(({ name }) => name)],
      row: z.unknown(),
    })
    // Before anything is granted on these connections.
    this.#memory.lost()
  }

  #renewal() {
    return {
      text: `
        WITH renewed AS (
          UPDATE countertag.session SET heard_at = now(), turn = turn + 1 WHERE station = $1 AND id = $2
          RETURNING turn, coalesce(rival_at > now() - interval '30 seconds', false) AS has_rival
        ), heard AS (UPDATE countertag.station SET seen_at = now() WHERE id = $1)
        SELECT turn, (SELECT max(version) FROM countertag.migration) AS tables, has_rival, EXISTS (SELECT FROM countertag.station WHERE copy_of = $1) AS has_copy,
          countertag.awaited_by($1) AS awaited
        FROM renewed`,
      values: [this.#stationId, this.#memory.sessions()[0]],
      row: RenewalRow,
    }
  }

  /** Returns whether that is news. */
  #note({ turn, has_rival: hasRival, has_copy: hasCopy, awaited }: z.infer<typeof RenewalRow>): boolean {
    this.#turn = Math.max(this.#turn, turn)
    const before = JSON.stringify(this.#seen)
    this.#seen = { hasRival, hasCopy, awaited }
    return JSON.stringify(this.#seen) !== before
  }
}

/**
 * Writes the identity of the store's key into its hub. `isNew`: the store has got another key. A role that may not write there
 * leaves it as it is: the identity is needed only to recognize the store at another address.
 */
export async function nameStore(query: Query, storeId: string | undefined, isNew: boolean): Promise<void> {
  const [store] = await query({
    text: `SELECT (key_id IS NULL OR ($2 AND key_id <> $1)) AND has_table_privilege('countertag.store', 'UPDATE') AS is_open
      FROM countertag.store`,
    values: [storeId ?? null, isNew],
    row: z.object({ is_open: z.boolean() }),
  })
  if (storeId === undefined || store?.is_open !== true) return
  await query({ text: 'UPDATE countertag.store SET key_id = $1', values: [storeId], row: z.unknown() })
}
