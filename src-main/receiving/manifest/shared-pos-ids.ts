import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { singleFlight } from '../../core/async'
import type { Hub } from '../../hub/port'
import { PosId } from '../../hub/rows'
import type { MainEvents } from '../../core/events'
import type { Log } from '../../core/log'
import { type Settings, parseStored } from '../../database/settings'

interface SharedPosIdsParts {
  db: Database
  events: Pick<MainEvents, 'on'>
  hub: Pick<Hub, 'pos' | 'onNews'>
  settings: Pick<Settings, 'read' | 'write'>
  log: Log
}

const due = 'ON CONFLICT (product_id, package_uid) DO UPDATE SET change = change + 1;'
/** What has to be told is noted in the commit that changes it, by triggers of this connection. */
const triggers = `
  CREATE TEMP TRIGGER hub_pos_made AFTER INSERT ON pos_mapping BEGIN
    INSERT INTO hub_pos_due VALUES (NEW.product_id, NEW.package_uid, 1) ${due}
  END;
  CREATE TEMP TRIGGER hub_pos_changed AFTER UPDATE ON pos_mapping BEGIN
    INSERT INTO hub_pos_due VALUES (NEW.product_id, NEW.package_uid, 1) ${due}
  END;`

const setting = 'hub.pos'
const HubCursor = z.object({ hubId: z.string(), revision: z.number() })
const DirtyPosId = z.object({ product_id: z.string(), package_uid: z.string(), change: z.number(), id: z.string() })
const atOnce = 500

/** Keeps what the POS calls products the same at all stations. Of two entries the newer one counts. */
export function createSharedPosIds({ db, events, hub, settings, log }: SharedPosIdsParts) {
  db.exec(triggers)
  const selectDirty = db.prepare(`
    SELECT product_id, package_uid, due.change, json_object('productId', product_id, 'packageUid', package_uid, 'posProductId', pos_product_id,
      'posInventoryId', pos_inventory_id, 'sku', sku, 'at', at) AS id
    FROM hub_pos_due AS due JOIN pos_mapping USING (product_id, package_uid) LIMIT ?`)
  const noteAll = db.prepare(
    `INSERT INTO hub_pos_due SELECT product_id, package_uid, 1 FROM pos_mapping WHERE true ${due}`,
  )
  const settle = db.prepare('DELETE FROM hub_pos_due WHERE product_id = ? AND package_uid = ? AND change = ?')
  const isDue = db.prepare('SELECT 1 FROM hub_pos_due WHERE product_id = ? AND package_uid = ?')
  const forgetDirty = db.prepare('DELETE FROM hub_pos_due WHERE product_id = ? AND package_uid = ?')
  const upsert = db.prepare(`
    INSERT INTO pos_mapping (product_id, package_uid, pos_product_id, pos_inventory_id, sku, at)
    VALUES (@productId, @packageUid, @posProductId, @posInventoryId, @sku, @at)
    ON CONFLICT DO UPDATE SET pos_product_id = excluded.pos_product_id, pos_inventory_id = excluded.pos_inventory_id,
      sku = excluded.sku, at = excluded.at WHERE at < excluded.at`)
  const inOne = db.transaction((step: () => void) => {
    step()
  })
  const stopping = new AbortController()
  const isStopped = () => stopping.signal.aborted

  /** Returns false without an answer. */
  const push = async (): Promise<boolean> => {
    while (!isStopped()) {
      const rows = selectDirty.all(atOnce).map((row) => DirtyPosId.parse(row))
      if (rows.length === 0) return true
      // One that is too long for the others stays here.
      const ids = rows.flatMap(({ id }) => parseStored(PosId, id) ?? [])
      if (!(await hub.pos.push(ids)) || isStopped()) return false
      for (const { product_id: productId, package_uid: packageUid, change } of rows)
        settle.run(productId, packageUid, change)
    }
    return false
  }
  /** What was entered here and is not told stays noted, also if another station's entry is newer. */
  const merge = (ids: PosId[], read: z.infer<typeof HubCursor>) => {
    inOne.immediate(() => {
      for (const id of ids) {
        const wasDirty = isDue.get(id.productId, id.packageUid) !== undefined
        upsert.run(id)
        if (!wasDirty) forgetDirty.run(id.productId, id.packageUid)
      }
      settings.write(setting, read)
    })
  }
  const exchanging = singleFlight(
    async () => {
      let known = settings.read(setting, HubCursor) ?? { hubId: '', revision: 0 }
      for (;;) {
        const news = await hub.pos.since(known.revision)
        if (!news || isStopped()) return
        if (news.hubId !== known.hubId || news.revision < known.revision) {
          // Another hub, or one from a backup: it is told everything, and read from the start.
          noteAll.run()
          known = { hubId: news.hubId, revision: 0 }
          settings.write(setting, known)
          if (news.revision > 0) continue
        }
        known = { hubId: news.hubId, revision: news.revision }
        merge(news.ids, known)
        if (!news.hasMore) break
      }
      await push()
    },
    (cause) => {
      log.error('POS ids could not be exchanged with the store', { cause })
    },
  )
  const exchange = () => {
    exchanging.ask()
  }
  const stops = [
    events.on('sharing.due', 'receiving/manifest/shared-pos-ids.ts', exchange),
    events.on('import.asked', 'receiving/manifest/shared-pos-ids.ts', exchange),
    hub.onNews('pos', exchange),
  ]
  return {
    async stop(): Promise<void> {
      for (const stop of stops) stop()
      stopping.abort()
      await exchanging.stop()
    },
  }
}
