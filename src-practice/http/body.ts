import { z } from 'zod'
import { parseId } from '../../src-shared/ids'
import { err, ok, type Result } from '../../src-shared/result'
import { DateTime } from '../../src-shared/service/wire'
import type { Ctx } from './context'
import type { Refusal } from './endpoint'

/** Largest body in bytes: about forty thousand TagIDs. */
const largestBody = 1_000_000

/** Largest body with files, in bytes: the largest video in Base64, or three pictures. */
export const largestUpload = 30_000_000

/** The text of a request; the error is the answer: 413 if too large, 400 if the bytes aren't UTF-8. */
export async function readText(c: Ctx, largest = largestBody): Promise<Result<string, Response>> {
  // Fatal: invalid UTF-8 must not become replacement characters in an order id.
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let size = 0
  // Node's own stream: the body of a Request is a second one around it, and takes longer than the rest of an answer.
  const chunks: AsyncIterable<unknown> = c.env.incoming
  try {
    for await (const chunk of chunks) {
      if (!(chunk instanceof Uint8Array)) continue
      size += chunk.length
      // The rest of a body that is too large is read and discarded: a client that is cut off while sending never sees
      // the answer.
      if (size <= largest) text += decoder.decode(chunk, { stream: true })
    }
    return size > largest ? err(tooLarge(c, largest)) : ok(text + decoder.decode())
  } catch (cause) {
    return err(parseError(c, cause))
  }
}

/** The JSON of a request; the error is the answer: 415 for another content type, 400 for invalid JSON. */
export async function readJson(c: Ctx, largest = largestBody): Promise<Result<unknown, Response>> {
  const type = c.req.header('Content-Type') ?? ''
  if (mediaType(type) !== 'application/json') {
    return err(c.json({ detail: `Unsupported media type "${type}" in request.` }, 415))
  }
  const text = await readText(c, largest)
  if (!text.ok) return text
  try {
    const json: unknown = JSON.parse(text.value)
    return ok(json)
  } catch (cause) {
    return err(parseError(c, cause))
  }
}

/** A content type without its parameters. */
export const mediaType = (type: string): string => type.split(';')[0]?.trim().toLowerCase() ?? ''

const parseError = (c: Ctx, cause: unknown) =>
  c.json({ detail: `JSON parse error - ${cause instanceof Error ? cause.message : String(cause)}` }, 400)

const tooLarge = (c: Ctx, largest: number) => c.json({ detail: `The request is larger than ${largest} bytes.` }, 413)

const longest = 255

const required = (wrongType: string) => ({
  error: ({ input }: { input?: unknown }) => {
    if (input === undefined) return 'This field is required.'
    return input === null ? 'This field may not be null.' : wrongType
  },
})

/** NUL and lone surrogates can't be stored unchanged: two different ids could become one. */
const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')

const text = z
  .string(required('Not a valid string.'))
  .refine(isStorable, { message: 'Null characters and unpaired surrogates are not allowed.' })
  .max(longest, { message: `Ensure this field has no more than ${longest} characters.` })

export const RequiredText = text.trim().min(1, { message: 'This field may not be blank.' })

export const OptionalText = text.nullish().transform((value) => (value === undefined || value === '' ? null : value))

/** ShortUUID or UUID, to the short form. */
export const RequiredId = RequiredText.refine((value) => parseId(value) !== undefined, {
  message: 'Not a valid ShortUUID.',
}).transform((value) => parseId(value) ?? value)

export const OptionalId = RequiredId.nullish().transform((value) => value ?? null)

export const RequiredMoment = RequiredText.refine((value) => DateTime.safeParse(value).success, {
  message:
    'Datetime has wrong format. Use one of these formats instead: ' +
    'YYYY-MM-DDThh:mm:ss[.uuuuuu]Z, YYYY-MM-DDThh:mm:ss[.uuuuuu]+HH:MM.',
})

/** A schema for each field of a documented request, no more and no fewer. */
export type FieldsOf<Request> = Record<keyof Request, z.ZodType>

/** Reads the fields of a body; the refusal is messages keyed by field. Spec: Errors > Field validation. */
export function readFields<T>(json: unknown, fields: z.ZodType<T>): Result<T, Refusal> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return err({ body: { non_field_errors: ['Invalid data. Expected an object.'] } })
  }
  const parsed = fields.safeParse(json)
  if (parsed.success) return ok(parsed.data)
  const messages: Record<string, string[]> = {}
  // Only the first message per field: zod also measures the length of values that aren't text.
  for (const { path, message } of parsed.error.issues) messages[String(path[0])] ??= [message]
  return err({ body: messages })
}

type Shape = z.core.$ZodShape
type RawIssue = z.core.$ZodRawIssue

/** UUID or ShortUUID, to the short form. */
export const AnyId = z
  .string()
  .refine((text) => parseId(text) !== undefined, { message: 'Must be a valid UUID.' })
  .transform((text) => parseId(text) ?? text)

/**
 * Reads a body by the fields of a wire schema (`src-shared/service`), ignoring unknown fields. The refusal is one
 * message for each field that is wrong. Spec: Errors > Field validation.
 */
export function readWire<S extends Shape>(json: unknown, shape: S): Result<z.infer<z.ZodObject<S>>, Refusal> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return err({ body: { non_field_errors: ['Invalid data. Expected an object.'] } })
  }
  const parsed = z.object(shape).safeParse(json, { error: message })
  if (parsed.success) return ok(parsed.data)
  const messages: Record<string, string[]> = {}
  for (const issue of parsed.error.issues) {
    const [field, ...inside] = issue.path
    const where = inside.length === 0 ? '' : `${inside.join('.')}: `
    messages[String(field)] ??= [`${where}${issue.message}`]
  }
  return err({ body: messages })
}

/** The refusal of one field. */
export const wrongField = (field: string, text: string): Refusal => ({ body: { [field]: [text] } })

/** The message for a value that zod refuses; a message in the schema itself takes precedence. */
function message(issue: RawIssue): string | undefined {
  if (issue.input === undefined) return 'This field is required.'
  if (issue.input === null) return 'This field may not be null.'
  if (issue.code === 'invalid_type') return wrongType[issue.expected] ?? 'Not a valid value.'
  if (issue.code === 'invalid_format') return wrongFormat[issue.format] ?? 'Not a valid value.'
  if (issue.code === 'invalid_value') {
    return typeof issue.input === 'string'
      ? `"${issue.input.slice(0, 100)}" is not a valid choice.`
      : 'Not a valid choice.'
  }
  // The only union in the requests is the value of a measure.
  if (issue.code === 'invalid_union') return 'A valid number is required.'
  const isText = typeof issue.input === 'string'
  if (issue.code === 'too_small') return isText ? 'This field may not be blank.' : 'Ensure this value is not negative.'
  if (issue.code !== 'too_big') return undefined
  const most = String(issue.maximum)
  return isText
    ? `Ensure this field has no more than ${most} characters.`
    : `Ensure this value is less than or equal to ${most}.`
}

const wrongType: Record<string, string> = {
  string: 'Not a valid string.',
  boolean: 'Must be a valid boolean.',
  number: 'A valid number is required.',
  int: 'A valid integer is required.',
  array: 'Expected a list of items.',
  object: 'Expected an object.',
}

const wrongFormat: Record<string, string> = {
  date: 'Date has wrong format. Use one of these formats instead: YYYY-MM-DD.',
  datetime:
    'Datetime has wrong format. Use one of these formats instead: ' +
    'YYYY-MM-DDThh:mm:ss[.uuuuuu]Z, YYYY-MM-DDThh:mm:ss[.uuuuuu]+HH:MM.',
}
