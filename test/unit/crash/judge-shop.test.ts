import { describe, expect, it } from 'vitest'
import { CountId, DeliveryId } from '../../../src-shared/ids'
import type { Complaint } from '../../crash/judge/evidence'
import { judgeCounts } from '../../crash/judge/counts'
import { judgeDeliveries } from '../../crash/judge/deliveries'
import type { Act, CountSight, DeliverySight, Line } from '../../crash/ledger'
import { tag } from '../../fakes/ids'

/** Checks that the judge finds faults of shelf counts and records: made-up evidence of every fault. */

const countId = CountId.parse('00000000-0000-4000-8000-000000000001')
const deliveryId = DeliveryId.parse('00000000-0000-4000-8000-000000000002')
const [a, b] = [tag(1), tag(2)]

const acts = (act: Act): Line => ({ line: 'acts', n: 1, act })
const done = (act: Act): Line[] => [acts(act), { line: 'acted', n: 1, act, isDone: true }]
const refused = (act: Act): Line[] => [acts(act), { line: 'acted', n: 1, act, isDone: false }]
const sees = (counts: CountSight[], deliveries: DeliverySight[] = []): Line => ({
  line: 'opened',
  sight: {
    operations: [],
    carts: { sale: { orderId: null, tagIds: [] }, return: { orderId: null, tagIds: [] } },
    unsent: 0,
    counts,
    deliveries,
  },
  files: [],
})
const kindsBy = (judge: typeof judgeCounts) => (lines: Line[]) => {
  const kinds: Complaint['kind'][] = []
  judge(lines, (kind) => kinds.push(kind))
  return kinds
}

describe('the crash suite’s judge of shelf counts', () => {
  const kinds = kindsBy(judgeCounts)
  const started = done({ kind: 'start', countId })
  const scan = (tagId: string, finding: string | null = 'counted') =>
    ({ kind: 'scan', countId, tagId, finding }) satisfies Act
  const step = (kind: 'pause' | 'resume' | 'end' | 'count again' | 'drop') => ({ kind, countId }) satisfies Act
  const results = { expected: 2, found: 1, missing: 1, unexpected: 0, moved: 0, open: 0, accuracy: 0.5 }
  const missing = { tagId: b, result: 'missing', why: null } as const
  const explain: Act = { kind: 'explain', countId, differences: [missing] }
  const sign: Act = { kind: 'sign', countId, results }
  const count = (over: Partial<CountSight>): CountSight => ({
    ...{ id: countId, state: 'counting', results: null, signature: null, revision: 1, isOfAll: true },
    ...{ tagIds: [], differences: [] },
    scanned: over.tagIds?.length ?? 0,
    ...over,
  })
  const finished = count({
    ...{ state: 'finished', results, tagIds: [a] },
    differences: [{ ...missing, reason: 'other-place' }],
  })
  const signed: CountSight = { ...finished, state: 'signed', signature: 'so' }
  const counted = [...started, ...done(scan(a)), ...done(step('end')), ...done(explain)]

  it.each<[string, Line[], CountSight[]]>([
    ['was started, and is there', started, [count({})]],
    ['was being started, and is there', [acts({ kind: 'start', countId: null })], [count({})]],
    ['was being started, and is not there', [acts({ kind: 'start', countId: null })], []],
    ['has what was scanned', [...started, ...done(scan(a))], [count({ tagIds: [a] })]],
    ['has what was being scanned', [...started, acts(scan(a, null))], [count({ tagIds: [a] })]],
    ['does not have what was being scanned', [...started, acts(scan(a, null))], [count({})]],
    ['does not have what is not of it', [...started, ...done(scan(a, 'not-of-count'))], [count({})]],
    ['was being paused, and is', [...started, acts(step('pause'))], [count({ state: 'paused' })]],
    ['was being paused, and is not', [...started, acts(step('pause'))], [count({})]],
    ['is not paused because that was refused', [...started, ...refused(step('pause'))], [count({})]],
    ['is finished and explained', counted, [finished]],
    ['was being signed, and is', [...counted, acts(sign)], [signed]],
    ['was being signed, and is not', [...counted, acts(sign)], [finished]],
    ['is signed', [...counted, ...done(sign), sees([signed])], [signed]],
    ['was given up', [...started, ...done(step('drop'))], []],
    ['was being given up, and is not', [...started, acts(step('drop'))], [count({})]],
  ])('accepts a count that %s', (_, lines, seen) => {
    expect(kinds([...lines, sees(seen)])).toEqual([])
  })

  it.each<[string, Line[], CountSight[], Complaint['kind'][]]>([
    ['is gone', started, [], ['lost']],
    ['was never started', [], [count({})], ['doubled']],
    [
      'was started once and is there twice',
      [acts({ kind: 'start', countId: null })],
      [count({}), count({ id: CountId.parse(deliveryId) })],
      ['doubled'],
    ],
    ['lost a scan', [...started, ...done(scan(a))], [count({})], ['lost']],
    ['has what was not scanned', started, [count({ tagIds: [a] })], ['lost']],
    ['has a scan twice', [...started, ...done(scan(a))], [count({ tagIds: [a, a] })], ['lost', 'doubled']],
    ['says another number', [...started, ...done(scan(a))], [count({ tagIds: [a], scanned: 2 })], ['doubled']],
    ['forgot that it is paused', [...started, ...done(step('pause'))], [count({})], ['lost']],
    ['is finished without results', counted, [{ ...finished, results: null }], ['untrue']],
    [
      'left a scan out of its results',
      counted,
      [{ ...finished, results: { ...results, found: 0, missing: 2 } }],
      ['lost'],
    ],
    ['lost a reason', counted, [{ ...finished, differences: [{ ...missing, reason: null }] }], ['lost']],
    ['is no longer signed', [...counted, ...done(sign)], [finished], ['lost']],
    [
      'was signed with other results than were seen',
      [...counted, acts(sign)],
      [{ ...signed, results: { ...results, moved: 1 } }],
      ['untrue'],
    ],
    [
      'changed after its signature',
      [...counted, ...done(sign), sees([signed])],
      [{ ...signed, signature: null }],
      ['untrue'],
    ],
    ['came back after it was given up', [...started, ...done(step('drop'))], [count({})], ['lost']],
  ])('reports a count that %s', (_, lines, seen, complaints) => {
    expect(kinds([...lines, sees(seen)])).toEqual(complaints)
  })

  it('reports an answer to a scan that another answer contradicts', () => {
    expect(kinds([...started, ...done(scan(a)), ...done(scan(a))])).toEqual(['lost'])
    expect(kinds([...started, ...done(scan(a, 'again'))])).toEqual(['untrue'])
    expect(kinds([...started, ...done(scan(a)), ...done(scan(a, 'again'))])).toEqual([])
  })
})

describe('the crash suite’s judge of deliveries', () => {
  const kinds = kindsBy(judgeDeliveries)
  const finish: Act = { kind: 'finish', deliveryId }
  const reopen: Act = { kind: 'reopen', deliveryId }
  const correct: Act = { kind: 'correct', deliveryId, text: 'one short', photo: null }
  const version = (n: number, mark = `mark ${n}`, check: 'intact' | 'unlinked' = 'intact') => ({
    version: n,
    mark,
    check,
    photos: [],
  })
  const delivery = (over: Partial<DeliverySight>): DeliverySight => ({
    ...{ id: deliveryId, isFinished: true, versions: [version(1)], corrections: [], photos: [] },
    ...over,
  })
  const open = delivery({ isFinished: false, versions: [] })
  const corrected = delivery({ corrections: [{ text: 'one short', check: 'intact', photo: null }] })

  it.each<[string, Line[], DeliverySight]>([
    ['is finished with its record', done(finish), delivery({})],
    ['was being finished, and is', [acts(finish)], delivery({})],
    ['was being finished, and is not', [acts(finish)], open],
    [
      'was finished twice',
      [...done(finish), ...done(reopen), ...done(finish)],
      delivery({ versions: [version(1), version(2)] }),
    ],
    ['was being reopened', [...done(finish), acts(reopen)], delivery({ isFinished: false })],
    ['was corrected', [...done(finish), ...done(correct)], corrected],
    ['was being corrected', [...done(finish), acts(correct)], corrected],
  ])('accepts a delivery that %s', (_, lines, seen) => {
    expect(kinds([...lines, sees([], [seen])])).toEqual([])
  })

  it.each<[string, Line[], DeliverySight[], Complaint['kind'][]]>([
    ['is gone', done(finish), [], ['lost']],
    ['is finished without a record', done(finish), [delivery({ versions: [] })], ['lost']],
    ['has a record before it is finished', [acts(finish)], [delivery({ isFinished: false })], ['lost']],
    ['is under way again', done(finish), [open], ['lost']],
    ['has two records', done(finish), [delivery({ versions: [version(1), version(2)] })], ['doubled']],
    ['has a record out of turn', done(finish), [delivery({ versions: [version(2)] })], ['doubled']],
    [
      'has a record off the chain',
      done(finish),
      [delivery({ versions: [version(1, 'mark', 'unlinked')] })],
      ['untrue'],
    ],
    [
      'has another record than before',
      [...done(finish), sees([], [delivery({})])],
      [delivery({ versions: [version(1, 'other')] })],
      ['untrue'],
    ],
    ['lost a correction', [...done(finish), ...done(correct)], [delivery({})], ['lost']],
    [
      'has a correction twice',
      [...done(finish), ...done(correct)],
      [{ ...corrected, corrections: [...corrected.corrections, ...corrected.corrections] }],
      ['doubled'],
    ],
    [
      'has a correction off the chain',
      [...done(finish), ...done(correct)],
      [delivery({ corrections: [{ text: 'one short', check: 'unlinked', photo: null }] })],
      ['untrue'],
    ],
  ])('reports a delivery that %s', (_, lines, seen, complaints) => {
    expect(kinds([...lines, sees([], seen)])).toEqual(complaints)
  })
})
