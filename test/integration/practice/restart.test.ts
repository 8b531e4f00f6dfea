import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CannotStart } from '../../../src-practice/listener'
import { callerOf, importOf, sale, shop, start } from './practice'
import { blueDune, data, onSale, tag } from './sample'

describe('a database file', () => {
  let folder: string
  let db: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'practice-'))
    db = join(folder, 'practice.db')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('keeps accepted transactions and imports over a restart, and is not filled again', async () => {
    const first = await start({ db })
    const caller = await callerOf(first, shop)
    await caller.post('transactions/complete/', sale('1', [tag(onSale, 0)]))
    await caller.post('caseids/import/', importOf(blueDune, 'P-1'))
    const before = [first.admin.transactions(), first.admin.imports()]
    await first.close()

    const second = await start({ db, data: { ...data, companies: [], accounts: [] } })
    try {
      expect([second.admin.transactions(), second.admin.imports()]).toEqual(before)
      const again = await callerOf(second, shop)
      expect((await again.post('transactions/complete/', sale('1', [tag(onSale, 1)]))).status).toBe(400)
    } finally {
      await second.close()
    }
  })

  it('needs data only if it is empty', async () => {
    await expect(start({ db, data: undefined })).rejects.toThrow(/empty and no data file/)
    await (await start({ db })).close()
    await (await start({ db, data: undefined })).close()
  })

  it('is left unchanged if another program made it', async () => {
    const other = new Database(db)
    other.exec('CREATE TABLE precious (x); INSERT INTO precious VALUES (1)')
    other.close()
    await expect(start({ db })).rejects.toThrow(/is not a database of the practice service/)
    const after = new Database(db)
    expect(after.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'precious' }])
    expect(after.pragma('journal_mode', { simple: true })).toBe('delete')
    after.close()
  })

  it('is refused with a sentence if it is not a database or its folder is missing', async () => {
    writeFileSync(db, 'no database at all, but a text of some length')
    await expect(start({ db })).rejects.toThrow(CannotStart)
    await expect(start({ db: join(folder, 'none', 'x.db') })).rejects.toThrow(CannotStart)
  })
})

describe('a port', () => {
  it('is refused with a sentence if it is taken, and the database is closed', async () => {
    const first = await start()
    try {
      const port = Number(new URL(first.baseUrl).port)
      await expect(start({ port })).rejects.toThrow(new RegExp(`^Port ${port} cannot be listened on`))
      await expect(start({ adminPort: port })).rejects.toThrow(CannotStart)
    } finally {
      await first.close()
    }
  })
})
