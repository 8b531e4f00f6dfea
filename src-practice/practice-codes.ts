import type { PracticeCode } from '../src-shared/ipc/contract/app'
import type { DataFile } from './data-file'

type Collection = DataFile['collections'][number]

/** Items shown for each case in the inventory: enough for a sale and its return. */
const tagsPerCase = 6

/**
 * The codes that a station of `dispensaryId` can practice with, as its scanner reads them: the packages sent to it,
 * every case with what is special about it, and items to sell.
 */
export function codesOf(data: DataFile, dispensaryId: string): PracticeCode[] {
  const productOf = productsByTag(data)
  const heldBack = heldBackByTag(data, Date.now())
  const dispensaries = new Map(data.dispensaries.map((dispensary) => [dispensary.uuid, dispensary]))
  const importerOf = (one: Collection) =>
    data.imports.find(({ case_uuid }) => case_uuid === one.uuid)?.dispensary_uuid ?? null

  const isSellable = (one: Collection) => importerOf(one) === dispensaryId
  const isHeldBack = (one: Collection) => membersOf(one).some((tagId) => heldBack.has(tagId))

  const aboutCase = (one: Collection): PracticeCode['about'] => {
    const importer = importerOf(one)
    if (importer === dispensaryId) return 'imported-here'
    if (importer !== null) {
      const isOurs = dispensaries.get(importer)?.company_uuid === dispensaries.get(dispensaryId)?.company_uuid
      return isOurs ? 'imported-by-company' : 'imported-by-stranger'
    }
    const members = membersOf(one)
    if (members.length < (one.required_items_per_caseid ?? 0)) return 'short'
    return new Set(members.map((tagId) => productOf.get(tagId)?.name)).size > 1 ? 'two-products' : null
  }

  const packages = data.collections.filter(
    (one) => one.collection_type === 'regulator' && one.dispensary_uuid === dispensaryId,
  )
  const cases = data.collections.filter((one) => one.collection_type === 'case')
  const textOf = (one: Collection) => `${data.tag_url}/case/${encodeURIComponent(one.identifier)}`
  /** The contents of a collection, each product once. */
  const named = (one: Collection, what: 'name' | 'brand') =>
    [...new Set(membersOf(one).map((tagId) => productOf.get(tagId)?.[what] ?? ''))].join(', ')

  const codeOfItem = (tagId: string, caseText: string | null, about: PracticeCode['about']): PracticeCode => ({
    kind: 'tag',
    text: `${data.tag_url}/${tagId}`,
    label: productOf.get(tagId)?.name ?? tagId,
    identifier: tagId,
    brand: productOf.get(tagId)?.brand ?? null,
    items: null,
    importer: null,
    caseText,
    about: about ?? heldBack.get(tagId) ?? null,
  })
  const itemsOf = (one: Collection) => {
    const about = aboutCase(one)
    const isForeign = about === 'imported-by-company' || about === 'imported-by-stranger'
    const members = membersOf(one)
    // One is enough to see why it isn't sold: the sheet has to be printed.
    const count = isForeign || (isSellable(one) && isHeldBack(one)) ? 1 : isSellable(one) ? tagsPerCase : 2
    return members.slice(0, count).map((tagId) => {
      const reason = isSellable(one) ? null : isForeign ? about : (heldBack.get(tagId) ?? 'case-not-imported')
      return codeOfItem(tagId, textOf(one), reason)
    })
  }
  const inCases = new Set(cases.flatMap(membersOf))
  const loose = [...new Set(packages.flatMap(membersOf))].filter((tagId) => !inCases.has(tagId))

  return [
    ...packages.map((one): PracticeCode => ({
      kind: 'package',
      text: one.identifier,
      label: one.identifier,
      identifier: one.identifier,
      brand: null,
      items: { count: membersOf(one).length, required: null },
      importer: null,
      caseText: null,
      about: null,
    })),
    ...cases.map((one): PracticeCode => ({
      kind: 'case',
      text: textOf(one),
      label: named(one, 'name'),
      identifier: one.identifier,
      brand: named(one, 'brand'),
      items: { count: membersOf(one).length, required: one.required_items_per_caseid ?? null },
      importer: dispensaries.get(importerOf(one) ?? '')?.name ?? null,
      caseText: null,
      about: aboutCase(one),
    })),
    // Items that can be sold right away come last.
    ...cases.filter((one) => !isSellable(one)).flatMap(itemsOf),
    ...loose.map((tagId) => codeOfItem(tagId, null, 'case-not-imported')),
    ...cases.filter((one) => isSellable(one) && isHeldBack(one)).flatMap(itemsOf),
    ...cases.filter((one) => isSellable(one) && !isHeldBack(one)).flatMap(itemsOf),
  ]
}

const membersOf = (one: Collection) =>
  one.members.map((member) => (typeof member === 'string' ? member : member.tag_id))

/** Why an item is not sold just like that, for the items with such a reason. `now`: ms since 1970. */
function heldBackByTag(data: DataFile, now: number): Map<string, PracticeCode['about']> {
  const coas = new Map(data.digital_coas.map((coa) => [coa.uuid, coa]))
  const unpublished = new Set(data.products.flatMap((one) => (one.published_on === null ? [one.uuid] : [])))
  const reasons = new Map(
    data.batches.flatMap((batch) =>
      batch.packaged_products.map((one) => {
        const named = [...one.digital_coa_uuids, ...batch.digital_coa_uuids].flatMap((uuid) => coas.get(uuid) ?? [])
        const hasFailed = named.some((coa) =>
          Object.values(coa.tests_performed).some((result) => result !== 'pass' && result !== 'not_tested'),
        )
        const hasExpired = named.some((coa) => Date.parse(coa.report_expires_on) < now)
        const isOld = one.use_by !== null && Date.parse(one.use_by) < now
        const about = hasFailed
          ? 'certificate-failed'
          : hasExpired
            ? 'certificate-expired'
            : isOld
              ? 'past-use-by'
              : unpublished.has(one.product_uuid)
                ? 'unpublished'
                : null
        return [one.uuid, about] as const
      }),
    ),
  )
  return new Map(
    data.tag_ids.flatMap((tag) => {
      const about = reasons.get(tag.packaged_product_uuid ?? '') ?? null
      return about === null ? [] : [[tag.uuid, about] as const]
    }),
  )
}

/** Name and brand of the product on each TagID. */
function productsByTag(data: DataFile): Map<string, { name: string; brand: string }> {
  const brands = new Map(data.brands.map((brand) => [brand.uuid, brand.name]))
  const products = new Map(
    data.products.map((product) => [product.uuid, { name: product.name, brand: brands.get(product.brand_uuid) ?? '' }]),
  )
  const packaged = new Map(
    data.batches.flatMap((batch) => batch.packaged_products.map((one) => [one.uuid, products.get(one.product_uuid)])),
  )
  return new Map(
    data.tag_ids.flatMap((tag) => {
      const product = packaged.get(tag.packaged_product_uuid ?? '')
      return product ? [[tag.uuid, product]] : []
    }),
  )
}
