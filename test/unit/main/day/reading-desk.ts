import { expect, onTestFinished } from 'vitest'
import type { TagId } from '../../../../src-shared/ids'
import type { DayVerification } from '../../../../src-shared/ipc/contract/checkout'
import { ok } from '../../../../src-shared/result'
import { ReadBackRows } from '../../../../src-main/day/readback-store'
import { Verifying } from '../../../../src-main/day/verify-day'
import { Memory } from '../../../../src-main/memory/store'
import { dayContext } from '../../../fakes/day-context'
import { caseOf, tag } from '../../../fakes/ids'
import { shownService } from '../../../fakes/shown-service'
import { facts, type useCounter } from '../counter/counter-desk'

type Counter = ReturnType<typeof useCounter>

/** The current day of the fake clock. */
export const day = '2026-11-21'

/** A station that reads back from a configurable service; a test can hold its pauses. */
export function readingDesk(counter: Counter) {
  const { db, events, outbox, clock } = counter
  const service = shownService()
  const seen = new Memory(db)
  const rows = new ReadBackRows(db)
  const views: DayVerification[] = []
  let state: 'online' | 'unreachable' = 'online'
  let isHeld = false
  let react: (view: DayVerification) => unknown = () => undefined
  let sleeping: (() => void)[] = []
  let pauses = 0
  let chance = 0.5
  const wake = () => {
    const all = sleeping
    sleeping = []
    for (const one of all) one()
  }
  const unnamed = new Set<TagId>()
  const learned: TagId[] = []
  const open = () =>
    new Verifying(
      dayContext({
        ...{ db, events, outbox, clock, serviceClock: clock.serviceClock, client: service.client },
        connection: { isAnswering: () => state === 'online' },
        lookup: {
          cached: (tagId) => (unnamed.has(tagId) ? undefined : facts(tagId, { productName: 'Blue Dune' })),
          tag: (tagId) => {
            learned.push(tagId)
            unnamed.delete(tagId)
            return Promise.resolve(ok(facts(tagId)))
          },
        },
        sleep: (_ms, signal) =>
          new Promise((resolve) => {
            pauses++
            signal.addEventListener('abort', wake)
            if (isHeld && !signal.aborted) sleeping.push(resolve)
            else setImmediate(resolve)
          }),
        random: () => chance,
      }),
    )
  events.on('checkout.verification', 'test', (view) => {
    views.push(view)
    react(view)
  })
  let verifying = open()
  const end = () => verifying.stop()
  onTestFinished(end)
  return {
    /** Items whose product this station doesn't know, and those that it asked about. */
    unnamed,
    learned,
    service,
    rows,
    views,
    get verifying() {
      return verifying
    },
    get pauses() {
      return pauses
    },
    /** Sets what happens on each announced view. */
    onView: (what: typeof react) => (react = what),
    setConnection: (next: typeof state) => (state = next),
    /** Sets what each draw gives, [0, 1). */
    setChance: (next: number) => (chance = next),
    /** Holds all pauses until `letGo`. */
    hold: () => (isHeld = true),
    letGo() {
      isHeld = false
      wake()
    },
    /** Stores items in the station's memory, with the case where each was last seen. */
    remember(caseNumber: number, tagIds: TagId[]) {
      for (const tagId of tagIds) seen.keepTag(facts(tagId, { caseId: caseOf(caseNumber) }), clock.now())
    },
    /** Sets what the service shows for items: sold at `soldAt`, or not sold. */
    show(caseNumber: number, tagIds: TagId[], soldAt: string | null) {
      service.showCase(
        caseOf(caseNumber),
        tagIds.map((tagId) => ({ tagId, soldAt })),
      )
    },
    finished: () => expect.poll(() => verifying.view(day).state).toBe('finished'),
    /** Opens the same data in a new process. */
    async restart() {
      await verifying.stop()
      verifying = open()
      verifying.start()
    },
  }
}
export type ReadingDesk = ReturnType<typeof readingDesk>

/** One order for each of three cases, with two items each; the service shows all of them as reported. */
export async function sellFromThreeCases(counter: Counter, at: ReadingDesk) {
  counter.shelf.put(facts(tag(7)))
  for (const n of [1, 2, 3]) {
    const tagIds = [tag(2 * n - 1), tag(2 * n)]
    counter.shelf.put(...tagIds.map((tagId) => facts(tagId, { caseId: caseOf(n) })))
    at.remember(n, tagIds)
    counter.clock.advance(1_123)
    const sale = await counter.sell(`${n}`, ...tagIds)
    counter.send()
    at.show(n, tagIds, sale.performedAt)
  }
}
