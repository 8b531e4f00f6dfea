import { describe, expect, it } from 'vitest'
import { tag } from '../../../fakes/ids'
import { rejected, complete, useDesk } from './desk'

describe('saving in the outbox', () => {
  const desk = useDesk()

  it('keeps an operation of another version, and sends those around it', () => {
    const strange = desk.put(complete('A', tag(1)))
    const good = desk.put(complete('B', tag(2)))
    desk.db
      .prepare(`UPDATE operation SET kind = 'teleport', payload = '{"kind":"teleport"}', note = 'odd' WHERE seq = ?`)
      .run(strange.seq)
    expect(desk.claimAll()).toMatchObject([{ seq: strange.seq, kind: 'unreadable', payload: null }, { seq: good.seq }])
  })

  it('stores the operation and the local state together or not at all', () => {
    const failing = () =>
      desk.outbox.enqueue(complete('A', tag(1)), {
        alongside: () => {
          throw new Error('the local state could not be changed')
        },
      })
    expect(failing).toThrow('the local state could not be changed')
    expect(desk.outbox.read.counts().unsent).toBe(0)
    expect(desk.db.prepare('SELECT count(*) AS n FROM journal').get()).toEqual({ n: 0 })
  })

  it('answers "not saved" when the disk is full, and has saved nothing', () => {
    desk.put(complete('A', tag(1)))
    desk.db.pragma(`max_page_count = ${Number(desk.db.pragma('page_count', { simple: true }))}`)
    let answer = desk.outbox.enqueue(complete('B', tag(2)))
    for (let n = 3; answer.ok && n < 2_000; n++) answer = desk.outbox.enqueue(complete(`B${n}`, tag(n)))
    expect(answer).toEqual({ ok: false, error: { code: 'store/not-saved' } })
    const saved = desk.outbox.read.waiting(5_000).length
    desk.db.pragma('max_page_count = 100000')
    expect(desk.outbox.read.waiting(5_000).length).toBe(saved)
    expect(desk.outbox.enqueue(complete('later', tag(5_000))).ok).toBe(true)
  })

  it('keeps an unreadable operation, and claims it as such', () => {
    const sale = desk.put(complete('A', tag(1)))
    desk.db.prepare(`UPDATE operation SET payload = '{"kind":"complete"}' WHERE seq = ?`).run(sale.seq)
    expect(desk.outbox.claim()).toMatchObject({ seq: sale.seq, payload: null })
    desk.outbox.settle(sale.seq, { kind: 'rejected', reason: { code: 'outbox/unreadable' } })
    expect(desk.outbox.retry(sale.id)).toEqual({ ok: false, error: { code: 'outbox/wrong-state', state: 'rejected' } })
    expect(desk.outbox.read.counts()).toMatchObject({ unsent: 0, attention: 1 })
  })

  it("keeps a journal of all steps, which can't be changed", () => {
    const sale = desk.put(complete('A', tag(1)))
    desk.outbox.claim()
    desk.outbox.settle(sale.seq, rejected)
    desk.outbox.dismiss(sale.id, 'wrong item')
    const entries = desk.db.prepare('SELECT actor, from_state, to_state FROM journal ORDER BY entry').all()
    expect(entries).toEqual([
      { actor: 'person', from_state: null, to_state: 'queued' },
      { actor: 'station', from_state: 'queued', to_state: 'sending' },
      { actor: 'station', from_state: 'sending', to_state: 'rejected' },
      { actor: 'person', from_state: 'rejected', to_state: 'cancelled' },
    ])
    expect(() => desk.db.exec('DELETE FROM journal')).toThrow('append-only')
    expect(() => desk.db.exec("UPDATE journal SET what = 'x'")).toThrow('append-only')
  })
})
