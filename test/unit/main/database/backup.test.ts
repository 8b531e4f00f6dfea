import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Log } from '../../../../src-main/core/log'
import { type BackupOptions, createBackup } from '../../../../src-main/database/backup'
import { backupName } from '../../../../src-main/database/backup-copy'
import type { Outbox } from '../../../../src-main/outbox/outbox'
import { type Store, openStore } from '../../../../src-main/database/open'
import { eventsOf } from '../../../fakes/events'
import { type Shop, openShop, put, sale, work } from './shop'

describe('backup', () => {
  let shop: Shop
  let store: Store
  let outbox: Outbox
  let folder: string
  const errors: string[] = []
  const log: Log = {
    info: () => undefined,
    warn: () => undefined,
    error: (message, fields) => errors.push(`${message}: ${String(fields?.cause)}`),
  }

  beforeEach(() => {
    errors.length = 0
    shop = openShop()
    folder = join(shop.folder, 'backups')
    ;({ store, outbox } = shop.open())
    store.db.pragma('synchronous = OFF')
  })
  afterEach(() => {
    store.close()
    shop.remove()
  })

  const create = (options?: BackupOptions, onChange: () => void = () => undefined) => {
    const events = eventsOf(store.db)
    events.on('backup.changed', 'test', onChange)
    return createBackup({ db: store.db, events, clock: shop.clock, log }, folder, options)
  }
  const names = () => (existsSync(folder) ? readdirSync(folder).sort() : [])
  const operationsIn = (name: string) => {
    const db = new Sqlite(join(folder, name))
    const count = db.prepare('SELECT count(*) FROM operation').pluck().get()
    db.close()
    return count
  }

  it('copies more than one part that is synced meanwhile, and leaves no file open', async () => {
    const fill = store.db.prepare(`INSERT INTO setting (name, value) VALUES (?, hex(zeroblob(1000000)))`)
    for (let n = 0; n < 12; n++) fill.run(`filler-${n}`)
    const openFiles = () => readdirSync('/proc/self/fd').length
    const before = process.platform === 'linux' ? openFiles() : 0
    await create().make()
    expect(errors).toEqual([])
    const copy = new Sqlite(join(folder, backupName(shop.clock.now())))
    expect(
      copy.prepare(`SELECT count(*), sum(length(value)) FROM setting WHERE name LIKE 'filler-%'`).raw().get(),
    ).toEqual([12, 24_000_000])
    copy.close()
    if (process.platform === 'linux') expect(openFiles()).toBeLessThanOrEqual(before)
  })

  it('copies the store while it is locked and in use, including commits made meanwhile', async () => {
    work(outbox, 400)
    const backup = create()
    const making = backup.make()
    // Between two steps of the copy.
    let next = 1_000
    const busy = setInterval(() => put(outbox, sale(next++)), 0)
    await making
    clearInterval(busy)
    expect(names()).toEqual([backupName(shop.clock.now())])
    expect(backup.view()).toEqual({ lastAt: shop.clock.now(), isFailing: false })
    expect(operationsIn(backupName(shop.clock.now()))).toBeGreaterThanOrEqual(400)
    expect(errors).toEqual([])
    // The backup is a separate database that can replace the store.
    const restored = openShop(join(shop.folder, 'restored'))
    mkdirSync(restored.folder)
    writeFileSync(restored.file, readFileSync(join(folder, backupName(shop.clock.now()))))
    const { store: copy, outbox: again } = restored.open()
    expect(copy.found).toBe('sound')
    expect(again.read.counts().unsent).toBeGreaterThan(0)
    copy.close()
  })

  it('is made only if something has changed since the last one', async () => {
    const backup = create()
    await backup.make()
    shop.clock.advance(1_000)
    await backup.make()
    expect(names()).toHaveLength(1)
    put(outbox, sale(1))
    await backup.make()
    expect(names()).toHaveLength(2)
  })

  it('is made a minute after the start and then every hour', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const made = vi.fn()
      const backup = create({}, made)
      const wait = async (times: number) => {
        while (made.mock.calls.length < times) await new Promise((resolve) => setImmediate(resolve))
      }
      backup.start()
      vi.advanceTimersByTime(59_999)
      expect(names()).toEqual([])
      vi.advanceTimersByTime(1)
      await wait(1)
      expect(names()).toHaveLength(1)
      for (const n of [2, 3]) {
        shop.clock.advance(3_600_000)
        put(outbox, sale(n))
        vi.advanceTimersByTime(3_599_999)
        expect(made).toHaveBeenCalledTimes(n - 1)
        vi.advanceTimersByTime(1)
        await wait(n)
        expect(names()).toHaveLength(n)
      }
      await backup.finish(5_000)
      vi.advanceTimersByTime(10_000_000)
      expect(made).toHaveBeenCalledTimes(3)
    } finally {
      vi.useRealTimers()
    }
  })

  it('removes unfinished and old backups only', async () => {
    mkdirSync(folder)
    const old = Array.from({ length: 30 }, (_, n) => backupName(shop.clock.now() - (n + 1) * 3_600_000))
    for (const name of [...old, 'countertag-20200101T000000Z.db.tmp', 'countertag-x.db.tmp-journal', 'mine.txt']) {
      writeFileSync(join(folder, name), 'x')
    }
    await create().make()
    const left = names()
    expect(left.filter((name) => name.includes('.tmp'))).toEqual([])
    expect(left).toContain('mine.txt')
    // The newest six, and the last one of yesterday.
    expect(left.filter((name) => name.endsWith('.db'))).toHaveLength(7)
  })

  it('finds the last backup after a restart', () => {
    mkdirSync(folder)
    const at = shop.clock.now() - 5_000
    writeFileSync(join(folder, backupName(at)), 'x')
    expect(create().view()).toEqual({ lastAt: at, isFailing: false })
    rmSync(folder, { recursive: true })
    expect(create().view()).toEqual({ lastAt: null, isFailing: false })
  })

  it('that fails is logged and shown, leaves no files behind, and is tried again next time', async () => {
    const changed = vi.fn()
    let free = 1_000
    const backup = create({ freeBytes: () => Promise.resolve(free) }, changed)
    await backup.make()
    expect(backup.view()).toEqual({ lastAt: null, isFailing: true })
    expect(errors).toEqual(['backup failed: Error: too little room on the disk'])
    expect(names()).toEqual([])
    put(outbox, sale(1))
    free = Number.MAX_SAFE_INTEGER
    await backup.make()
    expect(backup.view()).toEqual({ lastAt: shop.clock.now(), isFailing: false })
    expect(changed).toHaveBeenCalledTimes(2)

    // The folder can't be created: a file has its name.
    rmSync(folder, { recursive: true })
    writeFileSync(folder, '')
    put(outbox, sale(2))
    await backup.make()
    expect(backup.view()).toMatchObject({ isFailing: true })
    expect(errors).toHaveLength(2)
    rmSync(folder)
  })

  it.each([
    ['small', 0],
    ['large', 4_000_000],
  ])('that turns out damaged is deleted, and the next start checks every page: a %s one', async (size, bytesMore) => {
    work(outbox, 100)
    if (bytesMore > 0) store.db.exec(`CREATE TABLE more AS SELECT zeroblob(${bytesMore}) AS bytes`)
    store.close()
    // A large one is looked at in a thread of its own.
    expect(statSync(shop.file).size > 2_000_000).toBe(size === 'large')
    // Silent disk corruption: a page has changed, but the file's modification time hasn't.
    const { atimeMs, mtimeMs } = statSync(shop.file)
    const bytes = readFileSync(shop.file)
    bytes.fill(0x5a, 40 * 4_096, 41 * 4_096)
    writeFileSync(shop.file, bytes)
    utimesSync(shop.file, atimeMs / 1_000, mtimeMs / 1_000)
    const { mtimeNs } = statSync(shop.file, { bigint: true })
    writeFileSync(
      `${shop.file}.last-end`,
      JSON.stringify({ was: 'closed', size: bytes.length, mtimeNs: String(mtimeNs) }),
    )

    store = openStore(shop.file, () => shop.clock.now())
    expect(store.found).toBe('untouched')
    const backup = create({
      onDamage: () => {
        store.distrust()
      },
    })
    await backup.make()
    expect(names()).toEqual([])
    expect(backup.view()).toEqual({ lastAt: null, isFailing: true })
    expect(errors[0]).toMatch(/^backup failed: Error: /)
    store.close()

    store = openStore(shop.file, () => shop.clock.now())
    expect(store.found).toBe('pages')
    expect(store.salvage()).not.toBeNull()
  })

  it('is made once more when the app closes, but abandoned if it takes too long', async () => {
    const backup = create()
    await backup.finish(5_000)
    expect(names()).toHaveLength(1)
    shop.clock.advance(1_000)
    put(outbox, sale(1))
    const slow = create({ freeBytes: () => new Promise((resolve) => setTimeout(resolve, 50, 1e12)) })
    await slow.finish(1)
    expect(names()).toHaveLength(1)
    expect(slow.view().isFailing).toBe(false)
    // The abandoned backup has ended, so the store can be closed.
    expect(names().filter((name) => name.includes('.tmp'))).toEqual([])
  })
})
