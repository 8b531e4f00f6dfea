import { z } from 'zod'
import { Usage } from '../../src-shared/service/allowed-values'
import { ProductData } from '../data/catalogue'
import { Text } from '../data/fields'

/** File names under `/media/`, null where there is none. */
const Photos = z.object({
  thumbnail: z.string().nullable().default(null),
  primary: z.string().nullable().default(null),
  banner: z.string().nullable().default(null),
})

/** The places of a product's image set. Spec: Image set. */
export const photoPlaces = ['thumbnail', 'primary', 'banner'] as const
export type PhotoPlace = (typeof photoPlaces)[number]

/**
 * A product as it is stored: that of the data file, but with a photo for each place, and with what a request may leave
 * out. It is published when `published_on` is set.
 */
export const ProductRecord = z.object({
  ...ProductData.omit({ picture: true }).shape,
  sku: Text,
  usage: Usage.nullable().default(null),
  photos: Photos.default({ thumbnail: null, primary: null, banner: null }),
  /** Request only; its type is not shown, so it is kept as it came. */
  ingredient_printing_data: z.unknown().optional(),
})
export type ProductRecord = z.infer<typeof ProductRecord>

/** The record of a product of the data file. */
export const fromData = ({ picture, ...rest }: ProductData): ProductRecord => ({
  ...rest,
  photos: { thumbnail: picture, primary: picture, banner: picture },
})
