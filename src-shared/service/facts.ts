import { z } from 'zod'
import { CaseId, PackageUid, ShortUuid, TagId } from '../ids'
import type { DigitalCoa } from './coas'
import type { CaseDetail, CaseItem, Collection, CollectionEntry } from './collections'
import type { ImageSet } from './wire'
import type { PackagedProduct } from './batches'

/**
 * What Countertag takes from a CaseID detail, in its own terms: products, brands, batches, COAs and items, joined. A
 * schema, because the station stores these facts for use without a network. Spec: Collection, Digital COA.
 */

export const CoaFacts = z.object({
  verdict: z.enum(['passed', 'partly-tested', 'failed', 'none']),
  /** The earliest expiry among its certificates, ISO 8601. */
  expiresOn: z.string().nullable(),
})
export type CoaFacts = z.infer<typeof CoaFacts>

export const PackagedProductFacts = z.object({
  packagedProductId: ShortUuid,
  productId: ShortUuid,
  productName: z.string(),
  brandName: z.string().nullable(),
  sku: z.string().nullable(),
  batchName: z.string().nullable(),
  /** As the service gives it: `YYYY-MM-DD`. */
  packagedOn: z.string().nullable(),
  useBy: z.string().nullable(),
  pictureUrl: z.string().nullable(),
  tagIds: z.array(TagId),
  coa: CoaFacts,
  /** The case is in an inventory; only the package look-up says whose. */
  isImported: z.boolean(),
})
export type PackagedProductFacts = z.infer<typeof PackagedProductFacts>

/** An item of the case, with enough data to show it in a cart. */
export const TagFacts = z.object({
  tagId: TagId,
  caseId: CaseId.nullable(),
  productId: ShortUuid.nullable(),
  productName: z.string().nullable(),
  brandName: z.string().nullable(),
  pictureUrl: z.string().nullable(),
  /** Null if the service did not say. */
  isImported: z.boolean().nullable(),
  /** When the service shows it as sold, ISO 8601; null if it is not sold or unknown. */
  soldOn: z.string().nullable().default(null),
  /** Since 0.3: true if the service showed whether it is sold; left out if not. */
  isSaleShown: z.literal(true).optional(),
  /** Since 0.2; left out where nothing was read about it: the certificates and use-by date of its packaged product. */
  coa: CoaFacts.optional(),
  useBy: z.string().nullable().optional(),
  /** The packages whose look-up may name the inventory it is in: its regulator package, then the POS's. */
  packageUids: z.array(PackageUid).optional(),
  packagedProductId: ShortUuid.optional(),
  /** Its case is in an inventory that this account may not see. */
  isImportedElsewhere: z.boolean().optional(),
  /** It is in no case, and was in one. */
  isRemovedFromCase: z.boolean().optional(),
  isPublished: z.boolean().optional(),
})
export type TagFacts = z.infer<typeof TagFacts>

export const CaseFacts = z.object({
  caseId: CaseId,
  identifier: z.string(),
  name: z.string().nullable(),
  requiredCount: z.number().int().nullable(),
  packagedProducts: z.array(PackagedProductFacts),
  tags: z.array(TagFacts),
  /** The current packages of its items, newest first. */
  packageUids: z.array(PackageUid),
  /** Since 0.2: the company that owns the case, and those of the case's brands that are this company's. */
  owner: z.object({ name: z.string().nullable(), brandIds: z.array(ShortUuid) }).optional(),
})
export type CaseFacts = z.infer<typeof CaseFacts>

/**
 * Maximum length of a name, in characters; longer ones are cut. Names are stored with every item of a case and shown in
 * one line.
 */
const longestName = 300
const named = (text: string | null | undefined): string | null => text?.slice(0, longestName) ?? null

/**
 * The facts of a case. Total: fields that the service left out are null, and data that does not match up stays
 * unjoined. Whether items are sold is known only if the case is read as a collection.
 */
export function caseFacts(detail: CaseDetail, collection?: Collection): CaseFacts {
  const caseId = CaseId.parse(detail.uuid)
  const members = new Map(collection?.items.map((item) => [item.tag_id, item]))
  const brands = byId(detail.brands ?? [])
  const products = byId(detail.products ?? [])
  // Inventories of other companies are not listed: then only the date on the case shows that it is in one.
  const isImportedElsewhere = detail.imported_to_inventory_on != null && !detail.items.some((item) => isImported(item))
  const regulatorIds = newestFirst(detail.regulator_ids ?? [])
  const coas = new Map((detail.packaged_products ?? []).map((one) => [one.uuid, coaFacts(certificatesOf(detail, one))]))
  const tags = detail.items.map((item): TagFacts => {
    const product = item.product_uuid == null ? undefined : products.get(item.product_uuid)
    const brandId = item.brand_uuid ?? product?.brand_uuid
    const packaged = detail.packaged_products?.find((one) => belongsTo(item, one))
    const member = members.get(item.tag_id)
    const coa = packaged && coas.get(packaged.uuid)
    const uids = [newestPackage(item, regulatorIds)?.identifier, member?.pos_package_uid]
    return {
      tagId: item.tag_id,
      caseId,
      productId: item.product_uuid ?? null,
      productName: named(product?.name),
      brandName: named(brandId == null ? null : brands.get(brandId)?.name),
      pictureUrl: pictureOf(product?.images),
      isImported: isImported(item),
      soldOn: member?.sold_at_dispensary_on ?? null,
      ...(member && { isSaleShown: true }),
      ...(coa && { coa }),
      ...(packaged && { packagedProductId: packaged.uuid }),
      ...(packaged?.use_by == null ? {} : { useBy: packaged.use_by }),
      packageUids: [...new Set(uids.flatMap((uid) => (uid == null ? [] : (PackageUid.safeParse(uid).data ?? []))))],
      ...(isImportedElsewhere && { isImportedElsewhere }),
      ...(product?.published_on === undefined ? {} : { isPublished: product.published_on !== null }),
    }
  })
  const packagedProducts = (detail.packaged_products ?? []).map((packaged): PackagedProductFacts => {
    const product = products.get(packaged.product_uuid)
    const batch = (detail.batches ?? []).find((entry) => entry.uuid === packaged.batch_uuid)
    const brandId = packaged.brand_uuid ?? product?.brand_uuid
    const items = detail.items.filter((item) => belongsTo(item, packaged))
    return {
      packagedProductId: packaged.uuid,
      productId: packaged.product_uuid,
      productName: named(product?.name) ?? packaged.product_uuid,
      brandName: named(brandId == null ? null : brands.get(brandId)?.name),
      sku: named(product?.sku),
      batchName: named(packaged.batch_name ?? batch?.name),
      packagedOn: packaged.packaged_on ?? null,
      useBy: packaged.use_by ?? null,
      pictureUrl: pictureOf(product?.images),
      tagIds: items.map((item) => item.tag_id),
      coa: coas.get(packaged.uuid) ?? coaFacts([]),
      isImported: isImportedElsewhere || (items.length > 0 && items.every((item) => isImported(item) === true)),
    }
  })
  return {
    caseId,
    identifier: detail.identifier,
    name: named(detail.name),
    requiredCount: detail.required_items_per_caseid ?? null,
    packagedProducts,
    tags,
    packageUids: currentPackages(detail.items, regulatorIds),
    ...(detail.company_name != null && { owner: ownerOf(detail.company_name, detail) }),
  }
}

const ownerOf = (company: string, { brands }: CaseDetail) => ({
  name: named(company),
  brandIds: (brands ?? []).filter((brand) => brand.company === company).map(({ uuid }) => uuid),
})

/** The name of a case, or the names of its contents if it has none. */
export const caseName = ({ name, packagedProducts }: Pick<CaseFacts, 'name' | 'packagedProducts'>): string | null =>
  name ?? packagedProducts[0]?.productName ?? null

const byId = <T extends { uuid: string }>(entries: T[]) => new Map(entries.map((entry) => [entry.uuid, entry]))

/** The small picture if there is one. */
export const pictureOf = (images: ImageSet | null | undefined): string | null =>
  images?.thumbnail?.url ?? images?.primary?.url ?? null

const isImported = (item: CaseItem) =>
  item.inventory_collection_uuids == null ? null : item.inventory_collection_uuids.length > 0

const belongsTo = (item: CaseItem, packaged: PackagedProduct) =>
  item.product_uuid === packaged.product_uuid &&
  (packaged.batch_uuid == null || item.batch_uuid === packaged.batch_uuid)

const newestFirst = <T extends { added_on?: string | null | undefined }>(entries: readonly T[]): T[] =>
  entries.toSorted((a, b) => instant(b.added_on) - instant(a.added_on))

/** The current package of an item: its newest regulator collection. */
function newestPackage(item: CaseItem, regulatorIds: readonly CollectionEntry[]): CollectionEntry | undefined {
  const held = new Set(item.regulator_id_uuids ?? [])
  return regulatorIds.find((entry) => held.has(entry.uuid))
}

/** The packages of the case, newest first. `regulatorIds`: newest first. */
function currentPackages(items: CaseItem[], regulatorIds: readonly CollectionEntry[]): PackageUid[] {
  const current = new Set(items.flatMap((item) => newestPackage(item, regulatorIds)?.identifier ?? []))
  const identifiers = new Set(
    regulatorIds.map((entry) => entry.identifier).filter((identifier) => current.has(identifier)),
  )
  return [...identifiers].flatMap((identifier) => PackageUid.safeParse(identifier).data ?? [])
}

/** Ms since 1970, for sorting; a missing or unreadable time sorts as the oldest. */
export const instant = (text: string | null | undefined): number => (text == null ? 0 : Date.parse(text) || 0)

/** The certificates of a packaged product: its own, otherwise those of its batch. */
function certificatesOf(detail: CaseDetail, packaged: PackagedProduct): DigitalCoa[] {
  const all = detail.digital_coas ?? []
  const own = all.filter((coa) => packaged.digital_coa_uuids?.includes(coa.uuid))
  return own.length > 0 ? own : all.filter((coa) => coa.batch_uuid != null && coa.batch_uuid === packaged.batch_uuid)
}

/** One verdict over several certificates: their worst verdict and earliest expiry. */
function coaFacts(certificates: DigitalCoa[]): CoaFacts {
  const results = certificates.flatMap((coa) => Object.values(coa.tests_performed ?? {}))
  const expiries = certificates.map((coa) => coa.report_expires_on).filter((date) => date != null)
  return {
    verdict: verdictOf(results),
    expiresOn: expiries.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null,
  }
}

/** One verdict over the results of `tests_performed`. */
export function verdictOf(results: string[]): CoaFacts['verdict'] {
  if (results.length === 0) return 'none'
  // The specification does not name the failing value: every value except the two known ones counts as a failure.
  if (results.some((result) => result !== 'pass' && result !== 'not_tested')) return 'failed'
  return results.every((result) => result === 'pass') ? 'passed' : 'partly-tested'
}

interface MayBeRemoved {
  is_removed?: boolean | null | undefined
  removed_on?: string | null | undefined
}

/**
 * Whether a collection is removed, in any version; undefined if the service does not say. Spec: Collection,
 * `is_removed`.
 */
export const isRemovedOf = ({ is_removed, removed_on }: MayBeRemoved): boolean | undefined =>
  is_removed ?? (removed_on === undefined ? undefined : removed_on !== null)
