import { describe, expect, it } from 'vitest'
import { isCollision, isTakenBack } from '../../../../../src-main/hub/claims/claim-notices'

const by = { stationId: 'B' }
const granted = (revision: number) => ({ revision, heldBy: null })
const heldBy = (stationId: string) => ({ revision: null, heldBy: { stationId } })

describe('an item that another station holds is news for both', () => {
  it.each([
    ['never granted here', undefined, null, true],
    ['granted here, and no takeover is known', granted(5), null, true],
    ['granted here, and taken over since', granted(5), 7, false],
    ['granted here again after it was taken over', granted(9), 7, true],
    ['scanned again without the hub after it was taken over', undefined, 7, true],
    ['known to be there', heldBy('B'), null, false],
    ['known to be at a third station', heldBy('C'), null, true],
  ])('%s', (_what, before, takenAt, isNews) => {
    expect(isCollision(before, by, takenAt)).toBe(isNews)
  })
})

describe('a takeover is over', () => {
  it.each([
    ['once this station was granted the item since', granted(9), true],
    ['not by the claim that was taken over', granted(5), false],
    ['not by what another station holds', heldBy('B'), false],
    ['not by nothing', undefined, false],
  ])('%s', (_what, before, isOver) => {
    expect(isTakenBack(before, 7)).toBe(isOver)
  })
})
