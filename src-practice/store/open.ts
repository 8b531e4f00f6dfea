import Database from 'better-sqlite3'
import { z } from 'zod'
import { CannotStart } from '../cannot-start'
import type { DataFile } from '../data-file'
import { schema } from './schema'
import { type Store, query } from './query'
import { seed } from './seed'

/** "CTPS": marks a file as ours, so that a wrong path never turns another program's database into a practice service. */
const applicationId = 0x43545053
const schemaVersion = 1

/**
 * Opens the database, and fills an empty one from the data. One that holds data is left as it is, so accepted
 * transactions outlive a restart.
 */
export function openStore(file: string, data: DataFile | undefined): Store {
  const store = connect(file)
  try {
    // Before anything is written, and that includes the journal mode: another program's file stays as it is.
    const empty = isEmpty(store)
    if (!empty) assertOurs(store, file)
    store.pragma('foreign_keys = ON')
    store.pragma('journal_mode = WAL')
    // better-sqlite3 compiles WAL to NORMAL; what was accepted must survive a power cut here too.
    store.pragma('synchronous = FULL')
    if (empty) fill(store, data)
    return store
  } catch (cause) {
    store.close()
    if (cause instanceof Database.SqliteError && cause.code === 'SQLITE_NOTADB') throw notOurs(file)
    throw cause
  }
}

function connect(file: string): Store {
  try {
    return new Database(file)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CannotStart(`The database ${file} cannot be opened: ${reason}.`, { cause })
  }
}

function isEmpty(store: Store): boolean {
  return query(store, 'SELECT count(*) AS n FROM sqlite_schema', z.object({ n: z.number() })).get()?.n === 0
}

function fill(store: Store, data: DataFile | undefined): void {
  if (data === undefined) throw new CannotStart('The database is empty and no data file was given (--data FILE.json).')
  // One transaction: a start that was interrupted leaves an empty file, not half a store.
  store.transaction(() => {
    store.exec(schema)
    store.pragma(`application_id = ${applicationId}`)
    store.pragma(`user_version = ${schemaVersion}`)
    seed(store, data)
  })()
}

function assertOurs(store: Store, file: string): void {
  if (store.pragma('application_id', { simple: true }) !== applicationId) throw notOurs(file)
  if (store.pragma('user_version', { simple: true }) !== schemaVersion) {
    throw new CannotStart(`The database ${file} was written by another version of the practice service.`)
  }
}

const notOurs = (file: string) => new CannotStart(`The file ${file} is not a database of the practice service.`)
