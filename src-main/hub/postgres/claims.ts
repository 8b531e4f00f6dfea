import { z } from 'zod'
import { TagId } from '../../../src-shared/ids'
import type { ClaimAnswer, ClaimHolder, ClaimWish, HubClaims, OwnClaim } from '../port'
import { BoundedName, BoundedText, Id, RoughMoment, WholeNumber, readable } from './columns'
import type { HubConnections } from './connections'
import { tablesVersion } from './tables'

const StoredClaimKind = z.enum(['cart', 'held', 'sale', 'returned'])

/** A claim after a statement, of this station or another one: whatever else can't be read, it says who has the item. */
const ClaimRow = z.object({
  tag: TagId,
  station: Id,
  name: BoundedName.nullable().catch(null),
  kind: StoredClaimKind,
  order_id: BoundedText.nullable().catch(null),
  since: RoughMoment,
  revision: WholeNumber.catch(0),
  back_at: z.coerce.number(),
  awaited: z.array(BoundedName),
  is_taken: z.boolean(),
})
type ClaimRow = z.infer<typeof ClaimRow>

const Granted = z.object({ revision: WholeNumber, awaited: z.array(BoundedName) })
const Voided = z.object({ order_id: z.string(), at: z.coerce.number() })
const Own = z.object({
  id: Id,
  newest: WholeNumber,
  awaited: z.array(BoundedName),
  is_awaited: z.boolean(),
  claims: readable(
    z.object({
      tagId: TagId,
      revision: WholeNumber,
      kind: StoredClaimKind.exclude(['returned']),
      orderId: BoundedText.nullable().catch(null),
    }),
  ),
})

/** The other stations that the hub doesn't know all of. */
const awaitedBy = (station: string) =>
  `ARRAY (SELECT name FROM countertag.awaited WHERE NOT is_here AND station <> ${station}::uuid ORDER BY name)`

const columns = (from: string) =>
  `${from}.tag, ${from}.station, ${from}.kind, ${from}.order_id, extract(epoch FROM ${from}.since) * 1000 AS since, ${from}.revision`

/**
 * Takes what is free, what came back from a sale, and what this station holds already; then reads who holds the rest, as it is once
 * it is locked. What is new since the statement began is not among these, and is asked once more. A sale from before the
 * item's return or the order's void is over: told late, it takes nothing.
 */
const takeText = `
  WITH wish AS (
    SELECT wish.*, coalesce(gone.at, 0) AS back_at,
      CASE WHEN wish.kind = 'sale' AND gone.at >= wish.at THEN 'returned' ELSE wish.kind END AS lands
    FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[]) AS wish (tag, kind, order_id, at, up_to)
    LEFT JOIN countertag.voided_order AS gone ON wish.kind = 'sale' AND gone.order_id = wish.order_id
  ), taken AS (
    INSERT INTO countertag.claim AS held (tag, station, kind, order_id, at, back_at)
    SELECT tag, $1, lands, order_id, at, back_at FROM wish ORDER BY tag
    ON CONFLICT (tag) DO UPDATE SET station = excluded.station, order_id = excluded.order_id, at = excluded.at,
      kind = excluded.kind, back_at = greatest(held.back_at, excluded.back_at), revision = nextval('countertag.claim_revision'),
      since = CASE WHEN held.station = excluded.station AND held.kind <> 'returned' THEN held.since ELSE now() END
    WHERE CASE
      WHEN excluded.kind = 'returned' OR (excluded.kind = 'sale' AND excluded.at <= held.back_at) THEN false
      -- What was sold while apart is sold: an order that is still open has to let it go.
      WHEN excluded.kind = 'sale' THEN held.station = excluded.station OR held.kind <> 'sale'
      -- A sale that this station's data doesn't know is another copy's: no order here takes its item.
      ELSE held.kind = 'returned' OR (held.station = excluded.station AND (held.kind <> 'sale'
        OR EXISTS (SELECT FROM wish WHERE wish.tag = held.tag AND held.at <= wish.up_to))) END
    RETURNING held.*
  ), others AS (
    SELECT held.tag, held.station, held.kind, held.order_id, held.since, held.revision, greatest(held.back_at, wish.back_at) AS back_at
    FROM countertag.claim AS held JOIN wish ON wish.tag = held.tag
    WHERE held.tag <> ALL (ARRAY (SELECT tag FROM taken))
    -- They are locked already: this reads them as they are by now.
    ORDER BY held.tag FOR NO KEY UPDATE OF held
  )
  SELECT ${columns('taken')}, taken.back_at, station.name, ${awaitedBy('$1')} AS awaited, true AS is_taken
  FROM taken LEFT JOIN countertag.station ON station.id = taken.station AND station.id <> $1
  UNION ALL
  SELECT ${columns('others')}, others.back_at, station.name, '{}'::text[], false
  FROM others LEFT JOIN countertag.station ON station.id = others.station`

/** Claims one item for a scan: granted in most cases, and never a sale. */
const scanText = `
  INSERT INTO countertag.claim AS held (tag, station, kind, order_id) VALUES ($1, $2, $3, $4)
  ON CONFLICT (tag) DO UPDATE SET station = excluded.station, kind = excluded.kind, order_id = excluded.order_id, at = 0,
    revision = nextval('countertag.claim_revision'),
    since = CASE WHEN held.station = excluded.station AND held.kind <> 'returned' THEN held.since ELSE now() END
  WHERE (held.station = excluded.station AND held.kind <> 'sale') OR held.kind = 'returned'
  RETURNING revision, ${awaitedBy('$2')} AS awaited`

/** An order on hold that the item is in goes on without it, also where its station is off. Orders are locked before claims. */
const takeOverText = `
  WITH orders AS (
    SELECT id FROM countertag.held_order
    WHERE station = $6 AND taken_by IS NULL AND NOT is_done AND $2 = ANY (tags) AND jsonb_typeof(body -> 'items') = 'array'
    FOR UPDATE
  ), taken AS (
    UPDATE countertag.claim AS held SET station = $1, kind = $3, order_id = $4, at = $5, since = now(),
      revision = nextval('countertag.claim_revision')
    WHERE tag = $2 AND station = $6 AND revision = $7 AND kind NOT IN ('sale', 'returned')
      AND (SELECT count(*) FROM orders) >= 0
    RETURNING held.*
  ), shortened AS (
    UPDATE countertag.held_order AS held SET tags = array_remove(tags, $2), body = jsonb_set(body, '{items}', (
        SELECT coalesce(jsonb_agg(item ORDER BY place), '[]')
        FROM jsonb_array_elements(body -> 'items') WITH ORDINALITY AS each (item, place)
        WHERE item ->> 'tagId' IS DISTINCT FROM $2))
    FROM orders, taken WHERE held.id = orders.id
    RETURNING held.id
  ), noticed AS (
    INSERT INTO countertag.notice (station, tag, revision, what, from_station, order_id, because)
    SELECT $6, tag, revision, 'taken-over', $1, order_id, $8 FROM taken
    -- Nobody reads what is told to a copy.
    WHERE NOT EXISTS (SELECT FROM countertag.station WHERE id = $6 AND copy_of IS NOT NULL)
  ), told AS (SELECT countertag.tell('claims'), (SELECT count(countertag.tell('held')) FROM shortened) FROM taken)
  SELECT ${columns('taken')}, taken.back_at, NULL AS name, '{}'::text[] AS awaited, true AS is_taken FROM taken, told`

/** Whether a claim is a sale from before the item came back. */
const isEnded = `held.kind = 'sale' AND held.at <= excluded.back_at`

/**
 * Ends sales from before. Of any other claim it is only noted when the item came back: its station may have sold it before then,
 * and not told it yet. By the row as it is once it is locked: a sale may be told in the same moment.
 */
const releasedText = `
  INSERT INTO countertag.claim AS held (tag, station, kind, back_at)
  SELECT tag, $1, 'returned', at FROM unnest($2::text[], $3::bigint[]) AS back (tag, at) ORDER BY tag
  ON CONFLICT (tag) DO UPDATE SET back_at = greatest(held.back_at, excluded.back_at),
    (kind, station, order_id, since, revision) = (
      SELECT 'returned', excluded.station, NULL::text, now(), nextval('countertag.claim_revision') WHERE ${isEnded}
      UNION ALL
      SELECT held.kind, held.station, held.order_id, held.since, held.revision WHERE NOT (${isEnded})
    )
  WHERE held.back_at < excluded.back_at OR (${isEnded})`

/**
 * What this station held is over: its sales up to a moment, and its claims of open orders up to a revision, also one that another
 * station's sale took the item from. A sale whose item came back once stays noted as such. One that this station's sale took from another
 * order is that one's again, by its trigger.
 */
const freeText = `
  WITH own AS (
    SELECT held.tag, ends.over, ends.let_go, kind = 'sale' AND (held.back_at > 0 OR held.displaced IS NOT NULL) AS stays
    FROM countertag.claim AS held
    JOIN unnest($2::text[], $3::bigint[], $4::bigint[]) AS back (tag, revision, up_to) ON held.tag = back.tag
    CROSS JOIN LATERAL (SELECT
      coalesce(station = $1
        AND ((kind = 'sale' AND held.at <= back.up_to) OR (kind IN ('cart', 'held') AND held.revision <= back.revision)), false),
      coalesce((held.displaced ->> 'station')::uuid = $1 AND (held.displaced ->> 'revision')::bigint <= back.revision, false)
    ) AS ends (over, let_go)
    WHERE ends.over OR ends.let_go
    ORDER BY held.tag
    FOR UPDATE OF held
  ), let_go AS (
    UPDATE countertag.claim AS held SET displaced = NULL FROM own WHERE held.tag = own.tag AND NOT own.over
  ), kept AS (
    UPDATE countertag.claim AS held SET kind = 'returned', order_id = NULL, since = now(), revision = nextval('countertag.claim_revision'),
      displaced = CASE WHEN own.let_go THEN NULL ELSE held.displaced END
    FROM own WHERE held.tag = own.tag AND own.over AND own.stays
  )
  DELETE FROM countertag.claim AS held USING own WHERE held.tag = own.tag AND own.over AND NOT own.stays`

/**
 * A void, in two statements: a sale of the order that is told in the same moment sees the note, or is seen by the second one. See
 * `announce`.
 */
const voidedText = `
  INSERT INTO countertag.voided_order AS known (order_id, at) VALUES ($1, $2)
  ON CONFLICT (order_id) DO UPDATE SET at = greatest(known.at, excluded.at)`
const releasedOrderText = `
  WITH sold AS (
    SELECT tag FROM countertag.claim WHERE order_id = $2 AND kind = 'sale' AND at <= $3 ORDER BY tag FOR UPDATE
  )
  UPDATE countertag.claim AS held SET station = $1, kind = 'returned', back_at = greatest(back_at, $3), since = now(), order_id = NULL,
    revision = nextval('countertag.claim_revision')
  FROM sold WHERE held.tag = sold.tag`

const disownText = `
  WITH copy AS (SELECT countertag.copy_of($1) AS id), own AS (
    SELECT held.tag FROM countertag.claim AS held
    JOIN unnest($2::text[], $3::bigint[]) AS strange (tag, revision) ON held.tag = strange.tag
    WHERE held.station = $1 AND held.revision = strange.revision
    ORDER BY held.tag FOR UPDATE OF held
  ), moved AS (
    UPDATE countertag.claim AS held SET station = copy.id, revision = nextval('countertag.claim_revision')
    FROM copy, own WHERE held.tag = own.tag RETURNING 1
  ) SELECT countertag.tell('stations') FROM moved LIMIT 1`

/** A station that has not seen yet that the tables are newer than it stays awaited until it was updated. */
const announcedText = `
  WITH here AS (
    UPDATE countertag.awaited SET is_here = true
    WHERE station = $1 AND NOT is_here AND (SELECT max(version) FROM countertag.migration) = ${tablesVersion} RETURNING 1
  )
  SELECT countertag.tell('claims'), countertag.tell('stations') FROM here`

const ownText = `
  SELECT id, (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM countertag.claim_revision) AS newest,
    (SELECT coalesce(json_agg(json_build_object('tagId', tag, 'revision', revision, 'kind', kind, 'orderId', order_id)), '[]')
      FROM countertag.claim WHERE station = $1
        AND (kind IN ('cart', 'held') OR (kind = 'sale' AND (since > now() - interval '10 minutes' OR at > $2)))) AS claims,
    ${awaitedBy('$1')} AS awaited,
    EXISTS (SELECT FROM countertag.awaited WHERE station = $1 AND NOT is_here) AS is_awaited
  FROM countertag.store`

type Connections = Pick<HubConnections, 'interactive' | 'background'>
type RunStatement = Connections['interactive']
type Answers = Map<TagId, ClaimAnswer>

const granted = ({ revision, awaited }: Pick<ClaimRow, 'revision' | 'awaited'>): ClaimAnswer =>
  awaited.length > 0 ? { kind: 'granted', revision, awaited } : { kind: 'granted', revision }

/** Undefined if no other station holds the item and the statement did not claim it: it is asked again. */
function answerOf(stationId: string, row: ClaimRow, wish?: ClaimWish): ClaimAnswer | undefined {
  // The item came back after this sale; another station may have it since.
  const isOver = wish?.kind === 'sale' && row.back_at >= Math.round(wish.at)
  if (isOver) return { kind: 'over' }
  if (row.kind === 'returned') return row.is_taken ? { kind: 'over' } : undefined
  const isStrange = row.kind === 'sale' && wish !== undefined && wish.kind !== 'sale'
  if (row.station === stationId && !isStrange) return row.is_taken ? granted(row) : undefined
  const by: ClaimHolder = {
    tagId: row.tag,
    stationId: row.station,
    stationName: row.name ?? '',
    kind: row.kind,
    orderId: row.order_id,
    since: row.since,
    revision: row.revision,
  }
  return { kind: 'held', by }
}

/** Claims items, and once more those whose rows changed meanwhile. */
async function claimAll(
  run: RunStatement,
  stationId: string,
  wishes: ClaimWish[],
  triesLeft = 1,
): Promise<Answers | undefined> {
  const rows = await run({
    name: 'claim-take',
    text: takeText,
    values: [
      stationId,
      wishes.map(({ tagId }) => tagId),
      wishes.map(({ kind }) => kind),
      wishes.map(({ orderId }) => orderId),
      wishes.map(({ at }) => Math.round(at)),
      wishes.map(({ own }) => (own ? Math.round(own.upTo) : null)),
    ],
    row: ClaimRow,
  })
  if (!rows) return undefined
  const wished = new Map(wishes.map((wish) => [wish.tagId, wish]))
  const answers: Answers = new Map()
  for (const row of rows) {
    const answer = answerOf(stationId, row, wished.get(row.tag))
    if (answer) answers.set(row.tag, answer)
  }
  const missing = wishes.filter(({ tagId }) => !answers.has(tagId))
  if (triesLeft === 0) {
    for (const { tagId } of missing) answers.set(tagId, { kind: 'offline' })
    return answers
  }
  if (missing.length === 0) return answers
  const again = await claimAll(run, stationId, missing, triesLeft - 1)
  return again && new Map([...answers, ...again])
}

async function take(run: RunStatement, stationId: string, wish: ClaimWish): Promise<ClaimAnswer> {
  const { tagId, kind, orderId } = wish
  const values = [tagId, stationId, kind, orderId]
  const taken = kind === 'sale' ? [] : await run({ name: 'claim-scan', text: scanText, values, row: Granted })
  if (!taken) return { kind: 'offline' }
  if (taken[0]) return granted(taken[0])
  const answers = await claimAll(run, stationId, [wish])
  return answers?.get(tagId) ?? { kind: 'offline' }
}

async function free(run: RunStatement, stationId: string, claims: OwnClaim[]): Promise<boolean> {
  const values = [
    stationId,
    claims.map(({ tagId }) => tagId),
    claims.map((one) => one.revision),
    claims.map(({ upTo }) => (upTo === undefined ? null : Math.round(upTo))),
  ]
  return (await run({ text: freeText, values, row: z.unknown() })) !== undefined
}

/** With a sale that is over, so is what this station held when it was made. */
async function announce(run: RunStatement, stationId: string, wishes: ClaimWish[]): Promise<Answers | undefined> {
  const answers = await announceAll(run, stationId, wishes)
  const over = wishes.filter(({ tagId, kind }) => kind === 'sale' && answers?.get(tagId)?.kind === 'over')
  const ended = over.map(({ tagId, at, own }) => ({
    tagId,
    revision: own?.known ?? 0,
    upTo: Math.max(at, own?.upTo ?? 0),
  }))
  return ended.length === 0 || (await free(run, stationId, ended)) ? answers : undefined
}

async function announceAll(run: RunStatement, stationId: string, wishes: ClaimWish[]): Promise<Answers | undefined> {
  const answers = await claimAll(run, stationId, wishes)
  const sales = wishes.filter(({ tagId, kind }) => kind === 'sale' && answers?.get(tagId)?.kind !== 'over')
  if (!answers || sales.length === 0) return answers
  // Voided in the same moment: neither statement may have seen the other.
  const voided = await run({
    text: 'SELECT order_id, at FROM countertag.voided_order WHERE order_id = ANY ($1)',
    values: [sales.map(({ orderId }) => orderId)],
    row: Voided,
  })
  if (!voided) return undefined
  const isOver = ({ orderId, at }: ClaimWish) =>
    voided.some((one) => one.order_id === orderId && one.at >= Math.round(at))
  const missed = sales.filter(isOver)
  const again = missed.length > 0 ? await claimAll(run, stationId, missed) : new Map<TagId, ClaimAnswer>()
  return again && new Map([...answers, ...again])
}

/** The claims of a station at the hub. `stationId`: its own. */
export function createClaims({ interactive, background }: Connections, stationId: string): HubClaims {
  const done = async (text: string, ...values: unknown[]) =>
    (await background({ text, values, row: z.unknown() })) !== undefined
  return {
    take: (wish) => take(interactive, stationId, wish),
    async takeOver({ tagId, kind, orderId, at }, from, because) {
      const rows = await interactive({
        text: takeOverText,
        values: [stationId, tagId, kind, orderId, Math.round(at), from.stationId, from.revision, because],
        row: ClaimRow,
      })
      if (!rows) return { kind: 'offline' }
      if (rows[0]) return granted(rows[0])
      // Taken by an answer that was lost, freed, or changed since: the claim says.
      const answers = await claimAll(interactive, stationId, [{ tagId, kind, orderId, at }])
      return answers?.get(tagId) ?? { kind: 'offline' }
    },
    announce: (wishes) => announce(background, stationId, wishes),
    free: (claims) => free(background, stationId, claims),
    released: (releases) =>
      done(
        releasedText,
        stationId,
        releases.map(({ tagId }) => tagId),
        releases.map(({ at }) => Math.round(at)),
      ),
    releasedOrder: async (orderId, at) =>
      (await done(voidedText, orderId, Math.round(at))) &&
      (await done(releasedOrderText, stationId, orderId, Math.round(at))),
    disown: (strange) =>
      done(
        disownText,
        stationId,
        strange.map(({ tagId }) => tagId),
        strange.map(({ revision }) => revision),
      ),
    announced: () => done(announcedText, stationId),
    async own(upTo) {
      const values = [stationId, upTo === undefined ? null : Math.round(upTo)]
      const [found] = (await background({ text: ownText, values, row: Own })) ?? []
      if (!found) return undefined
      const { id: hubId, newest, claims, awaited, is_awaited: isAwaited } = found
      return { hubId, newest, claims, awaited, isAwaited }
    },
  }
}
