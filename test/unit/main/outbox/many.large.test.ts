import { describe, expect, it } from 'vitest'
import type { Database } from 'better-sqlite3'
import { order, tag } from '../../../fakes/ids'
import { accepted, complete, useDesk } from './desk'

/** 100,000 sales, every tenth blocked by the one before, inserted directly instead of through the outbox. */
function fill(db: Database, count: number): void {
  const payload = JSON.stringify(complete('n', tag(1)))
  db.exec(`
    WITH RECURSIVE n (seq) AS (SELECT 1 UNION ALL SELECT seq + 1 FROM n WHERE seq < ${count})
    INSERT INTO operation (seq, id, kind, payload, state, performed_at, performed_at_raw, clock_offset, blockers)
      SELECT seq, printf('00000000-0000-4000-8000-%012d', seq), 'complete',
        json_set('${payload}', '$.orderId', CAST(seq - (seq % 10 = 0) AS TEXT)), 'queued',
        '2026-11-21T14:00:00.000Z', 1795269600000 + seq, 0, seq % 10 = 0 FROM n;
    INSERT INTO operation_key (key, seq, is_exclusive) SELECT 'order:' || (seq - (seq % 10 = 0)), seq, 1 FROM operation;
    INSERT INTO operation_wait (waiter, blocker) SELECT seq, seq - 1 FROM operation WHERE blockers = 1;`)
}

describe('100,000 operations', () => {
  const desk = useDesk()
  const count = 100_000

  it("are sent in order, listed in part, counted in full, and don't delay a new sale", () => {
    fill(desk.db, count)
    desk.restart()
    const { outbox } = desk
    expect(outbox.read.counts()).toEqual({ unsent: count, attention: 0, oldestUnsentAt: 1_795_269_600_001 })
    const listed = outbox.read.waiting(300)
    expect(listed.map(({ seq }) => seq)).toEqual(Array.from({ length: 300 }, (_, n) => n + 1))
    const claimed = Array.from({ length: 20 }, () => outbox.claim()?.seq)
    expect(claimed).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21, 22])
    outbox.settle(9, accepted)
    expect(outbox.claim()?.seq).toBe(10)
    const sale = desk.put({ kind: 'complete', orderId: order('new'), tagIds: [tag(7)] })
    expect(sale).toMatchObject({ seq: count + 1, blockers: 0 })
  })

  it('are due at once after a clock that was a day ahead is corrected', () => {
    fill(desk.db, 1_000)
    desk.db.exec(`UPDATE operation SET next_attempt_at = ${desk.clock.now() + 30_000} + seq`)
    expect(desk.outbox.claim()).toBeUndefined()
    desk.clock.advance(-86_400_000)
    expect(desk.outbox.claim()).toBeDefined()
    desk.clock.advance(2 * 86_400_000)
    expect(desk.claimAll()).toHaveLength(899)
  })
})
