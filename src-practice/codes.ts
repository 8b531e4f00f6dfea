import type { PracticeCode } from '../src-shared/ipc/app-view'
import type { DataFile } from './data-file'

/** Items shown of each case that is in the inventory: enough for a sale and its return. */
const tagsPerCase = 6

/**
 * The codes that a station of `dispensaryId` can practise with, as its scanner would read them: the packages sent to
 * it, every case with what is special about it, and items to sell.
 */
export function codesOf(data: DataFile, dispensaryId: string): PracticeCode[] {
  const products = new Map(data.products.map((product) => [product.uuid, product.name]))
  const packaged = new Map(
    data.batches.flatMap((batch) =>
      batch.packaged_products.map((one) => [one.uuid, products.get(one.product_uuid) ?? '']),
    ),
  )
  const productOf = new Map(data.tag_ids.map((tag) => [tag.uuid, packaged.get(tag.packaged_product_uuid ?? '') ?? '']))
  const companyOf = new Map(data.dispensaries.map((dispensary) => [dispensary.uuid, dispensary.company_uuid]))
  const membersOf = (collection: DataFile['collections'][number]) =>
    collection.members.map((member) => (typeof member === 'string' ? member : member.tag_id))

  const importerOf = (caseId: string) => data.imports.find((one) => one.case_uuid === caseId)?.dispensary_uuid
  const aboutCase = (collection: DataFile['collections'][number]): PracticeCode['about'] => {
    const importer = importerOf(collection.uuid)
    if (importer === dispensaryId) return 'imported-here'
    if (importer !== undefined) {
      return companyOf.get(importer) === companyOf.get(dispensaryId) ? 'imported-by-company' : 'imported-by-stranger'
    }
    const members = membersOf(collection)
    if (members.length < (collection.required_items_per_caseid ?? 0)) return 'short'
    return new Set(members.map((tagId) => productOf.get(tagId))).size > 1 ? 'two-products' : null
  }

  const packages = data.collections.filter(
    (one) => one.collection_type === 'regulator' && one.dispensary_uuid === dispensaryId,
  )
  const cases = data.collections.filter((one) => one.collection_type === 'case')
  const productsOf = (collection: DataFile['collections'][number]) =>
    [...new Set(membersOf(collection).map((tagId) => productOf.get(tagId) ?? ''))].join(', ')

  return [
    ...packages.map((one): PracticeCode => ({
      kind: 'package',
      text: one.identifier,
      label: one.identifier,
      about: null,
    })),
    ...cases.map((one): PracticeCode => ({
      kind: 'case',
      text: `${data.tag_url}/case/${encodeURIComponent(one.identifier)}`,
      label: productsOf(one),
      about: aboutCase(one),
    })),
    ...cases.flatMap((one) => {
      const isOurs = importerOf(one.uuid) === dispensaryId
      const count = isOurs ? tagsPerCase : importerOf(one.uuid) === undefined ? 2 : 0
      return membersOf(one)
        .slice(0, count)
        .map((tagId): PracticeCode => ({
          kind: 'tag',
          text: `${data.tag_url}/${tagId}`,
          label: productOf.get(tagId) ?? tagId,
          about: isOurs ? null : 'case-not-imported',
        }))
    }),
  ]
}
