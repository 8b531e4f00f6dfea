import { describe, expect, it } from 'vitest'
import { changesOf } from '../../../../../src-main/counting/session/merging'
import { StationTally } from '../../../../../src-main/counting/session/station-tally'

describe('what each station scanned of a count', () => {
  it.each([
    ['no scans', [], 0, []],
    ['those of this station alone', [[null, 3]], 3, []],
    ['those of others', [['Front', 2]], 2, [{ station: 'Front', scanned: 2 }]],
    [
      'this station first',
      [
        ['Front', 2],
        [null, 1],
      ],
      3,
      [
        { station: null, scanned: 1 },
        { station: 'Front', scanned: 2 },
      ],
    ],
  ] as const)('lists %s', (_, by, scanned, stations) => {
    const tally = new StationTally(by)
    expect([tally.scanned, tally.stations()]).toEqual([scanned, stations])
  })

  it('leaves out a station whose scans were taken back', () => {
    const tally = new StationTally([[null, 1]])
    tally.note('Front', 1)
    tally.note('Back', 1)
    tally.note('Front', -1)
    expect(tally.stations()).toEqual([
      { station: null, scanned: 1 },
      { station: 'Back', scanned: 1 },
    ])
    tally.note('Back', -1)
    expect([tally.scanned, tally.stations()]).toEqual([1, []])
  })
})

describe('what an entry of the store does to a count here', () => {
  const ours = { at: 1, station: null }
  const theirs = { at: 1, station: 'Front' }
  it.each([
    ['a scan that is not here', undefined, theirs, false, 'add'],
    ['a scan that is here', theirs, theirs, false, 'none'],
    ['an earlier scan of another station', ours, theirs, false, 'replace'],
    ['a scan that is gone there', theirs, theirs, true, 'remove'],
    ['a scan that is gone in both', undefined, theirs, true, 'none'],
  ] as const)('%s', (_, before, scan, isGone, does) => {
    const entry = { key: 'item', isGone, ...scan }
    const here = { scanOf: () => before, isSame: (one: typeof ours | typeof theirs) => one.station === entry.station }
    const [change] = changesOf([entry], { ...here, isOwn: () => false })
    expect(change?.does ?? 'none').toBe(does)
    expect([...changesOf([entry], { ...here, isOwn: () => true })]).toEqual([])
  })
})
