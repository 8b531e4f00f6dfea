import { z } from 'zod'
import type { HubPolicy, HubTrouble, HubView } from '../../../src-shared/ipc/contract/hub'
import { singleFlight } from '../../core/async'
import { type Clock, iso } from '../../core/clock'
import type { Log } from '../../core/log'
import type { Hub, HubMemory } from '../port'
import { Session, forgetful, nameStore } from './session'
import { createClaims } from './claims'
import { createCounts } from './counts'
import { createDay } from './day'
import { createDeliveries } from './deliveries'
import { createHeldOrders } from './held'
import { createImports } from './imports'
import { WholeNumber } from './columns'
import { type ConnectionsParts, HubConnections, type Query } from './connections'
import { createNotices } from './notices'
import { createLog } from './log'
import { createShelf } from './shelf'
import { createStations } from './stations'
import { prepareTables } from './tables'

/** What a station needs to work with its hub. */
export interface PostgresHubParts {
  address: ConnectionsParts['address']
  policy: HubPolicy
  stationId: string
  stationName: string
  version: string
  /** See `storeHashOf`. */
  storeHash: string
  /** See `storeIdOf`; undefined if this station doesn't know it. */
  storeId?: string | undefined
  /** Nothing is remembered if left out. */
  memory?: HubMemory
  clock: Clock
  log: Log
  patience?: ConnectionsParts['patience']
  longest?: ConnectionsParts['longest']
}

/** The hub in PostgreSQL. Connects at once, and for as long as it lives. */
export function createPostgresHub(parts: PostgresHubParts): Hub {
  const { policy, stationId, stationName, clock, log } = parts
  let since: number | null = clock.now()
  let before: HubTrouble | null = 'silent'
  const listeners = new Set<() => void>()
  const session = new Session({ stationId, memory: parts.memory ?? forgetful(), log })

  const changed = () => {
    for (const one of listeners) one()
  }

  const connections: HubConnections = new HubConnections({
    address: parts.address,
    name: `countertag ${stationName}`.slice(0, 63),
    log,
    patience: parts.patience,
    longest: parts.longest,
    prepare: (query, interactive) => prepare(query, interactive, session, parts),
    renew: () => session.renew(connections, changed),
    onChange() {
      const trouble = connections.trouble()
      if (trouble === null) since = null
      else if (before === null) since = clock.now()
      before = trouble
      changed()
    },
  })

  // The turn after a claim is remembered: if the hub has a lower one later, it may have lost the claim.
  const confirming = singleFlight(
    async () => void (await session.renew(connections, changed)),
    (cause) => {
      log.error('a claim could not be confirmed', { cause })
    },
  )
  const claimConnections = notedBy(connections, () => {
    confirming.ask()
  })

  return {
    isSetUp: true,
    stationId,
    view(): HubView {
      const trouble = connections.trouble()
      return {
        situation: trouble === null ? 'online' : 'offline',
        policy,
        station: stationName,
        trouble,
        since: since === null ? null : iso(since),
        ...session.view(),
      }
    },
    claims: createClaims(claimConnections, stationId),
    notices: createNotices(connections, stationId),
    held: createHeldOrders(connections, stationId),
    log: createLog(connections, stationId),
    stations: createStations(connections, stationId),
    counts: createCounts(connections, stationId, stationName),
    deliveries: createDeliveries(connections, stationId, stationName),
    shelf: createShelf(connections, stationId, stationName),
    imports: createImports(connections, stationId, stationName),
    day: createDay(connections, stationId, stationName),
    async epoch() {
      const text = `SELECT nextval('countertag.turn') AS epoch`
      return (await connections.background({ text, row: z.object({ epoch: WholeNumber }) }))?.[0]?.epoch
    },
    onNews: (topic, listener) => connections.onNews(topic, listener),
    onSituation(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    retryNow: () => {
      connections.retryNow()
    },
    async goOn(stations) {
      const isDone = await session.goOn(connections, stations)
      if (isDone) changed()
      return isDone
    },
    async close() {
      await confirming.stop()
      await session.end(connections)
      await connections.close()
    },
  }
}

/** Prepares new connections. Returns why they can't be used. */
async function prepare(
  query: Query,
  interactive: Query,
  session: Session,
  parts: PostgresHubParts,
): Promise<HubTrouble | null> {
  const unusable =
    (await prepareTables(query)) ?? (await join(query, parts)) ?? (await session.begin(query, interactive))
  if (unusable) return unusable
  for (const text of longOver) await query({ text, row: z.unknown() })
  return null
}

/** Names the store and the station in the database. Returns why it is not this station's hub. */
async function join(
  query: Query,
  { storeHash, storeId, stationId, stationName, version }: PostgresHubParts,
): Promise<HubTrouble | null> {
  const [store] = await query({
    text: `WITH made AS (INSERT INTO countertag.store (mark) VALUES ($1) ON CONFLICT DO NOTHING RETURNING mark)
      SELECT mark FROM made UNION ALL SELECT mark FROM countertag.store LIMIT 1`,
    values: [storeHash],
    row: z.object({ mark: z.string() }),
  })
  if (store && store.mark !== storeHash) return 'other-store'
  await nameStore(query, storeId, false)
  const [other] = await query({
    text: 'SELECT id FROM countertag.station WHERE lower(name) = lower($1) AND id <> $2',
    values: [stationName, stationId],
    row: z.object({ id: z.string() }),
  })
  if (other) return 'name-taken'
  await query({
    text: `INSERT INTO countertag.station AS known (id, name, version) VALUES ($1, $2, $3)
      ON CONFLICT (id) DO UPDATE SET name = excluded.name, version = excluded.version, seen_at = now(),
        says = known.says || '{"isOff": false}'`,
    values: [stationId, stationName, version],
    row: z.unknown(),
  })
  return null
}

/** Connections that call `note` after each answer. */
function notedBy(connections: HubConnections, note: () => void): Pick<HubConnections, 'interactive' | 'background'> {
  const noted = async <Row>(asked: Promise<Row[] | undefined>) => {
    const rows = await asked
    if (rows) note()
    return rows
  }
  return {
    interactive: (statement) => noted(connections.interactive(statement)),
    background: (statement) => noted(connections.background(statement)),
  }
}

/** What no station needs any more, removed at each connection: the service has known of these sales for long. */
const longOver = [
  `WITH old AS (
      SELECT tag FROM countertag.claim WHERE kind IN ('sale', 'returned') AND since < now() - interval '60 days'
      ORDER BY tag FOR UPDATE
    )
    DELETE FROM countertag.claim AS held USING old WHERE held.tag = old.tag`,
  `DELETE FROM countertag.voided_order WHERE noted_at < now() - interval '60 days'`,
  `DELETE FROM countertag.held_order WHERE is_done AND taken_at < now() - interval '30 days'`,
  `DELETE FROM countertag.notice WHERE at < now() - interval '60 days'`,
  `DELETE FROM countertag.shared_count WHERE started_at < now() - interval '60 days'`,
  `DELETE FROM countertag.shared_delivery WHERE told_at < now() - interval '60 days'`,
  `DELETE FROM countertag.shared_shelf WHERE told_at < now() - interval '60 days'`,
  `DELETE FROM countertag.case_import WHERE told_at < now() - interval '60 days'`,
  `DELETE FROM countertag.day_entry WHERE at < extract(epoch FROM now() - interval '60 days') * 1000`,
  `DELETE FROM countertag.day_closed WHERE day < to_char(now() - interval '61 days', 'YYYY-MM-DD')`,
  `DELETE FROM countertag.day_question WHERE at < now() - interval '60 days'`,
  `DELETE FROM countertag.day_answer WHERE at < now() - interval '60 days'`,
]
