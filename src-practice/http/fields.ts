import { z } from 'zod'
import { parseId } from '../../src-shared/ids'
import { type Result, err, ok } from '../../src-shared/result'
import { DateTime } from '../../src-shared/service/wire'
import type { Refusal } from './answers'

/** Request fields, with the messages of field validation. Spec: Errors > Field validation. */

const longest = 255

const required = (wrongType: string) => ({
  error: ({ input }: { input?: unknown }) => {
    if (input === undefined) return 'This field is required.'
    return input === null ? 'This field may not be null.' : wrongType
  },
})

/** NUL and lone surrogates cannot be kept as they came: two different ids could become one. */
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

/** Reads the fields of a body; the refusal is messages keyed by field. */
export function readFields<T>(json: unknown, fields: z.ZodType<T>): Result<T, Refusal> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return err({ body: { non_field_errors: ['Invalid data. Expected an object.'] } })
  }
  const parsed = fields.safeParse(json)
  if (parsed.success) return ok(parsed.data)
  const messages: Record<string, string[]> = {}
  // One message a field, the first: zod also measures the length of what is no text.
  for (const { path, message } of parsed.error.issues) messages[String(path[0])] ??= [message]
  return err({ body: messages })
}
