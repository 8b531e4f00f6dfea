import type { Parts } from '../http/context'
import { createCollectionDetail } from './collection-detail'
import { createCollections } from './collections'
import { changedV15 } from './collections-v15'
import { longForm } from './long-form'
import type { CollectionRow } from './summaries'

/** The answers to add-items and add-case, by version. Spec: Endpoints > Collections (v1.5); v1.2 endpoints. */
export function createChangedCollection(parts: Parts) {
  const detail = createCollectionDetail(parts)
  const { contents } = createCollections(parts)
  return {
    v12: (row: CollectionRow, companyUuid: string) => detail.changed(row, companyUuid),
    v15: (row: CollectionRow) => changedV15(contents(row), longForm()),
  }
}
