import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { SalvageReport } from '../../../../src-shared/ipc/contract/app'
import { silentLog } from '../../../../src-main/core/log'
import type { Outbox } from '../../../../src-main/outbox/outbox'
import { backupName } from '../../../../src-main/database/backup-copy'
import { schemaVersion } from '../../../../src-main/database/migrations'
import { openStore } from '../../../../src-main/database/open'
import { createSettings } from '../../../../src-main/database/settings'
import { tag } from '../../../fakes/ids'
import { accept, backUp, destroy, refuse, rowsOf } from './salvage-steps'
import { type Shop, delivery, openShop, put, sale } from './shop'

describe('salvage with a backup', () => {
  let shop: Shop
  beforeEach(() => {
    shop = openShop()
  })
  afterEach(() => {
    shop.remove()
  })

  it('takes what the file lacks from the last backup, and checks operations that were unfinished then', async () => {
    const { store, outbox } = shop.open()
    const imported = put(outbox, delivery(1))
    accept(outbox)
    const withdrawn = put(outbox, sale(1))
    outbox.withdraw(withdrawn.id)
    const refused = put(outbox, sale(2))
    refuse(outbox)
    const waiting = put(outbox, sale(3))
    createSettings(store.db, silentLog).write('locale', 'es')
    await backUp(shop, store)
    put(outbox, sale(4))
    store.close()
    destroy(shop)

    const after = shop.open()
    expect(after.store.salvage()).toEqual({
      at: new Date(shop.clock.now()).toISOString(),
      isDamaged: true,
      setAside: 'countertag.db.damaged-20261121T150000Z',
      operations: 4,
      fromBackup: 4,
      lost: null,
    })
    const states = [imported, withdrawn, refused, waiting].map(({ id }) => after.outbox.read.byId(id)?.state)
    expect(states).toEqual(['accepted', 'cancelled', 'rejected', 'unknown'])
    expect(after.outbox.read.byId(waiting.id)).toMatchObject({ isUncertain: true, seq: waiting.seq })
    expect(createSettings(after.store.db, silentLog).read('locale', z.string())).toBe('es')
    const journal = after.outbox.journalOf(waiting.id)
    expect(journal.ok && journal.value.map(({ what, from, to }) => [what, from, to])).toEqual([
      ['saved', null, 'queued'],
      ['salvaged', 'queued', 'unknown'],
    ])
    after.store.close()
  })

  it('prefers the file if it is newer, and the backup if the newest commits of the file are lost', async () => {
    const { store, outbox } = shop.open()
    const one = put(outbox, sale(1))
    const two = put(outbox, sale(2))
    const three = put(outbox, sale(3))
    store.db.pragma('wal_checkpoint(TRUNCATE)')
    const early = readFileSync(shop.file)
    outbox.withdraw(one.id)
    await backUp(shop, store)
    accept(outbox)
    store.close()
    const late = readFileSync(shop.file)

    // The file is newer: what was accepted after the backup stays accepted.
    writeFileSync(shop.file, Buffer.concat([Buffer.alloc(4_096, 0x5a), late.subarray(4_096)]))
    const newer = shop.open()
    const states = (of: Outbox) => [one, two, three].map(({ id }) => of.read.byId(id)?.state)
    expect(states(newer.outbox)).toEqual(['cancelled', 'accepted', 'unknown'])
    expect(newer.store.salvage()).toMatchObject({ operations: 3, fromBackup: 0, lost: 0 })
    newer.store.close()

    // The file is older: an operation withdrawn before the backup must not be sent.
    writeFileSync(shop.file, Buffer.concat([Buffer.alloc(4_096, 0x5a), early.subarray(4_096)]))
    const older = shop.open()
    expect(states(older.outbox)).toEqual(['cancelled', 'unknown', 'unknown'])
    older.store.close()
  })

  it('uses the newest sound backup, even if a wrong clock named it', async () => {
    const { store, outbox } = shop.open()
    put(outbox, sale(1))
    await backUp(shop, store)
    put(outbox, sale(2))
    shop.clock.advance(-86_400_000)
    await backUp(shop, store)
    store.close()
    const folder = join(shop.folder, 'backups')
    const strange = new Sqlite(join(folder, backupName(shop.clock.now() + 10 * 86_400_000)))
    strange.exec(`CREATE TABLE journal (x); CREATE TABLE operation (x)`)
    strange.close()
    writeFileSync(join(folder, backupName(shop.clock.now() + 11 * 86_400_000)), 'no database')
    writeFileSync(join(folder, 'countertag-.db'), 'no name')
    destroy(shop)
    const after = shop.open()
    expect(after.store.salvage()).toMatchObject({ operations: 2, fromBackup: 2 })
    after.store.close()

    // With damaged pages in the newest, the one before it is used.
    const newest = join(folder, backupName(Date.parse('2026-11-20T15:00:00Z')))
    const bytes = readFileSync(newest)
    bytes.fill(0x5a, 8 * 4_096, 12 * 4_096)
    writeFileSync(newest, bytes)
    destroy(shop)
    const again = shop.open()
    expect(again.store.salvage()).toMatchObject({ operations: 1, fromBackup: 1 })
    again.store.close()
  })

  it('does not take carts from a backup, since their items may have been sold later', async () => {
    const { store } = shop.open()
    store.db.exec(`INSERT INTO open_order_item (open_order, tag_id, scanned_at) VALUES (1, '${tag(1)}', 5)`)
    await backUp(shop, store)
    store.close()
    destroy(shop)
    const after = openStore(shop.file)
    expect(rowsOf(after, 'SELECT count(*) FROM open_order_item')).toEqual([0])
    expect(rowsOf(after, 'SELECT count(*) FROM open_order')).toEqual([2])
    after.close()
  })

  describe('of data of an earlier version', () => {
    const old = (file: string) => {
      const db = new Sqlite(file)
      db.pragma('foreign_keys = OFF')
      db.exec(readFileSync(join(import.meta.dirname, '../../../fixtures/schemas/001.sql'), 'utf8'))
      const root = z
        .number()
        .parse(db.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'journal'`).pluck().get())
      db.close()
      return root
    }
    const expectAll = (report: Partial<SalvageReport>) => {
      const { store, outbox } = shop.open()
      expect(store.salvage()).toMatchObject({ operations: 6, ...report })
      expect(store.db.pragma('user_version', { simple: true })).toBe(schemaVersion)
      expect(store.db.pragma('foreign_key_check')).toEqual([])
      expect(outbox.read.counts()).toMatchObject({ unsent: 3, attention: 1 })
      expect(put(outbox, sale(1)).seq).toBe(7)
      store.close()
    }

    it('reads the file', () => {
      const root = old(shop.file)
      const bytes = readFileSync(shop.file)
      bytes.fill(0x5a, (root - 1) * 4_096, root * 4_096)
      writeFileSync(shop.file, bytes)
      expectAll({ fromBackup: 0, lost: 0 })
    })

    it('reads the backup without changing it', () => {
      mkdirSync(join(shop.folder, 'backups'))
      const backup = join(shop.folder, 'backups', backupName(0))
      old(backup)
      const bytes = readFileSync(backup)
      destroy(shop)
      expectAll({ fromBackup: 6, lost: null })
      expect(readFileSync(backup).equals(bytes)).toBe(true)
    })
  })

  it('takes recent scans from the backup', async () => {
    const { store } = shop.open()
    store.db.exec(`INSERT INTO scan (at, source, kind, raw) VALUES (5, 'typed', 'unknown', 'odd')`)
    await backUp(shop, store)
    store.close()
    destroy(shop)
    const after = openStore(shop.file)
    expect(rowsOf(after, 'SELECT raw FROM scan')).toEqual(['odd'])
    after.close()
  })
})
