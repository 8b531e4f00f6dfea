import './require-node.mjs'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { migrate, schemaVersion } from '../src-main/database/migrations'
import { emptyDatabase } from '../src-main/database/schema'
import { dump } from './schema-fixture/dump'
import { rows } from './schema-fixture/rows'

/**
 * `npm exec -- tsx scripts/schema-fixture.ts [VERSION]` writes `test/fixtures/schemas/NNN.sql`: a database of that
 * schema version (default: the newest) with rows in every table. Run it once for each version at its release; the file
 * is never written again, because it represents databases on stations in use.
 */
const version = Number(process.argv[2] ?? schemaVersion)
if (!Number.isInteger(version) || version < 1 || version > schemaVersion) {
  console.error(`VERSION must be a number from 1 to ${schemaVersion}.`)
  process.exit(1)
}

const db = emptyDatabase(version)
db.pragma('foreign_keys = OFF')
for (const table of tablesOf(db)) fill(db, table)
const text = dump(db)
migrate(db)
if (db.pragma('foreign_key_check', { simple: true }) !== undefined) throw new Error('the rows do not fit each other')
const name = `${String(version).padStart(3, '0')}.sql`
writeFileSync(join(import.meta.dirname, '..', 'test', 'fixtures', 'schemas', name), text)
console.log(`test/fixtures/schemas/${name}: ${text.split('\n').length} lines`)

function tablesOf(db: Database): string[] {
  return db
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .pluck()
    .all()
    .map(String)
}

function fill(db: Database, table: string): void {
  const own = rows[table]
  if (!own) throw new Error(`scripts/schema-fixture/rows.ts has no rows for ${table}`)
  const known = new Set(db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table).map(String))
  for (const row of own) {
    // Columns of a later version are omitted.
    const columns = Object.keys(row).filter((column) => known.has(column))
    const marks = columns.map((column) => `@${column}`).join(', ')
    db.prepare(`INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${marks})`).run(row)
  }
}
