import { z } from 'zod'
import type { Asset } from '../../src-shared/service/assets'
import type { BrandV15 } from '../../src-shared/service/brands'
import { wireUuid } from '../../src-shared/service/wire'
import type { AssetRecord } from '../catalogue/assets'
import { BrandData } from '../data/catalogue'
import type { Parts } from '../http/context'
import { json, query } from '../store/query'

const MediaRow = z.object({ mime_type: z.string(), size_bytes: z.number(), updated_on: z.string() })

/** Media objects: pictures of the data file, and what was uploaded. Spec: Media object. */
export function createMedia({ store, pictures, origin }: Parts) {
  const stored = query(
    store,
    'SELECT mime_type, length(bytes) AS size_bytes, added_on AS updated_on FROM media WHERE file = ?',
    MediaRow,
  )

  const url = (file: string) => `${origin}/media/${file}`

  function about(file: string): z.infer<typeof MediaRow> | undefined {
    const picture = pictures.get(file)
    if (picture === undefined) return stored.get(file)
    return { mime_type: picture.type, size_bytes: picture.bytes.length, updated_on: picture.updatedOn }
  }

  /** Null if the file does not exist. */
  function mediaObject(file: string | null, name = file) {
    const found = file === null ? undefined : about(file)
    return file === null || found === undefined ? null : { name: name ?? file, url: url(file), ...found }
  }

  /** One picture in all three places. */
  function imageSet(file: string | null) {
    const media = mediaObject(file)
    return { thumbnail: media, primary: media, banner: media }
  }

  return { url, mediaObject, imageSet }
}

/** An asset: its text, or the address of its file. Fields that its type does not have are null. Spec: Asset. */
export const assetPayload = (record: AssetRecord, url: (file: string) => string) =>
  ({
    uuid: wireUuid(record.uuid),
    name: record.name,
    content: record.asset_type === 'texts' ? record.content : url(record.content),
    description: record.asset_type === 'videos' ? record.description : null,
    usage: record.asset_type === 'texts' ? record.usage : null,
  }) satisfies z.input<typeof Asset>

const BrandOfCompanyRow = z.object({ body: json(BrandData), company_name: z.string() })

/** Brands as both versions show them. Spec: Brand. */
export function createBrands(parts: Parts) {
  const { mediaObject, imageSet } = createMedia(parts)
  const rows = query(
    parts.store,
    `SELECT b.body, c.name AS company_name FROM brands b JOIN companies c ON c.uuid = b.company_uuid
     WHERE b.uuid IN (SELECT value FROM json_each(?)) ORDER BY b.rowid`,
    BrandOfCompanyRow,
  )

  function video({ brand_video }: BrandData) {
    const media = mediaObject(brand_video?.file ?? null)
    if (brand_video === null || media === null) return null
    const { description, length_in_minutes, video_source_link } = brand_video
    return { ...media, description, length_in_minutes, video_source_link }
  }

  const common = ({ body, company_name }: z.infer<typeof BrandOfCompanyRow>) => ({
    uuid: body.uuid,
    name: body.name,
    company: company_name,
    slug: body.slug,
    description: body.description,
    website: body.website,
    updated_on: body.updated_on,
    state: body.state,
    country: body.country,
    images: imageSet(body.picture),
    brand_video: video(body),
    address: body.address,
  })
  const found = (uuids: readonly string[]) => rows.all(JSON.stringify(uuids))

  return {
    brands: (uuids: readonly string[]) =>
      found(uuids).map((row) => ({
        ...common(row),
        enable_product_data_for_retail_inventory_ai: row.body.enable_product_data_for_retail_inventory_ai,
        reward_program_uuid: row.body.reward_program_uuid,
      })),
    brandsV15: (uuids: readonly string[]) =>
      found(uuids).map((row) => ({ ...common(row), uuid: wireUuid(row.body.uuid) }) satisfies z.input<typeof BrandV15>),
  }
}
