import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AppStatus, Warning } from '../../../../src-shared/ipc/contract/app'
import { createServiceClock } from '../../../../src-main/core/clock'
import { silentLog } from '../../../../src-main/core/log'
import { createLimits } from '../../../../src-main/outbox/views'
import { type StatusContext, createStatusBoard } from '../../../../src-main/app/status'
import { openStore } from '../../../../src-main/database/open'
import { createSettings } from '../../../../src-main/database/settings'
import { handClock } from '../../../fakes/clock'
import { eventsOf } from '../../../fakes/events'

const hour = 3_600_000

describe('the status on every screen', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const start = () => {
    const clock = handClock()
    const settings = createSettings(openStore(':memory:').db, silentLog)
    const limits = createLimits({ settings, clock })
    const counts = { unsent: 0, attention: 0, oldestUnsentAt: null as number | null }
    const serviceClock = createServiceClock()
    const announced: AppStatus[] = []
    let failing = false
    const watched: Warning[] = []
    let refusal: Error | undefined
    const warnings: unknown[] = []
    const events = eventsOf()
    events.on('app.status', 'test', (status) => announced.push(status))
    const context: StatusContext = {
      profile: { kind: 'practice', name: 'Practice', dispensaryId: 'ours' },
      version: '0',
      connection: { view: () => ({ state: 'online', since: new Date(clock.now()).toISOString() }) },
      outbox: {
        read: {
          counts: () => {
            if (refusal) throw refusal
            return counts
          },
        },
      },
      ...{ clock, limits, serviceClock, settings, events },
      tokens: { lackingSince: () => null },
      sender: { longestOnWireMs: () => null },
      backup: { view: () => ({ lastAt: null, isFailing: failing }) },
      store: { salvage: () => null },
      log: { ...silentLog, warn: (message, fields) => warnings.push([message, fields]) },
    }
    const board = createStatusBoard(context, () => watched)
    const refuse = (cause: Error | undefined) => (refusal = cause)
    return {
      refuse,
      warnings,
      clock,
      limits,
      counts,
      serviceClock,
      board,
      announced,
      watched,
      failBackup: () => (failing = true),
    }
  }

  it('warns at 500 unsent operations, at 12 hours, or at the set limits, and not before', () => {
    const { board, clock, counts, limits } = start()
    Object.assign(counts, { unsent: 499, oldestUnsentAt: clock.now() - 12 * hour + 1 })
    expect(board.view().warnings).toEqual([])
    Object.assign(counts, { unsent: 500, oldestUnsentAt: clock.now() - 12 * hour })
    expect(board.view().warnings).toEqual(['unsent-many', 'unsent-old'])
    limits.set({ count: 600, hours: 24 })
    expect(board.view().warnings).toEqual([])
  })

  it.each([
    [119_000, []],
    [-119_000, []],
    [121_000, ['clock-off']],
    [-86_400_000, ['clock-off']],
  ] as const)('shows a clock that is off by %i ms as %j', (skew, warnings) => {
    const { board, clock, serviceClock } = start()
    serviceClock.seen(new Date(clock.now() + skew).toUTCString(), clock.now(), clock.now())
    expect(board.view()).toMatchObject({ warnings, clockOffset: skew + 500 })
  })

  it('is not announced while counting fails, and is announced again once it works', () => {
    const { board, announced, refuse, warnings } = start()
    const cause = new Error('disk I/O error')
    refuse(cause)
    board.changed()
    board.changed()
    vi.advanceTimersByTime(60_000)
    expect([announced.length, warnings[0]]).toEqual([0, ['the status could not be announced', { cause }]])
    refuse(undefined)
    vi.advanceTimersByTime(60_000)
    expect(announced).toHaveLength(1)
    board.stop()
  })

  it('warns when backups fail', () => {
    const { board, failBackup } = start()
    failBackup()
    expect(board.view().warnings).toEqual(['backup-failing'])
  })

  it('shows and clears watched warnings within ten seconds, without an event', async () => {
    const { board, announced, watched } = start()
    await vi.advanceTimersByTimeAsync(30_000)
    expect(announced).toEqual([])
    watched.push('report-slow')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(announced.at(-1)?.warnings).toEqual(['report-slow'])
    watched.pop()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(announced.at(-1)?.warnings).toEqual([])
    expect(announced).toHaveLength(2)
    board.stop()
  })

  it('is announced at once, then at most ten times a second, and the latest state is never lost', async () => {
    const { board, announced, counts } = start()
    for (counts.unsent = 1; counts.unsent < 1_000; counts.unsent++) board.changed()
    expect(announced.map(({ unsent }) => unsent)).toEqual([1])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(announced.map(({ unsent }) => unsent)).toEqual([1, 1_000])
    board.stop()
  })

  it('is updated every minute, since operations age without events', async () => {
    const { board, announced, counts, clock } = start()
    Object.assign(counts, { unsent: 1, oldestUnsentAt: clock.now() })
    clock.advance(13 * hour)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(announced.at(-1)?.warnings).toEqual(['unsent-old'])
    board.stop()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(announced).toHaveLength(1)
  })
})
