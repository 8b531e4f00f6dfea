import { describe, expect, it } from 'vitest'
import { stepOf } from '../../../../src-main/hub/lists/list-reading'

const read = (mark: string | null, revision: number) => ({ mark, revision })
const there = (epochId: string, revision: number, mergedInto: string | null = null) => ({
  epochId,
  revision,
  mergedInto,
})

describe('what the hub has of a list', () => {
  it.each([
    ['is read if it was never read', read(null, 0), there('A', 3), 'read'],
    ['is read if it is newer', read('A', 2), there('A', 3), 'read'],
    ['is known', read('A', 3), there('A', 3), 'none'],
    ['is followed where another list took it in', read('A', 3), there('A', 3, 'list'), 'follow'],
    ['is pushed again to a hub that doesn’t know it', read('A', 3), undefined, 'push-again'],
    ['is pushed again to a hub that another station told it', read('A', 3), there('B', 9), 'push-again'],
    ['is pushed again to a hub that was restored', read('A', 3), there('A', 2), 'push-again'],
  ])('%s', (_what, list, status, step) => {
    expect(stepOf(list, status)).toBe(step)
  })
})
