import type { AppError } from '../../../src-shared/errors'
import type { TagId } from '../../../src-shared/ids'
import { assertNever } from '../../../src-shared/result'
import type { Collection, CollectionItem } from '../../../src-shared/service/collections'
import { endpointsV15 } from '../../../src-shared/service/endpoints'
import { isRemovedOf } from '../../../src-shared/service/facts'
import { requestTo } from '../../service/requests'
import { type Evidence, type ReconcileParts, found, isPassing, notTaken, stillUnknown, unclear } from '../evidence'
import {
  type CollectionPayload,
  type MembersPayload,
  type Payload,
  type WholePayload,
  caseKey,
  collectionKey,
  collectionOf,
  membersKey,
  regulatorKey,
  tagKey,
  tagsOf,
} from '../payload'
import { type About, type Answers, type RulesOf, type SendableRules, collectionAnswers } from './rules'

const { collections } = endpointsV15

/**
 * A change of what a collection holds takes its items exclusively and shares the collection. A refused one blocks no other:
 * the items are where they were, and a sale must not wait until a person has read the reason.
 */
const ofMembers: Omit<SendableRules<MembersPayload['kind']>, 'request' | 'inverses' | 'about'> = {
  keys(payload) {
    const collectionId = collectionOf(payload)
    return [
      ...tagsOf(payload).map((tagId) => ({ key: tagKey(tagId), isExclusive: true })),
      { key: collectionKey(collectionId), isExclusive: false },
      { key: membersKey(collectionId), isExclusive: false },
    ]
  },
  sharesOnceRefused: true,
  reconcile: (_, payload, parts) => reconcileMembers(payload, parts),
  answers: collectionAnswers,
  account: 'sourcing',
  name: ({ productName }) => productName,
}

const ofItem: Omit<SendableRules<'remove-item' | 'restore-item'>, 'request' | 'inverses'> = {
  ...ofMembers,
  about: (payload) => ({
    shows: { tag_id: payload.tagId },
    tagIds: [payload.tagId],
    subject: `${payload.tagId} / ${collectionOf(payload)}`,
  }),
}

const wholeAnswers: Answers = {
  ...collectionAnswers,
  // The only documented 400 means type origin; the specification doesn't show its body.
  refusals: { ...collectionAnswers.refusals, bare: [400, 403, 404] },
  reason(refusal, about) {
    if (refusal.code !== 'service/refused') return refusal
    if (refusal.status === 403) return { code: 'service/other-company' }
    // Any other text is shown as it is.
    const isOfOrigin = refusal.status === 400 && /^$|\borigin\b/i.test(refusal.detail)
    return isOfOrigin ? { code: 'service/origin-collection' } : collectionAnswers.reason(refusal, about)
  },
}

/** Removing or restoring a collection takes it exclusively, until it is refused: then the collection is as it was. */
const ofWhole: Omit<SendableRules<WholePayload['kind']>, 'request' | 'inverses'> = {
  keys({ collectionId, identifier }) {
    const keys = [{ key: collectionKey(collectionId), isExclusive: true }]
    return identifier === null ? keys : [...keys, { key: regulatorKey(identifier), isExclusive: true }]
  },
  sharesOnceRefused: true,
  reconcile: (_, payload, parts) => reconcileWhole(payload, parts),
  answers: wholeAnswers,
  account: 'sourcing',
  about: ({ collectionId }) => ({ shows: { uuid: collectionId }, subject: collectionId }),
  name: ({ collectionName, identifier }) => collectionName ?? identifier,
}

/** A case of several packaged products needs one named, and only one that it holds. Spec: Endpoints > add-case. */
function ofProduct(
  refusal: Extract<AppError, { code: 'service/invalid-fields' }>,
  { namesProduct = false, subject = '' }: About,
): AppError {
  if (!('packaged_product_uuid' in refusal.fields)) return refusal
  const code = namesProduct ? 'collection/product-not-in-case' : 'collection/choose-product'
  return { code, identifier: subject }
}

export const collectionKinds: RulesOf<CollectionPayload['kind']> = {
  'add-items': {
    ...ofMembers,
    request: (payload) => requestTo(collections.addItems, [payload.caseId], tagsOf(payload)),
    inverses(payload) {
      const { caseId, productName, isUnseen } = payload
      // What was inside before wasn't visible, so what to take out is not known.
      if (isUnseen === true) return []
      return tagsOf(payload).map((tagId) => ({ kind: 'remove-item', caseId, productName, tagId }))
    },
    about: ({ caseId, tagIds }) => ({ shows: { uuid: caseId }, tagIds, subject: caseId }),
  },

  'remove-item': {
    ...ofItem,
    answers: { ...collectionAnswers, isEmptyYes: true },
    request: (payload) => requestTo(collections.removeTagId, [collectionOf(payload), payload.tagId], null),
    inverses: (payload) => [{ ...payload, kind: 'restore-item' }],
  },

  'restore-item': {
    ...ofItem,
    // The specification doesn't show its answer.
    answers: { ...collectionAnswers, saysSuccess: true },
    request: (payload) => requestTo(collections.restoreTagId, [collectionOf(payload), payload.tagId], null),
    inverses: (payload) => [{ ...payload, kind: 'remove-item' }],
  },

  'remove-collection': {
    ...ofWhole,
    answers: { ...wholeAnswers, isEmptyYes: true },
    request: ({ collectionId }) => requestTo(collections.remove, [collectionId], null),
    inverses: (payload) => [{ ...payload, kind: 'restore-collection' }],
  },

  'restore-collection': {
    ...ofWhole,
    // The specification doesn't show its answer.
    answers: { ...wholeAnswers, saysSuccess: true },
    request: ({ collectionId, identifier }) => requestTo(collections.restore, [identifier ?? collectionId], null),
    inverses: (payload) => [{ ...payload, kind: 'remove-collection' }],
  },

  /** Adding a case to another collection shares both. */
  'add-case': {
    keys: ({ caseId, regulatorIdentifier }) => [
      { key: caseKey(caseId), isExclusive: false },
      { key: membersKey(caseId), isExclusive: true },
      { key: regulatorKey(regulatorIdentifier), isExclusive: false },
    ],
    // A wrong package number must not hold up a count of the case.
    sharesOnceRefused: true,
    request({ regulatorIdentifier, caseId, packagedProductId }) {
      const product = packagedProductId === null ? {} : { packaged_product_uuid: packagedProductId }
      return requestTo(collections.addCase, [regulatorIdentifier], { case_uuid: caseId, ...product })
    },
    reconcile: (_, payload, parts) => reconcileAddedCase(payload, parts),
    answers: {
      ...collectionAnswers,
      reason: (refusal, about) =>
        refusal.code === 'service/invalid-fields'
          ? ofProduct(refusal, about)
          : collectionAnswers.reason(refusal, about),
    },
    account: 'sourcing',
    // The service has no inverse of it: removing item by item would also remove what was there before.
    inverses: () => [],
    about: ({ regulatorIdentifier, packagedProductId }) => ({
      shows: { identifier: regulatorIdentifier },
      subject: regulatorIdentifier,
      namesProduct: packagedProductId !== null,
    }),
    name: ({ productName }) => productName,
  },
}

/**
 * A change of what a collection holds is judged by what it holds now and what was removed from it. Unless proven, it is sent
 * again, which does no harm: repeated it changes nothing, and our own later changes of the items wait for this one.
 * Spec: Collection, `items` and `removed_items`; States and transitions > Collection item.
 */
async function reconcileMembers(payload: MembersPayload, { client }: ReconcileParts): Promise<Evidence> {
  // By v1.2 and the retail account: it shows the same and doesn't depend on the sourcing account.
  const collection = await client.collections.get(collectionOf(payload))
  if (!collection.ok) return isPassing(collection.error) ? stillUnknown(collection.error) : unclear('nothing')
  const places = tagsOf(payload).map((tagId) => placeOf(tagId, collection.value))
  switch (payload.kind) {
    case 'add-items':
    case 'restore-item':
      return places.every((place) => place === 'in') ? found : notTaken('as-before')
    case 'remove-item':
      if (places.every((place) => place === 'out')) return found
      // In neither list: it may never have been in the case, or the service doesn't show what was removed.
      return places.includes('in') ? notTaken('as-before') : unclear('nothing')
    default:
      return assertNever(payload)
  }
}

function placeOf(tagId: TagId, { items, removed_items }: Collection): 'in' | 'out' | 'nowhere' {
  if (items.some((item) => item.tag_id === tagId)) return 'in'
  return removed_items?.some((item) => item.tag_id === tagId) === true ? 'out' : 'nowhere'
}

/**
 * Removing or restoring a collection is judged by whether it is removed now. Unless proven, it is sent again: repeated it is
 * accepted, and our own inverse waits for it. Spec: Collection, `is_removed`; States and transitions > Collection.
 */
async function reconcileWhole(payload: WholePayload, { client }: ReconcileParts): Promise<Evidence> {
  const collection = await client.collections.get(payload.collectionId)
  // Not found may mean removed or never there: the service's answer to the report decides.
  if (!collection.ok) return isPassing(collection.error) ? stillUnknown(collection.error) : unclear('nothing')
  const isRemoved = isRemovedOf(collection.value)
  if (isRemoved === undefined) return unclear('nothing')
  return isRemoved === (payload.kind === 'remove-collection') ? found : notTaken('as-before')
}

/**
 * Adding a case to a regulator collection is proven by two readings: all that the case holds (of the packaged product) is in
 * the collection. Spec: Endpoints > Collections (v1.5), add-case.
 */
async function reconcileAddedCase(
  payload: Extract<Payload, { kind: 'add-case' }>,
  { client }: ReconcileParts,
): Promise<Evidence> {
  const [target, source] = await Promise.all([
    client.collections.get(payload.regulatorIdentifier),
    client.collections.get(payload.caseId),
  ])
  if (!target.ok && isPassing(target.error)) return stillUnknown(target.error)
  if (!source.ok && isPassing(source.error)) return stillUnknown(source.error)
  // An identifier need not be unique: another collection with it shows nothing.
  if (!target.ok || !source.ok || target.value.collection_type !== 'regulator') return unclear('nothing')
  const wanted = source.value.items.filter((item) => isOf(item, payload.packagedProductId))
  if (wanted.length === 0) return unclear('nothing')
  const held = new Set(target.value.items.map((item) => item.tag_id))
  return wanted.every((item) => held.has(item.tag_id)) ? found : notTaken('as-before')
}

const isOf = (item: CollectionItem, packagedProductId: string | null) =>
  packagedProductId === null || item.packaged_product_uuid === packagedProductId
