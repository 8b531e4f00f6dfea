import { hash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { OperationState } from '../../../../src-shared/ipc/contract/outbox'
import type { Outbox } from '../../../../src-main/outbox/outbox'
import type { Store } from '../../../../src-main/database/open'
import { readWal } from '../../../../src-main/sqlite-pages/pages'
import { type Ledger, type Shop, openShop, put, sale, work } from './shop'

/** Pseudorandom bytes, the same in every run. */
function garbage(length: number, seed: number): Buffer {
  const bytes = Buffer.alloc(length)
  let state = seed
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    bytes[i] = state >>> 16
  }
  return bytes
}

const overwrite = (file: string, at: number, bytes: Buffer) => {
  const handle = openSync(file, 'r+')
  writeSync(handle, bytes, 0, bytes.length, at)
  closeSync(handle)
}
/** The end of the log's current frames; the bytes after it are left over from earlier checkpoints. */
function endOfRound(log: string): number {
  const wal = readWal(log)
  return wal ? Math.max(...wal.pages.values()) + wal.pageSize : 0
}
const shorten = (file: string, share: number) => {
  truncateSync(file, Math.floor(statSync(file).size * share))
}

describe('a damaged database', () => {
  /** A copy from the middle of a day: one part in the database file, the rest still in the log. */
  let cut: Shop
  /** The same database, closed in the evening. */
  let closed: Shop
  let ledger: Ledger

  beforeAll(() => {
    const shop = openShop()
    const { store, outbox } = shop.open()
    store.db.pragma('synchronous = OFF')
    const morning = work(outbox, 400)
    store.db.pragma('wal_checkpoint(RESTART)')
    // The log holds the whole afternoon: a checkpoint would begin it anew.
    store.db.pragma('wal_autocheckpoint = 0')
    const afternoon = work(outbox, 200, 401)
    ledger = new Map([...morning, ...afternoon])
    for (const id of ledger.keys()) ledger.set(id, outbox.read.byId(id)?.state ?? 'queued')
    cut = shop.powerCut()
    store.close()
    closed = shop
  })
  afterAll(() => {
    cut.remove()
    closed.remove()
  })

  interface After {
    store: Store
    outbox: Outbox
    shop: Shop
    found: Store['found']
  }

  /** Damages a copy, opens it, and checks the result. */
  const open = (base: Shop, damage: (file: string) => void, look: (after: After) => void) => {
    const shop = base.powerCut()
    damage(shop.file)
    const before = bytesOf(shop.file)
    const { store, outbox } = shop.open()
    const report = store.salvage()
    const isSalvaged = store.found !== 'sound'
    expect(report !== null).toBe(isSalvaged)
    if (report) {
      // The damaged files are set aside unchanged.
      expect(bytesOf(join(shop.folder, report.setAside))).toEqual(before)
      if (report.lost !== null) expect(report.operations + report.lost).toBe(ledger.size)
    }
    expectSound(store, outbox)
    look({ store, outbox, shop, found: store.found })
    expectNoDeadEnd(store, outbox)
    store.close()
    const again = shop.open()
    expect(again.store.found).toBe('untouched')
    expect(again.store.salvage()).toEqual(report)
    again.store.close()
    shop.remove()
  }

  /** Hashes of the file and its log; an empty log counts as missing. */
  const bytesOf = (file: string) =>
    ['', '-wal'].map((suffix) => (existsSync(file + suffix) ? hash('sha256', readFileSync(file + suffix)) : nothing))
  const nothing = hash('sha256', '')

  const expectSound = (store: Store, outbox: Outbox) => {
    expect(store.db.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(store.db.pragma('foreign_key_check')).toEqual([])
    const counted = store.db
      .prepare(
        `SELECT count(*) FROM operation WHERE blockers <> (SELECT count(*) FROM operation_wait WHERE waiter = seq)`,
      )
      .pluck()
      .get()
    expect(counted).toBe(0)
    for (const [id, state] of ledger) {
      const now = outbox.read.byId(id)
      // If the newest commits are lost, a state may be older than in the ledger.
      const may = store.salvage()?.lost === null ? [salvaged(state), 'unknown'] : [salvaged(state)]
      if (now && store.found !== 'sound') expect(may, `operation ${now.seq}, ${state}`).toContain(now.state)
      if (now?.state === 'unknown' && store.found !== 'sound') expect(now.isUncertain).toBe(true)
    }
  }

  const salvaged = (state: OperationState): OperationState =>
    state === 'queued' || state === 'sending' || state === 'unknown' ? 'unknown' : state

  /** Checks that everything can be sent, except operations that wait, directly or not, for one that needs a person. */
  const expectNoDeadEnd = (store: Store, outbox: Outbox) => {
    const highest = z.number().parse(store.db.prepare('SELECT max(seq) FROM operation').pluck().get() ?? 0)
    store.db.pragma('synchronous = OFF')
    const next = put(outbox, sale(9_999))
    expect(next.seq).toBeGreaterThan(highest)
    outbox.retryAll()
    for (let one = outbox.claim(); one; one = outbox.claim()) outbox.settle(one.seq, { kind: 'accepted', note: null })
    const stuck = store.db
      .prepare(
        `WITH RECURSIVE behind (seq) AS (
           SELECT seq FROM operation WHERE state = 'rejected'
           UNION SELECT waiter FROM operation_wait JOIN behind ON blocker = behind.seq)
         SELECT count(*) FROM operation WHERE state IN ('queued', 'unknown') AND seq NOT IN (SELECT seq FROM behind)`,
      )
      .pluck()
      .get()
    expect(stuck).toBe(0)
  }

  const missing = (outbox: Outbox) => [...ledger.keys()].filter((id) => outbox.read.byId(id) === undefined)

  it('is opened unchanged after a power cut, with every operation', () => {
    open(
      cut,
      () => undefined,
      ({ found, outbox }) => {
        expect(found).toBe('sound')
        expect(missing(outbox)).toEqual([])
      },
    )
  })

  describe.each(['cut', 'closed'] as const)('in state "%s"', (which) => {
    const base = () => (which === 'cut' ? cut : closed)

    it.each([0, 0.01, 0.1, 0.25, 0.5, 0.75, 0.99])('with its file cut off at %d of its length', (share) => {
      open(
        base(),
        (file) => {
          shorten(file, share)
        },
        ({ found, outbox, store }) => {
          // The lost part of the file may be in the log.
          if (found === 'sound') expect(missing(outbox)).toEqual([])
          else expect(['unreadable', 'pages', 'vanished']).toContain(found)
          if (share <= 0.75) expect(found).not.toBe('sound')
          // The empty tables of the schema come first in the file: most of what a cut takes are operations.
          if (share >= 0.75) expect(missing(outbox).length).toBeLessThan(ledger.size / 2)
          if (share === 0) expect(store.salvage()?.lost).toBeNull()
        },
      )
    })

    it('with its file cut off in the middle of its first page', () => {
      open(
        base(),
        (file) => {
          truncateSync(file, 2_048)
        },
        ({ found }) => {
          expect(['unreadable', 'pages']).toContain(found)
        },
      )
    })

    it.each([1, 2, 3, 5, 8, 13, 21, 34, 55])('with garbage in page %d', (page) => {
      open(
        base(),
        (file) => {
          overwrite(file, (page - 1) * 4_096, garbage(4_096, page))
        },
        ({ found, outbox, store }) => {
          // The log may hold a newer version of the page, or the page may be unused.
          if (found === 'sound') expect(missing(outbox)).toEqual([])
          else {
            expect(missing(outbox).length).toBeLessThanOrEqual(20)
            expect(store.salvage()?.lost).toBe(missing(outbox).length)
          }
        },
      )
    })

    it.each(['a text', 'zeros', 'a folder listing of another kind'])('replaced by %s', (kind) => {
      open(
        base(),
        (file) => {
          const length = kind === 'a text' ? 5_000 : 500_000
          writeFileSync(file, kind === 'zeros' ? Buffer.alloc(length) : kind.repeat(length).slice(0, length))
        },
        ({ found, shop, store }) => {
          expect(found).toBe('unreadable')
          const aside = readFileSync(join(shop.folder, store.salvage()?.setAside ?? ''))
          expect([5_000, 500_000]).toContain(aside.length)
        },
      )
    })

    it("replaced by another program's database", () => {
      open(
        base(),
        (file) => {
          for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
          const other = new Sqlite(file)
          other.exec('CREATE TABLE operation (x); INSERT INTO operation VALUES (1)')
          other.close()
        },
        ({ found }) => {
          expect(['schema', 'log']).toContain(found)
        },
      )
    })

    it('deleted', () => {
      open(
        base(),
        (file) => {
          rmSync(file)
        },
        ({ found }) => {
          expect(found).toBe('vanished')
        },
      )
    })
  })

  it("loses nothing if only its first page is damaged, although SQLite can't read the file", () => {
    for (const base of [cut, closed]) {
      open(
        base,
        (file) => {
          overwrite(file, 0, garbage(4_096, 7))
        },
        ({ outbox }) => {
          expect(missing(outbox)).toEqual([])
        },
      )
    }
  })

  it('loses nothing if the first page of a table is damaged', () => {
    for (const table of ['operation', 'journal', 'operation_key', 'sqlite_sequence', 'open_order']) {
      open(
        closed,
        (file) => {
          const db = new Sqlite(file, { readonly: true })
          const root = z
            .number()
            .parse(db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(table))
          db.close()
          overwrite(file, (root - 1) * 4_096, garbage(4_096, root))
        },
        ({ found, outbox }) => {
          expect(found, table).not.toBe('sound')
          expect(missing(outbox), table).toEqual([])
        },
      )
    }
  })

  describe('after a power cut', () => {
    it.each([0.999, 0.75, 0.5, 0.1, 0.01])('with its log torn at %d keeps every commit before the tear', (share) => {
      open(
        cut,
        (file) => {
          truncateSync(`${file}-wal`, Math.floor(endOfRound(`${file}-wal`) * share))
        },
        ({ found, outbox }) => {
          expect(found).toBe('sound')
          const ids = [...ledger.keys()]
          const present = ids.filter((id) => outbox.read.byId(id) !== undefined)
          expect(present).toEqual(ids.slice(0, present.length))
          if (share === 0.999) expect(ids.length - present.length).toBeLessThanOrEqual(1)
        },
      )
    })

    it.each([0, 31, 32])('with its log cut off at %d bytes reports that the newest commits may be lost', (length) => {
      open(
        cut,
        (file) => {
          truncateSync(`${file}-wal`, length)
        },
        ({ found, store }) => {
          expect(found).toBe('log')
          expect(store.salvage()?.lost).toBeNull()
        },
      )
    })

    it('with its log deleted reports that the newest commits may be lost', () => {
      open(
        cut,
        (file) => {
          rmSync(`${file}-wal`)
        },
        ({ found, store, outbox }) => {
          expect(found).toBe('log')
          expect(store.salvage()?.lost).toBeNull()
          expect(missing(outbox).length).toBeLessThanOrEqual(200)
        },
      )
    })

    it('with garbage in the header of its log is read beyond it', () => {
      open(
        cut,
        (file) => {
          overwrite(`${file}-wal`, 0, garbage(100, 3))
        },
        ({ found, outbox }) => {
          expect(found).toBe('log')
          // The lost page was written again later, or it held operations, at most about thirty.
          expect(missing(outbox).length).toBeLessThanOrEqual(32)
        },
      )
    })

    it.each([0.1, 0.3, 0.5, 0.7, 0.9])('with garbage in its log at %d has the commits that SQLite reads', (share) => {
      open(
        cut,
        (file) => {
          overwrite(`${file}-wal`, Math.floor(endOfRound(`${file}-wal`) * share), garbage(100, 3))
        },
        ({ found, outbox }) => {
          // What lies behind may be left of a commit that failed: it is no proof of damage.
          expect(found).toBe('sound')
          const ids = [...ledger.keys()]
          const present = ids.filter((id) => outbox.read.byId(id) !== undefined)
          expect(present).toEqual(ids.slice(0, present.length))
        },
      )
    })

    it('with garbage in its log, and a file that SQLite finds damaged, is read beyond the garbage', () => {
      open(
        cut,
        (file) => {
          overwrite(`${file}-wal`, Math.floor(endOfRound(`${file}-wal`) * 0.3), garbage(100, 3))
          shorten(file, 0.5)
        },
        ({ found, outbox }) => {
          expect(['pages', 'unreadable']).toContain(found)
          const afternoon = [...ledger.keys()].slice(400)
          expect(afternoon.filter((id) => outbox.read.byId(id) === undefined).length).toBeLessThanOrEqual(32)
        },
      )
    })
  })
})
