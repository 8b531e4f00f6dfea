import type { Database, Transaction } from 'better-sqlite3'
import { z } from 'zod'
import { type EntityKind, type EntityLink, EntityView, type FactName } from '../../src-shared/ipc/contract/find'
import { searchable } from '../../src-shared/text'
import { iso } from '../core/clock'
import { likeOf } from '../database/schema'
import { parseStored } from '../database/settings'
import { filled, link } from './find/links'
import { ContentRow, LinkRow, type MemoryRows } from './memory-rows'

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

const WordsRow = z.object({ words: z.string() })

/** Uses the index alone: no view is read to find out which are too many. */
const trimText = (which: string, newestFirst: string, { things, size }: { things: number; size: number }) => `
  DELETE FROM memory WHERE rowid IN (
    SELECT rowid FROM (
      SELECT rowid, row_number() OVER newest AS place, sum(size) OVER newest AS total
      FROM memory INDEXED BY memory_view WHERE size IS NOT NULL AND ${which}
      WINDOW newest AS (ORDER BY ${newestFirst} ROWS UNBOUNDED PRECEDING))
    WHERE place > ${things} OR total > ${size})`

const statementsOf = (db: Database) => {
  const viewsOnly = 'FROM memory INDEXED BY memory_view WHERE size IS NOT NULL'
  return {
    upsert: db.prepare(`
      INSERT INTO memory (kind, id, form, identifier, name, detail, asked_at, via, shown_at, size, words, content)
      VALUES (@kind, @id, 'view', @identifier, @name, @detail, @askedAt, @via, @shownAt, @size, @words, @content)
      ON CONFLICT DO UPDATE SET identifier = excluded.identifier, name = excluded.name, detail = excluded.detail,
        asked_at = excluded.asked_at, via = excluded.via, shown_at = coalesce(excluded.shown_at, shown_at),
        size = excluded.size, words = excluded.words, content = excluded.content
      WHERE (excluded.asked_at >= asked_at OR asked_at > @answeredAt) AND (@via IS NULL OR via IS NOT NULL)`),
    trimShown: db.prepare(trimText('shown_at IS NOT NULL', 'shown_at DESC, asked_at DESC, rowid DESC', bounds.shown)),
    trimUnopened: db.prepare(trimText('shown_at IS NULL', 'asked_at DESC, rowid DESC', bounds.unopened)),
    forget: db.prepare(`
      DELETE FROM memory WHERE form = 'view' AND (asked_at <= @askedAt OR asked_at > @answeredAt) AND rowid IN (
        SELECT rowid FROM memory WHERE kind = @kind AND id = @id
        UNION ALL SELECT rowid FROM memory WHERE kind = @kind AND identifier = @id)`),
    noteShown: db.prepare(`UPDATE memory SET shown_at = ? WHERE kind = ? AND id = ? AND form = 'view'`),
    batchesOf: db.prepare(`
      SELECT kind, id, name, detail FROM memory
      WHERE kind = 'batch' AND form = 'view' AND CASE WHEN json_valid(content) THEN
        EXISTS (SELECT 1 FROM json_each(content, '$.packagedProducts') WHERE value ->> '$.product.id' = ?) END
      ORDER BY coalesce(shown_at, asked_at) DESC, rowid DESC LIMIT 50`),
    recent: db.prepare(`
      SELECT kind, id, name, detail ${viewsOnly} AND shown_at IS NOT NULL ORDER BY shown_at DESC, rowid DESC LIMIT +?`),
    search: db.prepare(`
      SELECT kind, id, name, detail, words ${viewsOnly} AND words LIKE ? ESCAPE '\\'
      ORDER BY coalesce(shown_at, asked_at) DESC, rowid DESC LIMIT +?`),
  }
}

/** The views that Find has shown, and those that came with them. */
export class Views {
  readonly #rows: MemoryRows
  readonly #statements: ReturnType<typeof statementsOf>
  readonly #inOneCommit: Transaction<(work: () => void) => void>
  #isInCommit = false

  constructor(db: Database, rows: MemoryRows) {
    this.#rows = rows
    this.#statements = statementsOf(db)
    this.#inOneCommit = db.transaction((work) => {
      this.#isInCommit = true
      try {
        work()
      } finally {
        this.#isInCommit = false
      }
      this.#statements.trimShown.run()
      this.#statements.trimUnopened.run()
    })
  }

  /** Keeps several views in one commit, and trims once. */
  together(work: () => void): void {
    if (this.#isInCommit) work()
    else this.#inOneCommit(work)
  }

  /**
   * `via`: the case the view came from, if the thing was not looked up itself. A view from a case never replaces a
   * looked-up view.
   */
  keep(view: EntityView, askedAt: number, answeredAt: number, via?: string): void {
    const { knowledge: _, unreachable: __, operations: ___, watched: ____, ...body } = view
    const content = JSON.stringify(body)
    this.together(() => {
      this.#statements.upsert.run({
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
  }

  /** The stored view of a thing; a collection can be found by its id or its identifier. */
  find(kind: EntityKind, id: string): StoredView | undefined {
    const row = ContentRow.safeParse(this.#rows.find({ kind, form: 'view', id })).data
    const view = row && parseStored(storedView(row.asked_at), row.content)
    return view && { view, via: row.via }
  }

  /** The thing doesn't exist, unless a later question found it. */
  forget(kind: EntityKind, id: string, askedAt: number, answeredAt: number): void {
    this.#statements.forget.run({ kind, id, askedAt, answeredAt })
  }

  /** A person looked at it: it is among the recent ones. */
  noteShown(kind: EntityKind, id: string, at: number): void {
    this.#statements.noteShown.run(at, kind, id)
  }

  /** The batches that a product is packaged from, the last ones first. */
  batchesOf(productId: string): EntityLink[] {
    return this.#statements.batchesOf.all(productId).map((row) => LinkRow.parse(row))
  }

  /** Views that a person opened, the last ones first. */
  recent(limit: number): EntityLink[] {
    return this.#statements.recent.all(limit).map((row) => LinkRow.parse(row))
  }

  /** Views whose names, identifiers or printed numbers (`words`) hold the text, the last ones first. */
  withWords(text: string, limit: number): { link: EntityLink; words: string[] }[] {
    return this.#statements.search
      .all(likeOf(searchable(text)), limit)
      .map((row) => ({ link: LinkRow.parse(row), words: WordsRow.parse(row).words.split('\n') }))
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
