import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { Log } from '../log'

/** Small values by name. What does not parse counts as not set. */
export interface Settings {
  read<T>(name: string, schema: z.ZodType<T>): T | undefined
  /** Throws when the disk refuses. */
  write(name: string, value: unknown): void
  /** Writes what is a convenience only: a disk that refuses is logged. */
  keep(name: string, value: unknown): void
}

const Row = z.object({ value: z.string() })

export function createSettings(db: Database, log: Log): Settings {
  const select = db.prepare('SELECT value FROM setting WHERE name = ?')
  const upsert = db.prepare(
    'INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  )
  const write = (name: string, value: unknown) => void upsert.run(name, JSON.stringify(value))
  return {
    read(name, schema) {
      const row = Row.safeParse(select.get(name))
      return row.success ? parseStored(schema, row.data.value) : undefined
    },
    write,
    keep(name, value) {
      try {
        write(name, value)
      } catch (cause) {
        log.warn('a setting could not be kept', { name, cause })
      }
    },
  }
}

/** Stored JSON as what it should be; undefined when it is not. */
export function parseStored<T>(schema: z.ZodType<T>, json: string): T | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(json))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}
