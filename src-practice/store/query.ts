import { randomUUID } from 'node:crypto'
import type Database from 'better-sqlite3'
import { z } from 'zod'
import { toShortUuid } from '../../src-shared/ids'

export type Store = Database.Database

/** Values that can be bound to a statement's parameters. */
type Value = string | number | Uint8Array | null

/** A statement with parsed rows: SQLite gives `unknown`, and nothing after this point is cast. */
interface Query<Row> {
  all(...values: Value[]): Row[]
  get(...values: Value[]): Row | undefined
}

/** A statement that is prepared at its first use: there are some 300, most of a start's time, and a session uses few. */
function statementOf(store: Store, sql: string): () => Database.Statement<Value[]> {
  let prepared: Database.Statement<Value[]> | undefined
  return () => (prepared ??= store.prepare<Value[]>(sql))
}

/**
 * A reading statement; `row` describes its columns. SQLite plans a join anew at each run if it compares a column with a
 * bare parameter, and any statement whose LIMIT is one, for the value might change the plan: these write `+?`.
 */
export function query<Row>(store: Store, sql: string, row: z.ZodType<Row>): Query<Row> {
  const statement = statementOf(store, sql)
  return {
    all: (...values) =>
      statement()
        .all(...values)
        .map((one) => row.parse(one)),
    get(...values) {
      const one = statement().get(...values)
      return one === undefined ? undefined : row.parse(one)
    },
  }
}

/** A writing statement. */
export function command(store: Store, sql: string): (...values: Value[]) => void {
  const statement = statementOf(store, sql)
  return (...values) => void statement().run(...values)
}

/** Texts whose meaning is remembered for each `body` column. */
const remembered = 200

/**
 * A `body` column: JSON in the form of the data file. Many cases name the same few products, so the latest texts are
 * parsed once: what they mean is frozen.
 */
export function json<T extends z.ZodType>(content: T) {
  const known = new Map<string, z.output<T>>()
  return z.string().transform((text): z.output<T> => {
    const found = known.get(text)
    if (found !== undefined) return found
    const parsed = frozen(content.parse(JSON.parse(text)))
    const [oldest] = known.keys()
    if (known.size >= remembered && oldest !== undefined) known.delete(oldest)
    known.set(text, parsed)
    return parsed
  })
}

/** Frozen to its depth: a change would show in other answers. */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  for (const inner of Object.values(value)) frozen(inner)
  return Object.freeze(value)
}

/** The settings that the data file has once for the whole service. */
export interface Settings {
  /** Host of the printed codes, without a slash at the end. */
  tagUrl: string
  /** Lifetime of an access token, in seconds. */
  expiresIn: number
}

export function readSettings(store: Store): Settings {
  const rows = query(store, 'SELECT name, value FROM settings', z.object({ name: z.string(), value: z.string() })).all()
  const values = Object.fromEntries(rows.map(({ name, value }) => [name, value]))
  return z
    .object({ tag_url: z.string(), expires_in: z.coerce.number().int().positive() })
    .transform(({ tag_url, expires_in }) => ({ tagUrl: tag_url, expiresIn: expires_in }))
    .parse(values)
}

/** A new id in short form. */
export function newShortUuid(): string {
  const uuid = randomUUID()
  return toShortUuid(uuid) ?? uuid
}
