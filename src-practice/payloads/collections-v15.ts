import type { z } from 'zod'
import type {
  CaseItemV15,
  CollectionEntryV15,
  CollectionItemV15,
  CollectionV15,
  RemovedCollection,
} from '../../src-shared/service/collections-v15'
import type { Holders } from '../collections/holders'
import type { Contents } from './collections'
import type { LongForm } from './long-form'
import type { Member } from './members'
import type { CollectionRow } from './summaries'

/** Collections as `/api/v1.5` shows them. Spec: Collection. */

/** An entry of `cases` and `regulator_ids`, and the beginning of every other form. */
export const entryV15 = (row: CollectionRow, ids: LongForm) =>
  ({
    uuid: ids.id(row.uuid),
    identifier: row.identifier,
    name: row.body.name,
    collection_type: row.collection_type,
    added_on: row.added_on,
  }) satisfies z.input<typeof CollectionEntryV15>

export const stateV15 = ({ body, removed_on }: CollectionRow) => ({
  is_public: body.is_public,
  is_removed: removed_on !== null,
  removed_on,
  sub_type: body.sub_type,
})

/** Spec: Collection item (v1.5). */
export const memberV15 = (member: Member, ids: LongForm) =>
  ({
    tag_id: ids.id(member.tag_id),
    added_on: member.added_on,
    removed_on: member.removed_on,
    removed_by_company_uuid: ids.maybe(member.removed_by_company_uuid),
  }) satisfies z.input<typeof CollectionItemV15>

export const collectionV15 = ({ row, items, removedItems }: Contents, ids: LongForm) =>
  ({
    ...entryV15(row, ids),
    ...stateV15(row),
    items: items.map((member) => memberV15(member, ids)),
    removed_items: removedItems.map((member) => memberV15(member, ids)),
  }) satisfies z.input<typeof CollectionV15>

/** The answer to add-items and add-case. */
export const changedV15 = ({ row, items }: Contents, ids: LongForm) =>
  ({
    ...entryV15(row, ids),
    is_public: row.body.is_public,
    items: items.map((member) => memberV15(member, ids)),
  }) satisfies z.input<typeof CollectionV15>

/** An item of a CaseID detail, and of the list of removed TagIDs. */
export const caseItemV15 = (member: Member, holders: Holders, ids: LongForm) =>
  ({
    tag_id: ids.id(member.tag_id),
    brand_uuid: ids.maybe(member.brand_uuid),
    product_uuid: ids.maybe(member.product_uuid),
    batch_uuid: ids.maybe(member.batch_uuid),
    regulator_id_uuids: holders.of(member.tag_id, 'regulator').map(({ uuid }) => ids.id(uuid)),
    cases_uuids: holders.of(member.tag_id, 'case').map(({ uuid }) => ids.id(uuid)),
  }) satisfies z.input<typeof CaseItemV15>

/** Spec: Removed collection list item. */
export const removedCollection = (row: CollectionRow, ids: LongForm) =>
  ({
    ...entryV15(row, ids),
    company_uuid: ids.id(row.company_uuid),
    is_public: row.body.is_public,
    is_removed: true,
    removed_on: row.removed_on,
    tag_ids_count: row.tag_ids_count,
  }) satisfies z.input<typeof RemovedCollection>
