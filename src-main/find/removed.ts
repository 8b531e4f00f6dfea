import type { RemovedCollectionLine } from '../../src-shared/ipc/find-view'
import type { RemovedCollection } from '../../src-shared/service/collections-v15'
import { instant } from '../../src-shared/service/facts'
import { filled } from './links'

/** Removed collections as a list shows them, the last removed first. Spec: Removed collection list item. */
export const removedLines = (all: readonly RemovedCollection[]): RemovedCollectionLine[] =>
  all
    .map((one) => ({
      collectionId: one.uuid,
      identifier: one.identifier,
      name: filled(one.name),
      type: one.collection_type,
      addedOn: filled(one.added_on),
      removedOn: filled(one.removed_on),
      tagCount: one.tag_ids_count == null ? null : Math.max(0, one.tag_ids_count),
    }))
    .sort((a, b) => instant(b.removedOn) - instant(a.removedOn))
