import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ServiceError } from '../../../../src-main/service/reply'
import { caseOf, order, tag } from '../../../fakes/ids'
import { useCounter } from '../counter/counter-desk'
import { type ReadingDesk, day, readingDesk, sellFromThreeCases } from './reading-desk'

const minute = 60_000

describe('reading a day back', () => {
  const counter = useCounter()

  const desk = () => readingDesk(counter)
  const threeCases = (at: ReadingDesk) => sellFromThreeCases(counter, at)
  const value = counter.value

  it('reads each case once, and counts all items as reported', async () => {
    const at = desk()
    await threeCases(at)
    expect(at.verifying.view(day)).toMatchObject({ state: 'none', total: 6 })
    expect(value(at.verifying.verify(day))).toMatchObject({ state: 'running', total: 6, done: 0 })
    await at.finished()
    expect(at.service.asked).toEqual([1, 2, 3].map((n) => `case ${caseOf(n)}`))
    expect(at.verifying.view(day)).toMatchObject({ done: 6, asReported: 6, differenceCount: 0, isOutOfDate: false })
    expect(at.views.map(({ done }) => done)).toEqual([0, 2, 4, 6, 6])
  })

  it('asks what an item is that was sold without a connection, once', async () => {
    const at = desk()
    await threeCases(at)
    at.unnamed.add(tag(1)).add(tag(3))
    value(at.verifying.verify(day))
    await at.finished()
    expect(at.learned).toEqual([tag(1), tag(3)])
    value(at.verifying.verify(day))
    await at.finished()
    expect(at.learned).toHaveLength(2)
  })

  it('says that a day without reports has nothing to verify, and asks nothing', async () => {
    const at = desk()
    expect(value(at.verifying.verify('2026-11-20'))).toMatchObject({ state: 'none', total: 0 })
    await at.restart()
    expect(at.service.asked).toEqual([])
  })

  it('resumes after the last saved case in a new process', async () => {
    const at = desk()
    await threeCases(at)
    at.onView(({ done }) => done === 2 && at.hold())
    value(at.verifying.verify(day))
    await expect.poll(() => at.verifying.view(day).done).toBe(2)
    const stopped = at.restart()
    at.letGo()
    await stopped
    await at.finished()
    expect(at.service.asked).toEqual([1, 2, 3].map((n) => `case ${caseOf(n)}`))
    expect(at.verifying.view(day)).toMatchObject({ done: 6, asReported: 6 })
  })

  it('stays paused by a person after a restart, until it is resumed', async () => {
    const at = desk()
    await threeCases(at)
    at.hold()
    value(at.verifying.verify(day))
    value(at.verifying.pause())
    at.letGo()
    await at.restart()
    expect(at.verifying.view(day)).toMatchObject({ state: 'paused', waitsFor: 'person', done: 0 })
    expect(at.service.asked).toEqual([])
    value(at.verifying.verify(day))
    await at.finished()
  })

  it('waits while the service is unreachable, and says so', async () => {
    const at = desk()
    await threeCases(at)
    at.setConnection('unreachable')
    value(at.verifying.verify(day))
    await expect.poll(() => at.verifying.view(day).waitsFor).toBe('connection')
    expect(at.service.asked).toEqual([])
    at.setConnection('online')
    await at.finished()
    expect(at.verifying.view(day)).toMatchObject({ asReported: 6, waitsFor: null })
  })

  it('gives way to sending, but not forever', async () => {
    const at = desk()
    await threeCases(at)
    await counter.sell('4', tag(7))
    const asked: number[] = []
    at.onView(({ waitsFor }) => waitsFor === 'sending' && asked.push(at.service.asked.length))
    value(at.verifying.verify(day))
    await at.finished()
    expect(asked).toEqual([0, 1, 2, 3])
    // 120 polls before each of the three cases and before the end.
    expect(at.pauses).toBeGreaterThanOrEqual(480)
  })

  it.each<[string, ServiceError, number]>([
    ['fails', { code: 'service/failing', status: 500 }, 6],
    ['answers with a page', { code: 'service/unreadable', path: null }, 6],
    ['answers with something else for good', { code: 'service/unreadable', path: 'items.0' }, 1],
  ])('names unread items if the service %s, and reads the rest', async (_what, error, tries) => {
    const at = desk()
    await threeCases(at)
    at.service.fail(`case ${caseOf(2)}`, error)
    value(at.verifying.verify(day))
    await at.finished()
    const view = at.verifying.view(day)
    expect(view).toMatchObject({ total: 6, done: 6, asReported: 4, differenceCount: 2 })
    expect(view.differences.map(({ kind, tagId }) => [kind, tagId])).toEqual([
      ['not-shown', tag(3)],
      ['not-shown', tag(4)],
    ])
    // Each difference is read twice.
    expect(at.service.asked.filter((what) => what === `case ${caseOf(2)}`)).toHaveLength(2 * tries)
  })

  it.each<ServiceError>([{ code: 'service/unreachable' }, { code: 'service/busy' }])(
    "doesn't count $code as an answer: it continues until the service says something",
    async (error) => {
      const at = desk()
      await threeCases(at)
      const asked = `case ${caseOf(2)}`
      at.service.fail(asked, error)
      value(at.verifying.verify(day))
      await expect.poll(() => at.service.asked.filter((what) => what === asked).length).toBeGreaterThan(20)
      expect(at.verifying.view(day)).toMatchObject({ state: 'running', done: 2 })
      value(at.verifying.pause())
      expect(at.verifying.view(day)).toMatchObject({ state: 'paused', waitsFor: 'person' })
    },
  )

  it("drops a difference that a second reading doesn't show", async () => {
    const at = desk()
    await threeCases(at)
    const { performedAt = '' } = counter.outbox.read.recent(1)[0] ?? {}
    // An answer from before the sale was taken.
    at.show(3, [tag(5), tag(6)], null)
    at.onView(({ done }) => done === 6 && at.show(3, [tag(5), tag(6)], performedAt))
    value(at.verifying.verify(day))
    await at.finished()
    expect(at.verifying.view(day)).toMatchObject({ asReported: 6, differenceCount: 0 })
  })

  it('finds an item in the case it was moved to, and reads that case once for all moved items', async () => {
    const at = desk()
    await threeCases(at)
    const { performedAt = '' } = counter.outbox.read.recent(1)[0] ?? {}
    at.show(3, [], null)
    at.show(9, [tag(5), tag(6)], performedAt)
    value(at.verifying.verify(day))
    await at.finished()
    expect(at.verifying.view(day)).toMatchObject({ asReported: 6 })
    const ofThird = at.service.asked.slice(2)
    expect(ofThird).toEqual([`case ${caseOf(3)}`, `item ${tag(5)}`, `case ${caseOf(9)}`])
  })

  it('reads an item again if it was returned while its case was being read', async () => {
    const at = desk()
    await threeCases(at)
    const { performedAt = '' } = counter.outbox.read.recent(1)[0] ?? {}
    at.hold()
    value(at.verifying.verify(day))
    value(counter.checkout.setOrder('return', order('3')))
    await counter.add(tag(5), 'return')
    counter.finish('return')
    counter.send()
    at.service.showCase(caseOf(3), [
      { tagId: tag(5), soldAt: null },
      { tagId: tag(6), soldAt: performedAt },
    ])
    at.letGo()
    await at.finished()
    // The return was accepted after the verification began, and belongs to the same day.
    expect(at.verifying.view(day)).toMatchObject({ asReported: 6, differenceCount: 0, isOutOfDate: true })
  })

  it('keeps only the last seven days', async () => {
    const at = desk()
    await threeCases(at)
    for (let n = 1; n <= 9; n++) at.rows.begin(`2026-11-0${n}`, n, 1, [tag(n)])
    const days = Array.from({ length: 9 }, (_, n) => `2026-11-0${n + 1}`)
    expect(days.filter((one) => at.rows.reading(one) !== undefined)).toEqual(days.slice(2))
    expect(days.flatMap((one) => at.rows.items(one))).toHaveLength(7)
  })

  it('counts an item whose row no longer parses as not read, and the day as out of date', async () => {
    const at = desk()
    await threeCases(at)
    value(at.verifying.verify(day))
    await at.finished()
    counter.db.prepare(`UPDATE day_reading_item SET shown = '{"odd":1}' WHERE tag_id = ?`).run(tag(1))
    await at.restart()
    expect(at.verifying.view(day)).toMatchObject({ total: 6, done: 5, asReported: 5, isOutOfDate: true })
  })

  describe('by itself', () => {
    const nextMorning = 20 * 60 * minute

    it('verifies a past day after ten idle minutes, and only once', async () => {
      const at = desk()
      await threeCases(at)
      counter.clock.advance(11 * minute)
      at.verifying.verifyWhenIdle()
      expect(at.rows.reading(day)).toBeUndefined()
      counter.clock.advance(nextMorning)
      at.verifying.verifyWhenIdle()
      await at.finished()
      const { asOf } = at.verifying.view(day)
      counter.clock.advance(minute)
      at.verifying.verifyWhenIdle()
      expect(at.verifying.view(day)).toMatchObject({ state: 'finished', asOf })
    })

    it('begins at a moment of its own: the stations of a time zone all see midnight at once', async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      onTestFinished(() => void vi.useRealTimers())
      const at = desk()
      await threeCases(at)
      counter.clock.advance(nextMorning)
      at.verifying.start()
      vi.advanceTimersByTime(20 * minute)
      expect(at.rows.reading(day)).toBeUndefined()
      at.setChance(0.01)
      vi.advanceTimersByTime(minute)
      await at.finished()
    })

    it.each<[string, (at: ReadingDesk) => unknown]>([
      ['a sale was just made', () => counter.sell('4', tag(7)).then(() => counter.send())],
      ['a sale is unsent', () => counter.sell('4', tag(7)).then(() => counter.clock.advance(11 * minute))],
      ['the service is out of reach', (at) => at.setConnection('unreachable')],
      [
        'a person paused it',
        (at) => {
          at.hold()
          at.verifying.verify(day)
          at.verifying.pause()
          at.letGo()
        },
      ],
      ['the day is a week old', () => counter.clock.advance(7 * 24 * 60 * minute)],
    ])('does nothing if %s', async (_what, happens) => {
      const at = desk()
      await threeCases(at)
      counter.clock.advance(nextMorning)
      await happens(at)
      const before = at.verifying.view(day)
      at.verifying.verifyWhenIdle()
      expect(at.verifying.view(day)).toEqual(before)
    })
  })
})
