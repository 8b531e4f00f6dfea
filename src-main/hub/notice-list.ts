import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { SoldTwice, StoreNotice } from '../../src-shared/ipc/contract/hub'
import { TagId } from '../../src-shared/ids'
import { iso } from '../core/clock'
import { orderKey } from '../outbox/payload'
import { parseStored } from '../database/settings'

const NoticeRow = z.object({
  tag_id: TagId,
  revision: z.number(),
  station_id: z.string(),
  at: z.number(),
  body: z.string(),
})
const NoticeBody = z.object({
  what: z.enum(['collided', 'taken-over', 'settling']),
  station: z.string(),
  orderId: z.string().nullable(),
  because: z.string().nullable(),
  ownOrderId: z.string().nullable(),
  isSoldHere: z.boolean(),
  hasLeft: z.boolean().default(false),
})

const OwnState = z.enum(['open', 'reported', 'refused'])
const Twice = z.object({ tag_id: TagId, body: z.string(), own: z.string() })

export type NoticeList = ReturnType<typeof createNoticeList>

/** The notices that no person has seen yet, and the items of sales here that another station's order has too. */
export function createNoticeList({ db, productName }: { db: Database; productName: (tagId: TagId) => string | null }) {
  const selectUnseen = db.prepare('SELECT * FROM hub_notice WHERE is_seen = 0 ORDER BY at, tag_id LIMIT 200')
  const update = db.prepare('UPDATE hub_notice SET is_seen = 1 WHERE tag_id = ? AND revision = ? AND station_id = ?')
  const ownState = db
    .prepare(
      `SELECT CASE state WHEN 'accepted' THEN 'reported' WHEN 'rejected' THEN 'refused' ELSE 'open' END
       FROM operation_key JOIN operation USING (seq)
       WHERE key = ? AND kind = 'complete' AND state <> 'cancelled' ORDER BY seq DESC LIMIT 1`,
    )
    .pluck()
  /** An order that has the item in a sale here by now, also where it was still open when the other station told of it. */
  const selectTwice = db.prepare(`
    SELECT DISTINCT tag_id, body, body ->> '$.ownOrderId' AS own, at FROM hub_notice
    JOIN operation_key ON key = '${orderKey('')}' || (body ->> '$.ownOrderId') JOIN operation USING (seq)
    WHERE body ->> '$.what' IN ('collided', 'taken-over') AND body ->> '$.isOver' IS NOT 1
      AND kind = 'complete' AND state <> 'cancelled'
      AND EXISTS (SELECT 1 FROM json_each(CASE WHEN json_valid(payload) THEN payload ELSE '{}' END, '$.tagIds') WHERE value = tag_id)
    ORDER BY at DESC LIMIT 200`)
  const reportOf = ({ ownOrderId, isSoldHere }: z.infer<typeof NoticeBody>) =>
    isSoldHere && ownOrderId !== null ? (OwnState.optional().parse(ownState.get(orderKey(ownOrderId))) ?? null) : null
  const idOf = ({ tag_id, revision, station_id }: z.infer<typeof NoticeRow>) => `${tag_id} ${revision} ${station_id}`
  return {
    view: (): StoreNotice[] =>
      selectUnseen.all().flatMap((stored) => {
        const row = NoticeRow.parse(stored)
        const body = parseStored(NoticeBody, row.body)
        const tagId = row.tag_id
        if (!body) return []
        const { at } = row
        return [
          { ...body, id: idOf(row), at: iso(at), tagId, productName: productName(tagId), ownReport: reportOf(body) },
        ]
      }),
    soldTwice: (): SoldTwice[] =>
      selectTwice.all().flatMap((stored) => {
        const { tag_id: tagId, body, own } = Twice.parse(stored)
        const other = parseStored(NoticeBody, body)
        if (!other) return []
        const { station, orderId } = other
        return [{ tagId, productName: productName(tagId), ownOrderId: own, station, orderId }]
      }),
    see(ids: string[]) {
      for (const id of ids) {
        const [tagId, revision, stationId] = id.split(' ')
        if (stationId !== undefined) update.run(tagId, Number(revision), stationId)
      }
    },
  }
}
