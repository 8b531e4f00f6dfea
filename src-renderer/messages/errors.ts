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
    case 'app/unexpected':
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
      return { tagId: error.tagId }
    case 'checkout/already-sold': {
      const soldAt = dateOf(error.soldAt)
      const when = { soldAt: soldAt ?? new Date(0), isDated: soldAt ? 'yes' : 'no' }
      return { tagId: error.tagId, orderId: error.orderId, ...when }
    }
    case 'checkout/already-returned':
    case 'checkout/in-refused-order':
    case 'checkout/in-other-order':
      return { tagId: error.tagId, orderId: error.orderId }
    case 'checkout/order-id-used':
    case 'checkout/order-voided':
    case 'checkout/order-unknown':
    case 'checkout/order-needs-attention':
      return { orderId: error.orderId }
    case 'receiving/already-importing':
      return { caseId: error.caseId }
    case 'ipc/unknown-call':
    case 'ipc/invalid-input':
    case 'ipc/forbidden-sender':
    case 'ipc/disconnected':
    case 'service/unreachable':
    case 'service/credentials-refused':
    case 'service/credentials-missing':
    case 'service/forbidden':
    case 'service/busy':
    case 'service/unreadable':
    case 'service/foreign-host':
    case 'service/items-missing':
    case 'checkout/cart-changed':
    case 'checkout/cart-not-empty':
    case 'checkout/empty-cart':
    case 'checkout/order-id-missing':
    case 'outbox/not-found':
    case 'outbox/wrong-state':
    case 'outbox/unreadable':
    case 'store/not-saved':
    case 'store/in-use':
    case 'practice/not-active':
      return {}
    default:
      return assertNever(error)
  }
}

const longestQuote = 60

/** A scanned text as it is quoted on screen. */
export const shortened = (text: string, longest = longestQuote): string =>
  text.length > longest ? `${text.slice(0, longest)}…` : text
