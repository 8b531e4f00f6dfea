import { z } from 'zod'
import type { AppError } from '../../src-shared/errors'
import {
  DetailRefusal,
  InvalidPayloadRefusal,
  ItemsMissingRefusal,
  MalformedTagsRefusal,
  MessageRefusal,
  NotImportedRefusal,
  UnknownTagsRefusal,
} from '../../src-shared/service/refusals'

/**
 * What became of one request: the raw material of every decision.
 * `sent` is false only when the request certainly never left this machine, so that the service can't have acted on it.
 */
export type Reply =
  | { kind: 'answer'; status: number; body: ReplyBody; retryAfterMs: number | null }
  | { kind: 'no-answer'; code: string; sent: boolean }
  /** Not asked at all: no token could be had, the service asked for a pause, or the host is not ours. */
  | { kind: 'not-asked'; error: AppError }

/**
 * `page` is HTML: a captive portal or a proxy in trouble, never the service. `none` is an empty body. `unusable` is too
 * large, too deep, cut off or packed in a way that can't be unpacked: it proves nothing.
 */
export type ReplyBody =
  | { kind: 'json'; value: unknown }
  | { kind: 'text'; value: string }
  | { kind: 'page' }
  | { kind: 'none' }
  | { kind: 'unusable'; why: Unusable }

/** Why a body can't be used. Such a body proves nothing. */
export type Unusable = 'too-large' | 'too-deep' | 'encoding' | 'broken'

// Made once: making a shape costs more than reading with it, and every 200 is looked at for a refusal.
const Texts = z.array(z.string()).min(1)
const Parts = z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())])

/** Bounds of what is kept of a refusal: it is stored with the operation and shown. Characters, fields, texts of a field, ids. */
const longestText = 500
const mostFields = 12
const mostTexts = 3
const longestMessage = 120
const mostTags = 1_000

const cut = (text: string, length = longestText) => (text.length > length ? `${text.slice(0, length - 1)}…` : text)
/** What is longer than any id of ours is cut: it is shown, never compared. */
const tags = (texts: readonly string[]) => texts.slice(0, mostTags).map((text) => cut(text, 100))

/**
 * The typed reason in a body with which the service refused: each documented body is one code, anything else is
 * `service/refused` with the text that was found, if any. Pure and total; what it gives is bounded, whatever the service
 * sent. Spec: Errors.
 */
export function refusalOf(status: number, body: ReplyBody): AppError {
  const refused = (detail: string): AppError => ({ code: 'service/refused', status, detail: cut(detail) })
  if (body.kind !== 'json') return refused(body.kind === 'text' ? body.value : '')
  const { value } = body

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

/** "already … processed", looked for without a pattern: one that skips over any text is slow on a long one. */
function saysProcessed(text: string): boolean {
  const words = text.toLowerCase()
  const already = words.indexOf('already')
  return already !== -1 && words.includes('processed', already)
}

/**
 * Field validation: messages by field, the first few. Of a field that is an object or a list, the messages of its parts,
 * by path (`package_size.unit`). Undefined if there are none, or if any part isn't a message.
 */
function fieldTexts(value: unknown): Record<string, string[]> | undefined {
  const found: [string, string[]][] = []
  const isRead = (one: unknown, path: string): boolean => {
    const texts = Texts.safeParse(one)
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

/** `{detail}` is one shape for several rules: only its words tell them apart. */
function byDetail(detail: string): AppError | undefined {
  if (/scanned for another dispensary/i.test(detail)) return { code: 'service/other-dispensary', detail }
  if (/already imported/i.test(detail)) return { code: 'service/already-imported', detail }
  if (/package uid not found/i.test(detail)) return { code: 'service/package-unknown', detail }
  return undefined
}
