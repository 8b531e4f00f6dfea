import { renameSync, statSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { z } from 'zod'
import { CannotStart } from '../listener'
import type { DataFile } from '../data-file'
import { schema } from './schema'
import { type Store, frozen, query } from './query'
import { seed } from './seed'

/** "CTPS": marks a file as ours, so that a wrong path never overwrites another program's database. */
const applicationId = 0x43545053
/** Must be increased with every change to the tables or to the content of a `body`. */
const schemaVersion = 3

/** The initial data. A function is only called for an empty database, so that a large file isn't read at every start. */
export type StartData = DataFile | (() => DataFile)

/**
 * Opens the database, and fills it if it is empty. A database with data is kept, so accepted transactions survive a
 * restart; a database of an earlier version is emptied and filled again, because practice data doesn't need migrations.
 */
export function openStore(file: string, data: StartData | undefined, onStatement?: (sql: string) => void): Store {
  const filled = isNew(file) ? dataIn(data) : undefined
  const store = connect(file, filled && filledFile(filled), onStatement)
  try {
    // Checked before anything is written, including the journal mode: another program's file stays unchanged.
    const content = isEmpty(store) ? 'empty' : versionOf(store, file)
    const filling = content === 'current' ? undefined : dataIn(data)
    if (content !== 'current' && filling === undefined) {
      throw new CannotStart(`The database is ${content} and no data file was given (--data FILE.json).`)
    }
    store.pragma('journal_mode = WAL')
    // better-sqlite3 compiles WAL to NORMAL; accepted transactions must survive a power cut here, too.
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

const dataIn = (data: StartData | undefined) => (typeof data === 'function' ? data() : data)

const inMemory = ':memory:'
const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0
/** Nothing is there, not even a log that a crash left. */
const isNew = (file: string) => file === inMemory || (sizeOf(file) === 0 && sizeOf(`${file}-wal`) === 0)

/** Opens a database; with `content`, a new one that has it from its first byte on. */
function connect(file: string, content: Buffer | undefined, onStatement?: (sql: string) => void): Store {
  const options = onStatement && { verbose: (sql: unknown) => typeof sql === 'string' && onStatement(sql) }
  try {
    if (content !== undefined && file === inMemory) return new Database(content, options)
    if (content !== undefined) writeWhole(file, content)
    return new Database(file, options)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CannotStart(`The database ${file} cannot be opened: ${reason}.`, { cause })
  }
}

/** Files of filled databases by their data: to fill one again takes ten times as long. */
const filledFiles = new WeakMap<DataFile, Buffer>()

function filledFile(data: DataFile): Buffer {
  const known = filledFiles.get(data)
  if (known) return known
  const store = new Database(inMemory)
  try {
    store.pragma('foreign_keys = ON')
    fill(store, data)
    const made = store.serialize()
    filledFiles.set(frozen(data), made)
    return made
  } finally {
    store.close()
  }
}

/** Writes a file so that an interrupted start leaves none, not a part of one. */
function writeWhole(file: string, content: Buffer): void {
  writeFileSync(`${file}.new`, content, { flush: true })
  renameSync(`${file}.new`, file)
}

function isEmpty(store: Store): boolean {
  return query(store, 'SELECT count(*) AS n FROM sqlite_schema', z.object({ n: z.number() })).get()?.n === 0
}

/** Drops every table. Foreign keys are off meanwhile, so the order does not matter. */
function clear(store: Store): void {
  const tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
  store.pragma('foreign_keys = OFF')
  store.transaction(() => {
    for (const { name } of query(store, tables, z.object({ name: z.string() })).all())
      store.exec(`DROP TABLE "${name}"`)
  })()
}

function fill(store: Store, data: DataFile): void {
  // One transaction: an interrupted start leaves an empty file, not a partly filled one.
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
