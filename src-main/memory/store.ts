import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { type CaseId, CaseId as CaseIdSchema, type PackageUid, type ShortUuid, type TagId } from '../../src-shared/ids'
import { type FactName, EntityKind, type EntityLink, EntityView } from '../../src-shared/ipc/contract/find'
import { CaseFacts, type PackagedProductFacts, TagFacts } from '../../src-shared/service/facts'
import { PackageCases } from '../../src-shared/service/imports'
import { searchable } from '../../src-shared/text'
import { iso } from '../core/clock'
import { likeOf } from '../database/schema'
import { parseStored } from '../database/settings'
import { collectionLink, filled, link } from './find/links'

/** A cached answer, and when it was asked for (ms since 1970). */
export interface Cached<T> {
  value: T
  seenAt: number
}

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

/** A stored view, and the case it came from. */
interface StoredView {
  view: EntityView
  via: string | null
}

/**
 * Limits of the views that are kept; beyond them the oldest go. They are part of every backup. Views that no person has
 * opened have limits of their own, so that they push out none that a person has opened.
 */
export const bounds = {
  shown: { things: 800, size: 16_000_000 },
  unopened: { things: 200, size: 4_000_000 },
}

export type Memory = ReturnType<typeof createMemory>

/**
 * What the station remembers of the service, for the time without a network: `facts` of items, cases and packages, which
 * scans need, and `view`s that Find has shown. Each is of the moment `askedAt` at which the service was asked, in ms since
 * 1970. Of two answers, the one that was asked for later is kept, whichever arrives first. A stored time after `answeredAt`,
 * when the newer answer arrived, was written before the clock was set back: that row is replaced. What doesn't parse,
 * because another version wrote it, counts as never seen.
 */
export function createMemory(db: Database) {
  const columns = 'content, asked_at, via'
  const byId = db.prepare(`SELECT ${columns} FROM memory WHERE kind = @kind AND id = @id AND form = @form`)
  const byIdentifier = db.prepare(`
    SELECT ${columns} FROM memory WHERE kind = +@kind AND identifier = +@id AND form = +@form ORDER BY asked_at DESC LIMIT 1`)
  // Two queries, because with OR all rows of the kind would be read. A collection may be asked for by either.
  const select: Select = (key) => byId.get(key) ?? (key.kind === 'collection' ? byIdentifier.get(key) : undefined)
  const linksWith = db.prepare(`
    SELECT kind, id, name, detail FROM memory WHERE kind IN (${EntityKind.options.map((kind) => `'${kind}'`).join(', ')})
    AND id = +? ORDER BY kind, form DESC`)

  return {
    ...createFacts(db, select),
    ...createViews(db, select),
    /** Everything with this id: by its view first, then by its facts. */
    links: (id: string) => linksWith.all(id).map((row) => LinkRow.parse(row)),
  }
}

const ContentRow = z.object({ content: z.string(), asked_at: z.number(), via: z.string().nullable() })
const LinkRow = z
  .object({ kind: EntityKind, id: z.string(), name: z.string().nullable(), detail: z.string().nullable() })
  .transform(({ kind, id, name, detail }) => link(kind, id, name, detail))
const MomentColumn = z.number().optional()
const WordsRow = z.object({ words: z.string() })

/** Cases that are searched, the newest first: reading all of them would hold up the counter. */
const mostCases = 1_000

/** Items that are kept parsed: more than the open orders of a station hold. */
const mostTags = 1_000

type Select = (key: { kind: EntityKind; form: string; id: string }) => unknown

function createFacts(db: Database, select: Select) {
  // Its values have no names: a delivery writes tens of thousands of these rows, and naming them costs as much as writing.
  const upsert = db.prepare(`
    INSERT INTO memory (kind, form, id, identifier, name, detail, asked_at, content)
    VALUES (?, 'facts', ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET identifier = excluded.identifier, name = excluded.name, detail = excluded.detail,
      asked_at = excluded.asked_at, content = excluded.content
    WHERE excluded.asked_at >= asked_at OR asked_at > ?`)
  const keep = (
    { kind, id, name, detail }: EntityLink,
    identifier: string | null,
    content: string,
    askedAt: number,
    answeredAt: number,
  ) => void upsert.run(kind, id, identifier, name, detail, askedAt, content, answeredAt)
  const read = <T>(schema: z.ZodType<T>, kind: EntityKind, id: string) =>
    cachedIn(schema, select({ kind, form: 'facts', id }))

  // A case is read once for each of its items that is scanned: if nothing changed, only the time is written.
  const touchCase = db.prepare(`
    UPDATE memory SET asked_at = max(asked_at, @askedAt)
    WHERE kind = 'collection' AND id = @caseId AND form = 'facts' AND content = @content AND asked_at <= @answeredAt`)
  const writeCase = db.transaction((facts: CaseFacts, content: string, askedAt: number, answeredAt: number) => {
    keep(caseLink(facts), facts.identifier, content, askedAt, answeredAt)
    for (const item of facts.tags) keepTag(item, askedAt, answeredAt)
  })
  const brief = `json_set(json_remove(content, '$.tags'), '$.tagCount', json_array_length(content, '$.tags')) AS content`
  const selectBrief = db.prepare(`
    SELECT ${brief}, asked_at, via FROM memory
    WHERE kind = 'collection' AND id = ? AND form = 'facts' AND json_valid(content)`)
  const selectSeenAt = db
    .prepare(`SELECT asked_at FROM memory WHERE kind = 'collection' AND id = ? AND form = 'facts'`)
    .pluck()
  // Only cases that hold the text anywhere are parsed.
  const searchCases = db.prepare(`
    SELECT ${brief}, asked_at, via FROM (
      SELECT * FROM memory INDEXED BY memory_case WHERE kind = 'collection' AND form = 'facts'
      ORDER BY asked_at DESC, rowid LIMIT ${mostCases})
    WHERE content LIKE ? ESCAPE '\\' AND json_valid(content) LIMIT +?`)
  const searchPackages = db
    .prepare(
      `SELECT id FROM memory WHERE kind = 'package' AND form = 'facts' AND id LIKE ? ESCAPE '\\' ORDER BY asked_at DESC, rowid LIMIT +?`,
    )
    .pluck()

  // Not stored: a product is only asked about after its case was shown.
  const products = new Map<ShortUuid, CachedProduct>()
  const packaged = new Map<ShortUuid, CachedPackagedProduct>()
  const productsOfCase = new Map<CaseId, ShortUuid[]>()
  const noteProducts = ({ caseId, packagedProducts }: Pick<CaseFacts, 'caseId' | 'packagedProducts'>) => {
    for (const { packagedProductId, productId, productName, sku } of packagedProducts) {
      products.set(productId, { name: productName, sku })
      packaged.set(packagedProductId, { productId, productName })
    }
    const ids = packagedProducts.map((one) => one.productId)
    productsOfCase.set(caseId, ids)
  }

  // A scan asks for its item several times, and the cart for all of its items: parsing each anew would grow with the cart.
  const tags = new Map<TagId, Cached<TagFacts> | undefined>()
  const keepTag = (facts: TagFacts, askedAt: number, answeredAt = askedAt) => {
    const { tagId, productName, brandName } = facts
    tags.delete(tagId)
    keep(link('tag', tagId, productName, brandName), null, JSON.stringify(facts), askedAt, answeredAt)
  }
  const tag = (tagId: TagId): Cached<TagFacts> | undefined => {
    if (tags.has(tagId)) return tags.get(tagId)
    const seen = read(TagFacts, 'tag', tagId)
    // What is written may still be rolled back.
    if (db.inTransaction) return seen
    for (const oldest of tags.keys()) {
      if (tags.size < mostTags) break
      tags.delete(oldest)
    }
    tags.set(tagId, seen)
    return seen
  }
  const caseInBrief = (caseId: CaseId) => {
    const seen = cachedIn(CaseInBrief, selectBrief.get(caseId))
    if (seen) noteProducts(seen.value)
    return seen
  }
  const packageOf = (packageUid: PackageUid) => read(PackageCases, 'package', packageUid)

  return {
    keepCase(facts: CaseFacts, askedAt: number, answeredAt = askedAt) {
      noteProducts(facts)
      const content = JSON.stringify(facts)
      const touched = touchCase.run({ caseId: facts.caseId, content, askedAt, answeredAt })
      if (touched.changes === 0) writeCase(facts, content, askedAt, answeredAt)
    },
    /** By CaseID or by the brand's identifier. */
    case(idOrIdentifier: string) {
      const seen = read(CaseFacts, 'collection', idOrIdentifier)
      if (seen) noteProducts(seen.value)
      return seen
    },
    /** Without its items, which are most of it: for views of hundreds of cases. */
    caseInBrief,
    /** When a case was last asked about, in ms since 1970; undefined if it was never read. */
    caseSeenAt: (caseId: CaseId) => MomentColumn.parse(selectSeenAt.get(caseId)),
    /** The newest cases that contain the text anywhere. */
    casesWith: (text: string, limit: number) =>
      searchCases
        .all(likeOf(JSON.stringify(text).slice(1, -1)), limit)
        .flatMap((row) => cachedIn(CaseInBrief, row)?.value ?? []),
    keepTag,
    tag,
    /** The case that an item was last seen in. */
    caseOf: (tagId: TagId) => tag(tagId)?.value.caseId ?? undefined,
    /** Name and SKU of a product, if one of its cases was kept or read since the start. */
    product: (productId: ShortUuid) => products.get(productId),
    /** The names of a packaged product, even if its case was read again and no longer holds it. */
    packaged: (packagedProductId: ShortUuid) => packaged.get(packagedProductId),
    /** The products in those cases of a package that were ever read. */
    productsIn(packageUid: PackageUid): ReadonlySet<ShortUuid> {
      const caseIds = Object.keys(packageOf(packageUid)?.value.case_ids ?? {}).map((id) => CaseIdSchema.parse(id))
      return new Set(
        caseIds.flatMap((caseId) => {
          if (!productsOfCase.has(caseId)) caseInBrief(caseId)
          return productsOfCase.get(caseId) ?? []
        }),
      )
    },
    keepPackage(packageUid: PackageUid, cases: PackageCases, askedAt: number, answeredAt = askedAt) {
      keep(link('package', packageUid), null, JSON.stringify(cases), askedAt, answeredAt)
    },
    package: packageOf,
    packagesWith: (text: string, limit: number) => z.array(z.string()).parse(searchPackages.all(likeOf(text), limit)),
  }
}

const caseLink = ({ caseId, name, identifier }: CaseFacts) => collectionLink({ uuid: caseId, name, identifier })

function cachedIn<T>(schema: z.ZodType<T>, row: unknown): Cached<T> | undefined {
  const found = ContentRow.safeParse(row).data
  const value = found && parseStored(schema, found.content)
  return value === undefined ? undefined : { value, seenAt: found?.asked_at ?? 0 }
}

function createViews(db: Database, select: Select) {
  const upsert = db.prepare(`
    INSERT INTO memory (kind, id, form, identifier, name, detail, asked_at, via, shown_at, size, words, content)
    VALUES (@kind, @id, 'view', @identifier, @name, @detail, @askedAt, @via, @shownAt, @size, @words, @content)
    ON CONFLICT DO UPDATE SET identifier = excluded.identifier, name = excluded.name, detail = excluded.detail,
      asked_at = excluded.asked_at, via = excluded.via, shown_at = coalesce(excluded.shown_at, shown_at),
      size = excluded.size, words = excluded.words, content = excluded.content
    WHERE (excluded.asked_at >= asked_at OR asked_at > @answeredAt) AND (@via IS NULL OR via IS NOT NULL)`)
  // Uses the index alone: no view is read to find out which are too many.
  const trimmer = (which: string, newestFirst: string, { things, size }: { things: number; size: number }) =>
    db.prepare(`
      DELETE FROM memory WHERE rowid IN (
        SELECT rowid FROM (
          SELECT rowid, row_number() OVER newest AS place, sum(size) OVER newest AS total
          FROM memory INDEXED BY memory_view WHERE size IS NOT NULL AND ${which}
          WINDOW newest AS (ORDER BY ${newestFirst} ROWS UNBOUNDED PRECEDING))
        WHERE place > ${things} OR total > ${size})`)
  const trimShown = trimmer('shown_at IS NOT NULL', 'shown_at DESC, asked_at DESC, rowid DESC', bounds.shown)
  const trimUnopened = trimmer('shown_at IS NULL', 'asked_at DESC, rowid DESC', bounds.unopened)
  const forget = db.prepare(`
    DELETE FROM memory WHERE form = 'view' AND (asked_at <= @askedAt OR asked_at > @answeredAt) AND rowid IN (
      SELECT rowid FROM memory WHERE kind = @kind AND id = @id
      UNION ALL SELECT rowid FROM memory WHERE kind = @kind AND identifier = @id)`)
  const shown = db.prepare(`UPDATE memory SET shown_at = ? WHERE kind = ? AND id = ? AND form = 'view'`)
  const links = 'SELECT kind, id, name, detail FROM memory'
  const batchesOf = db.prepare(`
    ${links} WHERE kind = 'batch' AND form = 'view' AND CASE WHEN json_valid(content) THEN
      EXISTS (SELECT 1 FROM json_each(content, '$.packagedProducts') WHERE value ->> '$.product.id' = ?) END
    ORDER BY coalesce(shown_at, asked_at) DESC, rowid DESC LIMIT 50`)
  const viewsOnly = 'FROM memory INDEXED BY memory_view WHERE size IS NOT NULL'
  const recent = db.prepare(`
    SELECT kind, id, name, detail ${viewsOnly} AND shown_at IS NOT NULL ORDER BY shown_at DESC, rowid DESC LIMIT +?`)
  const search = db.prepare(`
    SELECT kind, id, name, detail, words ${viewsOnly} AND words LIKE ? ESCAPE '\\'
    ORDER BY coalesce(shown_at, asked_at) DESC, rowid DESC LIMIT +?`)

  let isInCommit = false
  const inOneCommit = db.transaction((work: () => void) => {
    isInCommit = true
    try {
      work()
    } finally {
      isInCommit = false
    }
    trimShown.run()
    trimUnopened.run()
  })
  const together = (work: () => void) => {
    if (isInCommit) work()
    else inOneCommit(work)
  }

  return {
    /** Keeps several views in one commit, and trims once. */
    together,
    /**
     * `via`: the case the view came from, if the thing was not looked up itself. A view from a case never replaces a
     * looked-up view.
     */
    keepView(view: EntityView, askedAt: number, answeredAt: number, via?: string) {
      const { knowledge: _, unreachable: __, operations: ___, watched: ____, ...body } = view
      const content = JSON.stringify(body)
      together(() => {
        upsert.run({
          ...linkOf(view),
          identifier: view.kind === 'collection' ? view.identifier : null,
          via: via ?? null,
          askedAt,
          answeredAt,
          // A view that was looked up counts as shown from the start, or it would be the first to go.
          shownAt: via === undefined ? answeredAt : null,
          size: Buffer.byteLength(content),
          words: searchable(wordsOf(view)),
          content,
        })
      })
    },
    /** The stored view of a thing; a collection can be found by its id or its identifier. */
    view(kind: EntityKind, id: string): StoredView | undefined {
      const row = ContentRow.safeParse(select({ kind, form: 'view', id })).data
      const view = row && parseStored(storedView(row.asked_at), row.content)
      return view && { view, via: row.via }
    },
    /** The thing doesn't exist, unless a later question found it. */
    forgetView: (kind: EntityKind, id: string, askedAt: number, answeredAt: number) =>
      void forget.run({ kind, id, askedAt, answeredAt }),
    /** A person looked at it: it is among the recent ones. */
    noteShown: (kind: EntityKind, id: string, at: number) => void shown.run(at, kind, id),
    /** The batches that a product is packaged from, the last ones first. */
    batchesOf: (productId: string) => batchesOf.all(productId).map((row) => LinkRow.parse(row)),
    /** Views that a person opened, the last ones first. */
    recent: (limit: number) => recent.all(limit).map((row) => LinkRow.parse(row)),
    /** Views whose names, identifiers or printed numbers (`words`) hold the text, the last ones first. */
    viewsWith: (text: string, limit: number) =>
      search
        .all(likeOf(searchable(text)), limit)
        .map((row) => ({ link: LinkRow.parse(row), words: WordsRow.parse(row).words.split('\n') })),
  }
}

/** A stored view, with what is not stored because it is of the moment. */
const storedView = (askedAt: number): z.ZodType<EntityView> =>
  z.looseObject({}).transform((body, context) => {
    const knowledge = { source: 'stored', knownAt: iso(askedAt) }
    const view = EntityView.safeParse({ ...body, knowledge, unreachable: null, operations: [] })
    if (view.success) return view.data
    context.addIssue('not a view of this version')
    return z.NEVER
  })

/** The line by which a person chooses a thing that was looked up. */
function linkOf(view: EntityView): EntityLink {
  const { kind, ref, name } = view
  const fact = (wanted: FactName) => view.facts.find((one) => one.name === wanted)?.value
  switch (kind) {
    case 'tag':
      return link(kind, ref.id, name, fact('brand'))
    case 'collection':
      return link(kind, ref.id, name, view.identifier === ref.id ? view.type : view.identifier)
    case 'product':
      return link(kind, ref.id, name, fact('sku') ?? fact('brand'))
    case 'batch':
      return link(kind, ref.id, name, fact('regulatory-id'))
    case 'coa':
      return link(kind, ref.id, name, fact('reported-on')?.slice(0, 10))
    case 'package':
      return link(kind, ref.id, name)
  }
}

const searchedFacts = new Set<FactName>([
  'identifier',
  'sku',
  'upc',
  'barcode',
  'gtin',
  'regulatory-id',
  'package-uid',
  'sample',
  'batch-sample',
])

/** What a person would look for a thing by. */
function wordsOf(view: EntityView): string {
  const printed = view.facts.filter(({ name }) => searchedFacts.has(name)).map(({ value }) => value)
  const own = view.kind === 'collection' ? [view.identifier] : view.kind === 'package' ? [view.ref.id] : []
  return [filled(view.name), ...own, ...printed].filter((one) => one !== null).join('\n')
}
