import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { EntityKind, type EntityLink } from '../../src-shared/ipc/contract/find'
import { parseStored } from '../database/settings'
import { link } from './find/links'

/** A cached answer, and when it was asked for (ms since 1970). */
export interface Cached<T> {
  value: T
  seenAt: number
}

export const ContentRow = z.object({ content: z.string(), asked_at: z.number(), via: z.string().nullable() })
export const LinkRow = z
  .object({ kind: EntityKind, id: z.string(), name: z.string().nullable(), detail: z.string().nullable() })
  .transform(({ kind, id, name, detail }) => link(kind, id, name, detail))

export function cachedIn<T>(schema: z.ZodType<T>, row: unknown): Cached<T> | undefined {
  const found = ContentRow.safeParse(row).data
  const value = found && parseStored(schema, found.content)
  return value === undefined ? undefined : { value, seenAt: found?.asked_at ?? 0 }
}

const statementsOf = (db: Database) => {
  const columns = 'content, asked_at, via'
  return {
    byId: db.prepare(`SELECT ${columns} FROM memory WHERE kind = @kind AND id = @id AND form = @form`),
    byIdentifier: db.prepare(`
      SELECT ${columns} FROM memory WHERE kind = +@kind AND identifier = +@id AND form = +@form ORDER BY asked_at DESC LIMIT 1`),
    linksWith: db.prepare(`
      SELECT kind, id, name, detail FROM memory WHERE kind IN (${EntityKind.options.map((kind) => `'${kind}'`).join(', ')})
      AND id = +? ORDER BY kind, form DESC`),
  }
}

/** The rows of things by their ids. */
export class MemoryRows {
  readonly #statements: ReturnType<typeof statementsOf>

  constructor(db: Database) {
    this.#statements = statementsOf(db)
  }

  /** A collection is found by its id or its identifier: two queries, because with OR all rows of the kind would be read. */
  find(key: { kind: EntityKind; form: 'facts' | 'view'; id: string }): unknown {
    const { byId, byIdentifier } = this.#statements
    return byId.get(key) ?? (key.kind === 'collection' ? byIdentifier.get(key) : undefined)
  }

  /** Everything with this id: by its view first, then by its facts. */
  links(id: string): EntityLink[] {
    return this.#statements.linksWith.all(id).map((row) => LinkRow.parse(row))
  }
}
