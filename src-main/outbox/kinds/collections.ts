import type { AppError } from '../../../src-shared/errors'
import { endpointsV15 } from '../../../src-shared/service/endpoints-v15'
import { requestTo } from '../../service-client/requests'
import { type WholePayload, caseKey, collectionKey, membersKey, regulatorKey } from '../payload'
import { reconcileAddedCase, reconcileWhole } from '../reconcile-collection'
import { type About, type Answers, collectionAnswers } from './answers'
import type { RulesOf, SendableRules } from './rules'

const { collections } = endpointsV15

const wholeAnswers: Answers = {
  ...collectionAnswers,
  // That it is of type origin is the one documented 400, and its body is not shown.
  refusals: { ...collectionAnswers.refusals, bare: [400, 403, 404] },
  reason(refusal, about) {
    if (refusal.code !== 'service/refused') return refusal
    if (refusal.status === 403) return { code: 'service/other-company' }
    // Another text is quoted.
    const isOfOrigin = refusal.status === 400 && /^$|\borigin\b/i.test(refusal.detail)
    return isOfOrigin ? { code: 'service/origin-collection' } : collectionAnswers.reason(refusal, about)
  },
}

/** Removing or restoring a collection takes it alone, until it is refused: the collection is as it was. */
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

const removeCollection: SendableRules<'remove-collection'> = {
  ...ofWhole,
  answers: { ...wholeAnswers, isEmptyYes: true },
  request: ({ collectionId }) => requestTo(collections.remove, [collectionId], null),
  inverses: (payload) => [{ ...payload, kind: 'restore-collection' }],
}

const restoreCollection: SendableRules<'restore-collection'> = {
  ...ofWhole,
  // Its answer is not shown.
  answers: { ...wholeAnswers, saysSuccess: true },
  request: ({ collectionId, identifier }) => requestTo(collections.restore, [identifier ?? collectionId], null),
  inverses: (payload) => [{ ...payload, kind: 'remove-collection' }],
}

/** A case that is put into another collection shares both. */
const addCase: SendableRules<'add-case'> = {
  keys: ({ caseId, regulatorIdentifier }) => [
    { key: caseKey(caseId), isExclusive: false },
    { key: membersKey(caseId), isExclusive: true },
    { key: regulatorKey(regulatorIdentifier), isExclusive: false },
  ],
  // A wrong package number must not hold up whoever counts the case.
  sharesOnceRefused: true,
  request({ regulatorIdentifier, caseId, packagedProductId }) {
    const product = packagedProductId === null ? {} : { packaged_product_uuid: packagedProductId }
    return requestTo(collections.addCase, [regulatorIdentifier], { case_uuid: caseId, ...product })
  },
  reconcile: (_, payload, parts) => reconcileAddedCase(payload, parts),
  answers: {
    ...collectionAnswers,
    reason: (refusal, about) =>
      refusal.code === 'service/invalid-fields' ? ofProduct(refusal, about) : collectionAnswers.reason(refusal, about),
  },
  account: 'sourcing',
  // The service has no opposite of it: item by item it would take out what was there before.
  inverses: () => [],
  about: ({ regulatorIdentifier, packagedProductId }) => ({
    shows: { identifier: regulatorIdentifier },
    subject: regulatorIdentifier,
    namesProduct: packagedProductId !== null,
  }),
  name: ({ productName }) => productName,
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

export const collectionKinds: RulesOf<'remove-collection' | 'restore-collection' | 'add-case'> = {
  'remove-collection': removeCollection,
  'restore-collection': restoreCollection,
  'add-case': addCase,
}
