import { beforeEach, describe, expect, it } from 'vitest'
import type { Database } from 'better-sqlite3'
import { classify } from '../../../../src-shared/scan/classify'
import { ScannerSettings } from '../../../../src-shared/ipc/contract/scanner'
import { silentLog } from '../../../../src-main/core/log'
import { createKnownCodes } from '../../../../src-main/scanner/known-codes'
import { openStore } from '../../../../src-main/database/open'
import { createSettings } from '../../../../src-main/database/settings'

const id = 'a6YvvLF5tXSydNkLnHDXG5'

describe('the codes a station knows', () => {
  let db: Database
  const start = () => createKnownCodes(createSettings(db, silentLog))
  beforeEach(() => {
    db = openStore(':memory:').db
  })

  it('include addresses of items and cases learned from the service, also after a restart', () => {
    const codes = start()
    codes.learn('tag', `https://tags.example/i?t=${id}`, id)
    codes.learn('case', `https://tags.example/box/${id}`, id)
    codes.learn('case', `https://tags.example/box/${id}`, id)
    const known = start().known()
    expect(known).toMatchObject({
      tagPrefixes: ['https://tags.example/i?t='],
      casePrefixes: ['https://tags.example/box/'],
    })
    expect(classify(`https://tags.example/box/${id}`, 'checkout', { known })).toMatchObject({ kind: 'case' })
    expect(classify(`https://tags.example/i?t=${id}`, 'receiving', { known })).toMatchObject({ kind: 'tag' })
  })

  it('are announced once when learned', () => {
    const told: string[][] = []
    const codes = createKnownCodes(createSettings(db, silentLog), ({ tagPrefixes }) => told.push(tagPrefixes))
    codes.learn('tag', `https://tags.example/i?t=${id}`, id)
    codes.learn('tag', `https://tags.example/i?t=${id}`, id)
    codes.learn('tag', 'no address', id)
    expect(told).toEqual([['https://tags.example/i?t=']])
  })

  it.each([null, undefined, '', 'no address', id, `https://${id}`, 'https://tags.example/other', 'https://%ZZ/'])(
    "can't be learned from %j",
    (url) => {
      const codes = start()
      codes.learn('tag', url, id)
      expect(codes.known().tagPrefixes).toEqual([])
    },
  )

  it('are limited to the newest twenty addresses', () => {
    const codes = start()
    for (let n = 0; n < 100; n++) codes.learn('tag', `https://tags-${n}.example/${id}`, id)
    expect(codes.known().tagPrefixes).toHaveLength(20)
    expect(codes.known().tagPrefixes[0]).toBe('https://tags-99.example/')
  })

  it("include stored settings, with defaults if none are stored or they can't be read", () => {
    const usual = ScannerSettings.parse({})
    expect(start().settings()).toEqual(usual)
    start().set({ ...usual, prefixes: { order: 'O-', badge: 'B-' } })
    expect(start().known().scanPrefixes).toEqual({ order: 'O-', badge: 'B-' })
    db.exec(`UPDATE setting SET value = '{"prefixes":7}' WHERE name = 'scanner.settings'`)
    expect(start().settings()).toEqual(usual)
  })

  it("don't include settings that the disk refused", () => {
    const codes = start()
    db.exec(`CREATE TRIGGER full BEFORE INSERT ON setting BEGIN SELECT RAISE(ABORT, 'full'); END`)
    expect(() => codes.set({ ...codes.settings(), prefixes: { order: 'O-', badge: '' } })).toThrow('full')
    expect(codes.known().scanPrefixes.order).toBe('')
    codes.learn('tag', `https://tags.example/${id}`, id)
    expect(codes.known().tagPrefixes).toEqual(['https://tags.example/'])
  })
})
