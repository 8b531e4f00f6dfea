import { z } from 'zod'
import { DateTime, maybe } from './wire'

/** Pictures, videos and documents as payloads show them. Spec: Media object. */

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
