import { z } from 'zod'
import { ShortUuid } from '../ids'

/**
 * Shapes that several resources share. Reading is lenient: unknown fields are kept, what may be absent may be absent or
 * null, and texts with a known list of values stay texts. Spec: Conventions.
 */

/** A field that the service may leave out or send as null. */
export const maybe = <T extends z.ZodType>(schema: T) => schema.nullish()

/** ISO 8601 with `Z` or a numeric offset. */
export const DateTime = z.iso.datetime({ offset: true })

export const Measure = z.looseObject({
  name: maybe(z.string()),
  value: maybe(z.union([z.string(), z.number()])),
  unit: maybe(z.string()),
})

export const MediaObject = z.looseObject({
  name: maybe(z.string()),
  url: z.string(),
  mime_type: maybe(z.string()),
  size_bytes: maybe(z.number()),
  updated_on: maybe(DateTime),
})
export type MediaObject = z.infer<typeof MediaObject>

export const ImageSet = z.looseObject({
  thumbnail: maybe(MediaObject),
  primary: maybe(MediaObject),
  banner: maybe(MediaObject),
  supplemental: maybe(z.array(MediaObject)),
})
export type ImageSet = z.infer<typeof ImageSet>

/** A reference to another thing of `/api/v1.2`. */
export const Reference = ShortUuid
