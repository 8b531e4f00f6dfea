import type Database from 'better-sqlite3'
import { z } from 'zod'

export type Store = Database.Database

/** What may be bound to a statement's parameters. */
export type Value = string | number | Uint8Array | null

/** A statement whose rows come out parsed: SQLite gives `unknown`, and nothing behind this door is cast. */
export interface Query<Row> {
  all(...values: Value[]): Row[]
  get(...values: Value[]): Row | undefined
}

/** Prepares a reading statement; `row` describes its columns. */
export function query<Row>(store: Store, sql: string, row: z.ZodType<Row>): Query<Row> {
  const statement = store.prepare<Value[]>(sql)
  return {
    all: (...values) => statement.all(...values).map((one) => row.parse(one)),
    get(...values) {
      const one = statement.get(...values)
      return one === undefined ? undefined : row.parse(one)
    },
  }
}

/** Prepares a writing statement. */
export function command(store: Store, sql: string): (...values: Value[]) => void {
  const statement = store.prepare<Value[]>(sql)
  return (...values) => void statement.run(...values)
}

/** A `body` column: JSON in the form of the data file. */
export const json = <T extends z.ZodType>(content: T) =>
  z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(content)
