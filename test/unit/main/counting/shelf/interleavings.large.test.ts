import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CountId, TagId } from '../../../../../src-shared/ids'
import { tag } from '../../../../fakes/ids'
import { accepted, complete, rejected, removing, returning, voiding } from '../../outbox/desk'
import { caseWith, tagsOf, useShelf, value } from './shelf-desk'

const desk = useShelf({ isRolledBack: true })

/** Six items of each of two imported cases; a third case is imported while the count is under way, or not at all. */
const size = 6
const stocked = [...tagsOf(1, size), ...tagsOf(2, size)]
const arriving = tagsOf(3, size)
const stranger = tag(9_001)

/** What goes on in the store and at the shelf; `at` picks an item. */
const step = fc.record({
  what: fc.constantFrom(
    ...(['sell', 'sell', 'return', 'void', 'withdraw', 'import', 'unimport', 'send', 'refuse', 'read'] as const),
    ...(['scan', 'scan', 'scan', 'scan', 'undo', 'restart', 'pause', 'clockBack', 'work'] as const),
  ),
  at: fc.nat({ max: 63 }),
})
type Step = { what: string; at: number }

/** The store as it really is: what lies on the shelf, and who bought what. */
interface World {
  shelf: Set<TagId>
  bought: Map<TagId, string>
  isImported: boolean
  orders: number
}

/**
 * Does a step in the store and writes it down as a clerk would: what is sold leaves the shelf, what comes back lies on it again.
 * Returns the item that can't be told any more: it was taken by a sale that the service refused.
 */
function act(world: World, { what, at }: Step): void {
  const pick = <T>(all: Iterable<T>): T | undefined => {
    const list = [...all]
    return list.length === 0 ? undefined : list[at % list.length]
  }
  switch (what) {
    case 'sell': {
      const tagId = pick([...world.shelf].filter((one) => one !== stranger))
      if (tagId === undefined) return
      const orderId = `S${++world.orders}`
      desk.put(complete(orderId, tagId))
      world.shelf.delete(tagId)
      world.bought.set(tagId, orderId)
      return
    }
    case 'return':
    case 'void': {
      const sold = pick(world.bought)
      if (!sold) return
      const [tagId, orderId] = sold
      desk.put(what === 'return' ? returning(orderId, tagId) : voiding(orderId, tagId))
      world.bought.delete(tagId)
      world.shelf.add(tagId)
      return
    }
    case 'withdraw': {
      const sold = pick(world.bought)
      const sale = sold && desk.outbox.read.byKey(`order:${sold[1]}`)[0]
      if (!sold || !sale || !desk.outbox.withdraw(sale.id).ok) return
      world.bought.delete(sold[0])
      world.shelf.add(sold[0])
      return
    }
    case 'import':
      if (world.isImported) return
      desk.put(desk.importing(3))
      world.isImported = true
      for (const tagId of arriving) if (!world.bought.has(tagId)) world.shelf.add(tagId)
      return
    case 'unimport':
      if (!world.isImported || arriving.some((tagId) => !world.shelf.has(tagId))) return
      desk.put(removing(3))
      world.isImported = false
      for (const tagId of arriving) world.shelf.delete(tagId)
      return
    case 'send':
      desk.send()
      return
    case 'refuse': {
      // The item was sold and is gone; a person has to settle the report.
      const claimed = desk.outbox.claim()
      if (claimed) desk.outbox.settle(claimed.seq, claimed.kind === 'complete' ? rejected : accepted)
      return
    }
    case 'read':
      desk.ledger.learn({
        facts: caseWith(1, tagsOf(1, size), {
          isImported: true,
          sold: tagsOf(1, size).filter((tagId) => isSoldAtService(tagId)),
        }),
        ...{
          entry: undefined,
          position: desk.ledger.rows.position(),
          askedAt: desk.clock.now(),
          askedMove: desk.ledger.askMove(),
        },
      })
  }
}

/** What the service knows: the accepted reports alone. */
function isSoldAtService(tagId: TagId): boolean {
  const taken = desk.outbox.read.byKey(`tag:${tagId}`).filter(({ state }) => state === 'accepted')
  return taken.at(-1)?.kind === 'complete'
}

/** The clerk: scans what is not scanned yet, takes a scan back, pauses. */
async function count(id: CountId, world: World, scanned: Set<TagId>, { what, at }: Step): Promise<void> {
  switch (what) {
    case 'scan': {
      const left = [...world.shelf].filter((tagId) => !scanned.has(tagId))
      const tagId = left[at % left.length]
      if (tagId === undefined) return
      desk.scan(id, tagId)
      scanned.add(tagId)
      return
    }
    case 'undo': {
      const tagId = [...scanned][at % scanned.size]
      if (tagId === undefined) return
      value(desk.counts.scans.unscan(id, tagId))
      scanned.delete(tagId)
      return
    }
    case 'restart':
      // Nothing of the old process goes on.
      void desk.ledger.stop()
      desk.restart()
      return
    case 'pause':
      value(desk.counts.pause(id))
      value(desk.counts.resume(id))
      return
    case 'clockBack':
      desk.clock.advance(-at * 3_600_000)
      return
    case 'work':
      await desk.ledger.catchUp()
  }
}

/** Finishes a count, also if the process ends in the middle and another one begins. */
async function finish(id: CountId): Promise<void> {
  for (;;) {
    const done = await desk.counts.end.finish(id)
    if (done.ok) return
    expect(done.error.code).toBe('app/reopened')
  }
}

describe('a count while the store goes on', () => {
  it('finds what a count of a stopped store finds, for any interleaving of sales, returns, imports, scans and kills', async () => {
    desk.receive(1, size)
    desk.receive(2, size)
    let run = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.array(step, { maxLength: 12 }),
        fc.uniqueArray(fc.nat({ max: stocked.length - 1 }), { maxLength: 4 }),
        fc.boolean(),
        async (steps, lastSteps, lostAt, hasStranger) => {
          desk.db.exec('BEGIN')
          try {
            desk.restart()
            run += 1
            desk.seen.keepCase(caseWith(3, arriving), desk.clock.now())
            const lost = lostAt.flatMap((at) => stocked[at] ?? [])
            const world: World = {
              shelf: new Set(stocked.filter((tagId) => !lost.includes(tagId))),
              bought: new Map(),
              isImported: false,
              orders: run * 1_000,
            }
            if (hasStranger) world.shelf.add(stranger)
            const id = await desk.start()
            const scanned = new Set<TagId>()
            for (const one of steps) {
              act(world, one)
              await count(id, world, scanned, one)
            }
            // The clerk scans what is left. The store goes on until the end is found, also with what comes to the shelf meanwhile.
            const scanAll = () => {
              for (const tagId of world.shelf) {
                if (scanned.has(tagId)) continue
                desk.scan(id, tagId)
                scanned.add(tagId)
              }
            }
            scanAll()
            const last = [...lastSteps]
            desk.meanwhile(async () => {
              const one = last.pop()
              if (!one || value(desk.counts.count(id)).state !== 'counting') return
              act(world, one)
              await count(id, world, scanned, one)
              scanAll()
            })
            await finish(id)
            const found = desk.differences(id)
            const missing = found.filter(({ result }) => result === 'missing').map(({ tagId }) => tagId)
            const unexpected = found.filter(({ result }) => result === 'unexpected').map(({ tagId }) => tagId)
            expect(missing.toSorted()).toEqual(lost.toSorted())
            expect(unexpected).toEqual(hasStranger ? [stranger] : [])
          } finally {
            desk.db.exec('ROLLBACK')
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})
