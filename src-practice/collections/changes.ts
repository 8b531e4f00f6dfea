import { z } from 'zod'
import { parseId } from '../../src-shared/ids'
import { type Result, err, ok } from '../../src-shared/result'
import type { Parts } from '../http/context'
import { createFinder } from '../payloads/finder'
import type { CollectionRow } from '../payloads/summaries'
import { command, query } from '../store/query'
import { type Denial, detail } from './denial'
import { v15 } from './versions'

const Membership = z.object({ removed_on: z.string().nullable() })
const Known = z.object({ uuid: z.string() })

/** A membership that a change is about. */
export interface Membership {
  collection: CollectionRow
  tagId: string
}

/**
 * Removing and restoring collections, and items of collections. A change that is made already changes nothing and
 * succeeds: a client that missed an answer may ask again. Called inside a transaction. Spec: States and transitions.
 */
export function createCollectionChanges(parts: Parts) {
  const { store, now } = parts
  const find = createFinder(parts)
  const setRemoved = command(store, 'UPDATE collections SET removed_on = ? WHERE uuid = ?')
  const tag = query(store, 'SELECT uuid FROM tag_ids WHERE uuid = ?', Known)
  const membership = query(
    store,
    'SELECT removed_on FROM memberships WHERE collection_uuid = ? AND tag_uuid = ?',
    Membership,
  )
  const setMembership = command(
    store,
    `UPDATE memberships SET removed_on = ?, removed_by_company_uuid = ? WHERE collection_uuid = ? AND tag_uuid = ?`,
  )

  /** Checked in this order: it exists, it is the company's own, it is of a type that may be changed so. */
  function own(id: string, companyUuid: string, state: 'active' | 'removed'): Result<CollectionRow, Denial> {
    const row = find.toChange(id, companyUuid, state)
    if (row === undefined) return err('not-found')
    if (row.company_uuid !== companyUuid) return err('forbidden')
    // What is in an inventory is what was imported: the one way in and out is an import and its removal.
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
    /** Takes a collection off all its TagIDs. */
    remove: (id: string, companyUuid: string): Result<CollectionRow, Denial> => {
      const found = changeable(id, companyUuid, 'active')
      if (found.ok && found.value.removed_on === null) setRemoved(now().toISOString(), found.value.uuid)
      return found
    },

    /** Puts a collection back on the TagIDs that it held when it was removed. */
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
