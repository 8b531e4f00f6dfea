import { completeRequest, returnRequest, voidRequest } from '../../../src-shared/service/requests'
import { endpointsV12 } from '../../../src-shared/service/endpoints-v12'
import { requestTo } from '../../service-client/requests'
import { caseKey, orderKey, tagKey, tagsOf } from '../payload'
import { reconcileReturn, reconcileSale, reconcileVoid } from '../reconcile-order'
import { transactionAnswers } from './answers'
import type { RulesOf, SendableRules } from './rules'

const { transactions } = endpointsV12

/**
 * A sale, return or void takes its order and its items alone and shares the cases of its items, so that it waits for
 * their import but not for another sale from them.
 */
const ofOrder: Omit<SendableRules<'complete' | 'void' | 'return'>, 'request' | 'reconcile'> = {
  keys(payload, caseOf) {
    const cases = new Set(payload.tagIds.map(caseOf).filter((caseId) => caseId !== undefined))
    return [
      { key: orderKey(payload.orderId), isExclusive: true },
      ...tagsOf(payload).map((tagId) => ({ key: tagKey(tagId), isExclusive: true })),
      ...[...cases].map((caseId) => ({ key: caseKey(caseId), isExclusive: false })),
    ]
  },
  sharesOnceRefused: false,
  answers: transactionAnswers,
  account: 'retail',
  inverses: null,
  about: ({ orderId, tagIds }) => ({ shows: { order_id: orderId }, tagIds }),
  name: () => null,
}

const completing: SendableRules<'complete'> = {
  ...ofOrder,
  request: (payload, performedAt) => requestTo(transactions.complete, [], completeRequest({ ...payload, performedAt })),
  reconcile: (operation, { tagIds }, parts) => reconcileSale(operation, tagIds, parts),
}

const voiding: SendableRules<'void'> = {
  ...ofOrder,
  request: (payload, performedAt) => requestTo(transactions.void, [], voidRequest({ ...payload, performedAt })),
  reconcile: (operation, _, parts) => reconcileVoid(operation, parts),
}

const returning: SendableRules<'return'> = {
  ...ofOrder,
  request: (payload, performedAt) => requestTo(transactions.return, [], returnRequest({ ...payload, performedAt })),
  reconcile: (operation, { tagIds }, parts) => reconcileReturn(operation, tagIds, parts),
}

export const saleKinds: RulesOf<'complete' | 'void' | 'return'> = {
  complete: completing,
  void: voiding,
  return: returning,
}
