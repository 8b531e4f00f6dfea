import type { Entity } from '../../../src-shared/ipc/contract/find'
import { err } from '../../../src-shared/result'
import type { ImageSet } from '../../../src-shared/service/wire'
import type { Product, ProductV15 } from '../../../src-shared/service/products'
import { secureUrl } from './addresses'
import { type Asked, type Asking, type EntityBody, answer, createMissing, errorsIn, judge, valueOf } from './asking'
import { count, facts, id, inUnits, measure, text, unitSign, when } from './facts'
import { filled } from './links'

/** A product, in both versions. Spec: Products (v1.5); v1.2 endpoints. */
export async function askProduct({ v12, v15, limit }: Asking, productId: string): Promise<Asked> {
  const missing = createMissing()
  const [product, productV15] = await Promise.all([
    limit(() => v12.products.get(productId)),
    limit(() => v15.products.get(productId)),
  ])
  const body = productBody({ product: valueOf(product), productV15: valueOf(productV15) })
  if (!body) return err(judge(errorsIn(product, productV15)) ?? { code: 'service/not-found', id: productId })
  missing.take('product', product)
  missing.take('catalogue', productV15)
  return answer(body, missing)
}

interface ProductReads {
  product: Product | undefined
  productV15: ProductV15 | undefined
}

/**
 * Joins both versions of a product: v1.2 has display names, effects and shelf life, v1.5 its brand. Undefined if there is
 * no answer. Spec: Product.
 */
export function productBody({ product, productV15 }: ProductReads): EntityBody<'product'> | undefined {
  const one = product ?? productV15
  if (!one) return undefined
  /** From v1.2, or from v1.5 if v1.2 has none or an empty one. */
  const either = <Key extends keyof typeof Product.shape>(key: Key) =>
    isSaid(product?.[key]) ? product?.[key] : (productV15?.[key] ?? product?.[key])
  const brand = productV15?.brand
  const shelfLife = product?.shelf_life
  return {
    kind: 'product',
    ref: { kind: 'product', id: one.uuid },
    name: one.name,
    facts: facts(
      id('id', one.uuid),
      text('brand', brand?.name),
      text('company', brand?.company),
      text('state', brand?.state),
      text('sku', either('sku')),
      text('upc', either('upc')),
      text('barcode', either('barcode')),
      text('product-type', either('product_type')),
      text('usage', either('usage')),
      text('variety', either('variety')),
      text('strain', either('strain')),
      text('chemotype', either('chemotype')),
      text('product-line', either('product_line')),
      text('label-name', either('label_name')),
      text('container', either('container_type')),
      measure('package-size', either('package_size')),
      count('pieces', either('pieces_per_package')),
      text('servings', either('servings')),
      measure('serving-size', either('serving_size')),
      measure('gross-weight', either('gross_weight')),
      measure('expected-thc', either('expected_total_thc')),
      measure('expected-cbd', either('expected_total_cbd')),
      measure('total-thc', productV15?.total_thc),
      measure('total-cbd', productV15?.total_cbd),
      text('ratio', either('thc_cbd_ratio')),
      shelfLife ? text('shelf-life', inUnits(shelfLife.value, shelfLife.unit)) : undefined,
      text('approval-number', either('product_packaging_approval_number')),
      when('published-on', either('published_on')),
      when('available-on', either('available_on')),
      when('discontinued-on', either('discontinued_on')),
      when('added-on', either('added_on')),
      when('updated-on', either('updated_on')),
    ),
    // Unchanged: the screen that shows it removes what may not be shown.
    descriptionHtml: filled(either('description')),
    pictureUrls: firstFilled(picturesOf(product?.images), picturesOf(productV15?.images)),
    dosages: (either('dosages') ?? []).map(dosage),
    ingredients: ingredientsOf(either('ingredients'), either('additional_ingredients')),
    aboutIngredients: filled(either('about_ingredients')),
    allergens: either('allergen') ?? [],
    allergenStatement: filled(either('allergen_statement')),
    specialDiets: either('special_diet') ?? [],
    specialDietStatement: filled(either('special_diet_statement')),
    effects: {
      positive: effects(product?.positive_effects, productV15?.positive_effects),
      negative: effects(product?.negative_effects, productV15?.negative_effects),
      medical: effects(product?.medical_uses, productV15?.medical_uses),
    },
    usageRecommendation: filled(either('usage_recommendation')),
    testingMethodology: filled(either('testing_methodology')),
    documents: [...(either('documents') ?? []), ...(either('videos') ?? [])].map(document),
    // Added by `asOf`: only the station knows them.
    batches: [],
  }
}

const isSaid = (value: unknown) =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

/** An empty list counts as none. */
const firstFilled = (first: string[], other: string[]) => (isSaid(first) ? first : other)

/** The one to show first; one picture often stands in several places. */
function picturesOf(images: ImageSet | null | undefined): string[] {
  const all = [images?.primary, images?.thumbnail, images?.banner, ...(images?.supplemental ?? [])]
  return [...new Set(all.flatMap((one) => (one == null || one.url === '' ? [] : [one.url])))]
}

function ingredientsOf(named: Product['ingredients'], additional: Product['additional_ingredients']): string[] {
  const names = (named ?? []).map(({ name }) => name)
  const more = filled(additional)
  return more === null ? names : [...names, more]
}

const effects = (named: { name: string }[] | null | undefined, names: string[] | null | undefined): string[] =>
  firstFilled(named?.map(({ name }) => name) ?? [], names ?? [])

type WireDosage = NonNullable<Product['dosages']>[number]

const dosage = (one: WireDosage): Entity<'product'>['dosages'][number] => ({
  name: one.name,
  quantity: one.quantity == null ? null : inUnits(one.quantity, quantityUnit(one)),
  servingSize: one.serving_size == null ? null : inUnits(one.serving_size, one.serving_size_unit),
  thc: one.thc == null ? null : inUnits(one.thc, one.thc_unit),
  cbd: one.cbd == null ? null : inUnits(one.cbd, one.cbd_unit),
})

function quantityUnit({ quantity, quantity_unit: unit }: WireDosage): string | null {
  if (unit == null || typeof unit === 'string') return unitSign(unit)
  return quantity === 1 ? unit.singular : unit.multiple
}

type Media = NonNullable<Product['documents']>[number]

/** A document that can't be opened over https is still named. */
const document = ({ name, url, mime_type }: Media): Entity<'product'>['documents'][number] => ({
  name: filled(name) ?? url,
  url: secureUrl(url),
  mimeType: filled(mime_type),
})
