import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { type ThingKind, ThingLink, ThingView } from '../../src-shared/ipc/find-view'
import { searchable } from '../../src-shared/text'
import { likeOf } from '../store/like'
import { parseStored } from '../store/settings'
import { filled, link } from './links'

/** What Find has shown, and what cases told of their batches and certificates: for the time without a network. */
export interface FoundStore {
  /**
   * Keeps a view without its operations; of two the one that was asked for later. `via`: the case that told of it, where it
   * was not looked up itself.
   */
  keep(view: ThingView, askedAt: number, answeredAt: number, via?: string): void
  /** Keeps several in one commit, and trims once. */
  together(work: () => void): void
  /** Somebody has looked at it: it is among the recent ones. */
  noteShown(kind: ThingKind, id: string, at: number): void
  /** It is no more, unless a later question found it: of a collection by its id or its identifier. */
  forget(kind: ThingKind, id: string, askedAt: number, answeredAt: number): void
  /** Of a collection by its id or its identifier. */
  get(kind: ThingKind, id: string): FoundThing | undefined
  /** Whatever has this id. */
  withId(id: string): ThingLink[]
  /** The batches that a product is packaged from, the last ones first. */
  batchesOf(productId: string): ThingLink[]
  /** Newest first. */
  recent(limit: number): ThingLink[]
  /** Those in whose names, identifiers or printed numbers (`words`) the text stands; the last ones first. */
  search(text: string, limit: number): { link: ThingLink; words: string[] }[]
}

export interface FoundThing {
  view: ThingView
  /** Ms since 1970. */
  askedAt: number
  /** The case that told of it. */
  via: string | null
}

interface Bound {
  things: number
  /** Of their views, in bytes. */
  size: number
}

/**
 * What is kept; beyond it the oldest go. It is all in every backup. What nobody has looked at has a share of its own: it
 * pushes out nothing that somebody has, and without it the certificates of the case in front could not be asked for.
 */
export const bounds = {
  shown: { things: 800, size: 16_000_000 },
  told: { things: 200, size: 4_000_000 },
} satisfies Record<string, Bound>

const Row = z.object({ view: z.string(), asked_at: z.number(), via: z.string().nullable() })
const LinkRow = z
  .object({ kind: ThingLink.shape.kind, id: z.string(), name: z.string().nullable(), detail: z.string().nullable() })
  .transform(({ kind, id, name, detail }) => link(kind, id, name, detail))
const WordsRow = z.object({ words: z.string() })

export function createFoundStore(db: Database): FoundStore {
  // What seems to be of later than now was written before the clock was set back: it is no newer. What was looked up counts
  // as looked at from the start, or it would go at once as the least of what nobody has.
  const upsert = db.prepare(`
    INSERT INTO found_thing (kind, id, identifier, name, detail, via, asked_at, shown_at, size, words, view)
    VALUES (@kind, @id, @identifier, @name, @detail, @via, @askedAt, iif(@via IS NULL, @answeredAt, NULL), @size, @words, @view)
    ON CONFLICT (kind, id) DO UPDATE SET identifier = excluded.identifier, name = excluded.name, detail = excluded.detail,
      via = excluded.via, asked_at = excluded.asked_at, shown_at = coalesce(excluded.shown_at, shown_at),
      size = excluded.size, words = excluded.words, view = excluded.view
    WHERE (excluded.asked_at >= asked_at OR asked_at > @answeredAt) AND (@via IS NULL OR via IS NOT NULL)`)
  // By the index alone: no view is read to find out which are too many.
  const trimmer = (which: string, newestFirst: string, { things, size }: Bound) =>
    db.prepare(`
      DELETE FROM found_thing WHERE rowid IN (
        SELECT rowid FROM (
          SELECT rowid, row_number() OVER newest AS place, sum(size) OVER newest AS total
          FROM found_thing INDEXED BY found_thing_use WHERE ${which}
          WINDOW newest AS (ORDER BY ${newestFirst} ROWS UNBOUNDED PRECEDING))
        WHERE place > ${things} OR total > ${size})`)
  const trimShown = trimmer('shown_at IS NOT NULL', 'shown_at DESC, asked_at DESC, rowid DESC', bounds.shown)
  const trimTold = trimmer('shown_at IS NULL', 'asked_at DESC, rowid DESC', bounds.told)
  const forget = db.prepare(`
    DELETE FROM found_thing WHERE kind = @kind AND (id = @id OR identifier = @id)
    AND (asked_at <= @askedAt OR asked_at > @answeredAt)`)
  const shown = db.prepare('UPDATE found_thing SET shown_at = ? WHERE kind = ? AND id = ?')
  const select = db.prepare(`
    SELECT view, asked_at, via FROM found_thing WHERE kind = @kind AND (id = @id OR identifier = @id)
    ORDER BY id = @id DESC, asked_at DESC LIMIT 1`)
  const links = 'SELECT kind, id, name, detail FROM found_thing'
  const withId = db.prepare(`${links} WHERE id = ? ORDER BY kind`)
  const batchesOf = db.prepare(`
    ${links} WHERE kind = 'batch' AND CASE WHEN json_valid(view) THEN
      EXISTS (SELECT 1 FROM json_each(view, '$.packagedProducts') WHERE value ->> '$.product.id' = ?) END
    ORDER BY coalesce(shown_at, asked_at) DESC, rowid DESC LIMIT 50`)
  const recent = db.prepare(`${links} WHERE shown_at IS NOT NULL ORDER BY shown_at DESC, rowid DESC LIMIT ?`)
  const search = db.prepare(
    `SELECT kind, id, name, detail, words FROM found_thing WHERE words LIKE ? ESCAPE '\\' ORDER BY coalesce(shown_at, asked_at) DESC, rowid DESC LIMIT ?`,
  )
  const trim = () => {
    trimShown.run()
    trimTold.run()
  }
  let isTogether = false
  const inOneCommit = db.transaction((work: () => void) => {
    isTogether = true
    try {
      work()
    } finally {
      isTogether = false
    }
    trim()
  })
  const together = (work: () => void) => {
    if (isTogether) work()
    else inOneCommit(work)
  }

  return {
    keep(view, askedAt, answeredAt, via) {
      const { kind, id, name, detail } = linkOf(view)
      const json = JSON.stringify({ ...view, operations: [], silence: null })
      together(() => {
        upsert.run({
          kind,
          id,
          identifier: view.kind === 'collection' ? view.identifier : null,
          name,
          detail,
          via: via ?? null,
          askedAt,
          answeredAt,
          size: Buffer.byteLength(json),
          words: searchable(wordsOf(view)),
          view: json,
        })
      })
    },
    together,
    noteShown: (kind, id, at) => void shown.run(at, kind, id),
    forget: (kind, id, askedAt, answeredAt) => void forget.run({ kind, id, askedAt, answeredAt }),
    get(kind, id) {
      const row = Row.safeParse(select.get({ kind, id }))
      // What no longer parses (written by another version) counts as never seen.
      const view = row.success ? parseStored(ThingView, row.data.view) : undefined
      return row.success && view ? { view, askedAt: row.data.asked_at, via: row.data.via } : undefined
    },
    withId: (id) => withId.all(id).map((row) => LinkRow.parse(row)),
    batchesOf: (productId) => batchesOf.all(productId).map((row) => LinkRow.parse(row)),
    recent: (limit) => recent.all(limit).map((row) => LinkRow.parse(row)),
    search: (text, limit) =>
      search
        .all(likeOf(searchable(text)), limit)
        .map((row) => ({ link: LinkRow.parse(row), words: WordsRow.parse(row).words.split('\n') })),
  }
}

/** A thing that was looked up, as a line to choose it by. */
function linkOf(view: ThingView): ThingLink {
  const fact = (name: string) => view.facts.find((one) => one.name === name)?.value ?? null
  switch (view.kind) {
    case 'tag':
      return link('tag', view.ref.id, view.name, fact('brand'))
    case 'collection':
      return link('collection', view.ref.id, view.name, view.identifier === view.ref.id ? view.type : view.identifier)
    case 'product':
      return link('product', view.ref.id, view.name, fact('sku') ?? fact('brand'))
    case 'batch':
      return link('batch', view.ref.id, view.name, fact('regulatory-id'))
    case 'coa':
      return link('coa', view.ref.id, view.name, fact('reported-on')?.slice(0, 10))
    case 'package':
      return link('package', view.ref.id, view.name)
  }
}

const searchedKinds = new Set([
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
function wordsOf(view: ThingView): string {
  const printed = view.facts.filter(({ name }) => searchedKinds.has(name)).map(({ value }) => value)
  const own = view.kind === 'collection' ? [view.identifier] : view.kind === 'package' ? [view.ref.id] : []
  return [filled(view.name), ...own, ...printed].filter((one) => one !== null).join('\n')
}
