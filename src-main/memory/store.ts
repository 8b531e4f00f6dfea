import type { Database, Transaction } from 'better-sqlite3'
import { z } from 'zod'
import { type CaseId, CaseId as CaseIdSchema, type PackageUid, type ShortUuid, type TagId } from '../../src-shared/ids'
import type { EntityKind, EntityLink } from '../../src-shared/ipc/contract/find'
import { CaseFacts, type CoaFacts, type PackagedProductFacts, TagFacts } from '../../src-shared/service/facts'
import { PackageCases } from '../../src-shared/service/imports'
import { likeOf } from '../database/schema'
import { collectionLink, link } from './find/links'
import { type Cached, MemoryRows, cachedIn } from './memory-rows'
import { Views } from './views'

export interface CachedProduct {
  name: string
  sku: string | null
}

/** Product and name of a packaged product. */
export type CachedPackagedProduct = Pick<PackagedProductFacts, 'productId' | 'productName'>

/** A case, with the number of its items in their place. */
export const CaseInBrief = CaseFacts.omit({ tags: true }).extend({ tagCount: z.number().int() })
export type CaseInBrief = z.infer<typeof CaseInBrief>

export const inBrief = ({ tags, ...facts }: CaseFacts): CaseInBrief => ({ ...facts, tagCount: tags.length })

const MomentColumn = z.number().optional()

/** Cases that are searched, the newest first: reading all of them would hold up the counter. */
const mostCases = 1_000

/** Items that are kept parsed: more than the open orders of a station hold. */
const mostTags = 1_000

const statementsOf = (db: Database) => {
  const brief = `json_set(json_remove(content, '$.tags'), '$.tagCount', json_array_length(content, '$.tags')) AS content`
  return {
    // Its values have no names: a delivery writes tens of thousands of these rows, and naming them costs as much as writing.
    upsert: db.prepare(`
      INSERT INTO memory (kind, form, id, identifier, name, detail, asked_at, content)
      VALUES (?, 'facts', ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET identifier = excluded.identifier, name = excluded.name, detail = excluded.detail,
        asked_at = excluded.asked_at, content = excluded.content
      WHERE excluded.asked_at >= asked_at OR asked_at > ?`),
    // A case is read once for each of its items that is scanned: if nothing changed, only the time is written.
    touchCase: db.prepare(`
      UPDATE memory SET asked_at = max(asked_at, @askedAt)
      WHERE kind = 'collection' AND id = @caseId AND form = 'facts' AND content = @content AND asked_at <= @answeredAt`),
    brief: db.prepare(`
      SELECT ${brief}, asked_at, via FROM memory
      WHERE kind = 'collection' AND id = ? AND form = 'facts' AND json_valid(content)`),
    seenAt: db.prepare(`SELECT asked_at FROM memory WHERE kind = 'collection' AND id = ? AND form = 'facts'`).pluck(),
    // Only cases that hold the text anywhere are parsed.
    searchCases: db.prepare(`
      SELECT ${brief}, asked_at, via FROM (
        SELECT * FROM memory INDEXED BY memory_case WHERE kind = 'collection' AND form = 'facts'
        ORDER BY asked_at DESC, rowid LIMIT ${mostCases})
      WHERE content LIKE ? ESCAPE '\\' AND json_valid(content) LIMIT +?`),
    searchPackages: db
      .prepare(
        `SELECT id FROM memory WHERE kind = 'package' AND form = 'facts' AND id LIKE ? ESCAPE '\\' ORDER BY asked_at DESC, rowid LIMIT +?`,
      )
      .pluck(),
  }
}

/**
 * What the station remembers of the service, for the time without a network: `facts` of items, cases and packages, which
 * scans need, and `views` that Find has shown. Each is of the moment `askedAt` at which the service was asked, in ms since
 * 1970. Of two answers, the one that was asked for later is kept, whichever arrives first. A stored time after `answeredAt`,
 * when the newer answer arrived, was written before the clock was set back: that row is replaced. What doesn't parse,
 * because another version wrote it, counts as never seen.
 */
export class Memory {
  readonly views: Views
  readonly #db: Database
  readonly #rows: MemoryRows
  readonly #statements: ReturnType<typeof statementsOf>
  readonly #writeCase: Transaction<(facts: CaseFacts, content: string, askedAt: number, answeredAt: number) => void>
  // Not stored: a product is only asked about after its case was shown.
  readonly #products = new Map<ShortUuid, CachedProduct>()
  readonly #packaged = new Map<ShortUuid, CachedPackagedProduct>()
  readonly #productsOfCase = new Map<CaseId, ShortUuid[]>()
  // A scan asks for its item several times, and the cart for all of its items: parsing each anew would grow with the cart.
  readonly #tags = new Map<TagId, Cached<TagFacts> | undefined>()

  constructor(db: Database) {
    this.#db = db
    this.#rows = new MemoryRows(db)
    this.#statements = statementsOf(db)
    this.views = new Views(db, this.#rows)
    this.#writeCase = db.transaction((facts, content, askedAt, answeredAt) => {
      this.#keep(caseLink(facts), facts.identifier, content, askedAt, answeredAt)
      for (const item of facts.tags) this.keepTag(item, askedAt, answeredAt)
    })
  }

  keepCase(facts: CaseFacts, askedAt: number, answeredAt = askedAt): void {
    this.#noteProducts(facts)
    const content = JSON.stringify(facts)
    const touched = this.#statements.touchCase.run({ caseId: facts.caseId, content, askedAt, answeredAt })
    if (touched.changes === 0) this.#writeCase(facts, content, askedAt, answeredAt)
  }

  /** By CaseID or by the brand's identifier. */
  case(idOrIdentifier: string): Cached<CaseFacts> | undefined {
    const seen = this.#read(CaseFacts, 'collection', idOrIdentifier)
    if (seen) this.#noteProducts(seen.value)
    return seen
  }

  /** Without its items, which are most of it: for views of hundreds of cases. */
  caseInBrief(caseId: CaseId): Cached<CaseInBrief> | undefined {
    const seen = cachedIn(CaseInBrief, this.#statements.brief.get(caseId))
    if (seen) this.#noteProducts(seen.value)
    return seen
  }

  /** When a case was last asked about, in ms since 1970; undefined if it was never read. */
  caseSeenAt(caseId: CaseId): number | undefined {
    return MomentColumn.parse(this.#statements.seenAt.get(caseId))
  }

  /** The newest cases that contain the text anywhere. */
  casesWith(text: string, limit: number): CaseInBrief[] {
    return this.#statements.searchCases
      .all(likeOf(JSON.stringify(text).slice(1, -1)), limit)
      .flatMap((row) => cachedIn(CaseInBrief, row)?.value ?? [])
  }

  keepTag(facts: TagFacts, askedAt: number, answeredAt = askedAt): void {
    const { tagId, productName, brandName } = facts
    this.#tags.delete(tagId)
    this.#keep(link('tag', tagId, productName, brandName), null, JSON.stringify(facts), askedAt, answeredAt)
  }

  tag(tagId: TagId): Cached<TagFacts> | undefined {
    if (this.#tags.has(tagId)) return this.#tags.get(tagId)
    const seen = this.#read(TagFacts, 'tag', tagId)
    // What is written may still be rolled back.
    if (this.#db.inTransaction) return seen
    for (const oldest of this.#tags.keys()) {
      if (this.#tags.size < mostTags) break
      this.#tags.delete(oldest)
    }
    this.#tags.set(tagId, seen)
    return seen
  }

  /** The case that an item was last seen in. */
  caseOf(tagId: TagId): CaseId | undefined {
    return this.tag(tagId)?.value.caseId ?? undefined
  }

  /** The certificates of an item. If its case could not be read with it, as they were when the case was last read. */
  coaOf(tagId: TagId): CoaFacts | undefined {
    const { coa, caseId = null } = this.tag(tagId)?.value ?? {}
    if (coa || caseId === null) return coa
    const products = this.caseInBrief(caseId)?.value.packagedProducts
    return products?.find(({ tagIds }) => tagIds.includes(tagId))?.coa
  }

  /** Name and SKU of a product, if one of its cases was kept or read since the start. */
  product(productId: ShortUuid): CachedProduct | undefined {
    return this.#products.get(productId)
  }

  /** The names of a packaged product, even if its case was read again and no longer holds it. */
  packaged(packagedProductId: ShortUuid): CachedPackagedProduct | undefined {
    return this.#packaged.get(packagedProductId)
  }

  /** The products in those cases of a package that were ever read. */
  productsIn(packageUid: PackageUid): ReadonlySet<ShortUuid> {
    const caseIds = Object.keys(this.package(packageUid)?.value.case_ids ?? {}).map((id) => CaseIdSchema.parse(id))
    return new Set(
      caseIds.flatMap((caseId) => {
        if (!this.#productsOfCase.has(caseId)) this.caseInBrief(caseId)
        return this.#productsOfCase.get(caseId) ?? []
      }),
    )
  }

  keepPackage(packageUid: PackageUid, cases: PackageCases, askedAt: number, answeredAt = askedAt): void {
    this.#keep(link('package', packageUid), null, JSON.stringify(cases), askedAt, answeredAt)
  }

  package(packageUid: PackageUid): Cached<PackageCases> | undefined {
    return this.#read(PackageCases, 'package', packageUid)
  }

  packagesWith(text: string, limit: number): string[] {
    return z.array(z.string()).parse(this.#statements.searchPackages.all(likeOf(text), limit))
  }

  /** Everything with this id: by its view first, then by its facts. */
  links(id: string): EntityLink[] {
    return this.#rows.links(id)
  }

  #read<T>(schema: z.ZodType<T>, kind: EntityKind, id: string): Cached<T> | undefined {
    return cachedIn(schema, this.#rows.find({ kind, form: 'facts', id }))
  }

  #keep(
    { kind, id, name, detail }: EntityLink,
    identifier: string | null,
    content: string,
    askedAt: number,
    answeredAt: number,
  ): void {
    this.#statements.upsert.run(kind, id, identifier, name, detail, askedAt, content, answeredAt)
  }

  #noteProducts({ caseId, packagedProducts }: Pick<CaseFacts, 'caseId' | 'packagedProducts'>): void {
    for (const { packagedProductId, productId, productName, sku } of packagedProducts) {
      this.#products.set(productId, { name: productName, sku })
      this.#packaged.set(packagedProductId, { productId, productName })
    }
    const ids = packagedProducts.map((one) => one.productId)
    this.#productsOfCase.set(caseId, ids)
  }
}

const caseLink = ({ caseId, name, identifier }: CaseFacts) => collectionLink({ uuid: caseId, name, identifier })
