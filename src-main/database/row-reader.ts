import type { Statement } from 'better-sqlite3'
import { z } from 'zod'
import { parseStored } from './settings'

/** A column that holds 0 or 1. */
export const Flag = z.number().transform((value) => value === 1)

/** A column that holds JSON. */
export const storedJson = <T>(schema: z.ZodType<T>) =>
  z.string().transform((text, context): T => {
    const parsed = parseStored(schema, text)
    if (parsed !== undefined) return parsed
    context.addIssue('not of this version')
    return z.NEVER
  })

/** The column of a field: `startedAt` is `started_at`. */
const columnOf = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * Reads rows of a statement: columns in snake case become fields in camel case, parsed by the schema, which lists the fields.
 * A row that doesn't parse throws, except in `readable`.
 */
export class RowReader<Row> {
  readonly #schema: z.ZodType<Row>
  readonly #columns: [field: string, column: string][]

  constructor(schema: z.ZodType<Row> & { readonly shape: z.core.$ZodShape }) {
    this.#schema = schema
    this.#columns = Object.keys(schema.shape).map((field) => [field, columnOf(field)])
  }

  parse(row: unknown): Row {
    return this.#schema.parse(this.#fieldsOf(row))
  }

  /** The first row; undefined if there is none. */
  get(statement: Statement, ...values: unknown[]): Row | undefined {
    const row = statement.get(...values)
    return row === undefined ? undefined : this.parse(row)
  }

  all(statement: Statement, ...values: unknown[]): Row[] {
    return statement.all(...values).map((row) => this.parse(row))
  }

  /** The rows that parse; the others are counted. */
  readable(statement: Statement, ...values: unknown[]): { rows: Row[]; unreadable: number } {
    const all = statement.all(...values)
    const rows = all.flatMap((row) => this.#schema.safeParse(this.#fieldsOf(row)).data ?? [])
    return { rows, unreadable: all.length - rows.length }
  }

  #fieldsOf(row: unknown): unknown {
    if (typeof row !== 'object' || row === null) return row
    const values = new Map<string, unknown>(Object.entries(row))
    return Object.fromEntries(this.#columns.map(([field, column]) => [field, values.get(column)]))
  }
}
