import { type Result, err, ok } from '../../src-shared/result'
import type { Refusal } from '../http/answers'
import type { AssetTable } from './assets'
import { type PhotoPlace, photoPlaces } from './product-record'
import type { PatchFields } from './product-requests'
import { type Problems, refusalOf } from './product-rules'
import { type Upload, readUpload } from './uploads'

/** A photo that a request brings: a file, or the name of one that an asset holds. */
export type NewPhoto = Upload | string
export type NewPhotos = Partial<Record<PhotoPlace, NewPhoto>>

/** What a request takes from elsewhere: its photos, and its description if an asset holds that. */
export interface Borrowed {
  photos: NewPhotos
  description: string | undefined
}

/**
 * Decodes the photos of a product request, and follows the ids of the assets that it names instead. The caller's own
 * assets only. Spec: Product, "Request-only fields".
 */
export function createBorrowing(assets: AssetTable) {
  return function borrow(fields: PatchFields, companyUuid: string): Result<Borrowed, Refusal> {
    const problems: Problems = {}
    const photos: NewPhotos = {}
    for (const place of photoPlaces) {
      const base64 = fields[`photo_${place}`]
      const uuid = fields[`photo_${place}_asset_uuid`]
      if (base64 !== undefined && uuid !== undefined) {
        problems[`photo_${place}`] = [`Send either photo_${place} or photo_${place}_asset_uuid.`]
      } else if (base64 !== undefined) {
        const upload = readUpload(base64, 'images')
        if (upload.ok) photos[place] = upload.value
        else problems[`photo_${place}`] = [upload.error]
      } else if (uuid !== undefined) {
        const asset = assets.find('images', uuid, companyUuid)
        if (asset) photos[place] = asset.content
        else problems[`photo_${place}_asset_uuid`] = ['This image asset does not exist.']
      }
    }
    const description = describe(fields, companyUuid, problems)
    const refused = refusalOf(problems)
    return refused ? err(refused) : ok({ photos, description })
  }

  function describe(fields: PatchFields, companyUuid: string, problems: Problems): string | undefined {
    const { description, description_asset_uuid: uuid } = fields
    if (uuid === undefined) return description
    const asset = assets.find('texts', uuid, companyUuid)
    if (description !== undefined) problems['description'] = ['Send either description or description_asset_uuid.']
    else if (asset === undefined) problems['description_asset_uuid'] = ['This text asset does not exist.']
    else if (asset.usage !== '' && asset.usage !== 'description') {
      problems['description_asset_uuid'] = [`This text asset is for ${asset.usage}, not for a description.`]
    }
    return asset?.content
  }
}
