import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { type CaseId, CaseId as CaseIdSchema, type PackageUid, type ShortUuid, type TagId } from '../../src-shared/ids'
import { CaseFacts, type PackagedProductFacts, TagFacts } from '../../src-shared/service/facts'
import { PackageCases } from '../../src-shared/service/package-uids'
import { parseStored } from '../store/settings'

/** Something the station saw, and when (ms since 1970). */
export interface Seen<T> {
  value: T
  seenAt: number
}

export interface SeenProduct {
  name: string
  sku: string | null
}

/** What a packaged product is of, and what it is called. */
export type SeenPackaged = Pick<PackagedProductFacts, 'productId' | 'productName'>

/**
 * What the station remembers of the service, for the time without a network. What is kept is of the moment it was asked
 * for, `askedAt`: what was asked for after that, and until `answeredAt`, is newer and stays. Left out, nothing was.
 */
export interface SeenStore {
  keepCase(facts: CaseFacts, askedAt: number, answeredAt?: number): void
  /** By CaseID or by the brand's identifier. */
  case(idOrIdentifier: string): Seen<CaseFacts> | undefined
  /** Without its items, which are most of it: for who looks at hundreds of cases. */
  caseInBrief(caseId: CaseId): Seen<CaseInBrief> | undefined
  keepTag(facts: TagFacts, askedAt: number, answeredAt?: number): void
  tag(tagId: TagId): Seen<TagFacts> | undefined
  /** The case that an item was last seen in. */
  caseOf(tagId: TagId): CaseId | undefined
  /** What a product is called; known of the products of every case that was kept or read since the start. */
  product(productId: ShortUuid): SeenProduct | undefined
  /** The same of a packaged product, also when its case, read again since, holds nothing of it any more. */
  packaged(packagedProductId: ShortUuid): SeenPackaged | undefined
  /** The products that the cases of a package hold, as far as these were ever read. */
  productsIn(packageUid: PackageUid): ReadonlySet<ShortUuid>
  keepPackage(packageUid: PackageUid, cases: PackageCases, askedAt: number, answeredAt?: number): void
  package(packageUid: PackageUid): Seen<PackageCases> | undefined
}

/** A case, with the number of its items in their place. */
export const CaseInBrief = CaseFacts.omit({ tags: true }).extend({ tagCount: z.number().int() })
export type CaseInBrief = z.infer<typeof CaseInBrief>

export const inBrief = ({ tags, ...facts }: CaseFacts): CaseInBrief => ({ ...facts, tagCount: tags.length })

const Row = z.object({ json: z.string(), seen_at: z.number() })

export function createSeenStore(db: Database): SeenStore {
  // What seems to be of later than now was written before the clock was set back: it is no newer.
  const isNoOlder = 'WHERE excluded.seen_at >= seen_at OR seen_at > ?'
  const upsertCase = db.prepare(`
    INSERT INTO seen_case (case_id, identifier, facts, seen_at) VALUES (?, ?, ?, ?)
    ON CONFLICT (case_id) DO UPDATE SET identifier = excluded.identifier, facts = excluded.facts, seen_at = excluded.seen_at
    ${isNoOlder}`)
  const upsertTag = db.prepare(`
    INSERT INTO seen_tag (tag_id, facts, seen_at) VALUES (?, ?, ?)
    ON CONFLICT (tag_id) DO UPDATE SET facts = excluded.facts, seen_at = excluded.seen_at ${isNoOlder}`)
  const upsertPackage = db.prepare(`
    INSERT INTO seen_package (package_uid, cases, seen_at) VALUES (?, ?, ?)
    ON CONFLICT (package_uid) DO UPDATE SET cases = excluded.cases, seen_at = excluded.seen_at ${isNoOlder}`)
  const selectCase = db.prepare(
    'SELECT facts AS json, seen_at FROM seen_case WHERE case_id = @id OR identifier = @id ORDER BY seen_at DESC LIMIT 1',
  )
  const selectBrief = db.prepare(`
    SELECT json_set(json_remove(facts, '$.tags'), '$.tagCount', json_array_length(facts, '$.tags')) AS json, seen_at
    FROM seen_case WHERE case_id = ? AND json_valid(facts)`)
  const selectTag = db.prepare('SELECT facts AS json, seen_at FROM seen_tag WHERE tag_id = ?')
  const selectPackage = db.prepare('SELECT cases AS json, seen_at FROM seen_package WHERE package_uid = ?')

  const tag = (tagId: TagId) => parseSeen(TagFacts, selectTag.get(tagId))

  // Scanned item by item, a case is read once an item: where nothing has changed, only the moment is written.
  const touchCase = db.prepare(
    `UPDATE seen_case SET seen_at = max(seen_at, @askedAt) WHERE case_id = @caseId AND facts = @json AND seen_at <= @answeredAt`,
  )
  // Not in the store: whoever asks about a product has just been shown its case.
  const products = new Map<ShortUuid, SeenProduct>()
  const packaged = new Map<ShortUuid, SeenPackaged>()
  const productsOfCase = new Map<CaseId, ShortUuid[]>()
  const noteProducts = ({ caseId, packagedProducts }: Pick<CaseFacts, 'caseId' | 'packagedProducts'>) => {
    for (const { packagedProductId, productId, productName, sku } of packagedProducts) {
      products.set(productId, { name: productName, sku })
      packaged.set(packagedProductId, { productId, productName })
    }
    productsOfCase.set(
      caseId,
      packagedProducts.map((one) => one.productId),
    )
  }
  const writeCase = db.transaction((facts: CaseFacts, json: string, askedAt: number, answeredAt: number) => {
    upsertCase.run(facts.caseId, facts.identifier, json, askedAt, answeredAt)
    for (const of of facts.tags) upsertTag.run(of.tagId, JSON.stringify(of), askedAt, answeredAt)
  })
  const caseInBrief = (caseId: CaseId) => {
    const seen = parseSeen(CaseInBrief, selectBrief.get(caseId))
    if (seen) noteProducts(seen.value)
    return seen
  }
  const packageOf = (packageUid: PackageUid) => parseSeen(PackageCases, selectPackage.get(packageUid))

  return {
    keepCase(facts, askedAt, answeredAt = askedAt) {
      noteProducts(facts)
      const json = JSON.stringify(facts)
      const touched = touchCase.run({ caseId: facts.caseId, json, askedAt, answeredAt })
      if (touched.changes === 0) writeCase(facts, json, askedAt, answeredAt)
    },
    case(id) {
      const seen = parseSeen(CaseFacts, selectCase.get({ id }))
      if (seen) noteProducts(seen.value)
      return seen
    },
    caseInBrief,
    keepTag: (facts, askedAt, answeredAt = askedAt) =>
      void upsertTag.run(facts.tagId, JSON.stringify(facts), askedAt, answeredAt),
    tag,
    caseOf: (tagId) => tag(tagId)?.value.caseId ?? undefined,
    product: (productId) => products.get(productId),
    packaged: (packagedProductId) => packaged.get(packagedProductId),
    productsIn(packageUid) {
      const caseIds = Object.keys(packageOf(packageUid)?.value.case_ids ?? {}).map((caseId) =>
        CaseIdSchema.parse(caseId),
      )
      return new Set(
        caseIds.flatMap((caseId) => {
          if (!productsOfCase.has(caseId)) caseInBrief(caseId)
          return productsOfCase.get(caseId) ?? []
        }),
      )
    },
    keepPackage: (packageUid, cases, askedAt, answeredAt = askedAt) =>
      void upsertPackage.run(packageUid, JSON.stringify(cases), askedAt, answeredAt),
    package: packageOf,
  }
}

/** What no longer parses (written by another version) counts as never seen: the service will tell it anew. */
function parseSeen<T>(schema: z.ZodType<T>, row: unknown): Seen<T> | undefined {
  const parsed = Row.safeParse(row)
  if (!parsed.success) return undefined
  const value = parseStored(schema, parsed.data.json)
  return value === undefined ? undefined : { value, seenAt: parsed.data.seen_at }
}
