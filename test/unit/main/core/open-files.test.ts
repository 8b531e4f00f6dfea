import { once } from 'node:events'
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createServiceClock, systemClock } from '../../../../src-main/core/clock'
import { hasNoFilesLeft, isOutOfFiles } from '../../../../src-main/core/open-files'
import { silentLog } from '../../../../src-main/core/log'
import { createPhotoFiles } from '../../../../src-main/receiving/record/photo-files'
import { createHttp } from '../../../../src-main/service/http'
import { openStationFile } from '../../../../src-main/station/station-file'
import { namesIn, writeWhole } from '../../../../src-main/database/files'
import { createBackup } from '../../../../src-main/database/backup'
import { openStore } from '../../../../src-main/database/open'
import { saved } from '../../../../src-main/database/saved'
import { startProblemOf } from '../../../../src-main/support/start-problem'
import { ok } from '../../../../src-shared/result'
import { canLimitFiles, withoutFiles } from '../../../fakes/file-limit'
import { type Shop, codeOf, openShop, put, sale } from '../database/shop'

const thrownBy = (doing: () => unknown): unknown => {
  try {
    doing()
  } catch (cause) {
    return cause
  }
  return undefined
}

describe.skipIf(!canLimitFiles)('a computer that is out of open files', () => {
  let shop: Shop
  beforeEach(() => {
    shop = openShop()
  })
  afterEach(() => {
    shop.remove()
  })

  it('is recognized, whatever failed', async () => {
    expect(hasNoFilesLeft()).toBe(false)
    const file = join(shop.folder, 'a.db')
    new Sqlite(file).close()
    const causes = await withoutFiles(() => [
      hasNoFilesLeft(),
      isOutOfFiles(thrownBy(() => openSync(file, 'r'))),
      isOutOfFiles(new Error('the outer one', { cause: thrownBy(() => openSync(file, 'r')) })),
      // SQLite only says that it can't open the file.
      isOutOfFiles(thrownBy(() => new Sqlite(file))),
      isOutOfFiles(new Error('another one')),
    ])
    expect(causes).toEqual([true, true, true, true, false])
    expect(isOutOfFiles(thrownBy(() => new Sqlite(join(shop.folder, 'no', 'such'), { fileMustExist: true })))).toBe(
      false,
    )
  })

  it('says so when it opens its data, which it neither takes for damaged nor changes', async () => {
    const { store, outbox } = shop.open()
    put(outbox, sale(1))
    store.close()
    const names = shop.names()
    const code = await withoutFiles(() => codeOf(() => openStore(shop.file)))
    expect(code).toBe('store/out-of-files')
    expect(shop.names()).toEqual(names)
    const after = shop.open()
    expect(after.store.found).toBe('untouched')
    expect(after.outbox.read.counts().unsent).toBe(1)
    after.store.close()
  })

  // With few files left, the first steps of a start succeed and a later one doesn't.
  const few = [1, 2, 3, 4, 5, 8, 18]

  it('loses nothing of what was committed, however many files it may still open', async () => {
    const { store, outbox } = shop.open()
    put(outbox, sale(1))
    const codes = new Set<unknown>()
    for (const left of few) {
      const cut = shop.powerCut()
      codes.add(await withoutFiles(() => codeOf(() => openStore(cut.file).close()), left))
      expect(cut.names().filter((name) => name.includes('damaged'))).toEqual([])
      const after = cut.open()
      expect([left, after.outbox.read.counts().unsent]).toEqual([left, 1])
      after.store.close()
      cut.remove()
    }
    store.close()
    expect([...codes].map(String).sort()).toEqual(['opened', 'store/out-of-files'])
  })

  it('repairs damaged data with all that can be read, or only once it can open it', async () => {
    const { store, events, outbox } = shop.open()
    put(outbox, sale(1))
    const context = { db: store.db, events, clock: shop.clock, log: silentLog }
    await createBackup(context, join(shop.folder, 'backups')).make()
    store.close()
    writeFileSync(shop.file, 'no database')
    const codes = new Set<unknown>()
    for (const left of few) {
      const copy = shop.powerCut()
      const code = await withoutFiles(() => codeOf(() => openStore(copy.file).close()), left)
      codes.add(code)
      if (code !== 'opened') expect([left, copy.names()]).toEqual([left, shop.names()])
      const after = copy.open()
      expect([left, after.outbox.read.counts().unsent]).toEqual([left, 1])
      after.store.close()
      copy.remove()
    }
    expect([...codes].map(String).sort()).toEqual(['opened', 'store/out-of-files'])
  })

  it('does not take a folder or a file that it can not open for an empty or missing one', async () => {
    const files = createPhotoFiles(shop.folder)
    writeFileSync(join(shop.folder, `${'0'.repeat(64)}.jpg`), 'a photo')
    expect(files.read('0'.repeat(64))).toBe('altered')
    const [listed, photo] = await withoutFiles(() => [thrownBy(() => namesIn(shop.folder)), files.read('0'.repeat(64))])
    expect(isOutOfFiles(listed)).toBe(true)
    expect(photo).toBe('unread')
    expect(namesIn(join(shop.folder, 'none'))).toEqual([])
  })

  it('does not take a station whose settings it can not read for a new one', async () => {
    const file = join(shop.folder, 'station.json')
    writeFileSync(file, '{"version":1,')
    const cause = await withoutFiles(() => thrownBy(() => openStationFile(file, systemClock)))
    expect(startProblemOf(cause, { dataDir: shop.folder, reportFile: null })).toMatchObject({
      code: 'store/out-of-files',
    })
    expect(readFileSync(file, 'utf8')).toBe('{"version":1,')
  })

  it('says that nothing was saved, and why', async () => {
    const file = join(shop.folder, 'settings.json')
    const change = () =>
      saved(() => {
        writeWhole(file, 'new')
        return ok(null)
      })
    expect(await withoutFiles(change)).toEqual({ ok: false, error: { code: 'store/out-of-files' } })
    expect(existsSync(file)).toBe(false)
    expect(change()).toEqual({ ok: true, value: null })
  })

  it('has not asked the service, and does not call that a lost connection', async () => {
    const server = createServer((_request, response) =>
      response.setHeader('content-type', 'application/json').end('{}'),
    )
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = server.address()
    const origin = `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`
    const folder = mkdtempSync(join(tmpdir(), 'countertag-'))
    const caFile = join(folder, 'ca.pem')
    const parts = {
      origins: new Set([origin]),
      clockOrigin: origin,
      clock: systemClock,
      serviceClock: createServiceClock(),
    }
    const http = createHttp({ ...parts, environment: {} })
    const withFile = createHttp({ ...parts, environment: {}, caFile })
    const outOfFiles = { kind: 'not-asked', error: { code: 'service/out-of-files' } }
    const ask = () => http.send({ method: 'POST', url: `${origin}/`, body: '{}' })
    expect(await withoutFiles(ask)).toEqual(outOfFiles)
    // A file of certificates that can't be read now is not one that is missing.
    expect(await withoutFiles(() => withFile.send({ method: 'GET', url: `${origin}/` }))).toEqual(outOfFiles)
    expect(await withFile.send({ method: 'GET', url: `${origin}/` })).toMatchObject({
      error: { code: 'profile/no-ca-file' },
    })
    expect(await ask()).toMatchObject({ kind: 'answer', status: 200 })
    await http.close()
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true })
  })
})
