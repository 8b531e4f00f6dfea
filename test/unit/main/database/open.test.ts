import { chmodSync, readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { schemaVersion } from '../../../../src-main/database/migrations'
import { openStore } from '../../../../src-main/database/open'
import { makeFolder } from '../../../../src-main/database/start-error'
import { type Shop, codeOf, openShop, put, sale } from './shop'

describe('opening the store', () => {
  // Windows doesn't have these modes.
  it.skipIf(process.platform === 'win32')('creates folders that only this user can open', () => {
    const [data, ours] = [join(shop.folder, 'data'), join(shop.folder, 'data', 'green-door')]
    openStore(join(ours, 'countertag.db')).close()
    expect([data, ours].map((folder) => statSync(folder).mode & 0o777)).toEqual([0o700, 0o700])
    makeFolder(join(shop.folder, 'another'))
    expect(statSync(join(shop.folder, 'another')).mode & 0o777).toBe(0o700)
  })

  let shop: Shop
  beforeEach(() => {
    shop = openShop()
  })
  afterEach(() => {
    shop.remove()
  })

  it('syncs each commit to the disk', () => {
    const { db, close } = openStore(join(shop.folder, 'new', 'countertag.db'))
    expect(db.pragma('synchronous', { simple: true })).toBe(2)
    expect(db.pragma('fullfsync', { simple: true })).toBe(1)
    expect(db.pragma('checkpoint_fullfsync', { simple: true })).toBe(1)
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal')
    expect(db.pragma('foreign_keys', { simple: true })).toBe(1)
    expect(db.pragma('user_version', { simple: true })).toBe(schemaVersion)
    close()
  })

  it('allows one process at a time, and the next one after closing', () => {
    const { store } = shop.open()
    expect(codeOf(() => openStore(shop.file))).toBe('store/in-use')
    store.close()
    expect(codeOf(() => openStore(shop.file).close())).toBe('opened')
  })

  it('is refused while another program has the database open, and sets nothing aside', () => {
    shop.open().store.close()
    const other = new Sqlite(shop.file)
    other.exec('BEGIN EXCLUSIVE')
    const names = shop.names()
    expect(codeOf(() => openStore(shop.file))).toBe('store/in-use')
    other.close()
    expect(shop.names()).toEqual(names.filter((name) => !/-(wal|shm)$/.test(name)))
  })

  it('checks every page, unless the file is exactly the one that was closed', () => {
    const found = () => {
      const store = openStore(shop.file)
      store.close()
      return store.found
    }
    expect(found()).toBe('sound')
    expect(found()).toBe('untouched')
    // Written to by another program.
    const other = new Sqlite(shop.file)
    other.prepare(`INSERT INTO setting (name, value) VALUES ('x', '1')`).run()
    other.close()
    expect(found()).toBe('sound')
    expect(found()).toBe('untouched')
    // Another modification time, as of a file that was copied back.
    utimesSync(shop.file, 1_700_000_000, 1_700_000_000)
    expect(found()).toBe('sound')
    // Extra bytes after the last page.
    writeFileSync(shop.file, Buffer.concat([readFileSync(shop.file), Buffer.alloc(10)]))
    expect(found()).toBe('sound')
    // A note that can't be parsed, of another shape, and missing.
    for (const note of ['{"was":"clo', '{"was":"closed","size":"big"}', '[]', '']) {
      writeFileSync(`${shop.file}.last-end`, note)
      expect(found()).toBe('sound')
    }
  })

  it('checks every page after a power cut', () => {
    const { store, outbox } = shop.open()
    const operation = put(outbox, sale(1))
    const cut = shop.powerCut()
    store.close()
    const after = cut.open()
    expect(after.store.found).toBe('sound')
    expect(after.outbox.read.byId(operation.id)?.state).toBe('queued')
    after.store.close()
    cut.remove()
  })

  it('accepts a missing log if a power cut came while the app was closing', () => {
    const { store, outbox } = shop.open()
    put(outbox, sale(1))
    store.close()
    writeFileSync(`${shop.file}.last-end`, '{"was":"closing"}')
    const after = shop.open()
    expect(after.store.found).toBe('sound')
    expect(after.outbox.read.counts().unsent).toBe(1)
    after.store.close()
  })

  it('checks every page after damage was found in use', () => {
    const { store } = shop.open()
    store.distrust()
    store.close()
    const again = openStore(shop.file)
    expect(again.found).toBe('sound')
    again.close()
  })

  it('leaves the data of a newer Countertag alone', () => {
    shop.open().store.close()
    const newer = new Sqlite(shop.file)
    newer.pragma(`user_version = ${schemaVersion + 1}`)
    newer.close()
    const bytes = readFileSync(shop.file)
    const names = shop.names()
    expect(codeOf(() => openStore(shop.file))).toBe('store/newer')
    expect(readFileSync(shop.file).equals(bytes)).toBe(true)
    expect(shop.names()).toEqual(names)
  })

  it("reports that the folder can't be created", () => {
    writeFileSync(join(shop.folder, 'file'), '')
    expect(codeOf(() => openStore(join(shop.folder, 'file', 'countertag.db')))).toBe('store/no-access')
  })

  it.skipIf(process.getuid?.() === 0)("reports that the database can't be written, and sets nothing aside", () => {
    shop.open().store.close()
    chmodSync(shop.file, 0o444)
    const names = shop.names()
    expect(codeOf(() => openStore(shop.file))).toBe('store/no-access')
    expect(shop.names()).toEqual(names)
  })

  it('accepts a first database that a crash left empty', () => {
    writeFileSync(shop.file, '')
    const { store } = shop.open()
    expect(store.found).toBe('sound')
    expect(store.salvage()).toBeNull()
    store.close()
    // An empty file after the first start counts as damage: see damaged-file.large.test.ts.
    truncateSync(shop.file, 0)
    expect(codeOf(() => openStore(shop.file).close())).toBe('opened')
    expect(shop.names().filter((name) => name.includes('damaged'))).toHaveLength(1)
  })
})
