import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Sqlite, { SqliteError } from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeWhole } from '../../../../src-main/database/files'
import { endAfter, endingAfterFailures, saved } from '../../../../src-main/database/saved'
import { type Shop, codeOf, openShop, put, sale } from './shop'

/** What a commit adds to the log when its sync fails: SQLite takes it back, and leaves its bytes there. */
function bytesOfCommit(of: Shop, sales: number, after: number): Buffer {
  const copy = of.powerCut()
  // Not by openStore, which makes a commit of its own.
  const db = new Sqlite(copy.file)
  db.pragma('locking_mode = EXCLUSIVE')
  db.pragma('wal_autocheckpoint = 0')
  const insert = db.prepare('INSERT INTO setting (name, value) VALUES (?, ?)')
  db.transaction(() => {
    for (let n = 0; n < sales; n++) insert.run(`failed ${n}`, JSON.stringify('x'.repeat(3_000)))
  })()
  const bytes = readFileSync(`${copy.file}-wal`).subarray(after)
  db.close()
  copy.remove()
  return bytes
}

describe('a commit whose sync fails', () => {
  let shop: Shop
  beforeEach(() => {
    shop = openShop()
  })
  afterEach(() => {
    shop.remove()
  })
  const log = () => readFileSync(`${shop.file}-wal`)
  const failure = new SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC')

  /** Opens what a kill would leave now. */
  const afterKill = (look: (after: ReturnType<Shop['open']> & { shop: Shop }) => void) => {
    const cut = shop.powerCut()
    const after = cut.open()
    look({ ...after, shop: cut })
    after.store.close()
    cut.remove()
  }
  const failed = ({ store }: ReturnType<Shop['open']>) =>
    store.db.prepare(`SELECT count(*) FROM setting WHERE name LIKE 'failed %'`).pluck().get()

  it('is no proof of damage where shorter commits were written over its beginning', () => {
    const { store, outbox } = shop.open()
    const first = put(outbox, sale(1))
    const at = log().length
    const [longest, longer] = [bytesOfCommit(shop, 30, at), bytesOfCommit(shop, 15, at)]
    const last = put(outbox, sale(2))
    const short = log().subarray(at)
    expect(short.length).toBeLessThan(longer.length)
    appendFileSync(`${shop.file}-wal`, Buffer.concat([longer.subarray(short.length), longest.subarray(longer.length)]))
    afterKill((after) => {
      expect(after.store.found).toBe('sound')
      expect(after.store.salvage()).toBeNull()
      expect([first, last].map(({ id }) => after.outbox.read.byId(id)?.state)).toEqual(['queued', 'queued'])
      expect(failed(after)).toBe(0)
      expect(after.shop.names().filter((name) => name.includes('damaged'))).toEqual([])
    })
    store.close()
  })

  it('does not come back once its failure has been told', () => {
    const { store, outbox } = shop.open()
    const first = put(outbox, sale(1))
    appendFileSync(`${shop.file}-wal`, bytesOfCommit(shop, 5, log().length))
    // Without more, SQLite finds it committed.
    afterKill((after) => {
      expect(failed(after)).toBe(5)
    })
    const answer = saved(() => {
      throw failure
    })
    expect(answer).toEqual({ ok: false, error: { code: 'store/not-saved' } })
    afterKill((after) => {
      expect(after.store.found).toBe('sound')
      expect(failed(after)).toBe(0)
      expect(after.outbox.read.byId(first.id)?.state).toBe('queued')
    })
    // The log was ended: nothing of the commit is left in it.
    expect(log().includes('failed 4')).toBe(false)
    expect(put(outbox, sale(2)).state).toBe('queued')
    store.close()
    expect(shop.open().store.found).toBe('untouched')
  })

  it('leaves no log that looks lost if the process ends right after the log was ended', () => {
    const { store } = shop.open()
    endAfter(failure)
    afterKill((after) => {
      expect(after.store.found).toBe('sound')
    })
    store.close()
  })

  it('is written over while the log can’t be ended, and the log is ended later', () => {
    const { store, outbox } = shop.open()
    put(outbox, sale(1))
    appendFileSync(`${shop.file}-wal`, bytesOfCommit(shop, 5, log().length))
    // A statement that is being read keeps the log from being emptied.
    const reading = store.db.prepare('SELECT name FROM setting').iterate()
    reading.next()
    expect(endAfter(failure)).toBe('unsure')
    reading.return?.()
    expect(endAfter(failure)).toBe('gone')
    afterKill((after) => {
      expect(failed(after)).toBe(0)
    })
    store.close()
  })

  it('is told as unsure if nothing can be written over it', () => {
    const stop = endingAfterFailures(() => 'unsure')
    const failing = (code: string) =>
      saved(() => {
        throw new SqliteError('disk I/O error', code)
      })
    expect(failing('SQLITE_IOERR_FSYNC')).toEqual({ ok: false, error: { code: 'store/unsure' } })
    // A log that was not written to its end holds no commit.
    for (const code of ['SQLITE_FULL', 'SQLITE_IOERR_WRITE']) {
      expect(failing(code), code).toEqual({ ok: false, error: { code: 'store/not-saved' } })
    }
    stop()
    expect(failing('SQLITE_IOERR_FSYNC')).toEqual({ ok: false, error: { code: 'store/not-saved' } })
  })
})

describe('a start on a disk that fails', () => {
  let shop: Shop
  beforeEach(() => {
    shop = openShop()
  })
  afterEach(() => {
    shop.remove()
  })

  it('that is refused leaves a log that may be missing', () => {
    const { store, outbox } = shop.open()
    const operation = put(outbox, sale(1))
    const cut = shop.powerCut()
    store.close()
    // It is opened, and closed again: that moves the log into the database.
    const newer = new Sqlite(cut.file)
    newer.pragma('user_version = 10000')
    newer.close()
    writeFileSync(`${cut.file}.last-end`, '{"was":"open"}')
    expect(codeOf(() => cut.open())).toBe('store/newer')
    expect(readFileSync(`${cut.file}.last-end`, 'utf8')).toBe('{"was":"closing"}')
    cut.remove()
    const again = shop.open()
    expect(again.outbox.read.byId(operation.id)?.state).toBe('queued')
    again.store.close()
  })

  it.skipIf(process.getuid?.() === 0)('never takes a folder that can’t be read for an empty one', () => {
    const { store } = shop.open()
    store.close()
    const backups = join(shop.folder, 'backups')
    mkdirSync(backups, { recursive: true })
    rmSync(shop.file)
    rmSync(`${shop.file}.last-end`, { force: true })
    chmodSync(backups, 0)
    expect(codeOf(() => shop.open())).toBe('store/no-access')
    chmodSync(backups, 0o700)
    expect(existsSync(shop.file)).toBe(false)
  })
})

describe('a small file', () => {
  let shop: Shop
  beforeEach(() => {
    shop = openShop()
  })
  afterEach(() => {
    shop.remove()
  })

  it.each([
    ['the new content', 1],
    ['its name', 2],
  ])('is as it was before if %s can’t be synced, nor anything after it', (_, first) => {
    const file = join(shop.folder, 'settings.json')
    let synced = 0
    const failing = () => {
      if (++synced >= first) throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' })
    }
    const writeAfter = () => {
      synced = 0
      writeWhole(file, 'after', 0o600, failing)
    }
    expect(writeAfter).toThrow(/EIO/)
    expect(existsSync(file)).toBe(false)
    writeWhole(file, 'before', 0o600)
    expect(writeAfter).toThrow(/EIO/)
    expect(readFileSync(file, 'utf8')).toBe('before')
    writeWhole(file, 'after', 0o600)
    expect(readFileSync(file, 'utf8')).toBe('after')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(existsSync(`${file}.old`)).toBe(false)
  })

  it('is written although its old content can’t be removed, and can’t be changed again before that is gone', () => {
    const file = join(shop.folder, 'settings.json')
    writeWhole(file, 'before')
    // The folder is synced last: what can't be removed as a file stands for a disk that refuses.
    writeWhole(file, 'after', 0o600, (path) => {
      if (path !== shop.folder) return
      rmSync(`${file}.old`)
      mkdirSync(`${file}.old`)
    })
    expect(readFileSync(file, 'utf8')).toBe('after')
    expect(() => {
      writeWhole(file, 'later')
    }).toThrow(/EISDIR/)
    expect(readFileSync(file, 'utf8')).toBe('after')
    rmdirSync(`${file}.old`)
    writeWhole(file, 'later')
    expect(readFileSync(file, 'utf8')).toBe('later')
  })

  it('is as it was before if its new content can’t be put in place', () => {
    const file = join(shop.folder, 'settings.json')
    writeWhole(file, 'before')
    mkdirSync(`${file}.new`)
    expect(() => {
      writeWhole(file, 'after')
    }).toThrow(/EISDIR/)
    expect(readFileSync(file, 'utf8')).toBe('before')
  })
})
