import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { z } from 'zod'

/** A database file that a service writes, watched from beside it. */
export function watchedDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'practice-'))
  const file = join(folder, 'practice.db')
  let reader: Database.Database | undefined
  const open = () => (reader ??= new Database(file, { readonly: true }))
  return {
    file,
    /** Another number as soon as anybody has written anything. */
    version: () => z.number().parse(open().pragma('data_version', { simple: true })),
    /** Every row of every table, as text. */
    dump(): string {
      const tables = open().prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
      const rows = tables.map(({ name }) => open().prepare(`SELECT * FROM "${name}"`).all())
      return JSON.stringify(rows)
    },
    close() {
      reader?.close()
      rmSync(folder, { recursive: true })
    },
  }
}
