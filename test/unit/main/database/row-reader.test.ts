import Sqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { Flag, RowReader, storedJson } from '../../../../src-main/database/row-reader'

const CountRow = z.object({
  id: z.string(),
  isRecount: Flag,
  startedAt: z.number(),
  signedAt: z.number().nullable(),
  asOf: storedJson(z.object({ read: z.number() })),
})

function table() {
  const db = new Sqlite(':memory:')
  onTestFinished(() => void db.close())
  db.exec('CREATE TABLE count (id, is_recount, started_at, signed_at, as_of, other)')
  const insert = db.prepare('INSERT INTO count VALUES (?, ?, ?, ?, ?, 1)')
  insert.run('a', 1, 10, null, '{"read":5}')
  insert.run('b', 0, 20, 30, '{"read":6}')
  return { db, insert, counts: new RowReader(CountRow) }
}

const first = { id: 'a', isRecount: true, startedAt: 10, signedAt: null, asOf: { read: 5 } }

describe('a row reader', () => {
  it('gives columns in snake case as fields in camel case, and leaves out what the schema lacks', () => {
    const { db, counts } = table()
    expect(counts.get(db.prepare('SELECT * FROM count WHERE id = ?'), 'a')).toEqual(first)
    expect(counts.get(db.prepare('SELECT * FROM count WHERE id = @id'), { id: 'a' })).toEqual(first)
    expect(
      counts.all(db.prepare('SELECT * FROM count ORDER BY id')).map(({ id, isRecount }) => [id, isRecount]),
    ).toEqual([
      ['a', true],
      ['b', false],
    ])
  })

  it('is undefined without a row', () => {
    const { db, counts } = table()
    expect(counts.get(db.prepare('SELECT * FROM count WHERE id = ?'), 'c')).toBeUndefined()
  })

  it.each([
    ['a text for a number', ['c', 0, 'soon', null, '{"read":1}']],
    ['a number for a text', [7, 0, 1, null, '{"read":1}']],
    ['JSON that is cut off', ['c', 0, 1, null, '{"read":']],
    ['JSON of another shape', ['c', 0, 1, null, '{"seen":1}']],
    ['nothing for a text', [null, 0, 1, null, '{"read":1}']],
  ])('refuses %s, and reads the other rows where that is asked for', (_, values) => {
    const { db, insert, counts } = table()
    insert.run(...values)
    const all = db.prepare('SELECT * FROM count')
    expect(() => counts.all(all)).toThrow(z.ZodError)
    const { rows, unreadable } = counts.readable(all)
    expect([rows.map(({ id }) => id), unreadable]).toEqual([['a', 'b'], 1])
  })

  it('refuses a row without a column', () => {
    const { db, counts } = table()
    expect(() => counts.get(db.prepare('SELECT id FROM count'))).toThrow(z.ZodError)
  })
})
