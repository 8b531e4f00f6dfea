import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Operation } from '../../../../src-main/outbox/operation'
import { createReporting } from '../../../../src-main/outbox/reporting'
import type { ConnectionView } from '../../../../src-shared/ipc/contract/app'
import { err, ok } from '../../../../src-shared/result'
import { tag } from '../../../fakes/ids'
import { accepted, complete, rejected, retry, returning, unknown, useDesk } from './desk'

describe('the wait of a screen for the outcome of a report', () => {
  const desk = useDesk()
  let isHeldUp = false
  let connection: ConnectionView['state'] = 'online'
  const wake = vi.fn()

  beforeEach(() => {
    vi.useFakeTimers()
    isHeldUp = false
    connection = 'online'
  })
  afterEach(() => {
    vi.useRealTimers()
    wake.mockReset()
  })

  const start = () =>
    createReporting(
      desk,
      desk.outbox,
      { wake, isHeldUp: () => isHeldUp },
      { view: () => ({ state: connection, since: '2026-11-21T14:00:00.000Z' }) },
    )
  /** Reports an operation; gives the answered state, or null while there is no answer. */
  const report = (operation: Operation, reporting = start()) => {
    let state: string | null = null
    const answered = reporting.report(ok(operation)).then((result) => {
      state = result.ok ? result.value.state : result.error.code
    })
    return {
      answered,
      async after(ms: number) {
        await vi.advanceTimersByTimeAsync(ms)
        return state
      },
    }
  }
  const claim = () => {
    const claimed = desk.outbox.claim()
    if (!claimed) throw new Error('nothing to claim')
    return claimed
  }

  it('lets a report that is on the wire come back before it is withdrawn, 1.8 s at most', async () => {
    const reporting = start()
    const sale = desk.put(complete('A', tag(1)))
    await reporting.offWire(sale.id)
    claim()
    const back = reporting.offWire(sale.id).then(() => desk.outbox.withdraw(sale.id))
    await vi.advanceTimersByTimeAsync(500)
    desk.outbox.settle(sale.seq, retry)
    expect(await back).toMatchObject({ ok: true, value: { state: 'cancelled' } })
    const other = desk.put(complete('B', tag(2)))
    claim()
    const late = reporting.offWire(other.id).then(() => desk.outbox.withdraw(other.id))
    await vi.advanceTimersByTimeAsync(1_800)
    expect(await late).toEqual(err({ code: 'outbox/wrong-state', state: 'sending' }))
  })

  it('ends with "not saved" without waking the sender', async () => {
    expect(await start().report(err({ code: 'store/not-saved' }))).toEqual(err({ code: 'store/not-saved' }))
    expect(wake).not.toHaveBeenCalled()
  })

  it.each([
    ['accepted', accepted, 'accepted'],
    ['rejected', rejected, 'rejected'],
    ['not reached', retry, 'queued'],
    ['without an answer', unknown, 'unknown'],
  ] as const)('waits while it is on the wire, and answers as soon as it is %s', async (_, outcome, state) => {
    const sale = desk.put(complete('A', tag(1)))
    const screen = report(sale)
    expect(wake).toHaveBeenCalledTimes(1)
    expect(await screen.after(500)).toBeNull()
    claim()
    expect(await screen.after(500)).toBeNull()
    desk.outbox.settle(sale.seq, outcome)
    expect(await screen.after(0)).toBe(state)
  })

  it('ends after 1.8 s if the report is still being sent', async () => {
    const screen = report(desk.put(complete('A', tag(1))))
    claim()
    expect(await screen.after(1_799)).toBeNull()
    expect(await screen.after(1)).toBe('sending')
  })

  it('ignores the outcome of another operation', async () => {
    const screen = report(desk.put(complete('A', tag(1))))
    const other = desk.put(complete('B', tag(2)))
    claim()
    claim()
    desk.outbox.settle(other.seq, rejected)
    expect(await screen.after(1_000)).toBeNull()
  })

  it('is skipped for a report that failed before', async () => {
    const sale = desk.put(complete('A', tag(1)))
    claim()
    desk.outbox.settle(sale.seq, retry)
    const failed = desk.outbox.read.byId(sale.id)
    if (!failed) throw new Error('the sale is gone')
    expect(await report(failed).after(0)).toBe('queued')
  })

  it('is skipped while sending is paused, also for a first attempt', async () => {
    isHeldUp = true
    expect(await report(desk.put(complete('A', tag(1)))).after(0)).toBe('queued')
  })

  it('continues for a report being sent, although sending is paused', async () => {
    const sale = desk.put(complete('A', tag(1)))
    const sending = claim()
    isHeldUp = true
    const screen = report(sending)
    expect(await screen.after(1_000)).toBeNull()
    desk.outbox.settle(sale.seq, accepted)
    expect(await screen.after(0)).toBe('accepted')
  })

  it('covers a blocked report only while the service answers', async () => {
    const put = () => {
      desk.put(complete('A', tag(1)))
      return desk.put(returning('A', tag(1)))
    }
    connection = 'unknown'
    expect(await report(put()).after(0)).toBe('queued')
    connection = 'online'
    const screen = report(put())
    expect(await screen.after(1_000)).toBeNull()
    // A report without blockers needs no proof that the connection works.
    connection = 'unknown'
    expect(await report(desk.put(complete('B', tag(2)))).after(1_000)).toBeNull()
  })

  it('ends at once when the app closes, and is skipped from then on', async () => {
    const reporting = start()
    const screen = report(desk.put(complete('A', tag(1))), reporting)
    expect(await screen.after(100)).toBeNull()
    reporting.stop()
    expect(await screen.after(0)).toBe('queued')
    expect(await report(desk.put(complete('B', tag(2))), reporting).after(0)).toBe('queued')
    expect(vi.getTimerCount()).toBe(0)
  })
})
