import { z } from 'zod'
import type { HubPosIds } from '../port'
import { PosId } from '../rows'
import { Id, WholeNumber } from './columns'
import type { HubConnections } from './connections'

const PosIdRow = z.object({ id: PosId.nullable().catch(null), revision: WholeNumber })
const PosIdsHead = z.object({ id: Id, revision: WholeNumber })

/** So many are read at a time. */
const atOnce = 2_000

/** The POS ids at the hub. */
export function createPosIds(connections: Pick<HubConnections, 'background'>): HubPosIds {
  return {
    async push(ids) {
      const told = await connections.background({
        // The row of the news is locked first: revisions are seen in their order.
        text: `
          WITH one AS (
            INSERT INTO countertag.news AS news VALUES ('pos', 1)
            ON CONFLICT (topic) DO UPDATE SET revision = news.revision + 1 RETURNING revision
          ), told AS (
            INSERT INTO countertag.pos_id AS known (product, package, pos_product_id, pos_inventory_id, sku, at, revision)
            SELECT entry.*, one.revision
            FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[])
              AS entry (product, package, pos_product_id, pos_inventory_id, sku, at), one ORDER BY product, package
            ON CONFLICT (product, package) DO UPDATE SET pos_product_id = excluded.pos_product_id,
              pos_inventory_id = excluded.pos_inventory_id, sku = excluded.sku, at = excluded.at, revision = excluded.revision
            WHERE known.at < excluded.at
            RETURNING 1
          ) SELECT pg_notify('countertag', 'pos') FROM told LIMIT 1`,
        values: [
          ids.map(({ productId }) => productId),
          ids.map(({ packageUid }) => packageUid),
          ids.map(({ posProductId }) => posProductId),
          ids.map(({ posInventoryId }) => posInventoryId),
          ids.map(({ sku }) => sku),
          ids.map(({ at }) => at),
        ],
        row: z.unknown(),
      })
      return told !== undefined
    },
    async since(revision) {
      const heads = await connections.background({
        text: `SELECT id, coalesce((SELECT revision FROM countertag.news WHERE topic = 'pos'), 0) AS revision FROM countertag.store`,
        row: PosIdsHead,
      })
      const rows = await connections.background({
        text: `SELECT revision, json_build_object('productId', product, 'packageUid', package, 'posProductId', pos_product_id,
            'posInventoryId', pos_inventory_id, 'sku', sku, 'at', at) AS id
          FROM countertag.pos_id WHERE revision > $1 ORDER BY revision FETCH FIRST ${atOnce} ROWS WITH TIES`,
        values: [revision],
        row: PosIdRow,
      })
      const [head] = heads ?? []
      if (!head || !rows) return undefined
      const hasMore = rows.length >= atOnce
      const last = rows.at(-1)?.revision ?? 0
      return {
        hubId: head.id,
        revision: hasMore ? last : Math.max(head.revision, last),
        hasMore,
        ids: rows.flatMap((row) => row.id ?? []),
      }
    },
  }
}
