import { z } from 'zod'
import { parseId } from '../src-shared/ids'
import { err, ok, type Result } from '../src-shared/result'
import { wireUuid } from '../src-shared/service/wire'
import { wrongField } from './http/body'
import type { Ctx, Parts } from './http/context'
import { forbidden, notFound, type Refusal, refuse } from './http/endpoint'
import { collectionColumns, CollectionRow, createFinder, visibleTo } from './payloads/summaries'
import { createMembers } from './payloads/members'
import { command, query } from './store/query'
import { createTagListReader } from './transactions'

/** Why a change is refused: something does not exist, belongs to another company, or a rule is broken. */
type Denial = 'not-found' | 'forbidden' | Refusal

/** The answer: 404, 403, or 400 with the rule's body. */
export function deny(c: Ctx, denial: Denial): Response {
  if (denial === 'not-found') return notFound(c)
  return denial === 'forbidden' ? forbidden(c) : refuse(c, denial)
}

/** Spec: Errors > Business rule violation. */
const detail = (text: string): Refusal => ({ body: { detail: text } })

/** What differs between the versions of a change: the route, and the form of ids in answers. */
interface Version {
  prefix: string
  wireId: (id: string) => string
}

export const v12: Version = { prefix: '/api/v1.2', wireId: (id) => id }
export const v15: Version = { prefix: '/api/v1.5', wireId: wireUuid }

const Membership = z.object({ removed_on: z.string().nullable() })
const KnownRecord = z.object({ uuid: z.string() })

/** A membership that a change is about. */
interface Membership {
  collection: CollectionRow
  tagId: string
}

/**
 * Removing and restoring collections, and items of collections. Repeating a change succeeds and changes nothing, so
 * that a client that missed an answer may ask again. Must be called inside a transaction. Spec: States and transitions.
 */
export function createCollectionChanges(parts: Parts) {
  const { store, now } = parts
  const find = createFinder(parts)
  const setRemoved = command(store, 'UPDATE collections SET removed_on = ? WHERE uuid = ?')
  const tag = query(store, 'SELECT uuid FROM tag_ids WHERE uuid = ?', KnownRecord)
  const membership = query(
    store,
    'SELECT removed_on FROM memberships WHERE collection_uuid = ? AND tag_uuid = ?',
    Membership,
  )
  const setMembership = command(
    store,
    `UPDATE memberships SET removed_on = ?, removed_by_company_uuid = ? WHERE collection_uuid = ? AND tag_uuid = ?`,
  )

  /** Checked in this order: the collection exists, it is the company's own, its type allows the change. */
  function own(id: string, companyUuid: string, state: 'active' | 'removed'): Result<CollectionRow, Denial> {
    const row = find.toChange(id, companyUuid, state)
    if (row === undefined) return err('not-found')
    if (row.company_uuid !== companyUuid) return err('forbidden')
    // The contents of an inventory follow from imports: only an import or its removal changes them.
    if (row.collection_type === 'inventory')
      return err(detail(`${named(row)} follows the imports under its package UID.`))
    return ok(row)
  }

  function changeable(id: string, companyUuid: string, state: 'active' | 'removed'): Result<CollectionRow, Denial> {
    const found = own(id, companyUuid, state)
    if (!found.ok || found.value.collection_type !== 'origin') return found
    return err(detail(`${named(found.value)} is of type origin, which can be neither removed nor restored.`))
  }

  /** Checked in this order: both exist, the collection is the company's own and active, the item is or was in it. */
  function member(
    collectionId: string,
    tagId: string,
    companyUuid: string,
  ): Result<Membership & { at: string | null }, Denial> {
    const found = own(collectionId, companyUuid, 'active')
    if (!found.ok && found.error === 'not-found') return found
    const known = tag.get(parseId(tagId) ?? '')
    if (known === undefined) return err('not-found')
    if (!found.ok) return found
    const collection = found.value
    if (collection.removed_on !== null) return err(detail(`${named(collection)} is removed; restore it first.`))
    const row = membership.get(collection.uuid, known.uuid)
    if (row === undefined) return err(detail(`TagID ${v15.wireId(known.uuid)} has never been in ${named(collection)}.`))
    return ok({ collection, tagId: known.uuid, at: row.removed_on })
  }

  return {
    /** Removes a collection from all its TagIDs. */
    remove: (id: string, companyUuid: string): Result<CollectionRow, Denial> => {
      const found = changeable(id, companyUuid, 'active')
      if (found.ok && found.value.removed_on === null) setRemoved(now().toISOString(), found.value.uuid)
      return found
    },

    /** Restores a collection on the TagIDs that it held when it was removed. */
    restore: (id: string, companyUuid: string): Result<CollectionRow, Denial> => {
      const found = changeable(id, companyUuid, 'removed')
      if (!found.ok) return found
      setRemoved(null, found.value.uuid)
      return ok({ ...found.value, removed_on: null })
    },

    removeItem: (id: string, tagId: string, companyUuid: string): Result<Membership, Denial> => {
      const found = member(id, tagId, companyUuid)
      if (!found.ok) return found
      const { collection, tagId: known, at } = found.value
      if (at === null) setMembership(now().toISOString(), companyUuid, collection.uuid, known)
      return found
    },

    restoreItem: (id: string, tagId: string, companyUuid: string): Result<Membership, Denial> => {
      const found = member(id, tagId, companyUuid)
      if (found.ok) setMembership(null, null, found.value.collection.uuid, found.value.tagId)
      return found
    },
  }
}

const named = (row: CollectionRow) => `Collection ${v15.wireId(row.uuid)}`

const ItemHolder = z.object({ ...CollectionRow.shape, tag_uuids: z.string() })

/** The collections that now hold the items, earliest first. */
export interface Holders {
  /** Only those of one type. */
  ofType(type: string): CollectionRow[]
  /** The collections that hold one of the items; only of one type, if given. */
  of(tagId: string, type?: string): CollectionRow[]
}

/**
 * Finds the collections that now hold items, as one company sees them, with one statement for any number of items.
 * Times are compared as moments, so that the last regulator collection is the newest.
 */
export function createHolders({ store }: Parts) {
  const rows = query(
    store,
    // CROSS JOIN fixes the order of the tables: from the items to their collections, never a scan of all collections.
    `WITH held (collection_uuid, tag_uuids) AS (
       SELECT m.collection_uuid, group_concat(m.tag_uuid)
       FROM json_each(?) asked CROSS JOIN memberships m ON m.tag_uuid = asked.value AND m.removed_on IS NULL
       GROUP BY m.collection_uuid
     )
     SELECT ${collectionColumns}, h.tag_uuids
     FROM held h CROSS JOIN collections c ON c.uuid = h.collection_uuid AND c.removed_on IS NULL
       JOIN companies k ON k.uuid = c.company_uuid
     WHERE ${visibleTo} ORDER BY julianday(c.added_on), c.rowid`,
    ItemHolder,
  )

  return function holders(tagIds: readonly string[], companyUuid: string): Holders {
    const byType = new Map<string, CollectionRow[]>()
    const byTag = new Map<string, CollectionRow[]>()
    for (const { tag_uuids, ...row } of rows.all(JSON.stringify(tagIds), companyUuid)) {
      append(byType, row.collection_type, row)
      for (const tagId of tag_uuids.split(',')) append(byTag, tagId, row)
    }
    return {
      ofType: (type) => byType.get(type) ?? [],
      of(tagId, type) {
        const held = byTag.get(tagId) ?? []
        return type === undefined ? held : held.filter((row) => row.collection_type === type)
      },
    }
  }
}

function append<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

interface NewCase {
  case_uuid: string
  packaged_product_uuid: string | null
}

/**
 * Adds items to a case, and a case to a regulator collection. A present item stays unchanged, and a removed one comes
 * back; items also stay in their other collections. Must be called inside a transaction. Spec: Endpoints > Collections
 * (v1.5); v1.2 endpoints.
 */
export function createAdditions(parts: Parts, { wireId }: Version) {
  const { store, now } = parts
  const find = createFinder(parts)
  const readTags = createTagListReader(store, wireId)
  const members = createMembers(parts)
  const add = command(
    store,
    `INSERT INTO memberships (collection_uuid, tag_uuid, added_on, added_by_company_uuid)
     SELECT ?, value, ?, ? FROM json_each(?) WHERE true ORDER BY key
     ON CONFLICT DO UPDATE SET added_on = excluded.added_on, added_by_company_uuid = excluded.added_by_company_uuid,
       removed_on = NULL, removed_by_company_uuid = NULL
     WHERE memberships.removed_on IS NOT NULL`,
  )
  /** Returns the changed collection. */
  const join = (row: CollectionRow, tagIds: readonly string[], companyUuid: string) => {
    add(row.uuid, now().toISOString(), companyUuid, JSON.stringify(tagIds))
    return ok(find.any(row.uuid, companyUuid) ?? row)
  }

  const notRemoved = (row: CollectionRow | undefined): Result<CollectionRow, Denial> => {
    if (row === undefined) return err('not-found')
    if (row.removed_on === null) return ok(row)
    return err(detail(`Collection ${wireId(row.uuid)} is removed; restore it first.`))
  }

  return {
    /** `list` is the unparsed body. Checked in this order: case exists, case not removed, ids well-formed, ids known. */
    addItems: (id: string, list: unknown[], companyUuid: string): Result<CollectionRow, Denial> => {
      const found = notRemoved(find.ofType('case', id, companyUuid))
      if (!found.ok) return found
      const tags = readTags(list)
      if (!tags.ok) return tags
      return join(found.value, tags.value, companyUuid)
    },

    /**
     * Checked in this order: regulator collection exists and is not removed; case exists, is not removed and not empty;
     * a packaged product is named if there are several; the named one is in the case.
     */
    addCase: (id: string, subject: NewCase, companyUuid: string): Result<CollectionRow, Denial> => {
      const found = notRemoved(find.ofType('regulator', id, companyUuid))
      if (!found.ok) return found
      const theCase = find.ofType('case', subject.case_uuid, companyUuid)
      const about = `CaseID ${wireId(subject.case_uuid)}`
      if (theCase === undefined) return err(wrongField('case_uuid', `${about} does not exist.`))
      if (theCase.removed_on !== null) return err(wrongField('case_uuid', `${about} is removed.`))
      const { packaged_product_uuid: named } = subject
      const held = members(theCase.uuid).filter((item) => item.removed_on === null)
      if (held.length === 0) return err(wrongField('case_uuid', `${about} holds no items.`))
      const products = new Set(held.map((item) => item.packaged_product_uuid).filter((uuid) => uuid !== null))
      if (named === null && products.size > 1) {
        return err(
          wrongField('packaged_product_uuid', `This field is required: ${about} has several packaged products.`),
        )
      }
      if (named !== null && !products.has(named)) {
        return err(wrongField('packaged_product_uuid', `Packaged product ${wireId(named)} is not in ${about}.`))
      }
      const chosen = held.filter((item) => named === null || item.packaged_product_uuid === named)
      const tagIds = chosen.map(({ tag_id }) => tag_id)
      return join(found.value, tagIds, companyUuid)
    },
  }
}
