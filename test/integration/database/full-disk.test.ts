import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OperationId } from '../../../src-shared/ids'
import { silentLog } from '../../../src-main/core/log'
import type { Outbox } from '../../../src-main/outbox/outbox'
import { createBackup } from '../../../src-main/database/backup'
import { openStore } from '../../../src-main/database/open'
import { type Shop, codeOf, openShop, put, sale } from '../../unit/main/database/shop'

const size = 12_000_000
const disk = mkdtempSync(join(tmpdir(), 'countertag disk '))

/** A 12 MB disk. Only root can make one, and not in every container. */
function canMount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'none', disk], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const isSmall = canMount()

describe.skipIf(!isSmall)('a disk that is really full', () => {
  let shop: Shop
  beforeEach(() => {
    const folder = join(disk, 'data')
    mkdirSync(folder)
    shop = openShop(folder)
  })
  afterEach(() => {
    for (const name of readdirSync(disk)) rmSync(join(disk, name), { recursive: true })
  })
  afterAll(() => {
    // Lazy, because a failed test may have left a file open.
    execFileSync('umount', ['--lazy', disk])
  })

  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(disk)
    return bavail * bsize
  }
  const ballast = join(disk, 'ballast')
  /** Leaves some bytes free. */
  const fill = (left = 0) => {
    writeFileSync(ballast, Buffer.alloc(Math.max(freeBytes() - left, 0)))
  }
  const makeRoom = () => {
    rmSync(ballast, { force: true })
  }
  const putAsLongAsThereIsRoom = (outbox: Outbox, first: number) => {
    const saved: OperationId[] = []
    for (let n = first; ; n++) {
      const result = outbox.enqueue(sale(n))
      if (!result.ok) return { saved, error: result.error }
      saved.push(result.value.id)
    }
  }

  it('refuses a report before it counts as saved; saved reports survive, also after a power cut', () => {
    const { store, outbox } = shop.open()
    put(outbox, sale(0))
    fill(300_000)
    const { saved, error } = putAsLongAsThereIsRoom(outbox, 1)
    expect(error).toEqual({ code: 'store/not-saved' })
    expect(saved.length).toBeGreaterThan(3)
    expect(outbox.read.counts().unsent).toBe(saved.length + 1)
    const cut = shop.powerCut()
    makeRoom()
    expect(outbox.enqueue(sale(5_000)).ok).toBe(true)
    store.close()

    const after = cut.open()
    expect(after.store.found).toBe('sound')
    expect(after.outbox.read.counts().unsent).toBe(saved.length + 1)
    after.store.close()
    cut.remove()
  })

  it('rolls back a claim and an outcome that could not be saved, and continues with both later', () => {
    const { store, outbox } = shop.open()
    for (let n = 0; n < 50; n++) put(outbox, sale(n))
    const first = outbox.claim()
    fill()
    putAsLongAsThereIsRoom(outbox, 100)
    expect(() => outbox.claim()).toThrow(/full|I\/O/)
    expect(() => {
      outbox.settle(first?.seq ?? 0, { kind: 'accepted', note: null })
    }).toThrow(/full|I\/O/)
    expect(outbox.read.inState('sending')).toHaveLength(1)
    makeRoom()
    outbox.settle(first?.seq ?? 0, { kind: 'accepted', note: null })
    expect(outbox.claim()).toBeDefined()
    store.close()
  })

  it('keeps the pause of reports that wait for the end of an outage if the change can’t be saved', () => {
    const { store, outbox } = shop.open()
    const waiting = put(outbox, sale(1))
    outbox.claim()
    outbox.settle(waiting.seq, { kind: 'retry', reason: { code: 'service/unreachable' }, afterMs: 60_000 })
    fill()
    putAsLongAsThereIsRoom(outbox, 100)
    for (const step of [() => outbox.retryUnreached(), () => outbox.retryAll()]) expect(step).toThrow(/full|I\/O/)
    const due = () => outbox.read.byId(waiting.id)?.nextAttemptAt
    expect(due()).toBe(shop.clock.now() + 60_000)
    makeRoom()
    outbox.retryUnreached()
    expect(due()).toBe(0)
    store.close()
  })

  it('does not keep the app from being opened and closed', () => {
    const { store, outbox } = shop.open()
    put(outbox, sale(1))
    store.close()
    fill()
    const full = shop.open()
    expect(full.outbox.read.counts().unsent).toBe(1)
    expect(full.outbox.enqueue(sale(2))).toEqual({ ok: false, error: { code: 'store/not-saved' } })
    full.store.close()
    makeRoom()
    const after = shop.open()
    expect(['sound', 'untouched']).toContain(after.store.found)
    expect(after.outbox.read.counts().unsent).toBe(1)
    after.store.close()
  })

  it('costs a backup, leaves nothing of the backup behind, and does not disturb sales', async () => {
    const { store, events, outbox } = shop.open()
    for (let n = 0; n < 100; n++) put(outbox, sale(n))
    const folder = join(shop.folder, 'backups')
    const context = { db: store.db, events, clock: shop.clock, log: silentLog }
    // The careful one does not even start; for the careless one the disk fails halfway.
    const careful = createBackup(context, folder)
    const careless = createBackup(context, folder, { freeBytes: () => Promise.resolve(Infinity) })
    fill(100_000)
    const free = freeBytes()
    for (const backup of [careful, careless]) {
      await backup.make()
      expect(backup.view()).toEqual({ lastAt: null, isFailing: true })
      expect(readdirSync(folder)).toEqual([])
      expect(freeBytes()).toBe(free)
    }
    expect(outbox.enqueue(sale(999)).ok).toBe(true)
    makeRoom()
    await careless.make()
    expect(careless.view()).toEqual({ lastAt: shop.clock.now(), isFailing: false })
    store.close()
  })

  it('leaves a damaged database unchanged if it can’t be salvaged, and tries again later', () => {
    const { store, outbox } = shop.open()
    for (let n = 0; n < 200; n++) put(outbox, sale(n))
    store.close()
    const bytes = readFileSync(shop.file)
    bytes.fill(0x5a, 0, 4_096)
    writeFileSync(shop.file, bytes)
    fill(10_000)
    expect(codeOf(() => openStore(shop.file))).toBe('store/damaged')
    expect(readFileSync(shop.file).equals(bytes)).toBe(true)
    expect(shop.names().filter((name) => name.includes('damaged'))).toEqual([])
    makeRoom()
    const after = shop.open()
    expect(after.store.salvage()).toMatchObject({ operations: 200, lost: 0 })
    after.store.close()
  })
})

afterAll(() => {
  rmSync(disk, { recursive: true, force: true })
})
