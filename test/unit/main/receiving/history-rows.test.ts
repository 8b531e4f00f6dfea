import { describe, expect, it } from 'vitest'
import { createHistoryRows } from '../../../../src-main/receiving/record/history'
import { tag } from '../../../fakes/ids'
import { complete, importing, removing, useDesk } from '../outbox/desk'

const everything = { from: null, to: null, text: '' }

describe('the stored history of receiving', () => {
  const desk = useDesk()
  const seqs = (filter = {}, before: number | null = null, limit = 100) =>
    createHistoryRows(desk.db)
      .page({ ...everything, ...filter }, before, limit)
      .map((operation) => operation.seq)
  const count = (filter = {}) => createHistoryRows(desk.db).count({ ...everything, ...filter })

  it('lists what was received, newest first, without sales, in pages', () => {
    const first = desk.put(importing(1))
    desk.put(complete('A', tag(1)))
    const second = desk.put(importing(2))
    const third = desk.put(removing(3))
    expect(seqs()).toEqual([third.seq, second.seq, first.seq])
    expect(seqs({}, null, 2)).toEqual([third.seq, second.seq])
    expect(seqs({}, second.seq, 2)).toEqual([first.seq])
    expect(seqs({}, first.seq)).toEqual([])
    expect(count()).toBe(3)
  })

  it("filters by this computer's local days, including the first and the last", () => {
    const midnight = new Date(2026, 10, 23).getTime()
    desk.clock.advance(midnight - 1 - desk.clock.now())
    const before = desk.put(importing(1))
    desk.clock.advance(1)
    const after = desk.put(importing(2))
    expect(seqs({ from: '2026-11-22', to: '2026-11-22' })).toEqual([before.seq])
    expect(seqs({ from: '2026-11-23', to: '2026-11-23' })).toEqual([after.seq])
    expect(seqs({ from: '2026-11-22', to: '2026-11-23' })).toEqual([after.seq, before.seq])
    expect(seqs({ from: '2026-11-24' })).toEqual([])
    expect(seqs({ to: '2026-11-21' })).toEqual([])
    // First and last day swapped.
    expect(seqs({ from: '2026-11-23', to: '2026-11-22' })).toEqual([])
  })

  it('searches names and ids only, and takes wildcards literally', () => {
    const plain = desk.put(importing(1, 'POS-1'))
    const odd = desk.put(importing(2, '50%_"\\Ñ'))
    expect(seqs({ text: 'pos-1' })).toEqual([plain.seq])
    for (const text of ['50%', '%_', '_"', '"\\', '\\Ñ', '50%_"\\Ñ'])
      expect([text, seqs({ text })]).toEqual([text, [odd.seq]])
    for (const text of ['%%', '__', '%', 'kind', 'packageUid', '":"', 'null', `' OR 1 --`]) {
      expect([text, seqs({ text })]).toEqual([text, text === '%' ? [odd.seq] : []])
    }
    expect(count({ text: plain.payload?.kind === 'import' ? plain.payload.caseId : '' })).toBe(1)
  })

  it('finds a case by its printed label, and skips unreadable operations in a search', () => {
    const one = desk.put(importing(1))
    const broken = desk.put(importing(2))
    desk.db.prepare(`UPDATE operation SET payload = '{"broken' WHERE seq = ?`).run(broken.seq)
    const { caseId } = one.payload?.kind === 'import' ? one.payload : { caseId: '' }
    desk.db
      .prepare(
        `INSERT INTO memory (kind, id, form, identifier, asked_at, content) VALUES ('collection', ?, 'facts', 'HF 2026/0417', 1, '{}')`,
      )
      .run(caseId)
    expect(seqs({ text: '2026/0417' })).toEqual([one.seq])
    expect(seqs({ text: 'broken' })).toEqual([])
    expect(seqs()).toEqual([broken.seq, one.seq])
  })

  it('has a covering index for counting days', () => {
    const plan = (sql: string) => JSON.stringify(desk.db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all())
    const kinds = `kind IN ('import', 'blind-import', 'import-removal', 'add-items', 'remove-item', 'restore-item')`
    const days = 'performed_at_raw + clock_offset >= 1'
    expect(
      plan(`SELECT count(*) FROM operation INDEXED BY operation_received WHERE ${kinds} AND seq < 9 AND ${days}`),
    ).toContain('COVERING INDEX operation_received')
  })
})
