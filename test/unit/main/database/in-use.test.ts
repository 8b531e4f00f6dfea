import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { backupName } from '../../../../src-main/database/backup-copy'
import { silentLog } from '../../../../src-main/core/log'
import { Comparison, InUse, inUseFile, lossOf, readInUse } from '../../../../src-main/database/in-use'
import { type Store, openStore } from '../../../../src-main/database/open'
import { sale } from './shop'
import { eventsOf } from '../../../fakes/events'
import { Journal } from '../../../../src-main/outbox/journal'
import { schemaVersion } from '../../../../src-main/database/migrations'
import { emptyDatabase } from '../../../../src-main/database/schema'
import { z } from 'zod'

const at = Date.parse('2026-11-21T14:00:00Z')
const noted = { at, lastSeq: 10, unsent: 3, attention: 1 }

describe('what the data of a connection lacks', () => {
  const before = { folder: '/data/shop', noted, wasInUse: true }
  const unknown = { kind: 'gone', folder: '/data/shop', notedAt: null, missing: null, unsent: null }
  const known = { folder: '/data/shop', notedAt: '2026-11-21T14:00:00.000Z', unsent: 4 }
  it.each([
    ['nothing', before, { lastSeq: 10, isNew: false }, null],
    ['nothing after more reports', before, { lastSeq: 12, isNew: false }, null],
    ['everything', before, { lastSeq: 0, isNew: true }, { ...known, kind: 'gone', missing: 10 }],
    ['everything, with an empty file', before, { lastSeq: 0, isNew: false }, { ...known, kind: 'gone', missing: 10 }],
    ['its end', before, { lastSeq: 7, isNew: false }, { ...known, kind: 'older', missing: 3 }],
    [
      'what the newest backup did not have either',
      before,
      { lastSeq: 9, found: 7, isNew: false },
      { ...known, kind: 'older', missing: 1 },
    ],
    [
      'nothing that the newest backup did not have',
      before,
      { lastSeq: 10, found: 0, isNew: false },
      { ...known, kind: 'gone', missing: 0 },
    ],
    [
      'an unknown number, as the note is empty',
      { ...before, noted: 'unreadable' },
      { lastSeq: 0, isNew: true },
      unknown,
    ],
    ['an unknown number, without a note', { ...before, noted: undefined }, { lastSeq: 0, isNew: true }, unknown],
    ['nothing: it is there', { ...before, noted: undefined }, { lastSeq: 0, isNew: false }, null],
    ['nothing: a new connection', { ...before, noted: undefined, wasInUse: false }, { lastSeq: 0, isNew: true }, null],
  ] as const)('%s', (_, known, opened, expected) => {
    expect(lossOf(known, opened)).toEqual(expected)
  })
})

describe('the note beside the folder', () => {
  let dir: string
  let folder: string
  let store: Store
  const open = () => {
    const comparison = new Comparison({ folder, noted: readInUse(folder), wasInUse: false })
    store = openStore(join(folder, 'countertag.db'), () => at, comparison)
    const context = { db: store.db, events: eventsOf(store.db), clock: { now: () => at }, log: silentLog }
    return new InUse(context, folder, () => counts)
  }
  let counts: { unsent: number; attention: number }
  let reports = 0
  const report = () =>
    Number(
      store.db
        .prepare(
          `INSERT INTO operation (id, kind, payload, state, performed_at, performed_at_raw, clock_offset)
           VALUES (?, 'complete', ?, 'queued', '2026-11-21T14:00:00.000Z', 0, 0)`,
        )
        .run(randomUUID(), JSON.stringify(sale(++reports))).lastInsertRowid,
    )

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'in-use-'))
    folder = join(dir, 'shop')
    counts = { unsent: 0, attention: 0 }
  })
  afterEach(() => {
    store.close()
    rmSync(dir, { recursive: true })
  })

  it('says nothing of a connection without a report', () => {
    const inUse = open()
    inUse.changed()
    inUse.stop()
    expect(readInUse(folder)).toBeUndefined()
  })

  it('is written with the first report, and soon after later ones', () => {
    vi.useFakeTimers()
    try {
      const inUse = open()
      inUse.changed()
      report()
      inUse.changed()
      expect(readInUse(folder)).toMatchObject({ lastSeq: 1 })
      for (const _ of [1, 2, 3]) {
        report()
        inUse.changed()
      }
      expect(readInUse(folder)).toMatchObject({ lastSeq: 1 })
      vi.advanceTimersByTime(5_000)
      expect(readInUse(folder)).toMatchObject({ lastSeq: 4 })
      inUse.stop()
    } finally {
      vi.useRealTimers()
    }
  })

  it('names what is missing when the folder is gone, until a person has read it, and gives no number twice', () => {
    const inUse = open()
    report()
    report()
    counts = { unsent: 2, attention: 0 }
    inUse.stop()
    store.close()
    rmSync(folder, { recursive: true })
    open()
    expect(store.salvage()).toMatchObject({
      ...{ isDamaged: false, setAside: '' },
      loss: { kind: 'gone', missing: 2, unsent: 2, folder },
    })
    expect(report()).toBe(3)
    store.close()
    open()
    expect(store.salvage()).toMatchObject({ loss: { kind: 'gone', missing: 2 } })
    store.acknowledgeSalvage()
    store.close()
    open()
    expect(store.salvage()).toBeNull()
  })

  it('names what an older copy lacks', () => {
    open()
    report()
    store.close()
    const copy = readFileSync(join(folder, 'countertag.db'))
    const inUse = open()
    report()
    report()
    inUse.stop()
    store.close()
    writeFileSync(join(folder, 'countertag.db'), copy)
    open()
    expect(store.found).toBe('older')
    expect(store.salvage()).toMatchObject({
      ...{ isDamaged: false, operations: 1, fromBackup: 0 },
      loss: { kind: 'older', missing: 2, unsent: 0 },
    })
    expect(readFileSync(join(folder, store.salvage()?.setAside ?? ''))).toEqual(copy)
    expect(report()).toBe(4)
  })

  it.each(['an older copy', 'an empty database'])('adds to %s what the newest backup has', (what) => {
    open()
    if (what === 'an older copy') report()
    store.close()
    const copy = readFileSync(join(folder, 'countertag.db'))
    open()
    for (const _ of [1, 2]) report()
    store.close()
    mkdirSync(join(folder, 'backups'))
    copyFileSync(join(folder, 'countertag.db'), join(folder, 'backups', backupName(at)))
    const inUse = open()
    report()
    inUse.stop()
    store.close()
    writeFileSync(join(folder, 'countertag.db'), copy)
    open()
    expect(store.salvage()).toMatchObject({
      ...{ isDamaged: false, fromBackup: 2 },
      loss: { kind: what === 'an older copy' ? 'older' : 'gone', missing: 1 },
    })
  })

  it('adds what is missing to what was salvaged when the database alone is gone', () => {
    const inUse = open()
    report()
    inUse.stop()
    store.close()
    rmSync(join(folder, 'countertag.db'))
    open()
    expect(store.found).toBe('vanished')
    expect(store.salvage()).toMatchObject({ operations: 0, loss: { kind: 'gone', missing: 1 } })
    expect(store.salvage()?.setAside).not.toBe('')
  })

  it('survives a note that a power cut emptied', () => {
    open()
    report()
    writeFileSync(inUseFile(folder), '')
    store.close()
    open()
    expect(store.salvage()).toBeNull()
  })

  it('tells a journal that ends before it, or went on in another way, in a line that stays', async () => {
    const inUse = open()
    const seq = report()
    const journal = () => new Journal(store.db, () => at)
    const write = () => {
      journal().write({ seq, actor: 'person', what: 'saved', from: null, to: 'queued' })
    }
    const faults = async () => (await journal().verify()).faults
    write()
    write()
    inUse.stop()
    store.close()
    open()
    expect(await faults()).toEqual([])
    store.db.exec(`DROP TRIGGER journal_keeps_delete; DELETE FROM journal WHERE entry = 2;
      DELETE FROM sqlite_sequence WHERE name = 'journal'; INSERT INTO sqlite_sequence VALUES ('journal', 1)`)
    // As the database was before that line.
    expect(await faults()).toEqual([])
    const { sql } = z
      .object({ sql: z.string() })
      .parse(
        emptyDatabase(schemaVersion).prepare(`SELECT sql FROM sqlite_schema WHERE name = 'journal_keeps_delete'`).get(),
      )
    store.db.exec(sql)
    for (let start = 0; start < 2; start++) {
      store.close()
      open()
      expect(await faults()).toEqual([{ kind: 'cut', entry: 2 }])
    }
    expect(() => store.db.exec(`DELETE FROM journal WHERE what = 'cut'`)).toThrow('append-only')
  })
})
