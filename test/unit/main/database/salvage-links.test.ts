import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Locks } from '../../../../src-main/outbox/locks'
import { openStore } from '../../../../src-main/database/open'
import { type Link, type UnfinishedOperation, linksOf } from '../../../../src-main/database/salvage/settle'

const Row = z.object({ waiter: z.number(), blocker: z.number() })

/** The blockers that the outbox itself sets when the same operations are saved in order. */
function linksOfOutbox(holders: UnfinishedOperation[]): Link[] {
  const { db, close } = openStore(':memory:')
  const locks = new Locks(db)
  const insert = db.prepare(`
    INSERT INTO operation (seq, id, kind, payload, state, performed_at, performed_at_raw, clock_offset)
    VALUES (?, ?, 'complete', '{}', ?, '', 0, 0)`)
  const hold = db.prepare('INSERT INTO operation_key (key, seq, is_exclusive) VALUES (?, ?, ?)')
  for (const { seq, state, keys } of holders) {
    insert.run(seq, String(seq), state)
    // Only operations that are still to be sent wait; a refused one only holds its keys.
    if (state === 'rejected') for (const { key, isExclusive } of keys) hold.run(key, seq, isExclusive ? 1 : 0)
    else locks.take(seq, [...keys])
  }
  const links = db
    .prepare('SELECT waiter, blocker FROM operation_wait')
    .all()
    .map((row) => Row.parse(row))
  close()
  return links
}

const inOrder = (links: Link[]) => links.toSorted((a, b) => a.waiter - b.waiter || a.blocker - b.blocker)

const holder = fc.record({
  state: fc.constantFrom('unknown' as const, 'rejected' as const),
  keys: fc.uniqueArray(fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), isExclusive: fc.boolean() }), {
    maxLength: 4,
    selector: ({ key }) => key,
  }),
})

describe('blockers after a salvage', () => {
  it('are the same as if all operations were saved again', () => {
    fc.assert(
      fc.property(fc.array(holder, { maxLength: 15 }), (some) => {
        const holders = some.map((one, index) => ({ ...one, seq: index + 1 }))
        expect(inOrder(linksOf(holders))).toEqual(inOrder(linksOfOutbox(holders)))
      }),
      { numRuns: 200 },
    )
  })

  it('are always earlier operations, so there are no cycles', () => {
    fc.assert(
      fc.property(fc.array(holder, { maxLength: 30 }), (some) => {
        const links = linksOf(some.map((one, index) => ({ ...one, seq: index + 1 })))
        expect(links.filter(({ waiter, blocker }) => blocker >= waiter)).toEqual([])
      }),
    )
  })
})
