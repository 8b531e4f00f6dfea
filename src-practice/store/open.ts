import Database from 'better-sqlite3'
import { z } from 'zod'
import { CannotStart } from '../cannot-start'
import type { DataFile } from '../data-file'
import { schema } from './schema'
import { type Store, query } from './query'
import { seed } from './seed'

/** "CTPS": marks a file as ours, so that a wrong path never turns another program's database into a practice service. */
const applicationId = 0x43545053
/** Goes up with every change to the tables or to what a `body` holds. */
const schemaVersion = 2

/** What an empty database is filled with. A function is asked only then: a large file need not be read at every start. */
export type StartData = DataFile | (() => DataFile)

/**
 * Opens the database, and fills an empty one from the data. One that holds data is left as it is, so accepted
 * transactions outlive a restart; but one with the tables of an earlier version is emptied and filled anew: practice
 * data is worth no migrations.
 */
export function openStore(file: string, data: StartData | undefined, onStatement?: (sql: string) => void): Store {
  const store = connect(file, onStatement)
  try {
    // Before anything is written, and that includes the journal mode: another program's file stays as it is.
    const content = isEmpty(store) ? 'empty' : versionOf(store, file)
    const filling = content === 'current' ? undefined : typeof data === 'function' ? data() : data
    if (content !== 'current' && filling === undefined) {
      throw new CannotStart(`The database is ${content} and no data file was given (--data FILE.json).`)
    }
    store.pragma('journal_mode = WAL')
    // better-sqlite3 compiles WAL to NORMAL; what was accepted must survive a power cut here too.
    store.pragma('synchronous = FULL')
    if (content === 'outdated') clear(store)
    store.pragma('foreign_keys = ON')
    if (filling !== undefined) fill(store, filling)
    return store
  } catch (cause) {
    store.close()
    if (cause instanceof Database.SqliteError && cause.code === 'SQLITE_NOTADB') throw notOurs(file)
    throw cause
  }
}

function connect(file: string, onStatement?: (sql: string) => void): Store {
  try {
    return new Database(file, onStatement && { verbose: (sql) => typeof sql === 'string' && onStatement(sql) })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CannotStart(`The database ${file} cannot be opened: ${reason}.`, { cause })
  }
}

function isEmpty(store: Store): boolean {
  return query(store, 'SELECT count(*) AS n FROM sqlite_schema', z.object({ n: z.number() })).get()?.n === 0
}

/** Drops every table. Foreign keys are off meanwhile, so their order is of no matter. */
function clear(store: Store): void {
  const tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
  store.pragma('foreign_keys = OFF')
  store.transaction(() => {
    for (const { name } of query(store, tables, z.object({ name: z.string() })).all())
      store.exec(`DROP TABLE "${name}"`)
  })()
}

function fill(store: Store, data: DataFile): void {
  // One transaction: a start that was interrupted leaves an empty file, not half a store.
  store.transaction(() => {
    store.exec(schema)
    store.pragma(`application_id = ${applicationId}`)
    store.pragma(`user_version = ${schemaVersion}`)
    seed(store, data)
  })()
}

function versionOf(store: Store, file: string): 'current' | 'outdated' {
  if (store.pragma('application_id', { simple: true }) !== applicationId) throw notOurs(file)
  const version = z.number().parse(store.pragma('user_version', { simple: true }))
  if (version > schemaVersion) {
    throw new CannotStart(`The database ${file} was written by a later version of the practice service.`)
  }
  return version === schemaVersion ? 'current' : 'outdated'
}

const notOurs = (file: string) => new CannotStart(`The file ${file} is not a database of the practice service.`)
