import type { Thing } from '../../src-shared/ipc/find-view'
import type { ImageSet } from '../../src-shared/service/media'
import type { Product, ProductV15 } from '../../src-shared/service/products'
import type { Body } from './body'
import { secureUrl } from './coa-thing'
import { count, facts, id, measure, text, when } from './facts'
import { filled } from './links'
import { inUnits, unitSign } from './units'

/** A product as both versions show it: v1.2 has display names, effects and shelf life, v1.5 its brand. Spec: Product. */
export interface ProductReads {
  product: Product | undefined
  productV15: ProductV15 | undefined
  /** Where only a case names it. */
  brandName?: string | null
}

/** Undefined when neither answered. */
export function productBody({ product, productV15, brandName }: ProductReads): Body<'product'> | undefined {
  const one = product ?? productV15
  if (!one) return undefined
  /** What the first has not, or has empty, the other may have. */
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
      text('brand', brand?.name ?? brandName),
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
    // Untouched: what may be shown of it is for whoever shows it to say.
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
    // Only the station knows them: for `asOf` to add.
    batches: [],
  }
}

const isSaid = (value: unknown) =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

/** An empty list says as little as none. */
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

const dosage = (one: WireDosage): Thing<'product'>['dosages'][number] => ({
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

/** What can't be opened over https is named all the same: that it exists may be what somebody wants to know. */
const document = ({ name, url, mime_type }: Media): Thing<'product'>['documents'][number] => ({
  name: filled(name) ?? url,
  url: secureUrl(url),
  mimeType: filled(mime_type),
})
