import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { DeliveryId } from '../../../src-shared/ids'
import { DeliveryNotice } from '../../../src-shared/ipc/contract/delivery'
import { iso } from '../../core/clock'
import type { MainEvents } from '../../core/events'

const { id, what, station } = DeliveryNotice.shape
const DeliveryNoticeRow = z.object({ seq: id, what, station, id: DeliveryId, started_at: z.number() })

export type DeliveryNotices = ReturnType<typeof createDeliveryNotices>

/** What other stations did with deliveries that are over here, until a person has seen it. Writing throws if the disk refuses. */
export function createDeliveryNotices({ db, events }: { db: Database; events: Pick<MainEvents, 'emit' | 'on'> }) {
  const select = db.prepare(`
    SELECT notice.seq, what, station, id, started_at FROM delivery_notice AS notice JOIN delivery ON delivery.seq = delivery
    ORDER BY notice.seq DESC LIMIT 200`)
  const replace = db.prepare('INSERT OR REPLACE INTO delivery_notice (delivery, what, station) VALUES (?, ?, ?)')
  const forget = db.prepare('DELETE FROM delivery_notice WHERE seq = ?')

  /** Newest first. */
  const list = (): DeliveryNotice[] =>
    select
      .all()
      .map((row) => DeliveryNoticeRow.parse(row))
      .map(({ seq, id: deliveryId, started_at, ...rest }) => ({
        ...rest,
        ...{ id: seq, deliveryId, startedAt: iso(started_at) },
      }))
  const announceNow = () => {
    events.emit('receiving.deliveryNotices', list())
  }
  for (const name of ['delivery.finished', 'delivery.opened'] as const)
    events.on(name, 'receiving/delivery/delivery-notices.ts', announceNow)
  return {
    list,
    /** In place of an earlier one that says the same of the delivery. Call in the commit that makes it so. */
    note: (delivery: number, what: DeliveryNotice['what'], station: string | null) =>
      void replace.run(delivery, what, station),
    /** A person has seen it. */
    see: (id: number) => void forget.run(id),
    announceNow,
  }
}
