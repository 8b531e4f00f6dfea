import { missingPortions, publishNeeds } from '../../src-shared/service/product-requests'
import type { BrandData } from '../data/catalogue'
import type { Refusal } from '../http/answers'
import type { PatchFields } from './product-requests'
import type { ProductRecord } from './product-record'
import { isOfState } from './states'

/** What is wrong, by field; several fields may be wrong at once. */
export type Problems = Record<string, string[]>

export const refusalOf = (problems: Problems): Refusal | undefined =>
  Object.keys(problems).length === 0 ? undefined : { body: problems }

/** `servings` and `serving_size` of the types that need them. Spec: Product > Allowed values, the last line. */
export function portionProblems(product: Parameters<typeof missingPortions>[0]): Problems {
  const filled = { ...product, servings: product.servings === '' ? undefined : product.servings }
  const text = `This field is required for product_type ${product.product_type}.`
  return Object.fromEntries(missingPortions(filled).map((field) => [field, [text]]))
}

/** Fields that only some brands have: refused, for to ignore what a person filled in would lose it silently. */
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

/** JSON can be read at any depth, but not written: what cannot be written back cannot be stored. */
function isWritable(json: unknown): boolean {
  try {
    JSON.stringify(json)
    return true
  } catch {
    return false
  }
}

/** What a product lacks to be published. Spec: States and transitions. */
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
