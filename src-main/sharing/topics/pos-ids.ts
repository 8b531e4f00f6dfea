import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { RowReader } from '../../database/row-reader'
import { PosId } from '../../hub/rows'
import type { Topic } from '../topic'
import { noteOf } from '../watch'

const note = noteOf('pos', { key: `NEW.product_id || ' ' || NEW.package_uid` })

const statementsOf = (db: Database) => ({
  one: db.prepare(`SELECT * FROM pos_mapping WHERE product_id || ' ' || package_uid = @key AND product_id = @product`),
  keys: db.prepare(`SELECT product_id || ' ' || package_uid FROM pos_mapping`).pluck(),
  upsert: db.prepare(`
    INSERT INTO pos_mapping (product_id, package_uid, pos_product_id, pos_inventory_id, sku, at)
    VALUES (@productId, @packageUid, @posProductId, @posInventoryId, @sku, @at)
    ON CONFLICT DO UPDATE SET pos_product_id = excluded.pos_product_id, pos_inventory_id = excluded.pos_inventory_id,
      sku = excluded.sku, at = excluded.at`),
})

const posIds = new RowReader(PosId)

/** What the POS calls a product in a package: of two entries the newer one counts. One that is too long for the others stays here. */
export function posIdsTopic(db: Database): Topic<PosId> {
  const sql = statementsOf(db)
  const applyAll = db.transaction((ids: PosId[]) => {
    for (const id of ids) sql.upsert.run(id)
  })
  return {
    name: 'pos',
    file: 'sharing/topics/pos-ids.ts',
    body: PosId,
    watches: [
      { table: 'pos_mapping', on: 'INSERT', do: note },
      { table: 'pos_mapping', on: 'UPDATE', do: note },
    ],
    dirtyAfter: ['import.asked'],
    read: (key) => posIds.readable(sql.one, { key, product: key.slice(0, key.indexOf(' ')) }).rows[0],
    keys: () => z.array(z.string()).parse(sql.keys.all()),
    better: (mine, theirs) => (mine.at === theirs.at ? 'even' : mine.at > theirs.at ? 'mine' : 'theirs'),
    apply(changes) {
      applyAll.immediate(changes.map(({ body }) => body))
      return new Set(changes.map(({ key }) => key))
    },
  }
}
