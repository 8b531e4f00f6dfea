import type { Hono } from 'hono'
import { z } from 'zod'
import { err, ok, type Result } from '../../src-shared/result'
import type { AddCase } from '../../src-shared/service/collections'
import { createAdditions, createCollectionChanges, createHolders, deny, v12, v15 } from '../collections'
import { endpoint, notFound, parameter, type Refusal, refuse, requireToken } from '../http/endpoint'
import { type FieldsOf, OptionalId, readFields, readJson, RequiredId } from '../http/body'
import type { Ctx, Env, Parts } from '../http/context'
import { createCaseDetail, createCollectionDetail, createCollections } from '../payloads/collections'
import {
  createChangedCollection,
  caseItemV15,
  collectionV15,
  createCaseDetailV15,
  removedCollection,
} from '../payloads/collections-v15'
import { collectionColumns, CollectionRow, collectionTables, createFinder } from '../payloads/summaries'
import { longForm } from '../payloads/products'
import { query } from '../store/query'

/**
 * `GET /api/v1.2/collections/<identifier>/` and `GET /api/v1.5/collections/<uuid>/`: a collection with its items. Both
 * take the uuid as well as the identifier. Spec: Endpoints > Collections (v1.5); v1.2 endpoints.
 */
export function collectionEndpoint(app: Hono<Env>, parts: Parts): void {
  const find = createFinder(parts)
  const { contents } = createCollections(parts)
  const detail = createCollectionDetail(parts)

  endpoint(app, 'GET', '/api/v1.2/collections/:identifier/', [requireToken(parts)], (c) => {
    const { companyUuid } = c.get('caller')
    const row = find.any(parameter(c, 'identifier'), companyUuid)
    return row === undefined ? notFound(c) : c.json(detail.collection(row, companyUuid))
  })

  endpoint(app, 'GET', '/api/v1.5/collections/:uuid/', [requireToken(parts)], (c) => {
    const row = find.any(parameter(c, 'uuid'), c.get('caller').companyUuid)
    return row === undefined ? notFound(c) : c.json(collectionV15(contents(row), longForm()))
  })
}

/**
 * `DELETE /api/v1.5/collections/<uuid>/remove/` and `PUT /api/v1.5/collections/<identifier>/restore/`, for the company
 * that owns the collection. Spec: States and transitions > Collection.
 */
export function collectionStateEndpoints(app: Hono<Env>, parts: Parts): void {
  const changes = createCollectionChanges(parts)
  const remove = parts.store.transaction(changes.remove)
  const restore = parts.store.transaction(changes.restore)
  const { contents } = createCollections(parts)

  endpoint(app, 'DELETE', '/api/v1.5/collections/:uuid/remove/', [requireToken(parts)], (c) => {
    const removed = remove.immediate(parameter(c, 'uuid'), c.get('caller').companyUuid)
    return removed.ok ? c.body(null, 204) : deny(c, removed.error)
  })

  endpoint(app, 'PUT', '/api/v1.5/collections/:identifier/restore/', [requireToken(parts)], (c) => {
    const restored = restore.immediate(parameter(c, 'identifier'), c.get('caller').companyUuid)
    return restored.ok ? c.json(collectionV15(contents(restored.value), longForm())) : deny(c, restored.error)
  })
}

/**
 * `GET /api/v1.2|v1.5/collections/case/<uuid>/`: a CaseID with everything that its items refer to. The identifier is
 * accepted as well, because it is what the code of a case contains. Spec: Collection > CaseID detail.
 */
export function caseEndpoint(app: Hono<Env>, parts: Parts): void {
  const find = createFinder(parts)
  const detail = createCaseDetail(parts)
  const detailV15 = createCaseDetailV15(parts)
  const asked = (c: Ctx) => find.ofType('case', parameter(c, 'uuid'), c.get('caller').companyUuid)

  endpoint(app, 'GET', '/api/v1.2/collections/case/:uuid/', [requireToken(parts)], (c) => {
    const row = asked(c)
    return row === undefined ? notFound(c) : c.json(detail(row, c.get('caller').companyUuid))
  })

  endpoint(app, 'GET', '/api/v1.5/collections/case/:uuid/', [requireToken(parts)], (c) => {
    const row = asked(c)
    return row === undefined ? notFound(c) : c.json(detailV15(row, c.get('caller').companyUuid))
  })
}

/**
 * `POST /api/v1.2|v1.5/collections/case/<uuid>/add-items/`: adds existing TagIDs to a case, all or none. Spec:
 * Endpoints > Collections (v1.5); v1.2 endpoints.
 */
export function addItemsEndpoint(app: Hono<Env>, parts: Parts): void {
  const answers = createChangedCollection(parts)

  for (const [version, answer] of [
    [v12, answers.v12],
    [v15, answers.v15],
  ] as const) {
    const addItems = parts.store.transaction(createAdditions(parts, version).addItems)
    endpoint(app, 'POST', `${version.prefix}/collections/case/:uuid/add-items/`, [requireToken(parts)], async (c) => {
      const json = await readJson(c)
      if (!json.ok) return json.error
      const list = readList(json.value)
      if (!list.ok) return refuse(c, list.error)
      const { companyUuid } = c.get('caller')
      const added = addItems.immediate(parameter(c, 'uuid'), list.value, companyUuid)
      return added.ok ? c.json(answer(added.value, companyUuid)) : deny(c, added.error)
    })
  }
}

function readList(json: unknown): Result<unknown[], Refusal> {
  const list = z.array(z.unknown()).safeParse(json)
  if (!list.success) return err({ body: { non_field_errors: ['Invalid data. Expected a list of TagIDs.'] } })
  return list.data.length > 0 ? ok(list.data) : err({ body: { non_field_errors: ['This list may not be empty.'] } })
}

const AddCaseFields = z.object({
  case_uuid: RequiredId,
  packaged_product_uuid: OptionalId,
} satisfies FieldsOf<AddCase>)

/**
 * `POST /api/v1.2|v1.5/collections/regulator/<identifier>/add-case/`: adds the items of a case, or of one packaged
 * product in it, to a regulator collection. The newest regulator collection of an item is its package. Spec: Endpoints
 * > Collections (v1.5); v1.2 endpoints.
 */
export function addCaseEndpoint(app: Hono<Env>, parts: Parts): void {
  const answers = createChangedCollection(parts)

  for (const [version, answer] of [
    [v12, answers.v12],
    [v15, answers.v15],
  ] as const) {
    const addCase = parts.store.transaction(createAdditions(parts, version).addCase)
    const path = `${version.prefix}/collections/regulator/:identifier/add-case/`
    endpoint(app, 'POST', path, [requireToken(parts)], async (c) => {
      const json = await readJson(c)
      if (!json.ok) return json.error
      const fields = readFields(json.value, AddCaseFields)
      if (!fields.ok) return refuse(c, fields.error)
      const { companyUuid } = c.get('caller')
      const added = addCase.immediate(parameter(c, 'identifier'), fields.value, companyUuid)
      return added.ok ? c.json(answer(added.value, companyUuid)) : deny(c, added.error)
    })
  }
}

/**
 * `GET /api/v1.5/removed-collections/`, `GET /api/v1.5/removed-collections/<collection_type>/`: the removed collections
 * of the caller's company, latest removal first. Spec: Endpoints > Collections (v1.5).
 */
export function removedCollectionEndpoints(app: Hono<Env>, parts: Parts): void {
  const removed = query(
    parts.store,
    `SELECT ${collectionColumns} FROM ${collectionTables}
     WHERE c.company_uuid = ? AND c.removed_on IS NOT NULL AND c.collection_type = coalesce(?, c.collection_type)
     ORDER BY julianday(c.removed_on) DESC, c.rowid DESC`,
    CollectionRow,
  )
  const list = (companyUuid: string, type: string | null) => {
    const ids = longForm()
    return removed.all(companyUuid, type).map((row) => removedCollection(row, ids))
  }

  endpoint(app, 'GET', '/api/v1.5/removed-collections/', [requireToken(parts)], (c) =>
    c.json(list(c.get('caller').companyUuid, null)),
  )
  endpoint(app, 'GET', '/api/v1.5/removed-collections/:collection_type/', [requireToken(parts)], (c) =>
    c.json(list(c.get('caller').companyUuid, parameter(c, 'collection_type'))),
  )
}

/**
 * `GET /api/v1.5/collections/<uuid>/removed-tag-ids/`: the TagIDs that left a collection, and where they are now.
 * Spec: Endpoints > Collections (v1.5).
 */
export function removedTagIdsEndpoint(app: Hono<Env>, parts: Parts): void {
  const find = createFinder(parts)
  const { contents } = createCollections(parts)
  const holdersOf = createHolders(parts)

  endpoint(app, 'GET', '/api/v1.5/collections/:uuid/removed-tag-ids/', [requireToken(parts)], (c) => {
    const { companyUuid } = c.get('caller')
    const row = find.any(parameter(c, 'uuid'), companyUuid)
    if (row === undefined) return notFound(c)
    const { removedItems } = contents(row)
    const holders = holdersOf(
      removedItems.map(({ tag_id }) => tag_id),
      companyUuid,
    )
    const ids = longForm()
    return c.json(removedItems.map((member) => caseItemV15(member, holders, ids)))
  })
}
