import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { Log } from '../core/log'

const SettingRow = z.object({ value: z.string() })

/** Small values by name. A value that doesn't parse counts as not set. */
export function createSettings(db: Database, log: Log) {
  const select = db.prepare('SELECT value FROM setting WHERE name = ?')
  const upsert = db.prepare(
    'INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  )
  const write = (name: string, value: unknown) => void upsert.run(name, JSON.stringify(value))
  return {
    read<T>(name: string, schema: z.ZodType<T>): T | undefined {
      const row = SettingRow.safeParse(select.get(name))
      return row.success ? parseStored(schema, row.data.value) : undefined
    },
    /** Throws if the disk refuses. */
    write,
    /** Writes a value that is only a convenience: a disk error is logged. */
    keep(name: string, value: unknown) {
      try {
        write(name, value)
      } catch (cause) {
        log.warn('a setting could not be kept', { name, cause })
      }
    },
  }
}

export type Settings = ReturnType<typeof createSettings>

/** Stored JSON parsed with a schema; undefined if it doesn't match. */
export function parseStored<T>(schema: z.ZodType<T>, json: string): T | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(json))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}
