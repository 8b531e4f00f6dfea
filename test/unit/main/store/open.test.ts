import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppStartError, openStore } from '../../../src-main/store/open'
import { schemaVersion } from '../../../src-main/store/migrations'

const codeOf = (open: () => unknown) => {
  try {
    open()
    return 'opened'
  } catch (cause) {
    return cause instanceof AppStartError ? cause.code : cause
  }
}

describe('store', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countertag store ü '))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  it('commits to the disk before a commit counts', () => {
    const db = openStore(join(folder, 'new', 'countertag.db'))
    expect(db.pragma('synchronous', { simple: true })).toBe(2)
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal')
    expect(db.pragma('foreign_keys', { simple: true })).toBe(1)
    expect(db.pragma('user_version', { simple: true })).toBe(schemaVersion)
    db.close()
  })

  it('lets one process in at a time, and the next one once it is closed', () => {
    const file = join(folder, 'countertag.db')
    const first = openStore(file)
    expect(codeOf(() => openStore(file))).toBe('store/in-use')
    first.close()
    openStore(file).close()
  })

  it('does not touch a file that is no database', () => {
    const file = join(folder, 'countertag.db')
    writeFileSync(file, 'x'.repeat(5_000))
    expect(codeOf(() => openStore(file))).toBe('store/damaged')
    expect(readFileSync(file, 'utf8')).toBe('x'.repeat(5_000))
  })

  it('notices a damaged database', () => {
    const file = join(folder, 'countertag.db')
    openStore(file).close()
    const bytes = readFileSync(file)
    bytes.fill(0x5a, 4_096, bytes.length - 4_096)
    writeFileSync(file, bytes)
    expect(codeOf(() => openStore(file))).toBe('store/damaged')
  })

  it('leaves the data of a newer Countertag alone', () => {
    const file = join(folder, 'countertag.db')
    const newer = new Sqlite(file)
    newer.pragma(`user_version = ${schemaVersion + 1}`)
    newer.close()
    expect(codeOf(() => openStore(file))).toBe('store/newer')
  })

  it('says so when the folder cannot be written', () => {
    writeFileSync(join(folder, 'file'), '')
    expect(codeOf(() => openStore(join(folder, 'file', 'countertag.db')))).toBe('store/no-access')
  })
})
