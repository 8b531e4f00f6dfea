import type { Database } from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { silentLog } from '../../../../src-main/log'
import { createOutages } from '../../../../src-main/service/outages'
import { openStore } from '../../../../src-main/store/open'
import { type HandClock, handClock } from '../../../fakes/clock'

let db: Database
let clock: HandClock
const open = () => createOutages({ db, clock, serviceClock: clock.serviceClock, log: silentLog })
beforeEach(() => {
  db = openStore(':memory:').db
  clock = handClock(Date.parse('2026-11-21T14:00:00Z'))
})
afterEach(() => {
  db.close()
})
const at = (time: string) => `2026-11-21T${time}.000Z`
const wholeDay = [Date.parse('2026-11-21T00:00:00Z'), Date.parse('2026-11-22T00:00:00Z')] as const

it('are kept from the first failure to the first answer, each cause by itself', () => {
  const outages = open()
  outages.changed('unreachable')
  clock.advance(60_000)
  expect(outages.during(...wholeDay)).toEqual([{ from: at('14:00:00'), to: null, cause: 'unreachable' }])
  outages.changed('failing')
  clock.advance(30_000)
  outages.changed('online')
  clock.advance(60_000)
  outages.changed('credentials-refused')
  expect(outages.during(...wholeDay)).toEqual([
    { from: at('14:00:00'), to: at('14:01:00'), cause: 'unreachable' },
    { from: at('14:01:00'), to: at('14:01:30'), cause: 'failing' },
    { from: at('14:02:30'), to: null, cause: 'credentials-refused' },
  ])
  outages.stop()
})

it('end with the process that saw them, and with the last note of one that crashed', () => {
  const first = open()
  first.changed('unreachable')
  clock.advance(10_000)
  first.stop()
  clock.advance(3_600_000)
  const crashed = open()
  crashed.changed('unreachable')
  clock.advance(3_600_000)
  // Opened again without an end: nothing was noted of it after its beginning.
  const third = open()
  expect(third.during(...wholeDay)).toEqual([
    { from: at('14:00:00'), to: at('14:00:10'), cause: 'unreachable' },
    { from: at('15:00:10'), to: at('15:00:10'), cause: 'unreachable' },
  ])
  crashed.stop()
})

it('are no outages while they are shorter than 2 s', () => {
  const outages = open()
  outages.changed('unreachable')
  clock.advance(1_999)
  outages.changed('online')
  expect(outages.during(...wholeDay)).toEqual([])
})

it('count for each day that they touch', () => {
  const outages = open()
  clock.advance(9.5 * 3_600_000)
  outages.changed('unreachable')
  clock.advance(3_600_000)
  outages.changed('online')
  const [, midnight] = wholeDay
  expect(outages.during(...wholeDay)).toHaveLength(1)
  expect(outages.during(midnight, midnight + 86_400_000)).toHaveLength(1)
  expect(outages.during(midnight + 86_400_000, midnight + 2 * 86_400_000)).toEqual([])
})

it('that a full disk refuses are lost without failing the reply', () => {
  const outages = open()
  db.pragma('query_only = ON')
  expect(() => outages.changed('unreachable')).not.toThrow()
  db.pragma('query_only = OFF')
  outages.stop()
  expect(outages.during(...wholeDay)).toEqual([])
})
