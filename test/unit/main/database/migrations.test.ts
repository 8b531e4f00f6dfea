import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { silentLog } from '../../../../src-main/core/log'
import { Journal } from '../../../../src-main/outbox/journal'
import { Outbox } from '../../../../src-main/outbox/outbox'
import { migrate, schemaVersion } from '../../../../src-main/database/migrations'
import { emptyDatabase, hasItsSchema, schemaOf, versionOf } from '../../../../src-main/database/schema'
import { handClock } from '../../../fakes/clock'
import { eventsOf } from '../../../fakes/events'

const fixture = (version: number) =>
  join(import.meta.dirname, '../../../fixtures/schemas', `${String(version).padStart(3, '0')}.sql`)
const earlier = Array.from({ length: schemaVersion - 1 }, (_, n) => n + 1)

/** A database as created by that version. */
function released(version: number): Database {
  const db = new Sqlite(':memory:')
  db.pragma('foreign_keys = OFF')
  db.exec(readFileSync(fixture(version), 'utf8'))
  return db
}

const tablesOf = (db: Database) =>
  z.array(z.string()).parse(db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all())
const columnsOf = (db: Database, table: string) =>
  z.array(z.string()).parse(db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table))
/** All rows of a table, reduced to some columns and sorted. */
const rowsOf = (db: Database, table: string, columns: string[]) =>
  db
    .prepare(`SELECT ${columns.join(', ')} FROM ${table}`)
    .all()
    .map((row) => JSON.stringify(row))
    .sort()

/** Tables that were replaced; `sqlite_sequence` also counts for removed tables. */
const became = {
  openOrders: ['cart', 'cart_item', 'sqlite_sequence'],
  memory: ['seen_case', 'seen_tag', 'seen_package', 'found_thing'],
  dirtyKey: [
    'hub_due',
    'hub_pos_due',
    'hub_count_due',
    'hub_delivery_due',
    'hub_import_due',
    'hub_stock_due',
    'hub_day_due',
  ],
  sharedList: ['hub_count', 'hub_delivery', 'hub_stock'],
  shared: ['hub_word'],
}
const cartColumns = ['mode', 'order_id', 'tag_id', 'scanned_at', 'flag']
const openItems = (db: Database) =>
  rowsOf(db, 'open_order_item JOIN open_order ON open_order.id = open_order WHERE held_at IS NULL', cartColumns)

describe('migrations', () => {
  it('have a fixture database of every earlier version', () => {
    // scripts/schema-fixture.ts creates a missing one.
    expect(earlier.filter((version) => !existsSync(fixture(version)))).toEqual([])
  })

  it.each(earlier)('bring version %i to the newest version without losing a row', (version) => {
    const db = released(version)
    expect(versionOf(db)).toBe(version)
    const before = tablesOf(db).map((table) => {
      const columns = columnsOf(db, table)
      return { table, columns, rows: rowsOf(db, table, columns) }
    })
    expect(before.filter(({ rows }) => rows.length === 0)).toEqual([])

    const hasCarts = before.some(({ table }) => table === 'cart_item')
    const cartItems = hasCarts ? rowsOf(db, 'cart_item JOIN cart USING (mode)', cartColumns) : []

    migrate(db)

    expect(schemaOf(db)).toEqual(schemaOf(emptyDatabase(schemaVersion)))
    expect(hasItsSchema(db)).toBe(true)
    const gone = Object.values(became).flat()
    const kept = before.filter(({ table }) => !gone.includes(table))
    // Settings are only added.
    for (const { table, columns, rows } of kept)
      expect(rowsOf(db, table, columns)).toEqual(table === 'setting' ? expect.arrayContaining(rows) : rows)
    if (hasCarts) expect(openItems(db)).toEqual(cartItems)
    const remembered = before.filter(({ table }) => became.memory.includes(table)).flatMap(({ rows }) => rows)
    if (remembered.length > 0) expect(rowsOf(db, 'memory', ['*'])).toHaveLength(remembered.length)
    for (const [tables, now] of [
      [became.dirtyKey, 'dirty_key'],
      [became.sharedList, 'shared_list'],
    ] as const) {
      const replaced = before.filter(({ table }) => tables.includes(table))
      if (replaced.length > 0) expect(rowsOf(db, now, ['*'])).toHaveLength(replaced.flatMap(({ rows }) => rows).length)
    }
    expect(db.pragma('foreign_key_check')).toEqual([])
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    db.close()
  })

  it.each(earlier)('leave a working outbox and a whole journal of version %i', async (version) => {
    const db = released(version)
    migrate(db)
    const clock = handClock()
    const outbox = new Outbox({
      db,
      events: eventsOf(db),
      clock,
      serviceClock: clock.serviceClock,
      caseOf: () => undefined,
      log: silentLog,
    })
    expect(outbox.read.counts()).toMatchObject({ unsent: 3, attention: 1 })
    expect(outbox.claim()?.state).toBe('sending')
    // The lines of before are in the chain, and the new one follows them.
    const journal = new Journal(db, () => clock.now())
    const lines = z.number().parse(db.prepare('SELECT count(*) FROM journal').pluck().get())
    expect(await journal.verify()).toEqual({ lines, faults: [] })
    db.exec(`DROP TRIGGER journal_keeps_update; UPDATE journal SET what = 'retry' WHERE entry = 2`)
    expect(await journal.verify()).toEqual({ lines, faults: [{ kind: 'changed', entry: 2 }] })
    db.close()
  })

  it.each(earlier)('create version %i with the same schema as when it was released', (version) => {
    expect(schemaOf(released(version))).toEqual(schemaOf(emptyDatabase(version)))
  })

  it('keep what version 14 had not pushed, which edit of a setting it had, and who began and finished a delivery', () => {
    const db = released(14)
    db.exec(`UPDATE hub_word SET change = 2, told = 1; UPDATE hub_stock SET revision = 7, change = 4, told = 3`)
    db.exec(`INSERT INTO setting (name, value) VALUES ('hub.pos', '{"hubId":"h","revision":9}')`)
    migrate(db)
    const all = (sql: string) => db.prepare(sql).raw().all()
    expect(all('SELECT topic, list, change, is_others FROM dirty_key ORDER BY topic')).toEqual([
      ['claims', 0, 3, 0],
      ['counts', 1, 1, 0],
      ['day', 0, 1, 0],
      ['deliveries', 1, 1, 1],
      ['imports', 0, 1, 0],
      ['pos', 0, 1, 0],
      ['settings', 0, 2, 0],
      ['shelf', 1, 1, 0],
    ])
    const keys = new Map(z.array(z.tuple([z.string(), z.string()])).parse(all('SELECT topic, key FROM dirty_key')))
    expect(keys.get('deliveries')).toMatch(/^case fixture/)
    expect(keys.get('imports')).toMatch(/^fixture\d+ fixture\d+$/)
    expect(keys.get('pos')).toMatch(/^fixture\d+ \w+$/)
    expect([keys.get('settings'), keys.get('day')]).toEqual(['checkout.settings', '3'])
    expect(all('SELECT * FROM shared_list ORDER BY topic')).toEqual([
      ['counts', 1, 'm', 2, 1, 1],
      ['deliveries', 1, 'm', 2, 1, 1],
      ['shelf', 1, 'm', 7, 4, 3],
    ])
    expect(all('SELECT * FROM shared_setting')).toEqual([['checkout.settings', 4]])
    expect(all(`SELECT name, value FROM setting WHERE name LIKE 'hub.%' ORDER BY name`)).toEqual(
      expect.arrayContaining([
        ['hub.log.pos', '""'],
        ['hub.log.settings', '""'],
      ]),
    )
    const about = 'SELECT begun_by, finished_by IS NOT NULL, finished_by_name FROM delivery ORDER BY seq'
    expect(all(about)).toEqual([
      ['Station 2', 1, 'Station 3'],
      [null, 0, null],
    ])
    db.close()
  })

  it('find nothing wrong with a new file', () => {
    const db = new Sqlite(':memory:')
    expect(hasItsSchema(db)).toBe(true)
    db.exec('CREATE TABLE operation (seq INTEGER)')
    expect(hasItsSchema(db)).toBe(false)
    db.close()
  })

  it('end a count whose delivery is finished, and keep one whose delivery is open', () => {
    const db = emptyDatabase(9)
    db.exec(`
      INSERT INTO delivery (seq, id, started_at, finished_at) VALUES (1, 'a', 1, 5), (2, 'b', 6, NULL);
      INSERT INTO tag_count (seq, id, delivery, started_at, finished_at) VALUES (1, 'x', 1, 2, NULL);`)
    migrate(db)
    const ends = () => db.prepare('SELECT finished_at FROM tag_count ORDER BY seq').pluck().all()
    expect(ends()).toEqual([5])
    db.exec(`INSERT INTO tag_count (seq, id, delivery, started_at, finished_at) VALUES (2, 'y', 2, 7, NULL)`)
    expect(ends()).toEqual([5, null])
    db.exec('UPDATE delivery SET finished_at = 9 WHERE seq = 2')
    expect(ends()).toEqual([5, 9])
    db.close()
  })

  it('raise refused reports that were taken back under 0.2 and that no later report answers for', () => {
    const db = emptyDatabase(13)
    const put = (
      seq: number,
      kind: string,
      tagIds: string[],
      state: string,
      note: string | null,
      because: string | null,
    ) => {
      db.prepare(
        `INSERT INTO operation (seq, id, kind, payload, state, performed_at, performed_at_raw, clock_offset, note, dismissed_because)
         VALUES (?, ?, ?, ?, ?, '2026-10-01T10:00:00.000Z', 1, 0, ?, ?)`,
      ).run(seq, `operation-${seq}`, kind, JSON.stringify({ orderId: String(seq), tagIds }), state, note, because)
      for (const tagId of tagIds)
        db.prepare('INSERT INTO operation_key (key, seq, is_exclusive) VALUES (?, ?, 1)').run(`tag:${tagId}`, seq)
    }
    put(1, 'complete', ['sold later'], 'cancelled', 'reopened', null)
    put(2, 'complete', ['in no report', 'sold later'], 'cancelled', 'reopened', null)
    put(3, 'complete', ['explained'], 'cancelled', 'reopened', 'It is on the shelf')
    put(4, 'complete', ['withdrawn later'], 'cancelled', 'reopened', null)
    put(5, 'return', ['only sold later'], 'cancelled', 'reopened', null)
    put(6, 'complete', ['taken back twice'], 'cancelled', 'reopened', null)
    put(7, 'complete', ['taken back twice'], 'cancelled', 'reopened', null)
    put(8, 'complete', ['never taken back'], 'cancelled', null, null)
    put(9, 'import', ['other kind'], 'cancelled', 'reopened', null)
    put(10, 'complete', ['sold later', 'only sold later'], 'accepted', null, null)
    put(11, 'complete', ['withdrawn later'], 'cancelled', null, null)
    migrate(db)
    expect(db.prepare('SELECT seq FROM operation WHERE unsettled = 1 ORDER BY seq').pluck().all()).toEqual([2, 4, 5, 7])
    db.close()
  })

  it('detect a schema with a changed name, a missing object or one from a later version', () => {
    const damage = [
      'DROP INDEX journal_of',
      'DROP TRIGGER journal_keeps_delete',
      'ALTER TABLE open_order RENAME COLUMN order_id TO order_ie',
      'PRAGMA user_version = 0',
    ]
    for (const sql of damage) {
      const db = emptyDatabase(schemaVersion)
      db.exec(sql)
      expect(hasItsSchema(db), sql).toBe(false)
      db.close()
    }
    const db = emptyDatabase(schemaVersion)
    db.exec('CREATE TABLE foreign_table (x)')
    expect(hasItsSchema(db)).toBe(true)
    db.close()
  })
})
