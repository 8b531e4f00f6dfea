import { z } from 'zod'
import type { ProductV15 } from '../../src-shared/service/products'
import { wireUuid } from '../../src-shared/service/wire'
import { AssetRecord } from '../catalogue/assets'
import { isOfState, ProductRecord } from '../catalogue/products'
import { productTypeName, usageName, varietyName } from '../data/codes'
import type { Parts } from '../http/context'
import { json, query } from '../store/query'
import { createBrands, createMedia } from './media'

/** Products and brands as `/api/v1.2` shows them: codes by their names. Spec: Product, Brand. */
export function createProducts(parts: Parts) {
  const { brands } = createBrands(parts)
  const productFields = createProductFields(parts)

  const payload = ({ record, common }: ProductFields) => ({
    ...common,
    product_type: productTypeName(record.product_type),
    usage: usageName(record.usage),
    variety: record.variety === null ? '' : varietyName(record.variety),
    dosages: record.dosages,
    added_on: record.added_on,
    shelf_life: record.shelf_life,
    positive_effects: record.positive_effects,
    negative_effects: record.negative_effects,
    medical_uses: record.medical_uses,
    is_hidden: record.is_hidden,
  })

  return { products: (uuids: readonly string[]) => productFields(uuids).map(payload), brands }
}

/** Products as `/api/v1.5` shows them: ids in long form, codes as requests carry them. Spec: Product. */
export function createProductsV15(parts: Parts) {
  const { brandsV15 } = createBrands(parts)
  const productFields = createProductFields(parts)

  const payload = ({ record, common }: ProductFields) =>
    ({
      ...common,
      uuid: wireUuid(record.uuid),
      brand_uuid: wireUuid(record.brand_uuid),
      label_type: record.label_type,
      product_type: record.product_type,
      usage: record.usage ?? '',
      variety: record.variety ?? '',
      tests_description: record.tests_description,
      dosages: record.dosages.map(dosage),
      is_published: record.published_on !== null,
    }) satisfies z.input<typeof ProductV15>

  const products = (uuids: readonly string[]) => productFields(uuids).map(payload)

  return {
    /** The form inside batches. */
    products,
    /** The form inside a CaseID detail: with its effects, by name. */
    inCase: (uuids: readonly string[]) =>
      productFields(uuids).map((fields) => ({
        ...payload(fields),
        positive_effects: fields.record.positive_effects.map(({ name }) => name),
        negative_effects: fields.record.negative_effects.map(({ name }) => name),
        medical_uses: fields.record.medical_uses.map(({ name }) => name),
      })),
    /** The product detail, with its brand. */
    detail: (record: ProductRecord) => {
      const [product] = products([record.uuid])
      const [brand] = brandsV15([record.brand_uuid])
      return { ...product, brand }
    },
  }
}

/** A single word: the singular or plural form that fits the quantity. */
const dosage = ({ quantity_unit, ...rest }: ProductRecord['dosages'][number]) => ({
  ...rest,
  quantity_unit: rest.quantity === 1 ? quantity_unit.singular : quantity_unit.multiple,
})

/** An entry of the list of products. Spec: Product, "List item (v1.5)". */
export const productEntry = (record: ProductRecord, ids: LongForm) => ({
  uuid: ids.id(record.uuid),
  name: record.name,
  sku: record.sku,
  product_type: record.product_type,
  is_published: record.published_on !== null,
  brand_uuid: ids.id(record.brand_uuid),
})

const ProductRow = z.object({ body: json(ProductRecord), state: z.string(), company_name: z.string() })
const AssetRow = z.object({ body: json(AssetRecord) })

/** The fields of a product that both versions show, with codes unchanged. Spec: Product. */
function createProductFields(parts: Parts) {
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

type ProductFields = ReturnType<ReturnType<typeof createProductFields>>[number]

/** A field that is left out if empty. */
const filled = (name: 'chemotype' | 'allergen_statement' | 'special_diet_statement', text: string | undefined) =>
  text === undefined || text === '' ? {} : { [name]: text }

/**
 * Writes the ids of one answer of `/api/v1.5`: each UUID is computed once, because the items of a case share most ids.
 * Spec: Conventions.
 */
export function longForm() {
  const known = new Map<string, string>()
  const id = (short: string): string => {
    const found = known.get(short) ?? wireUuid(short)
    known.set(short, found)
    return found
  }
  return {
    id,
    maybe: (short: string | null) => (short === null ? null : id(short)),
    all: (shorts: readonly string[]) => shorts.map(id),
  }
}
export type LongForm = ReturnType<typeof longForm>
