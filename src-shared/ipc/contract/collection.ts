import { z } from 'zod'
import { CaseId, ShortUuid, TagId } from '../../ids'
import { OperationView } from '../operation-view'
import { call } from './call'

/** Collections of the service: removed, restored and changed. */
export const collectionCalls = {
  /** Each saves a report and waits up to 2 s for its outcome; `receiving.undo` takes it back. */
  'collection.remove': call(z.object({ collectionId: ShortUuid }), OperationView),
  'collection.restore': call(z.object({ collectionId: ShortUuid }), OperationView),
  'collection.removeItem': call(z.object({ collectionId: ShortUuid, tagId: TagId }), OperationView),
  'collection.restoreItem': call(z.object({ collectionId: ShortUuid, tagId: TagId }), OperationView),
  'collection.addItems': call(z.object({ caseId: CaseId, tagIds: z.array(TagId).min(1).max(500) }), OperationView),
  /** `packagedProductId` is required where the case has several. */
  'collection.addCase': call(
    z.object({
      regulatorIdentifier: z.string().trim().min(1).max(255),
      caseId: CaseId,
      packagedProductId: ShortUuid.nullable(),
    }),
    OperationView,
  ),
} as const
