import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { ClaimedBy } from '../../../src-shared/claim'
import type { TagId } from '../../../src-shared/ids'
import type { ClaimAnswer, ClaimHolder, ClaimWish, Hub, HubNotice } from '../port'
import type { ClaimsContext } from './claims-context'

interface KeptNotice {
  /** Whether a person must see it. */
  isNew: boolean
  /** Shows what it changed here. */
  show?: () => void
}

/** What this station knows of an item: the claim that it was granted, or the station that holds it. */
interface KnownBefore {
  revision: number | null
  heldBy: Pick<ClaimedBy, 'stationId'> | null
}

/**
 * Whether an item that another station holds is news for both. It isn't if that is known, or if a person there took over the
 * claim that this station had: `takenAt` is the newest revision of such a takeover.
 */
export const isCollision = (
  before: KnownBefore | undefined,
  by: Pick<ClaimHolder, 'stationId'>,
  takenAt: number | null,
): boolean => {
  if (before?.heldBy?.stationId === by.stationId) return false
  return before?.revision == null || takenAt === null || takenAt < before.revision
}

/** Whether a takeover is over: this station was granted the item since. */
export const isTakenBack = (before: KnownBefore | undefined, takenAt: number): boolean =>
  before?.revision != null && before.revision > takenAt

/** What was said of an item before is over. That it was taken over stays until a person has seen it. */
const endNotices = (db: Database, which: string) =>
  db.prepare(`
    UPDATE hub_notice SET body = json_set(body, '$.isOver', json('true')), is_seen = max(is_seen, body ->> '$.what' = 'collided')
    WHERE tag_id = ? AND revision < ? AND CASE WHEN json_valid(body)
      THEN body ->> '$.what' IN ('collided', 'taken-over') AND body ->> '$.isOver' IS NOT 1 ${which} END`)

const prepare = (db: Database) => ({
  takeover: db
    .prepare(
      `SELECT max(revision) FROM hub_notice WHERE tag_id = ? AND station_id = ? AND body ->> '$.what' = 'taken-over'`,
    )
    .pluck(),
  insert: db.prepare(`
    INSERT INTO hub_notice (tag_id, revision, station_id, at, body, is_seen) VALUES (?, ?, ?, ?, ?, ?)
    -- Scanned again without the hub, an item that was taken over by this claim collides with it.
    ON CONFLICT DO UPDATE SET at = excluded.at, body = excluded.body, is_seen = excluded.is_seen
    WHERE body ->> '$.what' = 'taken-over' AND excluded.body ->> '$.what' = 'collided'`),
  update: db.prepare('UPDATE hub_notice SET body = ? WHERE tag_id = ? AND revision = ? AND station_id = ?'),
  // A hub that was restored from a backup has notices that were read before.
  wasRead: db
    .prepare('SELECT count(*) FROM hub_notice WHERE tag_id = ? AND revision = -? AND station_id = ? AND at = ?')
    .pluck(),
  old: db.prepare('UPDATE OR REPLACE hub_notice SET revision = -revision WHERE revision > ?'),
  endAll: endNotices(db, ''),
  endHeldThere: endNotices(db, `AND body ->> '$.isHeldThere' = 1`),
})

/** What stations tell each other of single items: collisions and takeovers. */
export class ClaimNotices {
  readonly #context: ClaimsContext
  readonly #sql: ReturnType<typeof prepare>
  /** Notices have ended, and that wasn't shown yet. */
  #hasEnded = false

  constructor(context: ClaimsContext) {
    this.#context = context
    this.#sql = prepare(context.db)
  }

  /** The station that holds an item, if both stations must be told that. */
  collisionIn({ tagId }: ClaimWish, answer: ClaimAnswer | undefined): ClaimHolder | undefined {
    if (answer?.kind !== 'held' || answer.by.stationId === this.#context.hub.stationId) return undefined
    const takenAt = z.number().nullable().parse(this.#sql.takeover.get(answer.by.tagId, answer.by.stationId))
    return isCollision(this.#context.rows.claim(tagId), answer.by, takenAt) ? answer.by : undefined
  }

  /** Saves a notice. `isHeldThere`: the hub has the item as the other station's, not as this one's. */
  keep(notice: HubNotice, isHeldThere: boolean): KeptNotice {
    const { tagId, revision, stationId, at, what, stationName, orderId, because } = notice
    const own = this.#ownOrder(tagId)
    const isOver = what === 'taken-over' && isTakenBack(this.#context.rows.claim(tagId), revision)
    const bodyOf = (hasLeft: boolean) =>
      JSON.stringify({ what, station: stationName, orderId, because, ...own, hasLeft, isHeldThere, isOver })
    const key = [tagId, revision, stationId] as const
    if (this.#sql.wasRead.get(...key, Math.round(at)) !== 0) return { isNew: false }
    const isNew = this.#sql.insert.run(...key, Math.round(at), bodyOf(false), Number(isOver)).changes > 0
    if (!isNew || isOver || what !== 'taken-over') return { isNew: isNew && !isOver }
    const show = this.#context.letGo(tagId)
    if (!show) return { isNew }
    this.#sql.update.run(bodyOf(true), ...key)
    this.#sql.endAll.run(tagId, revision)
    return { isNew, show }
  }

  /** The hub granted an item to this station: that another one held it before is over. */
  granted(tagId: TagId, revision: number): void {
    if (this.#sql.endHeldThere.run(tagId, revision).changes > 0) this.#hasEnded = true
  }

  /** Makes notices above this revision older than every grant: the hub has lost the claims that they are about. */
  putOld(newest: number): void {
    if (this.#sql.old.run(newest).changes > 0) this.#hasEnded = true
  }

  /** Shows that notices have ended, after the commit that ended them. */
  showEnded(): void {
    if (this.#hasEnded) this.changed()
    this.#hasEnded = false
  }

  changed(): void {
    this.#context.events.emit('notices.changed', null)
  }

  /**
   * Saves what other stations say of this station's items, and lets go of those that were taken over. Returns whether there were
   * such.
   */
  async read(): Promise<boolean> {
    const { db, hub } = this.#context
    const unread = await hub.notices.read()
    if (!unread || unread.length === 0) return false
    const kept = db.transaction(() => unread.map((one) => this.keep(one, one.what === 'taken-over'))).immediate()
    for (const { show } of kept) show?.()
    if (kept.some(({ isNew }) => isNew)) this.changed()
    await hub.notices.done(unread)
    return kept.some(({ show }) => show !== undefined)
  }

  push(notices: Parameters<Hub['notices']['push']>[0]): Promise<boolean> {
    return this.#context.hub.notices.push(notices)
  }

  /** The order of this station that an item is in, or was sold in. */
  #ownOrder(tagId: TagId): { ownOrderId: string | null; isSoldHere: boolean } {
    const truth = this.#context.rows.truthOfItem(tagId)
    const wish = truth.of === 'claim' ? truth.wish : undefined
    return { ownOrderId: wish?.orderId ?? null, isSoldHere: wish?.kind === 'sale' }
  }
}
