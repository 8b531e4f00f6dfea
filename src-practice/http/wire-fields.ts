import { z } from 'zod'
import { parseId } from '../../src-shared/ids'
import { type Result, err, ok } from '../../src-shared/result'
import type { Refusal } from './answers'

/**
 * Reads request bodies by the wire schemas of `src-shared/service`, with the messages of field validation. Unknown
 * fields are ignored. Spec: Errors > Field validation.
 */

type Shape = z.core.$ZodShape
type RawIssue = z.core.$ZodRawIssue

/** UUID or ShortUUID, to the short form. */
export const AnyId = z
  .string()
  .refine((text) => parseId(text) !== undefined, { message: 'Must be a valid UUID.' })
  .transform((text) => parseId(text) ?? text)

/** Reads the fields of a body; the refusal is one message for each field that is wrong. */
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

/** What a person is told of a value that zod refuses; what a schema says itself comes first. */
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
  // The only union of the requests is the value of a measure.
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
