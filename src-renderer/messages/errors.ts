import type { AppError, ErrorCode } from '../../src-shared/errors'
import { assertNever } from '../../src-shared/result'
import { dateOf } from './dates'
import type { Text, Values } from './text.svelte'

/** What the customer or the clerk is told of a failure: what happened, what it means here and now, what to do next. */
export interface ErrorText {
  what: Text
  means: Text
  next: Text
}

/** The keys that a catalogue needs for the failures; `en.ts` does not compile while one is missing. */
export type ErrorKey = `error.${ErrorCode}.${keyof ErrorText}`

export function explain(error: AppError): ErrorText {
  const values = valuesOf(error)
  return {
    what: { key: `error.${error.code}.what`, values },
    means: { key: `error.${error.code}.means`, values },
    next: { key: `error.${error.code}.next`, values },
  }
}

const list = (texts: string[]) => texts.join(', ')

/** The details that the texts of a failure name. */
function valuesOf(error: AppError): Values {
  switch (error.code) {
    case 'profile/unsent':
    case 'profile/other-account':
      return { count: error.count }
    case 'app/unexpected':
    case 'app/saved-unseen':
      return { reference: error.reference }
    case 'service/failing':
      return { status: String(error.status) }
    case 'service/not-found':
      return { id: error.id }
    case 'service/other-dispensary':
    case 'service/already-imported':
    case 'service/package-unknown':
    case 'service/already-processed':
      return { detail: error.detail }
    case 'service/unproven':
      return { status: String(error.status), said: error.said === '' ? 'none' : shortened(error.said) }
    case 'service/refused':
      return { detail: error.detail, status: String(error.status) }
    case 'service/invalid-fields':
      return { fields: list(Object.entries(error.fields).map(([field, words]) => `${field}: ${words.join(' ')}`)) }
    case 'service/malformed-tags':
    case 'service/not-imported':
      return { count: error.tagIds.length, tagIds: list(error.tagIds) }
    case 'service/unknown-tags':
      return { count: error.tagIds.length + error.invalid.length, tagIds: list([...error.tagIds, ...error.invalid]) }
    case 'scan/not-a-code':
      return { text: shortened(error.text) }
    case 'scan/wrong-place':
      return { found: error.found, expected: error.expected }
    case 'checkout/duplicate':
    case 'checkout/unchecked':
    case 'checkout/never-sold-here':
    case 'receiving/not-a-difference':
      return { tagId: error.tagId }
    case 'checkout/already-sold': {
      const soldAt = dateOf(error.soldAt)
      const when = { soldAt: soldAt ?? new Date(0), isDated: soldAt ? 'yes' : 'no' }
      return { tagId: error.tagId, orderId: error.orderId, ...when }
    }
    case 'checkout/sold-elsewhere': {
      const soldOn = dateOf(error.soldOn)
      return { tagId: error.tagId, soldOn: soldOn ?? new Date(0), isDated: soldOn ? 'yes' : 'no' }
    }
    case 'checkout/in-open-order':
      return { tagId: error.tagId, orderId: error.orderId ?? '', isNumbered: error.orderId === null ? 'no' : 'yes' }
    case 'checkout/not-as-expected':
      return { expected: error.expected, scanned: error.scanned }
    case 'checkout/already-returned':
    case 'checkout/in-refused-order':
    case 'checkout/in-other-order':
      return { tagId: error.tagId, orderId: error.orderId }
    case 'checkout/order-id-used':
    case 'checkout/order-voided':
    case 'checkout/order-unknown':
    case 'checkout/order-needs-attention':
      return { orderId: error.orderId }
    case 'service/not-trusted':
      return { reason: error.reason }
    case 'profile/no-ca-file':
      return { path: error.path }
    case 'security/wrong-pin':
      return { seconds: Math.ceil(error.waitMs / 1_000) }
    case 'collection/is-removed':
    case 'collection/not-removed':
    case 'collection/choose-product':
    case 'collection/product-not-in-case':
      return { identifier: error.identifier }
    case 'collection/not-in-it':
    case 'collection/is-in-it':
      return { tagId: error.tagId }
    case 'receiving/already-importing':
    case 'receiving/choose-product':
    case 'receiving/empty-case':
      return { caseId: error.caseId }
    case 'ipc/unknown-call':
    case 'ipc/invalid-input':
    case 'ipc/forbidden-sender':
    case 'ipc/disconnected':
    case 'app/reopened':
    case 'service/unreachable':
    case 'service/credentials-refused':
    case 'service/credentials-missing':
    case 'service/forbidden':
    case 'service/busy':
    case 'service/unreadable':
    case 'service/foreign-host':
    case 'service/items-missing':
    case 'service/origin-collection':
    case 'service/other-company':
    case 'collection/no-account':
    case 'checkout/cart-changed':
    case 'checkout/cart-not-empty':
    case 'checkout/empty-cart':
    case 'checkout/order-id-missing':
    case 'checkout/budtender-missing':
    case 'checkout/not-held':
    case 'checkout/nothing-to-hold':
    case 'receiving/no-delivery':
    case 'receiving/not-in-delivery':
    case 'receiving/no-count':
    case 'receiving/count-open':
    case 'receiving/nothing-to-count':
    case 'receiving/no-case-changes':
    case 'receiving/catalogue-broken':
    case 'outbox/not-found':
    case 'outbox/wrong-state':
    case 'outbox/unsettled':
    case 'outbox/unreadable':
    case 'outbox/customer-lost':
    case 'store/not-saved':
    case 'store/in-use':
    case 'practice/not-active':
    case 'keychain/missing':
    case 'keychain/locked':
    case 'keychain/denied':
    case 'keychain/failing':
    case 'keychain/vanished':
    case 'keychain/mismatch':
    case 'profile/other-kind':
    case 'profile/unknown':
    case 'profile/active':
    case 'profile/unreadable-data':
    case 'profile/not-opened':
    case 'security/locked':
    case 'security/no-pin':
    case 'security/pin-required':
    case 'policy/fixed':
    case 'ipc/too-many':
    case 'ipc/too-large':
      return {}
    default:
      return assertNever(error)
  }
}

const longestQuote = 60

/** A scanned text as it is quoted on screen. */
export const shortened = (text: string, longest = longestQuote): string =>
  text.length > longest ? `${text.slice(0, longest)}…` : text
