import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { SalvageReport } from '../../../../src-shared/ipc/app-view'
import { silentLog } from '../../../../src-main/log'
import { caseKey, orderKey, tagKey } from '../../../../src-main/outbox/payload'
import type { Outbox } from '../../../../src-main/outbox/outbox'
import { createBackup } from '../../../../src-main/store/backup'
import { backupName } from '../../../../src-main/store/backup-names'
import { schemaVersion } from '../../../../src-main/store/migrations'
import { type Store, openStore } from '../../../../src-main/store/open'
import { createSettings } from '../../../../src-main/store/settings'
import { caseOf, order, packageUid, tag, thing } from '../../../fakes/ids'
import { type Shop, codeOf, delivery, openShop, put, sale } from './shop'

describe('salvage', () => {
  let shop: Shop
  beforeEach(() => {
    shop = openShop()
  })
  afterEach(() => {
    shop.remove()
  })

  const backUp = async (store: Store) => {
    const backup = createBackup({
      db: store.db,
      folder: join(shop.folder, 'backups'),
      clock: shop.clock,
      log: silentLog,
    })
    await backup.make()
    expect(backup.view()).toEqual({ lastAt: shop.clock.now(), isFailing: false })
    shop.clock.advance(3_600_000)
  }
  /** The file becomes a text: nothing can be read of it. */
  const destroy = () => {
    for (const suffix of ['', '-wal']) rmSync(shop.file + suffix, { force: true })
    writeFileSync(shop.file, 'x'.repeat(10_000))
  }
  const rowsOf = (store: Store, sql: string) => store.db.prepare(sql).pluck().all()
  const accept = (outbox: Outbox) => {
    const next = outbox.claim()
    if (next) outbox.settle(next.seq, { kind: 'accepted', note: null })
    return next
  }
  const refuse = (outbox: Outbox) => {
    const next = outbox.claim()
    if (next) outbox.settle(next.seq, { kind: 'rejected', reason: { code: 'service/items-missing' } })
  }

  it('takes from the last backup what the file does not have, and looks into what was not finished then', async () => {
    const { store, outbox } = shop.open()
    const imported = put(outbox, delivery(1))
    accept(outbox)
    const withdrawn = put(outbox, sale(1))
    outbox.withdraw(withdrawn.id)
    const refused = put(outbox, sale(2))
    refuse(outbox)
    const waiting = put(outbox, sale(3))
    createSettings(store.db, silentLog).write('locale', 'es')
    await backUp(store)
    put(outbox, sale(4))
    store.close()
    destroy()

    const after = shop.open()
    expect(after.store.salvage()).toEqual({
      at: new Date(shop.clock.now()).toISOString(),
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

  it('believes the file where it is newer, and the backup where the newest commits were lost', async () => {
    const { store, outbox } = shop.open()
    const one = put(outbox, sale(1))
    const two = put(outbox, sale(2))
    const three = put(outbox, sale(3))
    store.db.pragma('wal_checkpoint(TRUNCATE)')
    const early = readFileSync(shop.file)
    outbox.withdraw(one.id)
    await backUp(store)
    accept(outbox)
    store.close()
    const late = readFileSync(shop.file)

    // The file is newer: what was accepted after the backup is accepted.
    writeFileSync(shop.file, Buffer.concat([Buffer.alloc(4_096, 0x5a), late.subarray(4_096)]))
    const newer = shop.open()
    const states = (of: Outbox) => [one, two, three].map(({ id }) => of.read.byId(id)?.state)
    expect(states(newer.outbox)).toEqual(['cancelled', 'accepted', 'unknown'])
    expect(newer.store.salvage()).toMatchObject({ operations: 3, fromBackup: 0, lost: 0 })
    newer.store.close()

    // The file is older: what had been withdrawn by the time of the backup must not be sent.
    writeFileSync(shop.file, Buffer.concat([Buffer.alloc(4_096, 0x5a), early.subarray(4_096)]))
    const older = shop.open()
    expect(states(older.outbox)).toEqual(['cancelled', 'unknown', 'unknown'])
    older.store.close()
  })

  it('uses the newest backup that is sound, whatever the clock has written into its name', async () => {
    const { store, outbox } = shop.open()
    put(outbox, sale(1))
    await backUp(store)
    put(outbox, sale(2))
    shop.clock.advance(-86_400_000)
    await backUp(store)
    store.close()
    const folder = join(shop.folder, 'backups')
    const strange = new Sqlite(join(folder, backupName(shop.clock.now() + 10 * 86_400_000)))
    strange.exec(`CREATE TABLE journal (x); CREATE TABLE operation (x)`)
    strange.close()
    writeFileSync(join(folder, backupName(shop.clock.now() + 11 * 86_400_000)), 'no database')
    writeFileSync(join(folder, 'countertag-.db'), 'no name')
    destroy()
    const after = shop.open()
    expect(after.store.salvage()).toMatchObject({ operations: 2, fromBackup: 2 })
    after.store.close()

    // Damaged pages in the newest: the one before it.
    const newest = join(folder, backupName(Date.parse('2026-11-20T15:00:00Z')))
    const bytes = readFileSync(newest)
    bytes.fill(0x5a, 8 * 4_096, 12 * 4_096)
    writeFileSync(newest, bytes)
    destroy()
    const again = shop.open()
    expect(again.store.salvage()).toMatchObject({ operations: 1, fromBackup: 1 })
    again.store.close()
  })

  it('links anew who has to wait for whom, and gives operations out in the old order', () => {
    const { store, outbox } = shop.open()
    const arrived = put(outbox, delivery(1))
    const first = put(outbox, sale(1, tag(1), tag(2)))
    const second = put(outbox, sale(2, tag(3)))
    const back = put(outbox, { kind: 'return', orderId: order('ORDER-1'), tagIds: [tag(1)] })
    const removed = put(outbox, {
      kind: 'import-removal',
      caseId: caseOf(1),
      packagedProductId: thing(1),
      packageUid: packageUid(1),
      productName: null,
      itemCount: 2,
    })
    const blockers = (of: Outbox) => [arrived, first, second, back, removed].map(({ id }) => of.read.byId(id)?.blockers)
    const before = blockers(outbox)
    expect(before).toEqual([0, 1, 1, 2, 3])
    store.close()
    breakFirstPage()

    const after = shop.open()
    expect(blockers(after.outbox)).toEqual(before)
    const given: number[] = []
    for (let next = accept(after.outbox); next; next = accept(after.outbox)) given.push(next.seq)
    expect(given).toEqual([arrived.seq, first.seq, second.seq, back.seq, removed.seq])
    after.store.close()
  })

  const breakFirstPage = () => {
    const bytes = readFileSync(shop.file)
    bytes.fill(0x5a, 0, 4_096)
    writeFileSync(shop.file, bytes)
  }

  it('keeps the carts, the settings and what was seen', () => {
    const { store } = shop.open()
    store.db.exec(`
      UPDATE cart SET order_id = 'ORDER-7' WHERE mode = 'sale';
      INSERT INTO cart_item (mode, tag_id, scanned_at, flag) VALUES ('sale', '${tag(1)}', 5, 'unchecked');
      INSERT INTO seen_tag VALUES ('${tag(1)}', '{"odd": true}', 7);
      INSERT INTO seen_case VALUES ('${caseOf(1)}', 'BOX', '{}', 8);
      INSERT INTO seen_package VALUES ('UID', '[]', 9);
      INSERT INTO setting VALUES ('limits', '"as another version wrote them"');`)
    const everything = (of: Store) =>
      ['cart', 'cart_item', 'seen_tag', 'seen_case', 'seen_package'].map((table) =>
        of.db.prepare(`SELECT * FROM ${table}`).all(),
      )
    const before = everything(store)
    store.close()
    breakFirstPage()
    const after = openStore(shop.file)
    expect(everything(after)).toEqual(before)
    expect(rowsOf(after, `SELECT value FROM setting WHERE name = 'limits'`)).toEqual([
      '"as another version wrote them"',
    ])
    after.close()
  })

  it('does not take carts from a backup: their items may have been sold since', async () => {
    const { store } = shop.open()
    store.db.exec(`INSERT INTO cart_item (mode, tag_id, scanned_at) VALUES ('sale', '${tag(1)}', 5)`)
    await backUp(store)
    store.close()
    destroy()
    const after = openStore(shop.file)
    expect(rowsOf(after, 'SELECT count(*) FROM cart_item')).toEqual([0])
    expect(rowsOf(after, 'SELECT count(*) FROM cart')).toEqual([2])
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

    it('reads the backup, and leaves it as it is', () => {
      mkdirSync(join(shop.folder, 'backups'))
      const backup = join(shop.folder, 'backups', backupName(0))
      old(backup)
      const bytes = readFileSync(backup)
      destroy()
      expectAll({ fromBackup: 6, lost: null })
      expect(readFileSync(backup).equals(bytes)).toBe(true)
    })
  })

  it('keeps operations that no version of the app can read, as they are', () => {
    const { store, outbox } = shop.open()
    const odd = put(outbox, sale(1))
    store.db
      .prepare(`UPDATE operation SET kind = 'teleport', payload = '{"kind":', reason = 'no JSON' WHERE seq = ?`)
      .run(odd.seq)
    store.close()
    breakFirstPage()
    const after = shop.open()
    expect(after.outbox.read.byId(odd.id)).toMatchObject({ kind: 'unreadable', payload: null, state: 'unknown' })
    expect(rowsOf(after.store, 'SELECT payload FROM operation')).toEqual(['{"kind":'])
    expect(rowsOf(after.store, 'SELECT kind FROM operation')).toEqual(['teleport'])
    after.store.close()
  })

  it('shows an operation of which only traces are left, and lets nobody sell its items meanwhile', () => {
    const { store, outbox } = shop.open()
    put(outbox, sale(1))
    const lost = put(outbox, sale(2, tag(5)))
    const over = put(outbox, sale(3, tag(9)))
    accept(outbox)
    accept(outbox)
    accept(outbox)
    const lostToo = put(outbox, sale(4, tag(6)))
    put(outbox, sale(5))
    // What is left when the page with their rows is gone
    store.db.pragma('foreign_keys = OFF')
    store.db.exec(`DELETE FROM operation WHERE seq IN (${lost.seq}, ${over.seq}, ${lostToo.seq})`)
    store.db.exec(`DELETE FROM operation_wait`)
    store.close()
    breakFirstPage()

    const after = shop.open()
    expect(after.store.salvage()).toMatchObject({ operations: 2, lost: 3 })
    const byTag = (n: number) => after.outbox.read.byKey(tagKey(tag(n)))
    expect(byTag(5)).toMatchObject([{ seq: lost.seq, kind: 'unreadable', payload: null, state: 'accepted' }])
    expect(byTag(6)).toMatchObject([
      { seq: lostToo.seq, state: 'rejected', isUncertain: true, reason: { code: 'outbox/unreadable' } },
    ])
    expect(after.outbox.read.byKey(orderKey('ORDER-4'))).toHaveLength(1)
    expect(after.outbox.read.byKey(caseKey(caseOf(1)))).toHaveLength(5)
    const next = put(after.outbox, sale(6, tag(6)))
    expect(next).toMatchObject({ blockers: 1, seq: 6 })
    const stub = byTag(6)[0]
    expect(stub && after.outbox.dismiss(stub.id, 'was on the paper receipt').ok).toBe(true)
    expect(after.outbox.read.byId(next.id)?.blockers).toBe(0)
    after.store.close()

    // Damaged once more: what was lost before is not told again.
    breakFirstPage()
    const again = shop.open()
    expect(again.store.salvage()).toMatchObject({ operations: 6, lost: 0 })
    again.store.close()
  })

  it('never gives a number out twice, though nothing but the number is left', () => {
    const { store, outbox } = shop.open()
    for (let n = 1; n <= 7; n++) put(outbox, sale(n))
    store.db.pragma('foreign_keys = OFF')
    store.db.exec(`
      DROP TRIGGER journal_keeps_delete;
      DELETE FROM journal WHERE operation_seq > 3;
      DELETE FROM operation_key WHERE seq > 3;
      DELETE FROM operation WHERE seq > 3;`)
    store.close()
    breakFirstPage()
    const after = shop.open()
    expect(after.store.salvage()).toMatchObject({ operations: 3, lost: 4 })
    expect(put(after.outbox, sale(8)).seq).toBe(8)
    after.store.close()
    breakFirstPage()
    const again = shop.open()
    expect(again.store.salvage()).toMatchObject({ operations: 4, lost: 0 })
    again.store.close()
  })

  it('finds the keys of an operation in the operation itself when their table is lost', () => {
    const { store, outbox } = shop.open()
    put(outbox, sale(1, tag(1)))
    put(outbox, sale(2, tag(1)))
    store.db.exec('DELETE FROM operation_key; DELETE FROM operation_wait')
    store.close()
    breakFirstPage()
    const after = shop.open()
    expect(after.outbox.read.byKey(tagKey(tag(1))).map(({ blockers }) => blockers)).toEqual([0, 1])
    after.store.close()
  })

  it('reports until a person has taken note, and sets each damaged file aside under a name of its own', () => {
    shop.open().store.close()
    for (let n = 0; n < 3; n++) {
      destroy()
      const { store } = shop.open()
      expect(store.salvage()?.setAside).toMatch(/^countertag\.db\.damaged-20261121T140000Z(-[23])?$/)
      store.close()
    }
    const { store } = shop.open()
    expect(store.salvage()).not.toBeNull()
    store.acknowledgeSalvage()
    expect(store.salvage()).toBeNull()
    store.close()
    const again = openStore(shop.file)
    expect(again.salvage()).toBeNull()
    again.close()
    const aside = shop.names().filter((name) => name.includes('damaged'))
    expect(aside).toEqual([
      'countertag.db.damaged-20261121T140000Z',
      'countertag.db.damaged-20261121T140000Z-2',
      'countertag.db.damaged-20261121T140000Z-3',
    ])
    for (const name of aside) expect(readFileSync(join(shop.folder, name), 'utf8')).toBe('x'.repeat(10_000))
  })

  it('leaves everything as it was when nothing can be salvaged, and says so', () => {
    const { store, outbox } = shop.open()
    put(outbox, sale(1))
    const cut = shop.powerCut()
    store.close()
    const bytes = readFileSync(`${cut.file}-wal`)
    bytes.fill(0x5a, 0, 100)
    writeFileSync(`${cut.file}-wal`, bytes)
    // A disk that refuses the new database: here a backup folder that can't be read stands in its way.
    mkdirSync(join(cut.folder, 'backups'))
    mkdirSync(join(cut.folder, 'backups', backupName(0)))
    const file = readFileSync(cut.file)
    expect(codeOf(() => openStore(cut.file))).toBe('store/damaged')
    expect(readFileSync(cut.file).equals(file)).toBe(true)
    expect(readFileSync(`${cut.file}-wal`).equals(bytes)).toBe(true)
    expect(cut.names().filter((name) => name.includes('damaged') || name === 'salvage')).toEqual([])
    // And the next start tries again.
    rmSync(join(cut.folder, 'backups'), { recursive: true })
    const after = cut.open()
    expect(after.store.salvage()).toMatchObject({ operations: 1 })
    after.store.close()
    cut.remove()
  })

  describe('that a crash interrupted', () => {
    const aside = () => `${shop.file}.damaged-20261121T140000Z`
    /** A salvaged database beside what is left of the exchange. */
    const interrupted = (left: (salvaged: string) => void) => {
      const { store, outbox } = shop.open()
      put(outbox, sale(1))
      store.close()
      breakFirstPage()
      const damaged = readFileSync(shop.file)
      shop.open().store.close()
      const made = join(shop.folder, 'made')
      renameSync(shop.file, made)
      rmSync(`${shop.file}.last-end`)
      renameSync(aside(), shop.file)
      writeFileSync(`${shop.file}-wal`, 'the log')
      left(made)
      const after = shop.open()
      expect(after.store.salvage()).toMatchObject({
        operations: 1,
        lost: 0,
        setAside: 'countertag.db.damaged-20261121T140000Z',
      })
      expect(after.outbox.read.counts().unsent).toBe(1)
      after.store.close()
      expect(readFileSync(aside()).equals(damaged)).toBe(true)
      expect(shop.names()).toEqual([
        'countertag.db',
        'countertag.db.damaged-20261121T140000Z',
        'countertag.db.damaged-20261121T140000Z-wal',
        'countertag.db.last-end',
        'countertag.db.lock',
      ])
      expect(readFileSync(`${aside()}-wal`, 'utf8')).toBe('the log')
    }

    it('before the damaged file was set aside is made good', () => {
      interrupted((made) => {
        renameSync(made, `${aside()}.salvaged`)
      })
    })
    it('between the log’s copy and its being emptied is made good', () => {
      interrupted((made) => {
        renameSync(made, `${aside()}.salvaged`)
        writeFileSync(`${aside()}-wal`, 'the l')
      })
    })
    it('after the log was emptied is made good', () => {
      interrupted((made) => {
        renameSync(made, `${aside()}.salvaged`)
        copyFileSync(`${shop.file}-wal`, `${aside()}-wal`)
        writeFileSync(`${shop.file}-wal`, '')
      })
    })
    it('after the damaged file was set aside is made good', () => {
      interrupted((made) => {
        renameSync(made, `${aside()}.salvaged`)
        renameSync(shop.file, aside())
      })
    })

    it('before the new database was whole begins again', () => {
      const { store, outbox } = shop.open()
      put(outbox, sale(1))
      store.close()
      breakFirstPage()
      mkdirSync(join(shop.folder, 'salvage'))
      writeFileSync(join(shop.folder, 'salvage', 'new.db'), 'half of it')
      const after = shop.open()
      expect(after.store.salvage()).toMatchObject({ operations: 1 })
      expect(existsSync(join(shop.folder, 'salvage'))).toBe(false)
      after.store.close()
    })
  })
})
