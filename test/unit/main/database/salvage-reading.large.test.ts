import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { migrate, schemaVersion } from '../../../../src-main/database/migrations'
import { isLogReadable, openPages } from '../../../../src-main/sqlite-pages/pages'
import { readRecord, readVarint } from '../../../../src-main/sqlite-pages/tree'
import { tablesIn } from '../../../../src-main/database/salvage/tables'

const text = fc.string({ unit: 'grapheme', maxLength: 20 })
/** Also far longer than a page. */
const longText = fc.oneof(
  text,
  fc.integer({ min: 0, max: 30_000 }).map((length) => 'ä'.repeat(length)),
)
const integer = fc.oneof(
  fc.maxSafeInteger(),
  fc.integer({ min: -200, max: 200 }),
  fc.constantFrom(0, 1, 2 ** 47, -(2 ** 47)),
)

/** Steps on tables with and without a rowid: texts of any length are added, grown, shrunk and deleted. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('setting'), name: longText, value: longText }),
  fc.record({ kind: fc.constant('memory'), name: text, value: longText, at: integer }),
  fc.record({ kind: fc.constant('forget'), name: text }),
  fc.record({ kind: fc.constant('item'), name: text, value: fc.option(text), at: integer }),
)
type Step = { kind: string; name: string; value?: string | null; at?: number }

function take(db: Database, { kind, name, value = null, at = 0 }: Step): void {
  const run = (sql: string, ...values: unknown[]) => db.prepare(sql).run(...values)
  if (kind === 'setting') run('INSERT OR REPLACE INTO setting VALUES (?, ?)', name, value)
  if (kind === 'memory') {
    run(
      `INSERT OR REPLACE INTO memory (kind, id, form, identifier, asked_at, content) VALUES ('tag', ?, 'facts', ?, ?, ?)`,
      name,
      name,
      at,
      value,
    )
  }
  if (kind === 'forget') run('DELETE FROM setting WHERE name < ?', name)
  if (kind === 'item') {
    run(
      'INSERT OR REPLACE INTO open_order_item (open_order, tag_id, scanned_at, flag) VALUES (1, ?, ?, ?)',
      name,
      at,
      value,
    )
  }
}

const tableNames = ['setting', 'memory', 'open_order_item', 'open_order', 'operation', 'sqlite_sequence']
type Rows = Record<string, unknown>[]
/** Rows as sorted text, since trees without a rowid are read in another order. */
const inOrder = (rows: Rows) => rows.map((row) => JSON.stringify(row)).sort()

const bySqlite = (db: Database) =>
  Object.fromEntries(
    tableNames.map((table) => {
      const rows = db.prepare(`SELECT * FROM ${table}`).all()
      return [table, inOrder(z.array(z.record(z.string(), z.unknown())).parse(rows))]
    }),
  )

function byUs(file: string) {
  const pages = openPages(file)
  const tables = tablesIn(pages, schemaVersion)
  const rows = Object.fromEntries(tableNames.map((table) => [table, inOrder([...tables.rows(table)])]))
  const losses = tableNames.filter((table) => tables.hasLosses(table))
  pages.close()
  return { rows, losses }
}

/** Names of the tables that differ; the rows themselves can be megabytes long. */
const differences = (one: Record<string, string[]>, other: Record<string, string[]>) =>
  tableNames.filter((table) => one[table]?.join('\n') !== other[table]?.join('\n'))

describe('reading a database without SQLite', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countertag reading '))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  /** A database whose write-ahead log was not checkpointed, as after a power cut. */
  const withLog = (pageSize: number, steps: Step[], checkpointAfter: number) => {
    const file = join(folder, 'live.db')
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
    const db = new Sqlite(file)
    db.pragma(`page_size = ${pageSize}`)
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = OFF')
    migrate(db)
    for (const [index, one] of steps.entries()) {
      take(db, one)
      if (index === checkpointAfter) db.pragma('wal_checkpoint(RESTART)')
    }
    const cut = join(folder, 'cut.db')
    rmSync(`${cut}-wal`, { force: true })
    copyFileSync(file, cut)
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${cut}-wal`)
    const expected = bySqlite(db)
    db.close()
    return { cut, expected }
  }

  it('returns the same rows as SQLite, for any content and layout', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(512, 1_024, 4_096, 65_536),
        fc.array(step, { maxLength: 60 }),
        fc.integer({ min: 0, max: 60 }),
        (pageSize, steps, checkpointAfter) => {
          const { cut, expected } = withLog(pageSize, steps, checkpointAfter)
          const own = byUs(cut)
          expect(own.losses).toEqual([])
          expect(differences(own.rows, expected)).toEqual([])
        },
      ),
      { numRuns: 60 },
    )
  })

  it('accepts the same commits of a torn log as SQLite does', () => {
    const steps = Array.from({ length: 12 }, (_, n): Step => ({
      kind: 'setting',
      name: `s${n}`,
      value: 'x'.repeat(n * 700),
    }))
    const { cut } = withLog(4_096, steps, -1)
    const whole = readFileSync(`${cut}-wal`)
    const lengths = Array.from({ length: 40 }, (_, n) => Math.floor((whole.length * n) / 40)).concat([
      1, 31, 32, 33, 56,
    ])
    for (const length of lengths) {
      const torn = join(folder, 'torn.db')
      copyFileSync(cut, torn)
      writeFileSync(`${torn}-wal`, whole.subarray(0, length))
      const own = byUs(torn).rows
      const db = new Sqlite(torn)
      // A log torn before the last migration lacks some tables.
      const isMigrated = db.pragma('user_version', { simple: true }) === schemaVersion
      if (isMigrated) expect(differences(own, bySqlite(db)), `${length} bytes`).toEqual([])
      db.close()
    }
  })

  it('reads the frames after a damaged one, which SQLite does not, and those of a log without its header', () => {
    const steps = Array.from({ length: 12 }, (_, n): Step => ({ kind: 'setting', name: `s${n}`, value: 'x' }))
    const { cut, expected } = withLog(4_096, steps, -1)
    const whole = readFileSync(`${cut}-wal`)
    expect(isLogReadable(`${cut}-wal`)).toBe(true)
    // Here an early commit is lost, but later ones repeat its content.
    const bytes = Buffer.from(whole)
    bytes.fill(0x5a, whole.length - 3 * 4_120 + 100, whole.length - 3 * 4_120 + 200)
    writeFileSync(`${cut}-wal`, bytes)
    expect(isLogReadable(`${cut}-wal`)).toBe(true)
    expect(differences(byUs(cut).rows, expected)).toEqual([])
    whole.fill(0, 0, 32)
    writeFileSync(`${cut}-wal`, whole)
    expect(isLogReadable(`${cut}-wal`)).toBe(false)
    expect(differences(byUs(cut).rows, expected)).toEqual([])
  })

  it('never fails on any bytes, and never invents rows', () => {
    const steps = Array.from({ length: 60 }, (_, n): Step => ({
      kind: 'case',
      name: `case ${n}`,
      value: 'y'.repeat(n * 90),
      at: n,
    }))
    const { cut, expected } = withLog(1_024, steps, 59)
    const bytes = readFileSync(cut)
    const file = join(folder, 'broken.db')
    fc.assert(
      fc.property(
        fc.nat(bytes.length - 1),
        fc.uint8Array({ minLength: 1, maxLength: 3_000 }),
        fc.option(fc.nat(bytes.length)),
        (at, garbage, cutAt) => {
          const broken = Buffer.from(bytes)
          broken.set(garbage.subarray(0, bytes.length - at), at)
          writeFileSync(file, cutAt === null ? broken : broken.subarray(0, cutAt))
          const { rows } = byUs(file)
          // Garbled bytes inside a text can't be detected, but an extra row would be invented.
          expect(rows.memory?.length).toBeLessThanOrEqual(expected.memory?.length ?? 0)
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('reading a record', () => {
  it('rejects a record that is cut off, too long, or contradicts its header', () => {
    const record = Buffer.from([3, 1, 15, 7, 0x61])
    expect(readRecord(record)).toEqual([7, 'a'])
    const bad = [
      record.subarray(0, 4),
      Buffer.concat([record, Buffer.from([0])]),
      Buffer.from([9, 1, 15, 7, 0x61]),
      // A text that isn't UTF-8, a type reserved by SQLite, an integer beyond 2^53.
      Buffer.from([3, 1, 15, 7, 0xff]),
      Buffer.from([2, 10]),
      Buffer.from([2, 6, 0x7f, 0, 0, 0, 0, 0, 0, 0]),
      Buffer.alloc(0),
    ]
    for (const one of bad) expect(readRecord(one), one.toString('hex')).toBeUndefined()
  })

  it('reads varints of one to eight bytes, and returns undefined if they are incomplete', () => {
    expect(readVarint(Buffer.from([0x7f]), 0)).toEqual({ value: 127, next: 1 })
    expect(readVarint(Buffer.from([0x81, 0x00]), 0)).toEqual({ value: 128, next: 2 })
    for (const bytes of [[], [0x81], [0x81, 0x82, 0x83], new Array<number>(9).fill(0xff)]) {
      expect(readVarint(Buffer.from(bytes), 0)).toBeUndefined()
    }
  })
})
