import { z } from 'zod'
import { wireUuid } from '../../src-shared/service/wire-ids'
import type { BrandV15 } from '../../src-shared/service/brands'
import { BrandData } from '../data/catalogue'
import type { Parts } from '../http/context'
import { json, query } from '../store/query'
import { createMedia } from './media'

const Row = z.object({ body: json(BrandData), company_name: z.string() })

/** Brands as both versions show them. Spec: Brand. */
export function createBrands(parts: Parts) {
  const { mediaObject, imageSet } = createMedia(parts)
  const rows = query(
    parts.store,
    `SELECT b.body, c.name AS company_name FROM brands b JOIN companies c ON c.uuid = b.company_uuid
     WHERE b.uuid IN (SELECT value FROM json_each(?)) ORDER BY b.rowid`,
    Row,
  )

  function video({ brand_video }: BrandData) {
    const media = mediaObject(brand_video?.file ?? null)
    if (brand_video === null || media === null) return null
    const { description, length_in_minutes, video_source_link } = brand_video
    return { ...media, description, length_in_minutes, video_source_link }
  }

  const common = ({ body, company_name }: z.infer<typeof Row>) => ({
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
