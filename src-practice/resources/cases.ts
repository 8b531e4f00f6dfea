import type { Hono } from 'hono'
import { z } from 'zod'
import { parseId } from '../../src-shared/ids'
import { notFound } from '../http/answers'
import type { Env, Parts } from '../http/context'
import { endpoint, parameter } from '../http/endpoint'
import { requireToken } from '../http/guards'
import { createBatches } from '../payloads/batches'
import { createCollections } from '../payloads/collections'
import { createFinder } from '../payloads/finder'
import { distinct } from '../payloads/members'
import { createProducts } from '../payloads/products'
import { CollectionRow, collectionColumns, collectionEntry, collectionTables, visibleTo } from '../payloads/summaries'
import { query } from '../store/query'

const Holder = z.object({ ...CollectionRow.shape, tag_uuids: z.string() })

/**
 * `GET /api/v1.2/collections/case/<uuid>/`: a CaseID with everything that its items refer to. The identifier is taken
 * as well, for it is what a case's code carries. Spec: Collection > CaseID detail.
 */
export function caseEndpoint(app: Hono<Env>, parts: Parts): void {
  const find = createFinder(parts)
  const { contents, fields } = createCollections(parts)
  const { products, brands } = createProducts(parts)
  const { batches, coas } = createBatches(parts)
  /** The collections in which a case's present items are now, the earliest first, each with the items it holds. */
  const holders = query(
    parts.store,
    `SELECT ${collectionColumns}, group_concat(m.tag_uuid) AS tag_uuids
     FROM ${collectionTables} JOIN memberships m ON m.collection_uuid = c.uuid AND m.removed_on IS NULL
       JOIN memberships own ON own.tag_uuid = m.tag_uuid AND own.removed_on IS NULL AND own.collection_uuid = ?
     WHERE c.removed_on IS NULL AND c.collection_type IN ('case', 'regulator', 'inventory') AND ${visibleTo}
     GROUP BY c.uuid ORDER BY julianday(c.added_on), c.rowid`,
    Holder,
  )

  endpoint(app, 'GET', '/api/v1.2/collections/case/:uuid/', [requireToken(parts)], (c) => {
    const { companyUuid } = c.get('caller')
    const id = parameter(c, 'uuid')
    const byUuid = find.byUuid(parseId(id) ?? '', companyUuid)
    const row = byUuid?.collection_type === 'case' ? byUuid : find.caseByIdentifier(id)
    if (row === undefined) return notFound(c)
    const found = contents(row)
    const common = fields(found, companyUuid)
    const holding = holders.all(row.uuid, companyUuid).map(({ tag_uuids, ...collection }) => ({
      collection,
      tags: new Set(tag_uuids.split(',')),
    }))
    const ofType = (type: string) => holding.filter(({ collection }) => collection.collection_type === type)
    const entries = (type: string) => ofType(type).map(({ collection }) => collectionEntry(collection))
    const holdersOf = (tagId: string, type: string) =>
      ofType(type)
        .filter(({ tags }) => tags.has(tagId))
        .map(({ collection }) => collection.uuid)
    const certificates = coas(common.digital_coa_uuids)
    return c.json({
      ...common,
      brands: brands(common.data.brand_uuids),
      products: products(distinct(found.items, 'product_uuid')),
      batches: batches(common.data.batch_uuids),
      digital_coas: certificates,
      testing_laboratories: [...new Map(certificates.map(({ testing_laboratory: one }) => [one.uuid, one])).values()],
      cases: entries('case'),
      regulator_ids: entries('regulator'),
      items: found.items.map(({ tag_id, brand_uuid, product_uuid, batch_uuid }) => ({
        tag_id,
        brand_uuid,
        product_uuid,
        batch_uuid,
        regulator_id_uuids: holdersOf(tag_id, 'regulator'),
        cases_uuids: holdersOf(tag_id, 'case'),
        inventory_collection_uuids: holdersOf(tag_id, 'inventory'),
      })),
    })
  })
}
