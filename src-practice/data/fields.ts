import { z } from 'zod'
import { parseId } from '../../src-shared/ids'
import { DateTime } from '../../src-shared/service/wire'

/** ShortUUID or UUID in the file, parsed to the short form. */
export const Id = z
  .string()
  .refine((text) => parseId(text) !== undefined, { message: 'is neither a ShortUUID nor a UUID' })
  .meta({
    id: 'Id',
    description: 'ShortUUID or UUID',
    pattern: '^([2-9A-HJ-NP-Za-km-z]{22}|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$',
  })
  .transform((text) => parseId(text) ?? text)

export const Text = z.string().default('')
export const Name = z.string().min(1)
export const Day = z.iso.date()
export const Moment = DateTime.meta({ id: 'Moment', description: 'ISO 8601 with Z or a numeric offset' })

/** Spec: Product > Measure. */
export const Measure = z.strictObject({ name: Text, value: z.union([z.string(), z.number()]), unit: z.string() })
export type Measure = z.infer<typeof Measure>

/** A file of the pictures folder. A plain name, so that a data file can't refer to files outside that folder. */
const PictureName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*\.(svg|png|jpg|jpeg|webp)$/, { message: 'is not the plain name of a picture' })

/** Any file of the pictures folder, for assets and brand videos. */
export const MediaName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]*\.(svg|png|jpg|jpeg|webp|gif|mp4|webm|pdf)$/, {
  message: 'is not the plain name of a picture, video or document',
})

export const Picture = PictureName.nullable().default(null)

/** An optional list. */
export const list = <T extends z.ZodType>(entry: T) => z.array(entry).default([])
