import { err, ok, type Result } from '../../src-shared/result'
import { z } from 'zod'
import { Usage } from '../../src-shared/service/allowed-values'
import {
  missingPortions,
  PotencyMeasure,
  ProductCreate,
  ProductPatch,
  ProductUpdate,
  publishNeeds,
  SizeMeasure,
} from '../../src-shared/service/product-requests'
import { type BrandData, ProductData } from '../data/catalogue'
import { Text } from '../data/fields'
import type { Refusal } from '../http/endpoint'
import { AnyId, wrongField } from '../http/body'
import { query, type Store } from '../store/query'
import { createCoaCheck, createPackagedTable, createRecordTable, type PackagedRecord } from './brands'
import { type AssetTable, type MediaTable, readUpload, type Upload } from './assets'

/** States whose brands have extra fields. Spec: Product, "only for Arizona brands", "only for Missouri brands". */
const names = { AZ: 'arizona', MO: 'missouri' } as const

/** Whether a brand is in a state, which the data may give by name or by code. */
export const isOfState = (state: string, code: keyof typeof names): boolean =>
  state.toUpperCase() === code || state.toLowerCase() === names[code]

/** Errors by field; several fields may be wrong at once. */
type Problems = Record<string, string[]>

export const refusalOf = (problems: Problems): Refusal | undefined =>
  Object.keys(problems).length === 0 ? undefined : { body: problems }

/** `servings` and `serving_size` for the types that need them. Spec: Product > Allowed values, the last line. */
export function portionProblems(product: Parameters<typeof missingPortions>[0]): Problems {
  const filled = { ...product, servings: product.servings === '' ? undefined : product.servings }
  const text = `This field is required for product_type ${product.product_type}.`
  return Object.fromEntries(missingPortions(filled).map((field) => [field, [text]]))
}

/** Fields that only some brands have: refused, because ignoring them would silently lose what a person entered. */
export function brandProblems(fields: PatchFields, brand: BrandData): Problems {
  const problems: Problems = {}
  const { product_packaging_approval_number: approval, ingredient_printing_data: printing } = fields
  if (approval !== undefined && approval !== '' && !isOfState(brand.state, 'MO')) {
    problems['product_packaging_approval_number'] = ['This field is for brands of Missouri only.']
  }
  if (printing !== undefined && printing !== null && !brand.ingredient_printing) {
    problems['ingredient_printing_data'] = ['This field is not enabled for the brand.']
  } else if (!isWritable(printing)) problems['ingredient_printing_data'] = ['This field is nested too deeply.']
  return problems
}

/** JSON can be parsed at any depth but not serialized: a value that can't be serialized can't be stored. */
function isWritable(json: unknown): boolean {
  try {
    JSON.stringify(json)
    return true
  } catch {
    return false
  }
}

/** The fields that a product lacks to be published. Spec: States and transitions. */
export function publishProblems({ description, usage, photos }: ProductRecord): Problems {
  const has: Record<(typeof publishNeeds)[number], boolean> = {
    description: description.trim() !== '',
    usage: usage !== null,
    photo_thumbnail: photos.thumbnail !== null,
    photo_banner: photos.banner !== null,
    photo_primary: photos.primary !== null,
  }
  const missing = publishNeeds.filter((field) => !has[field])
  return Object.fromEntries(missing.map((field) => [field, ['This field is required to publish the product.']]))
}

/** Unknown fields are ignored inside measures, too. */
const Size = z.object(SizeMeasure.shape)
const Potency = z.object(PotencyMeasure.shape)

/** Fields whose values the wire schemas do not check here: files and ids, each checked later with its own message. */
const optional = {
  serving_size: Size.optional(),
  expected_total_cbd: Potency.optional(),
  expected_total_thc: Potency.optional(),
  photo_thumbnail: z.string().optional(),
  photo_primary: z.string().optional(),
  photo_banner: z.string().optional(),
  description_asset_uuid: AnyId.optional(),
  photo_thumbnail_asset_uuid: AnyId.optional(),
  photo_primary_asset_uuid: AnyId.optional(),
  photo_banner_asset_uuid: AnyId.optional(),
}

export const createShape = {
  ...ProductCreate.shape,
  ...optional,
  package_size: Size,
  brand_uuid: AnyId.optional(),
}
export const replaceShape = { ...ProductUpdate.shape, ...optional, package_size: Size }
export const patchShape = { ...ProductPatch.shape, ...optional, package_size: Size.optional() }

export type PatchFields = z.infer<z.ZodObject<typeof patchShape>>

/** The plain fields of a record that a whole-product request sets, even if it leaves them out. */
const isReplaced = (field: string): boolean => field in ProductUpdate.shape

/** File names under `/media/`, null if there is none. */
const Photos = z.object({
  thumbnail: z.string().nullable().default(null),
  primary: z.string().nullable().default(null),
  banner: z.string().nullable().default(null),
})

/** The places of a product's image set. Spec: Image set. */
const photoPlaces = ['thumbnail', 'primary', 'banner'] as const
type PhotoPlace = (typeof photoPlaces)[number]

/**
 * A product as stored: that of the data file, but with one photo for each place and with optional request fields. It is
 * published if `published_on` is set.
 */
export const ProductRecord = z.object({
  ...ProductData.omit({ picture: true }).shape,
  sku: Text,
  usage: Usage.nullable().default(null),
  photos: Photos.default({ thumbnail: null, primary: null, banner: null }),
  /** Request only; the specification does not show its type, so it is stored unchanged. */
  ingredient_printing_data: z.unknown().optional(),
})
export type ProductRecord = z.infer<typeof ProductRecord>

/** The record for a product of the data file. */
export const fromData = ({ picture, ...rest }: ProductData): ProductRecord => ({
  ...rest,
  photos: { thumbnail: picture, primary: picture, banner: picture },
})

const ProductTotal = z.object({ n: z.number() })

export function createProductTable(store: Store) {
  const tagged = query(
    store,
    `SELECT EXISTS (SELECT 1 FROM packaged_products p JOIN tag_ids t ON t.packaged_product_uuid = p.uuid
       WHERE p.product_uuid = +?) AS n`,
    ProductTotal,
  )
  return {
    ...createRecordTable(store, 'products', ProductRecord),
    hasTagIds: (uuid: string) => tagged.get(uuid)?.n === 1,
  }
}

/** Applies requests to a product's record. Must be called inside a transaction, after all checks. */
export function createProductChanges(media: MediaTable, now: () => Date) {
  /**
   * Sets the fields in the request. `base` is the current record, or the part of it that a whole-product request keeps;
   * the result is parsed, so that missing fields get their defaults.
   */
  function change(
    base: Record<string, unknown>,
    fields: PatchFields,
    { photos, description }: Borrowed,
  ): ProductRecord {
    const before = ProductRecord.pick({ photos: true }).parse(base).photos
    const after = { ...before }
    for (const place of photoPlaces) {
      const photo = photos[place]
      if (photo !== undefined) after[place] = typeof photo === 'string' ? photo : media.add(photo)
    }
    const kept = new Set(Object.values(after))
    for (const file of Object.values(before)) if (file !== null && !kept.has(file)) media.drop(file)
    return ProductRecord.parse({
      ...base,
      ...fields,
      ...(description === undefined ? {} : { description }),
      photos: after,
      updated_on: now().toISOString(),
    })
  }

  return {
    create: (uuid: string, brandUuid: string, fields: PatchFields, borrowed: Borrowed) =>
      change({ uuid, added_on: now().toISOString() }, { ...fields, ...{ brand_uuid: brandUuid } }, borrowed),
    patch: (record: ProductRecord, fields: PatchFields, borrowed: Borrowed) => change(record, fields, borrowed),
    /** Photos stay: a client can't send back as Base64 what it received as an address. */
    replace(record: ProductRecord, fields: PatchFields, borrowed: Borrowed) {
      const kept = Object.entries(record).filter(([field]) => !isReplaced(field))
      return change(Object.fromEntries(kept), fields, borrowed)
    },
  }
}

/** The fields of a packaged product in a request. */
interface NamedRecords {
  product_uuid?: string | undefined
  digital_coa_uuids?: string[] | undefined
}

/** Why a packaged product may not be created, changed or deleted; undefined if it may. Spec: Packaged product. */
export function createPackagingRules(store: Store) {
  const products = createProductTable(store)
  const packaged = createPackagedTable(store)
  const unknownCoas = createCoaCheck(store)

  return {
    /** Product and COAs exist and belong to the caller's company. */
    references({ product_uuid, digital_coa_uuids = [] }: NamedRecords, companyUuid: string): Refusal | undefined {
      if (product_uuid !== undefined && products.find(product_uuid, companyUuid) === undefined) {
        return wrongField('product_uuid', 'This product does not exist.')
      }
      const [unknown] = unknownCoas(digital_coa_uuids, companyUuid)
      return unknown === undefined
        ? undefined
        : wrongField('digital_coa_uuids', `Digital COA ${unknown} does not exist.`)
    },
    /** A packaged product with TagIDs must stay the product that they were sold as. */
    change(record: PackagedRecord, { product_uuid = record.product_uuid }: NamedRecords): Refusal | undefined {
      if (product_uuid === record.product_uuid || !packaged.hasTagIds(record.uuid)) return undefined
      return wrongField('product_uuid', 'TagIDs carry this packaged product: its product cannot be changed.')
    },
    deletion: (record: PackagedRecord): Refusal | undefined =>
      packaged.hasTagIds(record.uuid)
        ? { body: { detail: 'TagIDs carry this packaged product: it cannot be deleted.' } }
        : undefined,
  }
}

/** A photo in a request: a file, or the name of one that an asset holds. */
type NewPhoto = Upload | string
type NewPhotos = Partial<Record<PhotoPlace, NewPhoto>>

/** Values that a request takes from files and assets: its photos, and its description if an asset holds it. */
interface Borrowed {
  photos: NewPhotos
  description: string | undefined
}

/**
 * Decodes the photos of a product request, or takes them from the assets that the request names. Only the caller's
 * assets may be used. Spec: Product, "Request-only fields".
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
