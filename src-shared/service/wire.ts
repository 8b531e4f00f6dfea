import { z } from 'zod'
import { CaseId, ShortUuid, TagId, toShortUuid, toUuid } from '../ids'
import { storable } from '../text'

/**
 * A field that the service may leave out or send as null. Reading is lenient: unknown fields are kept, and texts with a
 * known list of values stay texts. Writing is strict. Spec: Conventions.
 */
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
export const TextLine = writtenText(255)

/** A name to be written: a line that isn't empty. */
export const WrittenName = TextLine.min(1)

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

/**
 * One page of a list. `next` and `previous` are full addresses with the query parameter `page`; the caller must check
 * that they lead to the same service. Spec: Conventions, "Paged lists".
 */
export const paged = <Entry extends z.ZodType>(entry: Entry) =>
  z.looseObject({
    count: z.number().int().nonnegative(),
    next: z.string().nullish(),
    previous: z.string().nullish(),
    results: z.array(entry),
  })

export interface ListPage<T> {
  count: number
  next?: string | null | undefined
  previous?: string | null | undefined
  results: T[]
}

/** A picture, video or document as payloads show it. Spec: Media object. */
export const MediaObject = z.looseObject({
  name: maybe(z.string()),
  url: z.string(),
  mime_type: maybe(z.string()),
  size_bytes: maybe(z.number()),
  updated_on: maybe(DateTime),
  /** On documents, videos and images of products. */
  uploaded_by: maybe(z.string()),
})
export type MediaObject = z.infer<typeof MediaObject>

/** A media object with the fields of a video; the specification does not show the type of its length. */
export const BrandVideo = z.looseObject({
  ...MediaObject.shape,
  description: maybe(z.string()),
  length_in_minutes: maybe(z.union([z.number(), z.string()])),
  video_source_link: maybe(z.string()),
})
export type BrandVideo = z.infer<typeof BrandVideo>

/** `supplemental` is on products only. Spec: Media object, "Image set". */
export const ImageSet = z.looseObject({
  thumbnail: maybe(MediaObject),
  primary: maybe(MediaObject),
  banner: maybe(MediaObject),
  supplemental: maybe(z.array(MediaObject)),
})
export type ImageSet = z.infer<typeof ImageSet>

/** A UUID on the wire, in any case and of any version. */
const WireUuid = z.guid()

const longForm = {
  decode: (uuid: string) => toShortUuid(uuid) ?? uuid,
  encode: (id: string) => wireUuid(id),
}

/**
 * Identifiers of `/api/v1.5`. On that wire an id is a UUID (36 characters); inside Countertag and in `/api/v1.2` it is
 * a ShortUUID. Only these codecs and `wireUuid` convert: reading (`parse`) gives the short form, writing (`z.encode`)
 * the long one. Spec: Conventions.
 */
export const LongUuid = z.codec(WireUuid, ShortUuid, longForm).meta({ format: 'uuid' })
export const LongTagId = z.codec(WireUuid, TagId, longForm).meta({ format: 'uuid' })
export const LongCaseId = z.codec(WireUuid, CaseId, longForm).meta({ format: 'uuid' })

/**
 * The wire form of an id in `/api/v1.5`, for paths and for payloads built by hand. Takes either form; throws on
 * anything else, because ids inside Countertag are already parsed.
 */
export function wireUuid(id: string): string {
  const uuid = toUuid(id) ?? (WireUuid.safeParse(id).success ? id.toLowerCase() : undefined)
  if (uuid === undefined) throw new Error(`Not an id: ${id}`)
  return uuid
}

/** The kinds of ids of one version: schemas that both versions share are built from these. */
export const shortIds = { id: ShortUuid, tagId: TagId } as const
export const longIds = { id: LongUuid, tagId: LongTagId } as const
