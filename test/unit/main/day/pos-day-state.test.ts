import { describe, expect, it } from 'vitest'
import {
  type PosDayEvent,
  type PosDayState,
  isComing,
  isFollowed,
  onPosDay,
  queued,
  shownAs,
} from '../../../../src-main/day/pos-day-state'

const none: ReadonlySet<string> = new Set()
const states = {
  empty: { is: 'empty' },
  outdated: { is: 'outdated' },
  waiting: { is: 'waiting', turn: 1 },
  asking: { is: 'asking', reported: none, ask: null },
  reading: { is: 'reading', done: 500, reported: none, ask: null },
  compared: { is: 'compared', ask: null },
  'to be asked': { is: 'compared', ask: 1 },
  following: { is: 'following', ask: null },
  failed: { is: 'failed' },
} satisfies Record<string, PosDayState>
type Name = keyof typeof states

const look = { of: 'look', hasFile: true, isAnew: true, asks: false, turn: 2 } as const
const events = {
  view: look,
  'view, in a store': { ...look, asks: true },
  list: { ...look, isAnew: false },
  'view, without a file': { ...look, hasFile: false },
  due: { of: 'due', turn: 2 },
  inputs: { of: 'inputs', turn: 2 },
  begin: { of: 'begin', hasFile: true },
  'begin, without a file': { of: 'begin', hasFile: false },
  answered: { of: 'answered' },
  progress: { of: 'progress', done: 1_000 },
  report: { of: 'report', orderId: '7' },
  end: { of: 'end', isWhole: true, turn: 2 },
  'end, of a new product': { of: 'end', isWhole: false, turn: 2 },
  broke: { of: 'broke' },
  closed: { of: 'closed' },
} satisfies Record<string, PosDayEvent>

/** "reading 1000 ask 2 [7]" */
function brief(state: PosDayState): string {
  const words: (string | number)[] = [state.is]
  if (state.is === 'waiting') words.push(state.turn)
  if (state.is === 'reading') words.push(state.done)
  if ('ask' in state && state.ask !== null) words.push('ask', state.ask)
  if ('reported' in state && state.reported.size > 0) words.push(`[${[...state.reported].join()}]`)
  return words.join(' ')
}

/** What becomes of each state; those that aren't named stay as they are. */
const table: Record<keyof typeof events, Partial<Record<Name, string>>> = {
  view: { empty: 'waiting 2', outdated: 'waiting 2', failed: 'waiting 2' },
  'view, in a store': {
    ...{ empty: 'waiting 2', outdated: 'waiting 2', failed: 'waiting 2' },
    ...{ asking: 'asking ask 2', reading: 'reading 500 ask 2', following: 'following ask 2' },
    ...{ compared: 'compared ask 2', 'to be asked': 'compared ask 2' },
  },
  list: { empty: 'waiting 2', outdated: 'waiting 2' },
  'view, without a file': { outdated: 'empty', compared: 'empty', 'to be asked': 'empty', failed: 'empty' },
  due: {
    ...{ empty: 'waiting 2', outdated: 'waiting 2', waiting: 'waiting 2', asking: 'waiting 2', reading: 'waiting 2' },
    ...{ compared: 'waiting 2', 'to be asked': 'waiting 2', following: 'waiting 2', failed: 'waiting 2' },
  },
  inputs: {
    ...{ compared: 'outdated', 'to be asked': 'waiting 2' },
    ...{ asking: 'waiting 2', reading: 'waiting 2', following: 'waiting 2' },
  },
  begin: { waiting: 'asking', compared: 'following', 'to be asked': 'following' },
  'begin, without a file': { waiting: 'empty', compared: 'following', 'to be asked': 'following' },
  answered: { asking: 'reading 0' },
  progress: { reading: 'reading 1000' },
  report: { asking: 'asking [7]', reading: 'reading 500 [7]' },
  end: { reading: 'compared', following: 'compared' },
  'end, of a new product': { reading: 'waiting 2', following: 'waiting 2' },
  broke: { asking: 'failed', reading: 'failed', following: 'failed' },
  closed: { 'to be asked': 'compared', waiting: 'failed', asking: 'failed', reading: 'failed', following: 'failed' },
}

describe('the state of a day that is compared with the POS', () => {
  it.each(Object.entries(events))('%s', (name, event) => {
    const found = Object.fromEntries(Object.entries(states).map(([is, state]) => [is, brief(onPosDay(state, event))]))
    const same = Object.fromEntries(Object.entries(states).map(([is, state]) => [is, brief(state)]))
    expect(found).toEqual({ ...same, ...Object.entries(table).find(([event]) => event === name)?.[1] })
  })

  it('keeps what was asked of it, and what was reported, until the comparison ends', () => {
    const steps: PosDayEvent[] = [
      events.report,
      events['view, in a store'],
      events.answered,
      { ...look, isAnew: false },
    ]
    const state = steps.reduce(onPosDay, states.asking)
    expect(brief(state)).toBe('reading 0 ask 2 [7]')
    expect(brief(onPosDay(state, events.end))).toBe('compared ask 2')
  })

  it('says what is shown, what is in the queue, what more comes of, and what is followed', () => {
    const found = Object.entries(states).map(([name, state]) => [
      ...[name, shownAs(state), queued(state)?.what ?? null, isComing(state), isFollowed(state)],
    ])
    expect(found).toEqual([
      ['empty', 'none', null, false, false],
      ['outdated', 'comparing', null, false, false],
      ['waiting', 'comparing', 'all', true, false],
      ['asking', 'comparing', null, true, false],
      ['reading', 'comparing', null, true, false],
      ['compared', 'compared', null, false, true],
      ['to be asked', 'compared', 'others', true, true],
      ['following', 'compared', null, true, true],
      ['failed', 'failed', null, false, false],
    ])
  })
})
