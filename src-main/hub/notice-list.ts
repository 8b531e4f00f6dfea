import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { SoldTwice, StoreNotice } from '../../src-shared/ipc/contract/hub'
import { TagId } from '../../src-shared/ids'
import { iso } from '../core/clock'
import type { RoomContext } from '../core/context'
import type { MainEvents } from '../core/events'
import { orderKey } from '../outbox/payload'
import { RowReader } from '../database/row-reader'
import { parseStored } from '../database/settings'

const NoticeRow = z.object({
  tagId: TagId,
  revision: z.number(),
  stationId: z.string(),
  at: z.number(),
  body: z.string(),
})
type NoticeRow = z.infer<typeof NoticeRow>
const NoticeBody = z.object({
  what: z.enum(['collided', 'taken-over', 'settling']),
  station: z.string(),
  orderId: z.string().nullable(),
  because: z.string().nullable(),
  ownOrderId: z.string().nullable(),
  isSoldHere: z.boolean(),
  hasLeft: z.boolean().default(false),
})
type NoticeBody = z.infer<typeof NoticeBody>

const OwnState = z.enum(['open', 'reported', 'refused'])

const noticeRows = new RowReader(NoticeRow)
const twiceRows = new RowReader(z.object({ tagId: TagId, body: z.string(), own: z.string() }))

const prepare = (db: Database) => ({
  unseen: db.prepare('SELECT * FROM hub_notice WHERE is_seen = 0 ORDER BY at, tag_id LIMIT 200'),
  see: db.prepare('UPDATE hub_notice SET is_seen = 1 WHERE tag_id = ? AND revision = ? AND station_id = ?'),
  ownState: db
    .prepare(
      `SELECT CASE state WHEN 'accepted' THEN 'reported' WHEN 'rejected' THEN 'refused' ELSE 'open' END
       FROM operation_key JOIN operation USING (seq)
       WHERE key = ? AND kind = 'complete' AND state <> 'cancelled' ORDER BY seq DESC LIMIT 1`,
    )
    .pluck(),
  /** An order that has the item in a sale here by now, also where it was still open when the other station told of it. */
  twice: db.prepare(`
    SELECT DISTINCT tag_id, body, body ->> '$.ownOrderId' AS own, at FROM hub_notice
    JOIN operation_key ON key = '${orderKey('')}' || (body ->> '$.ownOrderId') JOIN operation USING (seq)
    WHERE body ->> '$.what' IN ('collided', 'taken-over') AND body ->> '$.isOver' IS NOT 1
      AND kind = 'complete' AND state <> 'cancelled'
      AND EXISTS (SELECT 1 FROM json_each(CASE WHEN json_valid(payload) THEN payload ELSE '{}' END, '$.tagIds') WHERE value = tag_id)
    ORDER BY at DESC LIMIT 200`),
})

const idOf = ({ tagId, revision, stationId }: NoticeRow) => `${tagId} ${revision} ${stationId}`

/** The notices that no person has seen yet, and the items of sales here that another station's order has too. */
export class NoticeList {
  readonly #events: MainEvents
  readonly #productName: (tagId: TagId) => string | null
  readonly #sql: ReturnType<typeof prepare>

  constructor({ db, events }: RoomContext, productName: (tagId: TagId) => string | null) {
    this.#events = events
    this.#productName = productName
    this.#sql = prepare(db)
    events.on('notices.changed', 'hub/notice-list.ts', () => {
      this.announce()
    })
  }

  view(): StoreNotice[] {
    return noticeRows.all(this.#sql.unseen).flatMap((row) => {
      const body = parseStored(NoticeBody, row.body)
      const { at, tagId } = row
      if (!body) return []
      return { ...body, id: idOf(row), at: iso(at), tagId, ...this.#named(tagId), ownReport: this.#reportOf(body) }
    })
  }

  soldTwice(): SoldTwice[] {
    return twiceRows.all(this.#sql.twice).flatMap(({ tagId, body, own }) => {
      const other = parseStored(NoticeBody, body)
      if (!other) return []
      const { station, orderId } = other
      return { tagId, ...this.#named(tagId), ownOrderId: own, station, orderId }
    })
  }

  /** Shows both on the screen. */
  announce(): void {
    this.#events.emit('hub.notices', this.view())
    this.#events.emit('hub.soldTwice', this.soldTwice())
  }

  isEmpty(): boolean {
    return this.view().length === 0 && this.soldTwice().length === 0
  }

  see(ids: string[]): void {
    for (const id of ids) {
      const [tagId, revision, stationId] = id.split(' ')
      if (stationId !== undefined) this.#sql.see.run(tagId, Number(revision), stationId)
    }
  }

  #named(tagId: TagId) {
    return { productName: this.#productName(tagId) }
  }

  #reportOf({ ownOrderId, isSoldHere }: NoticeBody) {
    if (!isSoldHere || ownOrderId === null) return null
    return OwnState.optional().parse(this.#sql.ownState.get(orderKey(ownOrderId))) ?? null
  }
}
