import { beforeEach, describe, expect, it } from 'vitest'
import { schemaVersion } from '../../../../src-main/database/migrations'
import { emptyDatabase } from '../../../../src-main/database/schema'
import { DirtyKeys } from '../../../../src-main/sharing/dirty-keys'
import { pushDirty } from '../../../../src-main/sharing/pushing'

let dirty: DirtyKeys
let epochs: number
/** What was pushed, with its epoch. */
let pushed: [number, string[]][]
beforeEach(() => {
  dirty = new DirtyKeys(emptyDatabase(schemaVersion), 'pos', [])
  for (const key of ['a', 'b', 'c']) dirty.note(key)
  epochs = 0
  pushed = []
})

type Pushing = Parameters<typeof pushDirty>[1]
const push = (how: Partial<Pushing> = {}) =>
  pushDirty(dirty, {
    hub: { epoch: () => Promise.resolve(++epochs) },
    isStopped: () => false,
    atOnce: 2,
    push: (part, epoch) => {
      pushed.push([epoch, part.map(({ key }) => key)])
      return Promise.resolve(true)
    },
    ...how,
  })
const left = () => [...dirty.keys()]

describe('pushing what is dirty', () => {
  it('pushes it in parts, each with an epoch of its own, and asks nothing once the hub has all', async () => {
    expect(await push()).toBe('done')
    expect(pushed).toEqual([
      [1, ['a', 'b']],
      [2, ['c']],
    ])
    expect(await push()).toBe('done')
    expect([epochs, left()]).toEqual([2, []])
  })

  it('keeps what changes on the way, and pushes it again', async () => {
    const change = (part: { key: string }[], epoch: number) => {
      pushed.push([epoch, part.map(({ key }) => key)])
      if (epoch === 1) dirty.note('a')
      return Promise.resolve(true)
    }
    expect(await push({ atOnce: 3, push: change })).toBe('done')
    expect(pushed).toEqual([
      [1, ['a', 'b', 'c']],
      [2, ['a']],
    ])
  })

  it('reads what is dirty after the epoch was given: what came or is held back since then counts', async () => {
    const heldBack = new Map<string, number>()
    const epoch = () => {
      heldBack.set('b', 1)
      return Promise.resolve(++epochs)
    }
    expect(await push({ hub: { epoch }, heldBack })).toBe('done')
    expect([pushed, left()]).toEqual([[[1, ['a', 'c']]], ['b']])
  })

  it.each<[string, Partial<Pushing>, Awaited<ReturnType<typeof push>>, string[]]>([
    ['without an epoch', { hub: { epoch: () => Promise.resolve(undefined) } }, 'no-answer', ['a', 'b', 'c']],
    ['without an answer', { push: () => Promise.resolve(false) }, 'no-answer', ['a', 'b', 'c']],
    ['that the hub did not take', { push: () => Promise.resolve(new Set(['b'])) }, 'lost', ['b', 'c']],
    ['once it is stopped', { isStopped: () => epochs > 0 }, 'no-answer', ['a', 'b', 'c']],
  ])('keeps what is pushed %s', async (_, how, answer, kept) => {
    expect(await push(how)).toBe(answer)
    expect(left()).toEqual(kept)
  })
})
