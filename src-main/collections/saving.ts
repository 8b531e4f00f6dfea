import type { AppError } from '../../src-shared/errors'
import { type Result, ok } from '../../src-shared/result'
import { type Operation, isFinished } from '../outbox/operation'
import type { Outbox } from '../outbox/outbox'
import { type CollectionPayload, type Payload, collectionKey, collectionOf, tagsOf } from '../outbox/payload'

/**
 * Saves a change of a collection. The same change is not saved twice while it is under way. A refused one is corrected in
 * its place: it still holds its items, so a second one would wait behind it forever. Errors: store/not-saved.
 */
export const createSaving =
  (outbox: Outbox) =>
  (payload: CollectionPayload): Result<Operation, AppError> => {
    const same = outbox.read
      .byKey(collectionKey(collectionOf(payload)))
      .findLast((one) => one.state !== 'cancelled' && concerns(one.payload, payload))
    if (!same?.payload || isFinished(same.state)) return outbox.enqueue(payload)
    if (same.state === 'rejected' && isCorrected(same.payload, payload)) return outbox.correct(same.id, payload)
    return same.state !== 'rejected' && isSame(same.payload, payload) ? ok(same) : outbox.enqueue(payload)
  }

const whole = new Set<Payload['kind']>(['remove-collection', 'restore-collection'])
const ofItems = new Set<Payload['kind']>(['add-items', 'remove-item', 'restore-item'])

/** Whether an earlier report is about the same thing: the last such report counts. */
function concerns(earlier: Payload | null, payload: CollectionPayload): boolean {
  if (earlier === null) return false
  if (whole.has(payload.kind)) return whole.has(earlier.kind)
  if (payload.kind === 'add-case')
    return earlier.kind === 'add-case' && (isSameTarget(earlier, payload) || isSameProduct(earlier, payload))
  const tagIds = new Set(tagsOf(payload))
  return ofItems.has(earlier.kind) && tagsOf(earlier).some((tagId) => tagIds.has(tagId))
}

function isSame(earlier: Payload, payload: CollectionPayload): boolean {
  if (earlier.kind !== payload.kind) return false
  if (earlier.kind === 'add-case' && payload.kind === 'add-case' && !isSameTarget(earlier, payload)) return false
  const held = new Set(tagsOf(earlier))
  return tagsOf(payload).length === held.size && tagsOf(payload).every((tagId) => held.has(tagId))
}

/** Whether it corrects what was refused: the same change of the same collection, with other items or another package. */
const isCorrected = (earlier: Payload, payload: CollectionPayload) =>
  earlier.kind === payload.kind &&
  (payload.kind === 'add-items' || payload.kind === 'add-case' || isSame(earlier, payload))

type AddCase = Extract<Payload, { kind: 'add-case' }>
const isSameTarget = (a: AddCase, b: AddCase) => a.regulatorIdentifier === b.regulatorIdentifier
const isSameProduct = (a: AddCase, b: AddCase) => a.packagedProductId === b.packagedProductId
