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
import type { Body } from './reply'

// Made once: making a shape costs more than reading with it, and every 200 is looked at for a refusal.
const Texts = z.array(z.string()).min(1)
const Parts = z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())])

/**
 * The typed reason in a body with which the service refused: each documented body is one code, anything else is
 * `service/refused` with the text that was found, if any. Pure and total. Spec: Errors.
 */
export function refusalOf(status: number, body: Body): AppError {
  const refused = (detail: string): AppError => ({ code: 'service/refused', status, detail: detail.slice(0, 500) })
  if (body.kind !== 'json') return refused(body.kind === 'text' ? body.value : '')
  const { value } = body

  const notImported = NotImportedRefusal.safeParse(value)
  if (notImported.success) return { code: 'service/not-imported', tagIds: notImported.data.non_imported_tagids }

  const malformed = MalformedTagsRefusal.safeParse(value)
  if (malformed.success) return { code: 'service/malformed-tags', tagIds: malformed.data.items['Invalid TagIDs'] }

  const unknown = UnknownTagsRefusal.safeParse(value)
  if (unknown.success) {
    return { code: 'service/unknown-tags', tagIds: unknown.data.items.unknown, invalid: unknown.data.items.invalid }
  }

  if (ItemsMissingRefusal.safeParse(value).success) return { code: 'service/items-missing' }

  const detail = DetailRefusal.safeParse(value)
  if (detail.success) return byDetail(detail.data.detail) ?? refused(detail.data.detail)

  const message = MessageRefusal.safeParse(value)
  if (message.success) {
    return /already.*processed/i.test(message.data.message)
      ? { code: 'service/already-processed', detail: message.data.message }
      : refused(message.data.message)
  }

  const payload = InvalidPayloadRefusal.safeParse(value)
  const fields = fieldTexts(payload.success ? payload.data.reason : value, '')
  if (fields && fields.length > 0) return { code: 'service/invalid-fields', fields: Object.fromEntries(fields) }

  return refused('')
}

/**
 * Field validation: messages by field. Of a field that is an object or a list, the messages of its parts, by path
 * (`package_size.unit`); undefined when anything in it is no message.
 */
function fieldTexts(value: unknown, path: string): [string, string[]][] | undefined {
  const texts = Texts.safeParse(value)
  if (texts.success) return path === '' ? undefined : [[path, texts.data]]
  const parts = Parts.safeParse(value)
  if (!parts.success) return undefined
  const found = Object.entries(parts.data).map(([name, part]) =>
    fieldTexts(part, path === '' ? name : `${path}.${name}`),
  )
  return found.every((one) => one !== undefined) ? found.flat() : undefined
}

/** `{detail}` is one shape for several rules: only its words tell them apart. */
function byDetail(detail: string): AppError | undefined {
  if (/scanned for another dispensary/i.test(detail)) return { code: 'service/other-dispensary', detail }
  if (/already imported/i.test(detail)) return { code: 'service/already-imported', detail }
  if (/package uid not found/i.test(detail)) return { code: 'service/package-unknown', detail }
  return undefined
}
