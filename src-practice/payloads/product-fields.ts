import { z } from 'zod'
import { AssetRecord } from '../catalogue/assets'
import { ProductRecord } from '../catalogue/product-record'
import { isOfState } from '../catalogue/states'
import type { Parts } from '../http/context'
import { json, query } from '../store/query'
import { createMedia } from './media'

const ProductRow = z.object({ body: json(ProductRecord), state: z.string(), company_name: z.string() })
const AssetRow = z.object({ body: json(AssetRecord) })

/** What both versions show of a product, codes as they are. Spec: Product. */
export function createProductFields(parts: Parts) {
  const { store } = parts
  const { mediaObject } = createMedia(parts)
  const products = query(
    store,
    `SELECT p.body, b.body ->> 'state' AS state, c.name AS company_name
     FROM products p JOIN brands b ON b.uuid = p.brand_uuid JOIN companies c ON c.uuid = b.company_uuid
     WHERE p.uuid IN (SELECT value FROM json_each(?)) ORDER BY p.rowid`,
    ProductRow,
  )
  const assets = query(store, 'SELECT body FROM assets WHERE uuid = ?', AssetRow)

  function common({ body, state, company_name }: z.infer<typeof ProductRow>) {
    const byCompany = <T extends object>(media: T | null) => media && { ...media, uploaded_by: company_name }
    const photo = (file: string | null) => byCompany(mediaObject(file))
    const attached = (uuids: readonly string[]) =>
      uuids
        .map((uuid) => assets.get(uuid)?.body)
        .map((asset) => (asset === undefined ? null : byCompany(mediaObject(asset.content, asset.name))))
        .filter((media) => media !== null)
    const supplemental = attached(body.supplemental_photos)
    return {
      uuid: body.uuid,
      brand_uuid: body.brand_uuid,
      sku: body.sku,
      name: body.name,
      description: body.description,
      label_name: body.label_name,
      container_type: body.container_type ?? '',
      published_on: body.published_on,
      available_on: body.available_on,
      discontinued_on: body.discontinued_on,
      updated_on: body.updated_on,
      strain: body.strain,
      product_line: body.product_line,
      package_size: body.package_size,
      upc: body.upc,
      barcode: body.barcode,
      servings: body.servings,
      serving_size: body.serving_size,
      pieces_per_package: body.pieces_per_package,
      additional_ingredients: body.additional_ingredients,
      expected_total_thc: body.expected_total_thc,
      expected_total_cbd: body.expected_total_cbd,
      thc_cbd_ratio: body.thc_cbd_ratio,
      about_ingredients: body.about_ingredients,
      special_diet: body.hide_special_diets ? [] : body.special_diet,
      allergen: body.hide_allergens_display ? [] : body.allergen,
      testing_methodology: body.testing_methodology,
      usage_recommendation: body.usage_recommendation,
      ingredients: body.ingredients,
      ...filled('chemotype', body.chemotype),
      ...filled('allergen_statement', body.hide_allergens_display ? '' : body.allergen_statement),
      ...filled('special_diet_statement', body.hide_special_diets ? '' : body.special_diet_statement),
      ...(isOfState(state, 'AZ') ? { gross_weight: body.gross_weight } : {}),
      ...(isOfState(state, 'MO') ? { product_packaging_approval_number: body.product_packaging_approval_number } : {}),
      images: {
        thumbnail: photo(body.photos.thumbnail),
        primary: photo(body.photos.primary),
        banner: photo(body.photos.banner),
        supplemental: supplemental.length === 0 ? null : supplemental,
      },
      videos: attached(body.videos),
      documents: attached(body.documents),
    }
  }

  return (uuids: readonly string[]) =>
    products.all(JSON.stringify(uuids)).map((row) => ({ record: row.body, common: common(row) }))
}

export type ProductFields = ReturnType<ReturnType<typeof createProductFields>>[number]

/** A field that is included only when it says something. */
const filled = (name: 'chemotype' | 'allergen_statement' | 'special_diet_statement', text: string | undefined) =>
  text === undefined || text === '' ? {} : { [name]: text }
