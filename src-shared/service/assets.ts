import { z } from 'zod'
import { TextUsage } from './allowed-values'
import { Base64, LongUuid, maybe, paged, Prose, WrittenName, writtenText } from './wire'

/**
 * An asset of any type: `content` is the text of a text asset, and the address of any other asset. `description` is
 * filled for videos, `usage` for texts. Spec: Asset.
 */
export const Asset = z.looseObject({
  uuid: LongUuid,
  name: z.string(),
  content: z.string(),
  description: maybe(z.string()),
  usage: maybe(z.string()),
})
export type Asset = z.infer<typeof Asset>

/** One page of `GET /api/v1.5/assets/<asset_type>/`. */
export const AssetPage = paged(Asset)

/** The fields of a file in the bodies of `POST /api/v1.5/assets/<asset_type>/create/`. */
const file = { name: WrittenName, content: Base64 }

export const TextAssetCreate = z.strictObject({
  name: WrittenName,
  content: Prose.min(1),
  usage: TextUsage.optional(),
})
export type TextAssetCreate = z.infer<typeof TextAssetCreate>

export const ImageAssetCreate = z.strictObject(file)
export type ImageAssetCreate = z.infer<typeof ImageAssetCreate>

export const VideoAssetCreate = z.strictObject({ ...file, description: writtenText(5_000).optional() })
export type VideoAssetCreate = z.infer<typeof VideoAssetCreate>

export const FileAssetCreate = z.strictObject(file)
export type FileAssetCreate = z.infer<typeof FileAssetCreate>

/** The body of `POST /api/v1.5/assets/<asset_type>/create/` for each type. Spec: Endpoints > Assets (v1.5). */
export const assetCreates = {
  texts: TextAssetCreate,
  images: ImageAssetCreate,
  videos: VideoAssetCreate,
  files: FileAssetCreate,
} as const
