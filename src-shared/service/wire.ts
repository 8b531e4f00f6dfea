import { z } from 'zod'
import { storable } from '../text'

/**
 * Shapes that several resources share. Reading is lenient: unknown fields are kept, optional fields may be absent or
 * null, and texts with a known list of values stay texts. Writing is strict. Spec: Conventions.
 */

/** A field that the service may leave out or send as null. */
export const maybe = <T extends z.ZodType>(schema: T) => schema.nullish()

/** ISO 8601 with `Z` or a numeric offset. */
export const DateTime = z.iso.datetime({ offset: true })

/** A date as read: `YYYY-MM-DD`, but `MM/DD/YYYY` in some places of `/api/v1.2`, so any text. */
export const ReadDate = z.string()

/** A date as written, `YYYY-MM-DD`. */
export const Day = z.iso.date()

/** A measure as read. Spec: Product, "measure". */
export const Measure = z.looseObject({
  name: maybe(z.string()),
  value: maybe(z.union([z.string(), z.number()])),
  unit: maybe(z.string()),
})
export type Measure = z.infer<typeof Measure>

/** Text to be written: trimmed; without NUL and unpaired surrogates, which stores and encoders treat differently. */
export const writtenText = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest)
    .refine(...storable)

/** One line of text to be written, of at most 255 characters. */
export const Line = writtenText(255)

/** A name to be written: a line that isn't empty. */
export const WrittenName = Line.min(1)

/** Text written unchanged, without trimming: HTML and the texts of assets. */
export const Prose = z
  .string()
  .max(100_000)
  .refine(...storable)

/** A file as Base64 in JSON. */
export const Base64 = z.base64().min(4)

/** A number written as text, e.g. `"2.5"`. */
export const NumberText = z
  .string()
  .max(40)
  .regex(/^\d+(\.\d+)?$/, { message: 'is not a number written as text' })
