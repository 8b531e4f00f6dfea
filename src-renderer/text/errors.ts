import type { AppError, ErrorCode } from '../../src-shared/errors'
import type { OperationKind } from '../../src-shared/ipc/contract/outbox'
import { verdictText } from '../checkout/verdict-text'
import { claimValues, itemName } from '../store/claim-text'
import { dateOf } from './moments'
import type { MessageKey } from './en'
import type { Text, Values } from './text.svelte'

/** A failure as a person reads it: what happened, what it means here and now, what to do next. */
interface ErrorText {
  what: Text
  means: Text
  next: Text
}

type ErrorKey = `error.${ErrorCode}.${keyof ErrorText}`

/**
 * Texts that several failures share. A failure without a text doesn't compile: add it to `en/errors.ts` and `es/errors.ts`, or
 * here if one of these says it.
 */
const shared: Record<Exclude<ErrorKey, MessageKey>, MessageKey> = {
  'error.ipc/forbidden-sender.means': 'error.means.unchanged',
  'error.ipc/too-many.means': 'error.means.unchanged',
  'error.ipc/too-large.means': 'error.means.unchanged',
  'error.policy/fixed.means': 'error.means.unchanged',
  'error.people/badge-is-code.means': 'error.means.unchanged',
  'error.people/badge-taken.means': 'error.means.unchanged',
  'error.people/last-manager.means': 'error.means.unchanged',
  'error.people/not-found.means': 'error.means.unchanged',
  'error.people/not-permitted.means': 'error.means.unchanged',
  'error.people/short-name-taken.means': 'error.means.unchanged',
  'error.profile/active.means': 'error.means.unchanged',
  'error.profile/no-ca-file.means': 'error.means.unchanged',
  'error.profile/unknown.means': 'error.means.unchanged',
  'error.stock/reason-misfit.means': 'error.means.unchanged',
  'error.stock/reason-words.means': 'error.means.unchanged',
  'error.stock/wrong-state.means': 'error.means.unchanged',
  'error.service/already-imported.means': 'error.means.service-says',
  'error.service/other-dispensary.means': 'error.means.service-says',
  'error.service/package-unknown.means': 'error.means.service-says',
  'error.service/malformed-tags.means': 'error.means.all-refused',
  'error.service/unknown-tags.means': 'error.means.all-refused',
  'error.ipc/forbidden-sender.next': 'error.next.restart',
  'error.ipc/unknown-call.next': 'error.next.restart',
  'error.service/busy.next': 'error.next.go-on',
  'error.service/failing.next': 'error.next.go-on',
  'error.checkout/duplicate.next': 'error.next.scan-on',
  'error.checkout/nothing-to-hold.next': 'error.next.scan-on',
  'error.checkout/order-id-used.next': 'error.next.check-number',
  'error.checkout/order-unknown.next': 'error.next.check-number',
  'error.checkout/not-held.next': 'error.next.look-again',
  'error.checkout/held-elsewhere.next': 'error.next.look-again',
  'error.outbox/no-outage.next': 'error.next.look-again',
  'error.outbox/not-found.next': 'error.next.look-again',
  'error.outbox/wrong-state.next': 'error.next.look-again',
  'error.people/no-badge.means': 'error.people/wrong-pin.means',
  'error.people/not-found.next': 'error.next.look-again',
  'error.people/wrong-pin.next': 'error.security/wrong-pin.next',
  'error.profile/unknown.next': 'error.next.look-again',
  'error.receiving/not-a-difference.next': 'error.next.look-again',
  'error.join/address.means': 'error.means.untried',
  'error.join/certificate.means': 'error.means.untried',
  'error.join/other-store.means': 'error.means.unchanged-here',
  'error.join/code-unusable.means': 'error.means.unchanged-here',
  'error.receiving/photo-gone.next': 'error.next.choose-again',
  'error.receiving/catalogue-broken.next': 'error.next.choose-again',
  'error.receiving/manifest-broken.next': 'error.next.choose-again',
  'error.pos-day/broken.next': 'error.next.choose-again',
  'error.keep/kept.means': 'error.means.unchanged',
  'error.keep/joined.means': 'error.means.unchanged',
  'error.keep/other.means': 'error.means.unchanged',
  'error.keep/address.means': 'error.means.unchanged',
  'error.keep/failed.means': 'error.means.unchanged',
  'error.hub/unreachable.means': 'error.means.unchanged',
  'error.gate/not-asked.means': 'error.means.unchanged',
  'error.gate/reason-missing.means': 'error.means.unchanged',
  'error.gate/pin-missing.means': 'error.means.unchanged',
  'error.checkout/doubtful-items.means': 'error.means.done-finish',
  'error.collection/choose-product.what': 'error.receiving/choose-product.what',
  'error.stock/counted-elsewhere.means': 'error.stock/count-open.means',
  'error.service/out-of-files.next': 'join.trouble.out-of-files.next',
  'error.checkout/not-claimed.what': 'store.offline.title',
  'error.checkout/held-unreachable.what': 'store.offline.title',
  'error.hub/unreachable.what': 'store.offline.title',
  'error.checkout/awaited.what': 'claim.awaited',
  'error.hub/day-open.what': 'day.stations.open',
  'error.service/refused.what': 'journal.rejected',
  'error.checkout/sold-elsewhere.what': 'verdict.sold.elsewhere',
  'error.checkout/in-refused-order.what': 'verdict.refused-order',
  'error.checkout/already-sold.what': 'verdict.sold',
  'error.checkout/doubtful-items.what': 'checkout.scan.doubts',
  'error.receiving/reason-missing.next': 'label.reason.missing',
  'error.keep/failed.what': 'hosting.failed',
  'error.keep/failed.next': 'hosting.failed.next',
}

const isShared = (key: ErrorKey): key is keyof typeof shared => Object.hasOwn(shared, key)
const keyOf = (key: ErrorKey): MessageKey => (isShared(key) ? shared[key] : key)

/** What advice about a report of a kind is about. `case`: items put into one; `change`: another change of a collection. */
export const aboutOf = {
  import: 'import',
  'blind-import': 'import',
  'import-removal': 'import',
  'add-items': 'case',
  'remove-item': 'change',
  'restore-item': 'change',
  'remove-collection': 'change',
  'restore-collection': 'change',
  'add-case': 'change',
  complete: 'order',
  void: 'void',
  return: 'return',
  unreadable: 'order',
} as const satisfies Record<OperationKind, string>

/** `kind`: of the report that was refused, where there is one: only its own advice is given. */
export function explain(error: AppError, kind?: OperationKind): ErrorText {
  const step = 'step' in error ? (error.step ?? 'scan') : 'scan'
  const values = {
    ...valuesOf(error),
    notDone: { key: `error.means.done-${step}` } as const,
    kind: kind ? aboutOf[kind] : 'order',
  }
  const what: Text = { key: keyOf(`error.${error.code}.what`), values }
  return {
    what: nameIn(error) === null ? what : { key: 'error.of-item', values: { name: nameIn(error) ?? '', what } },
    means: { key: keyOf(`error.${error.code}.means`), values },
    next: { key: keyOf(`error.${error.code}.next`), values },
  }
}

/** The product of the item that was refused; null if it isn't known, or if the text names it itself. */
const nameIn = (error: AppError): string | null =>
  'productName' in error && error.code !== 'checkout/claimed' ? (error.productName ?? null) : null

/** The details that the texts of a failure name: its own texts and numbers, unless they need another form. */
function valuesOf(error: AppError): Values {
  const { code } = error
  if (code === 'service/unproven') {
    return { status: error.status, said: error.said === '' ? 'none' : shortened(error.said) }
  }
  if (code === 'service/invalid-fields') {
    return { fields: Object.entries(error.fields).map(([field, words]) => `${field}: ${words.join(' ')}`) }
  }
  if (code === 'service/malformed-tags' || code === 'service/not-imported') {
    return { count: error.tagIds.length, tagIds: error.tagIds }
  }
  if (code === 'service/unknown-tags') {
    return { count: error.tagIds.length + error.invalid.length, tagIds: [...error.tagIds, ...error.invalid] }
  }
  if (code === 'scan/not-a-code') return { text: shortened(error.text) }
  if (code === 'checkout/already-sold') return { orderId: error.orderId, ...dated('soldAt', error.soldAt) }
  if (code === 'checkout/not-sellable') return { verdict: verdictText(error.verdict), level: error.verdict.level }
  if (code === 'checkout/claimed') return { ...claimValues(error.by), name: itemName(error) }
  if (code === 'checkout/awaited') return { stations: error.stations }
  if (code === 'checkout/sold-elsewhere') return dated('soldOn', error.soldOn)
  if (code === 'checkout/in-open-order' || code === 'checkout/order-begun') {
    return { orderId: error.orderId ?? '', isNumbered: error.orderId === null ? 'no' : 'yes' }
  }
  if (code === 'join/trouble') {
    const key = `join.trouble.${error.trouble}` as const
    const next: Text =
      error.freeName === null
        ? { key: `${key}.next` }
        : { key: 'join.trouble.name-taken.free', values: { name: error.freeName } }
    return { trouble: { key }, next }
  }
  if (code === 'security/wrong-pin' || code === 'people/wrong-pin') return { seconds: Math.ceil(error.waitMs / 1_000) }
  return Object.fromEntries(Object.entries(error).filter(isPlain))
}

const isPlain = (entry: [string, unknown]): entry is [string, string | number] =>
  typeof entry[1] === 'string' || typeof entry[1] === 'number'

/** A moment that may not be a date: the text leaves it out then. */
function dated(name: string, text: string): Values {
  const date = dateOf(text)
  return { [name]: date ?? new Date(0), isDated: date ? 'yes' : 'no' }
}

const longestQuote = 60

/** A scanned text as it is quoted on screen. */
export const shortened = (text: string, longest = longestQuote): string =>
  text.length > longest ? `${text.slice(0, longest)}…` : text
