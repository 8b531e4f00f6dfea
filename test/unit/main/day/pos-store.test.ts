import { describe, expect, it } from 'vitest'
import { notAsked, outOfReach, statusOf } from '../../../../src-main/day/pos-store'
import type { DayStation } from '../../../../src-main/day/store-day'

const station = (id: string, status: DayStation['status'] = 'answered', untold = 0): DayStation => ({
  ...{ id, name: `Front ${id}`, status, seenAt: 1_000 },
  open: { unsent: 0, attention: 0, untold, inCart: 0, verified: null },
})
const status = (stations: DayStation[], unread = 0) => statusOf({ stations, entries: [], unread }, '1', 2_000)

describe('what a comparison knows of other stations', () => {
  it.each([
    ['all answered', [station('1'), station('2')], false],
    ['one was closed with everything told', [station('1'), station('2', 'off')], false],
    ['one left the store', [station('1'), station('2', 'left')], false],
    ['one does not answer', [station('1'), station('2', 'silent')], true],
    ['one was closed with something left to tell', [station('1'), station('2', 'off', 1)], true],
    ['one could not tell all', [station('1'), station('2', 'answered', 1)], true],
    ['this one could not tell all: its own reports are here', [station('1', 'answered', 1), station('2')], false],
  ])('%s', (_what, stations, isIncomplete) => {
    const known = status(stations)
    expect(known.isIncomplete).toBe(isIncomplete)
    expect(known.stations.map(({ isMissing }) => isMissing)).toEqual([false, isIncomplete])
  })

  it('may lack a report that can’t be read', () => {
    expect(status([station('1')], 1)).toMatchObject({ unread: 1, isIncomplete: true })
  })

  it('keeps what was read last while the hub is out of reach, and waits for nothing that the hub has forgotten', () => {
    const before = status([station('1'), station('2')])
    expect(outOfReach(before, 'unreachable')).toEqual({ ...before, trouble: 'unreachable', isIncomplete: true })
    expect(outOfReach(notAsked, 'too-old')).toEqual({ ...notAsked, trouble: 'too-old', isIncomplete: false })
  })
})
