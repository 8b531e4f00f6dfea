import type { Member } from '../../src-shared/ipc/find-view'
import type { CollectionItem } from '../../src-shared/service/collections'
import type { CollectionItemV15 } from '../../src-shared/service/collections-v15'
import { filled } from './links'

/** As many items of a collection as a view holds. */
export const mostMembers = 500

/** The items of a collection as v1.2 tells them: with their product, package, import and sale. */
export const members = (
  items: readonly CollectionItem[] | null | undefined,
  nameOf: (productId: string) => string | null,
): Member[] =>
  (items ?? []).slice(0, mostMembers).map((item) => ({
    tagId: item.tag_id,
    productName: item.product_uuid == null ? null : nameOf(item.product_uuid),
    packageUid: filled(item.pos_package_uid),
    addedOn: filled(item.added_on),
    removedOn: filled(item.removed_on),
    importedOn: filled(item.imported_to_inventory_on),
    soldOn: filled(item.sold_at_dispensary_on),
  }))

/** The same as v1.5 tells them: when each came and went. `nameOf` knows the product of an item from elsewhere. */
export const membersV15 = (
  items: readonly CollectionItemV15[] | null | undefined,
  nameOf: (tagId: string) => string | null,
): Member[] =>
  (items ?? []).slice(0, mostMembers).map((item) => ({
    tagId: item.tag_id,
    productName: nameOf(item.tag_id),
    packageUid: null,
    addedOn: filled(item.added_on),
    removedOn: filled(item.removed_on),
    importedOn: null,
    soldOn: null,
  }))
