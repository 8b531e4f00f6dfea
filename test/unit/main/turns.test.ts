import { describe, expect, it } from 'vitest'
import { createTurns } from '../../../src-main/turns'

describe('turns', () => {
  it('runs two at a time, in the order they came, also when some of them fail', async () => {
    const turns = createTurns(2)
    const begun: number[] = []
    const ends: (() => void)[] = []
    const task = (n: number) =>
      turns(async () => {
        begun.push(n)
        await new Promise<void>((resolve) => ends.push(resolve))
        if (n % 2 === 0) throw new Error(`task ${n}`)
        return n
      })
    const all = Promise.allSettled([1, 2, 3, 4, 5].map(task))
    expect(begun).toEqual([1, 2])
    for (let n = 0; n < 5; n++) {
      ends[n]?.()
      await new Promise((resolve) => setImmediate(resolve))
      expect(begun).toEqual([1, 2, 3, 4, 5].slice(0, n + 3))
    }
    expect((await all).map((one) => one.status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
    // The places of those that failed are free again.
    expect(await Promise.all([7, 8, 9].map((n) => turns(() => Promise.resolve(n))))).toEqual([7, 8, 9])
  })
})
