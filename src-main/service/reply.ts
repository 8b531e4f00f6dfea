import { z } from 'zod'
import type { AppErrorOf, ErrorCode } from '../../src-shared/errors'
import {
  DetailRefusal,
  InvalidPayloadRefusal,
  ItemsMissingRefusal,
  MalformedTagsRefusal,
  MessageRefusal,
  NotImportedRefusal,
  UnknownTagsRefusal,
} from '../../src-shared/service/refusals'

/** Why a request has no usable answer: the connection, the sign-in, the service, or a refusal. */
export type ServiceCode = Extract<ErrorCode, `service/${string}` | `keychain/${string}` | 'profile/no-ca-file'>
export type ServiceError = AppErrorOf<ServiceCode>

/**
 * The outcome of one request. `sent` is false only if the request certainly never left this computer, so that the service
 * can't have acted on it.
 */
export type Reply =
  | { kind: 'answer'; status: number; body: ReplyBody; retryAfterMs: number | null }
  | { kind: 'no-answer'; code: string; sent: boolean }
  /**
   * The request was not made: no token was available, the service asked for a pause, or the host doesn't belong to the
   * profile.
   */
  | { kind: 'not-asked'; error: ServiceError }

/**
 * `page` is HTML: a captive portal or a failing proxy, never the service. `none` is an empty body. `unusable` is too
 * large, too deep, truncated or can't be decompressed: it proves nothing.
 */
export type ReplyBody =
  | { kind: 'json'; value: unknown }
  | { kind: 'text'; value: string }
  | { kind: 'page' }
  | { kind: 'none' }
  | { kind: 'unusable'; why: Unusable }

/** Why a body can't be used. Such a body proves nothing. */
export type Unusable = 'too-large' | 'too-deep' | 'encoding' | 'broken'

// Created once: creating a schema costs more than parsing with it, and every 200 is checked for a refusal.
const FieldTexts = z.array(z.string()).min(1)
const Parts = z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())])

/** Limits for a refusal, which is stored with the operation and shown: characters, fields, texts per field, ids. */
const longestText = 500
const mostFields = 12
const mostTexts = 3
const longestMessage = 120
const mostTags = 1_000

const cut = (text: string, length = longestText) => (text.length > length ? `${text.slice(0, length - 1)}…` : text)
/** Cut to more than the length of any id. Tags of a refusal are shown, never compared. */
const tags = (texts: readonly string[]) => texts.slice(0, mostTags).map((text) => cut(text, 100))

/**
 * The reason for a refusal, from its body: each documented body has its code, anything else is `service/refused` with the
 * text found, if any. Checked from the most specific shape to the most general one: the refusal of items that are not
 * imported also has a `message`, and nearly any object can be read as messages by field. Pure and total; the size of the
 * result is bounded. Spec: Errors.
 */
export function refusalOf(status: number, body: ReplyBody): ServiceError {
  const refused = (detail: string): ServiceError => ({ code: 'service/refused', status, detail: cut(detail) })
  if (body.kind !== 'json') return refused(body.kind === 'text' ? body.value : '')
  const { value } = body
  // Each rule below reads all parts: one object of thousands would keep main busy.
  if (partsOf(value) > mostParts) return refused('')

  const notImported = NotImportedRefusal.safeParse(value)
  if (notImported.success) return { code: 'service/not-imported', tagIds: tags(notImported.data.non_imported_tagids) }

  const malformed = MalformedTagsRefusal.safeParse(value)
  if (malformed.success) return { code: 'service/malformed-tags', tagIds: tags(malformed.data.items['Invalid TagIDs']) }

  const unknown = UnknownTagsRefusal.safeParse(value)
  if (unknown.success) {
    const { items } = unknown.data
    return { code: 'service/unknown-tags', tagIds: tags(items.unknown), invalid: tags(items.invalid) }
  }

  if (ItemsMissingRefusal.safeParse(value).success) return { code: 'service/items-missing' }

  const detail = DetailRefusal.safeParse(value)
  if (detail.success) return byDetail(cut(detail.data.detail)) ?? refused(detail.data.detail)

  const message = MessageRefusal.safeParse(value)
  if (message.success) {
    const text = cut(message.data.message)
    return saysProcessed(text) ? { code: 'service/already-processed', detail: text } : refused(text)
  }

  const payload = InvalidPayloadRefusal.safeParse(value)
  const fields = fieldTexts(payload.success ? payload.data.reason : value)
  if (fields) return { code: 'service/invalid-fields', fields }

  return refused('')
}

/** An object of more parts is no refusal that a person could use. */
const mostParts = 2_000
const partsOf = (value: unknown): number =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value).length : 0

/** "already … processed", searched without a regular expression, because one with a wildcard is slow on long texts. */
function saysProcessed(text: string): boolean {
  const words = text.toLowerCase()
  const already = words.indexOf('already')
  return already !== -1 && words.includes('processed', already)
}

/**
 * Field validation: the first few messages by field. A field that is an object or a list has its parts' messages by path
 * (`package_size.unit`). Undefined if there are no messages, if any part isn't a message, or if there are too many.
 */
function fieldTexts(value: unknown): Record<string, string[]> | undefined {
  const found: [string, string[]][] = []
  let reads = 0
  const isRead = (one: unknown, path: string): boolean => {
    if (++reads > mostParts || partsOf(one) > mostParts) return false
    const texts = FieldTexts.safeParse(one)
    if (texts.success) {
      if (path === '') return false
      const messages = texts.data.slice(0, mostTexts).map((text) => cut(text, longestMessage))
      if (found.length < mostFields) found.push([cut(path, 60), messages])
      return true
    }
    const parts = Parts.safeParse(one)
    return (
      parts.success &&
      Object.entries(parts.data).every(([name, part]) => isRead(part, path === '' ? name : `${path}.${name}`))
    )
  }
  return isRead(value, '') && found.length > 0 ? Object.fromEntries(found) : undefined
}

/** Several rules share the shape `{detail}`; only the wording tells them apart. */
function byDetail(detail: string): ServiceError | undefined {
  if (/scanned for another dispensary/i.test(detail)) return { code: 'service/other-dispensary', detail }
  if (/already imported/i.test(detail)) return { code: 'service/already-imported', detail }
  if (/package uid not found/i.test(detail)) return { code: 'service/package-unknown', detail }
  return undefined
}
