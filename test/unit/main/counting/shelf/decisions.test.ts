import { describe, expect, it } from 'vitest'
import { CountId } from '../../../../../src-shared/ids'
import { newsOf } from '../../../../../src-main/counting/shelf/count-end'
import { endOf, endedSomewhere, scannedByHere } from '../../../../../src-main/counting/shelf/count-merging'
import type { ShelfCountRow } from '../../../../../src-main/counting/shelf/count-rows'
import { viewOf } from '../../../../../src-main/counting/shelf/count-view'
import type { KeptScope } from '../../../../../src-main/counting/shelf/scope'
import { endedAs } from '../../../../../src-main/counting/shelf/shared-shelves'
import { isOfCount } from '../../../../../src-main/counting/shelf/scan-session'
import type { ShelfEnd } from '../../../../../src-main/hub/rows'
import { iso } from '../../../../../src-main/core/clock'
import { caseOf } from '../../../../fakes/ids'

const results = { expected: 2, found: 1, missing: 1, unexpected: 0, moved: 0, open: 1, accuracy: 0.5 }
const asOf = { cases: 1, unread: 0, oldestAt: null }
const ended: ShelfEnd = {
  ...{ state: 'finished', stationId: 'front', station: 'Front', at: 2, signedAt: null, signature: null, results: null },
}
const row = (fields: Partial<ShelfCountRow> = {}): ShelfCountRow => ({
  ...{ seq: 1, id: CountId.parse('5f3c7d3e-7e0b-4d39-9d5b-0f6a5f1c2a11'), scope: { kind: 'all' }, state: 'counting' },
  ...{ isRecount: false, startedAt: 0, startedMove: 0, asOf, finishedAt: null, signedAt: null, signature: null },
  ...{ revision: 0, results: null, ended: null, stations: [], signedToo: null, round: 0 },
  ...fields,
})

describe('an item that is scanned', () => {
  const scope: KeptScope = { kind: 'case', caseId: caseOf(1), names: [] }
  const item = (caseId: string | null) => ({ productId: null, brandName: null, caseId })
  it.each([
    ['of what is counted', {}, caseOf(1), false, true],
    ['of which nothing is known', {}, null, false, true],
    ['of something else', {}, caseOf(2), true, false],
    ['that differed, counted again', { isRecount: true }, caseOf(2), true, true],
    ['that did not differ, counted again', { isRecount: true }, caseOf(1), false, false],
    ['counted again here after another station finished it', { isRecount: true, ended }, caseOf(1), false, true],
  ])('%s', (_, fields, caseId, isDifference, isTaken) => {
    expect(isOfCount(row({ scope, ...fields }), item(caseId), () => isDifference)).toBe(isTaken)
  })
})

describe('a finished count that is looked at again', () => {
  const finished = row({ results })
  const later = { ...asOf, oldestAt: iso(1) }
  it.each([
    ['keeps everything', { results, isChanged: false }, asOf, 'none'],
    ['keeps as of when it is', { results, isChanged: false }, later, 'as-of'],
    ['keeps other results', { results: { ...results, moved: 1 }, isChanged: false }, asOf, 'results'],
    ['keeps another difference with the same sums', { results, isChanged: true }, asOf, 'results'],
  ] as const)('%s', (_, found, now, news) => {
    expect(newsOf(finished, found, now)).toBe(news)
  })
})

describe('the end that the store knows', () => {
  it.each([
    ['none, and it is open here', { state: 'counting' }, false, null, null],
    ['none, and it is finished here', { state: 'finished' }, false, null, 'reopen'],
    ['of another station', { state: 'counting' }, true, ended, ended],
    ['the one that is known', { state: 'finished', ended }, true, ended, null],
    ['its own', { state: 'finished' }, true, null, null],
    ['its own, which it does not know', { state: 'paused' }, true, null, endedSomewhere],
  ] as const)('%s', (_, fields, isFinished, end, does) => {
    expect(endOf(row(fields), { isFinished, end })).toEqual(does)
  })

  it('names this station as itself, first', () => {
    const [front, back] = [
      { station: 'Front', scanned: 2 },
      { station: 'Back', scanned: 1 },
    ]
    expect(scannedByHere([front, back], 'Back')).toEqual([{ station: null, scanned: 1 }, front])
    expect(scannedByHere([front], 'Back')).toEqual([{ station: null, scanned: 0 }, front])
    expect(scannedByHere([back], 'Back')).toEqual([])
  })
})

describe('the view of a count', () => {
  const sums = { scanned: 5, stations: [{ station: 'Front', scanned: 5 }], lateOnes: 2 }
  const signed: Partial<ShelfCountRow> = {
    state: 'signed',
    results,
    signedAt: 3,
    stations: [{ station: 'Back', scanned: 4 }],
  }
  it.each<[string, Partial<ShelfCountRow>, object]>([
    ['is blind while it is under way', { results, ended }, { results: null, finishedBy: null, scanned: 5, late: 0 }],
    ['says who finished it', { state: 'finished', results, ended }, { results, finishedBy: 'Front', late: 0 }],
    ['has all scans if it was signed here', signed, { scanned: 5, late: 2, stations: signed.stations }],
    ['has those of which its signer knew', { ...signed, ended: { ...ended, scanned: 4 } }, { scanned: 4, late: 3 }],
    ['says who signed it too', { signedToo: ended }, { signedToo: { station: 'Front', at: null, results: null } }],
  ])('%s', (_, fields, view) => {
    expect(viewOf(row(fields), sums)).toMatchObject(view)
  })

  it('has no field that only the table has', () => {
    for (const field of ['seq', 'startedMove', 'round', 'ended']) expect(viewOf(row(), sums)).not.toHaveProperty(field)
  })
})

describe('the end of a count as other stations are told it', () => {
  const by = { stationId: 'till', station: 'Till 1' }
  const own = { ...by, at: 2, signedAt: null, signature: null, results }
  const sums = { scanned: 3, stations: [] }
  it.each<[string, Partial<ShelfCountRow>, object | null]>([
    ['is none while it is paused', { state: 'paused' }, null],
    ['is its own', { state: 'finished', finishedAt: 2, results }, { ...own, state: 'finished' }],
    ['is that of the station that finished it', { state: 'finished', ended }, ended],
    [
      'is its own if it was signed here since',
      { state: 'signed', finishedAt: 2, results, ended },
      { ...own, state: 'signed', scanned: 3, stations: [{ station: 'Till 1', scanned: 3 }] },
    ],
  ])('%s', (_, fields, end) => {
    expect(endedAs(row(fields), sums, by)).toEqual(end)
  })
})
