import { describe, expect, it } from 'vitest'
import { backupName, timeOfBackup, toDelete } from '../../../../src-main/database/backup-copy'

const now = Date.parse('2026-11-21T14:30:00Z')
const hour = 3_600_000
const day = 24 * hour
const name = (ago: number) => backupName(now - ago)
const hourly = (from: number, count: number) => Array.from({ length: count }, (_, n) => name(from + n * hour))

/** Existing backups, and the ones to keep. */
const cases: [string, string[], string[]][] = [
  ['nothing', [], []],
  ['one', [name(0)], [name(0)]],
  ['six of one day: all', hourly(0, 6), hourly(0, 6)],
  ['nine of one day: the newest six', hourly(0, 9), hourly(0, 6)],
  [
    'three days of ten hours: the newest six and the last of each day',
    [...hourly(0, 10), ...hourly(day, 10), ...hourly(2 * day, 10)],
    [...hourly(0, 6), name(day), name(2 * day)],
  ],
  [
    'ten days, one a day: seven',
    Array.from({ length: 10 }, (_, n) => name(n * day)),
    Array.from({ length: 7 }, (_, n) => name(n * day)),
  ],
  [
    'a shop that was closed for a month: its last days stay',
    Array.from({ length: 10 }, (_, n) => name((30 + n) * day)),
    Array.from({ length: 7 }, (_, n) => name((30 + n) * day)),
  ],
  [
    'a clock that ran years ahead: the last of those, and all true ones',
    [...hourly(0, 3), ...hourly(-2_000 * day, 8)],
    [...hourly(0, 3), name(-2_000 * day)],
  ],
]

describe('which backups are kept', () => {
  it.each(cases)('%s', (_, names, kept) => {
    const gone = toDelete(names, now)
    expect(names.filter((one) => !gone.includes(one)).sort()).toEqual([...kept].sort())
    // The folder can be read in any order.
    expect(toDelete([...names].reverse(), now).sort()).toEqual([...gone].sort())
  })

  it("never deletes files that aren't our backups", () => {
    const strange = [
      'countertag.db',
      'countertag-.db',
      'countertag-20261332T000000Z.db',
      'notes.txt',
      'countertag-1.db',
    ]
    expect(toDelete([...strange, ...hourly(0, 20)], now)).toHaveLength(13)
    expect(strange.map(timeOfBackup)).toEqual(strange.map(() => undefined))
  })

  it('parses the time from a name', () => {
    expect(backupName(now)).toBe('countertag-20261121T143000Z.db')
    expect(timeOfBackup(backupName(now))).toBe(now)
  })
})
