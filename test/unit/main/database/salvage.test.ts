import { randomUUID } from 'node:crypto'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { caseKey, orderKey, tagKey } from '../../../../src-main/outbox/payload'
import type { Outbox } from '../../../../src-main/outbox/outbox'
import { migrate } from '../../../../src-main/database/migrations'
import { type Store, openStore } from '../../../../src-main/database/open'
import { caseOf, order, packageUid, tag, thing } from '../../../fakes/ids'
import { entriesThatDiffer } from '../../../fakes/sale-entries'
import { accept, breakFirstPage, breakPages, rowsOf } from './salvage-steps'
import { type Shop, delivery, openShop, put, sale } from './shop'

describe('salvage', () => {
  let shop: Shop
  beforeEach(() => {
    shop = openShop()
  })
  afterEach(() => {
    shop.remove()
  })

  it('restores the blockers, and operations are claimed in the old order', () => {
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
    breakFirstPage(shop)

    const after = shop.open()
    expect(blockers(after.outbox)).toEqual(before)
    const given: number[] = []
    for (let next = accept(after.outbox); next; next = accept(after.outbox)) given.push(next.seq)
    expect(given).toEqual([arrived.seq, first.seq, second.seq, back.seq, removed.seq])
    after.store.close()
  })

  it('makes the list of orders of what it found, and keeps it true afterwards', () => {
    const { store, outbox } = shop.open()
    for (let n = 1; n <= 60; n++) put(outbox, sale(n, tag(n)))
    for (let n = 0; n < 30; n++) accept(outbox)
    put(outbox, { kind: 'return', orderId: order('ORDER-1'), tagIds: [tag(1)] })
    store.close()
    breakFirstPage(shop)

    const after = shop.open()
    const orders = () => after.store.db.prepare('SELECT count(*) FROM sale_entry').pluck().get()
    expect(orders()).toBe(61)
    expect(entriesThatDiffer(after.store.db)).toEqual([])
    while (accept(after.outbox));
    put(after.outbox, { kind: 'void', orderId: order('ORDER-2'), tagIds: [tag(2)] })
    expect(orders()).toBe(62)
    expect(entriesThatDiffer(after.store.db)).toEqual([])
    after.store.close()
  })

  it('keeps open orders if their first page can be found', () => {
    const { store } = shop.open()
    store.db.exec(`
      UPDATE open_order SET order_id = 'ORDER-6', held_at = 3 WHERE mode = 'sale';
      INSERT INTO open_order (mode, order_id) VALUES ('sale', 'ORDER-7');
      INSERT INTO open_order_item (open_order, tag_id, scanned_at, flag)
        SELECT id, 'tag ' || id, 5, 'unchecked' FROM open_order WHERE mode = 'sale';`)
    const everything = (of: Store) =>
      ['open_order', 'open_order_item'].map((table) => of.db.prepare(`SELECT * FROM ${table}`).all())
    const before = everything(store)
    const [journal = 0] = rowsOf(store, `SELECT rootpage FROM sqlite_schema WHERE name = 'journal'`)
    store.close()
    breakPages(shop.file, Number(journal))
    const after = openStore(shop.file)
    expect(after.salvage()).not.toBeNull()
    expect(everything(after)).toEqual(before)
    after.close()
  })

  it('keeps the settings and remembered facts without the page that locates their tables', () => {
    const { store } = shop.open()
    store.db.exec(`
      INSERT INTO memory (kind, id, form, identifier, asked_at, content) VALUES
        ('tag', '${tag(1)}', 'facts', NULL, 7, '{"odd": true}'),
        ('collection', '${caseOf(1)}', 'facts', 'BOX', 8, '{}'), ('package', 'UID', 'facts', NULL, 9, '[]');
      INSERT INTO setting VALUES ('limits', '"as another version wrote them"');`)
    const everything = (of: Store) => of.db.prepare('SELECT * FROM memory ORDER BY asked_at').all()
    const before = everything(store)
    store.close()
    breakFirstPage(shop)
    const after = openStore(shop.file)
    expect(everything(after)).toEqual(before)
    expect(rowsOf(after, `SELECT value FROM setting WHERE name = 'limits'`)).toEqual([
      '"as another version wrote them"',
    ])
    after.close()
  })

  it('keeps operations that no version can read unchanged', () => {
    const { store, outbox } = shop.open()
    const odd = put(outbox, sale(1))
    store.db
      .prepare(`UPDATE operation SET kind = 'teleport', payload = '{"kind":', reason = 'no JSON' WHERE seq = ?`)
      .run(odd.seq)
    store.close()
    breakFirstPage(shop)
    const after = shop.open()
    expect(after.outbox.read.byId(odd.id)).toMatchObject({ kind: 'unreadable', payload: null, state: 'unknown' })
    expect(rowsOf(after.store, 'SELECT payload FROM operation')).toEqual(['{"kind":'])
    expect(rowsOf(after.store, 'SELECT kind FROM operation')).toEqual(['teleport'])
    after.store.close()
  })

  it('shows an operation that left only traces, and blocks sales of its items meanwhile', () => {
    const { store, outbox } = shop.open()
    put(outbox, sale(1))
    const lost = put(outbox, sale(2, tag(5)))
    const over = put(outbox, sale(3, tag(9)))
    accept(outbox)
    accept(outbox)
    accept(outbox)
    const lostToo = put(outbox, sale(4, tag(6)))
    put(outbox, sale(5))
    // What remains when the page with their rows is lost.
    store.db.pragma('foreign_keys = OFF')
    store.db.exec(`DELETE FROM operation WHERE seq IN (${lost.seq}, ${over.seq}, ${lostToo.seq})`)
    store.db.exec(`DELETE FROM operation_wait`)
    store.close()
    breakFirstPage(shop)

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

    // After another damage, earlier losses are not reported again.
    breakFirstPage(shop)
    const again = shop.open()
    expect(again.store.salvage()).toMatchObject({ operations: 6, lost: 0 })
    again.store.close()
  })

  it('never uses a number twice, even if only the number is left', () => {
    const { store, outbox } = shop.open()
    for (let n = 1; n <= 7; n++) put(outbox, sale(n))
    store.db.pragma('foreign_keys = OFF')
    store.db.exec(`
      DROP TRIGGER journal_keeps_delete;
      DELETE FROM journal WHERE operation_seq > 3;
      DELETE FROM operation_key WHERE seq > 3;
      DELETE FROM operation WHERE seq > 3;`)
    store.close()
    breakFirstPage(shop)
    const after = shop.open()
    expect(after.store.salvage()).toMatchObject({ operations: 3, lost: 4 })
    expect(put(after.outbox, sale(8)).seq).toBe(8)
    after.store.close()
    breakFirstPage(shop)
    const again = shop.open()
    expect(again.store.salvage()).toMatchObject({ operations: 4, lost: 0 })
    again.store.close()
  })

  it('finds the keys of an operation in its payload if the key table is lost', () => {
    const { store, outbox } = shop.open()
    put(outbox, sale(1, tag(1)))
    put(outbox, sale(2, tag(1)))
    store.db.exec('DELETE FROM operation_key; DELETE FROM operation_wait')
    store.close()
    breakFirstPage(shop)
    const after = shop.open()
    expect(after.outbox.read.byKey(tagKey(tag(1))).map(({ blockers }) => blockers)).toEqual([0, 1])
    after.store.close()
  })

  it('keeps recent scans if their table can be found', () => {
    const { store } = shop.open()
    store.db.exec(
      `INSERT INTO scan (number, at, source, kind, raw) VALUES (7, 5, 'typed', 'unknown', 'odd'), (8, 6, 'wedge', 'badge', NULL)`,
    )
    const before = store.db.prepare('SELECT * FROM scan').all()
    const [page] = rowsOf(store, `SELECT rootpage FROM sqlite_schema WHERE name = 'memory'`)
    store.close()
    breakPages(shop.file, Number(page))
    const after = shop.open()
    expect(after.store.salvage()).toMatchObject({ lost: 0 })
    expect(after.store.db.prepare('SELECT * FROM scan').all()).toEqual(before)
    after.store.close()
  })

  it("doesn't read pages of the outbox as those of a newer table whose place is unknown", () => {
    // The outbox is older than the scan table: here, operations occupy the place where a new database has the scan table.
    const old = new Sqlite(shop.file)
    old.pragma('journal_mode = MEMORY')
    old.pragma('synchronous = OFF')
    migrate(old, 2)
    // Inserted as version 0.1 did, since the current outbox needs the newest schema.
    const insert =
      old.prepare(`INSERT INTO operation (id, kind, payload, state, performed_at, performed_at_raw, clock_offset)
      VALUES (?, 'complete', ?, 'queued', ?, ?, 0)`)
    const now = shop.clock.now()
    for (let n = 1; n <= 400; n++) insert.run(randomUUID(), JSON.stringify(sale(n)), new Date(now).toISOString(), now)
    old.close()
    const { store } = shop.open()
    const roots = rowsOf(store, `SELECT rootpage FROM sqlite_schema WHERE name = 'operation'`)
    store.close()
    breakPages(shop.file, 1, ...roots.map(Number))
    const after = shop.open()
    expect(after.store.salvage()).toMatchObject({ operations: 400 })
    expect(after.outbox.read.counts().unsent).toBe(400)
    after.store.close()
  })
})
