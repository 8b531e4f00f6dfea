import { type Result, err, ok } from '../../src-shared/result'
import type { Parts } from '../http/context'
import { wrongField } from '../http/wire-fields'
import { createFinder } from '../payloads/finder'
import { createMembers } from '../payloads/members'
import type { CollectionRow } from '../payloads/summaries'
import { command } from '../store/query'
import { createTagListReader } from '../transactions/tags'
import { type Denial, detail } from './denial'
import type { Version } from './versions'

export interface NewCase {
  case_uuid: string
  packaged_product_uuid: string | null
}

/**
 * Adding items to a case, and a case to a regulator collection. An item that is there stays as it is, and one that was
 * removed comes back; its other collections keep it. Called inside a transaction.
 * Spec: Endpoints > Collections (v1.5); v1.2 endpoints.
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
  /** Answers the collection as it is then. */
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
    /** `list` as it came. Refused in this order: no such case, a removed one, ids that are none, ids that nobody knows. */
    addItems: (id: string, list: unknown[], companyUuid: string): Result<CollectionRow, Denial> => {
      const found = notRemoved(find.ofType('case', id, companyUuid))
      if (!found.ok) return found
      const tags = readTags(list)
      if (!tags.ok) return tags
      return join(found.value, tags.value, companyUuid)
    },

    /**
     * Refused in this order: no such regulator collection, a removed one; no such case, a removed or an empty one;
     * several packaged products and none named; one that is not in the case.
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
