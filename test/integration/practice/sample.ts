import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDataFile } from '../../../src-practice/data-file'

/** The practice data as the tests see it: found by SKU, so that no test carries an id. */

const folder = join(import.meta.dirname, '..', '..', '..', 'resources', 'practice')
export const dataFile = join(folder, 'store.json')
export const picturesDir = join(folder, 'pictures')

const parsed = parseDataFile(readFileSync(dataFile, 'utf8'))
if (!parsed.ok) throw new Error(parsed.error)
export const data = parsed.value

export function only<T>(found: T | undefined, what: string): T {
  if (found === undefined) throw new Error(`The practice data has no ${what}`)
  return found
}

export function packagedProduct(sku: string) {
  const product = only(
    data.products.find((one) => one.sku === sku),
    sku,
  )
  const packaged = data.batches.flatMap((batch) => batch.packaged_products)
  return only(
    packaged.find((one) => one.product_uuid === product.uuid),
    `packaged ${sku}`,
  )
}

/** The case that holds a product: its ids, its present TagIDs (of all its products) and its packaged product. */
function caseOf(sku: string) {
  const { uuid: packagedProductUuid, product_uuid: productUuid } = packagedProduct(sku)
  const own = new Set(
    data.tag_ids.filter((one) => one.packaged_product_uuid === packagedProductUuid).map(({ uuid }) => uuid),
  )
  const tagsOf = (members: (string | { tag_id: string })[]) =>
    members.map((member) => (typeof member === 'string' ? member : member.tag_id))
  const found = only(
    data.collections.find((one) => one.collection_type === 'case' && tagsOf(one.members).some((tag) => own.has(tag))),
    `case of ${sku}`,
  )
  const tags = tagsOf(found.members)
  return { uuid: found.uuid, identifier: found.identifier, tags, packagedProductUuid, productUuid }
}

/** The package tags of the three deliveries to our dispensary. */
const deliveries = data.collections.filter((one) => one.sub_type === 'Transfer').map(({ identifier }) => identifier)

export function delivery(number: 1 | 2 | 3): string {
  return only(deliveries[number - 1], `delivery ${number}`)
}

/** Cases by what they are for. */
export const blueDune = caseOf('HF-BD-35')
export const preRolls = caseOf('HF-GS-5PK')
export const readable = caseOf('HF-HG-7')
export const twoProducts = caseOf('SK-PG-10')
export const chocolate = packagedProduct('SK-SC-10').uuid
export const atHoboken = caseOf('IB-FS-1')
export const atStranger = caseOf('IB-FR-1')
export const short = caseOf('HF-LF-35')
export const onSale = caseOf('HF-PA-1')

/** The TagID that is in no case. */
export const single = only(
  data.tag_ids.find((tag) => tag.packaged_product_uuid === packagedProduct('SK-SE-30').uuid),
  'single tag',
).uuid

/** The n-th TagID of a case, from 0. */
export function tag(of: { tags: string[] }, index: number): string {
  return only(of.tags[index], `tag ${index}`)
}
