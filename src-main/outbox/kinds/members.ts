import { endpointsV15 } from '../../../src-shared/service/endpoints-v15'
import { requestTo } from '../../service-client/requests'
import { type MembersPayload, collectionKey, collectionOf, membersKey, tagKey, tagsOf } from '../payload'
import { reconcileMembers } from '../reconcile-members'
import { collectionAnswers } from './answers'
import type { RulesOf, SendableRules } from './rules'

const { collections } = endpointsV15

/**
 * A change of what a collection holds takes its items alone and shares the collection. Refused, it holds up nobody: the
 * items are where they were, and a sale is not to wait until somebody has read why.
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

const addItems: SendableRules<'add-items'> = {
  ...ofMembers,
  request: (payload) => requestTo(collections.addItems, [payload.caseId], tagsOf(payload)),
  inverses(payload) {
    const { caseId, productName, isUnseen } = payload
    // Whoever could not see what was inside before can't tell what to take out.
    if (isUnseen === true) return []
    return tagsOf(payload).map((tagId) => ({ kind: 'remove-item', caseId, productName, tagId }))
  },
  about: ({ caseId, tagIds }) => ({ shows: { uuid: caseId }, tagIds, subject: caseId }),
}

const removeItem: SendableRules<'remove-item'> = {
  ...ofItem,
  answers: { ...collectionAnswers, isEmptyYes: true },
  request: (payload) => requestTo(collections.removeTagId, [collectionOf(payload), payload.tagId], null),
  inverses: (payload) => [{ ...payload, kind: 'restore-item' }],
}

const restoreItem: SendableRules<'restore-item'> = {
  ...ofItem,
  // Its answer is not shown.
  answers: { ...collectionAnswers, saysSuccess: true },
  request: (payload) => requestTo(collections.restoreTagId, [collectionOf(payload), payload.tagId], null),
  inverses: (payload) => [{ ...payload, kind: 'remove-item' }],
}

export const memberKinds: RulesOf<'add-items' | 'remove-item' | 'restore-item'> = {
  'add-items': addItems,
  'remove-item': removeItem,
  'restore-item': restoreItem,
}
