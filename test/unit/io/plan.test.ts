import { describe, expect, it } from 'vitest'
import { chanceOf } from '../../crash/chance'
import type { Life } from '../../io/lives'
import { type Reached, planOf, reachedIn, sampleOf } from '../../io/plan'
import type { Call } from '../../io/strace'

const log = [
  '7 openat(AT_FDCWD</work>, "/data/practice/countertag.db", O_RDWR) = 22</data/practice/countertag.db>',
  '7 openat(AT_FDCWD</work>, "/elsewhere/module.js", O_RDONLY) = 23</elsewhere/module.js>',
  '7 pwrite64(22</data/practice/countertag.db>, "x", 1, 0) = 1',
  String.raw`7 write(20</notebook.jsonl>, "{\"line\":\"scene\",\"phase\":\"selling\",", 80) = 80`,
  '7 pwrite64(22</data/practice/countertag.db>, "x", 1, 0) = 1',
  '8 pwrite64(22</data/practice/countertag.db>, "x", 1, 0 <unfinished ...>',
  '7 pwrite64(22</data/practice/countertag.db>, "x", 1, 0) = 1',
  '8 <... pwrite64 resumed>) = 1',
  '7 fsync(24</data>) = 0',
  '7 renameat2(AT_FDCWD</work>, "/data/a.new", AT_FDCWD</work>, "/data/a", 0) = 0',
  '7 fsync(25</database/other>) = 0',
].join('\n')

describe('what a life reaches', () => {
  it('is each call on its own files, counted thread by thread as strace counts', () => {
    const { paths, nths } = reachedIn(log, '/data', false)
    expect(paths).toEqual(['', 'a', 'a.new', 'practice/countertag.db'])
    expect(Object.fromEntries(nths)).toEqual({
      pwrite64: [1, 2, 3],
      fsync: [1],
      ftruncate: [],
      openat: [1],
      rename: [1],
    })
  })

  it('begins where the station is open, but counts from its start', () => {
    expect(Object.fromEntries(reachedIn(log, '/data', true).nths)).toEqual({
      // The second and third of one thread, the first of another.
      pwrite64: [1, 2, 3],
      fsync: [1],
      ftruncate: [],
      openat: [],
      rename: [1],
    })
  })
})

const reached = (counts: Partial<Record<Call, number[]>>): Reached => ({
  paths: [],
  nths: new Map<Call, number[]>([
    ['pwrite64', counts.pwrite64 ?? []],
    ['fsync', counts.fsync ?? []],
    ['rename', counts.rename ?? []],
  ]),
})

describe('the plan', () => {
  const lives = new Map<Life, Reached>([
    ['offline', reached({ pwrite64: [3, 4, 5, 6], fsync: [2] })],
    ['starting', reached({ rename: [1] })],
  ])

  it('has every error in every manner, and for writes each manner with the errors in turn', () => {
    const plan = planOf(lives, false)
    const of = (call: Call) => plan.filter((one) => one.call === call)
    expect(of('rename').map(({ error, times }) => `${error} ${times}`)).toEqual([
      ...['ENOSPC once', 'EIO once', 'EDQUOT once', 'EROFS once'],
      ...['ENOSPC on', 'EIO on', 'EDQUOT on', 'EROFS on'],
    ])
    expect(of('fsync')).toHaveLength(5 * 4)
    expect(of('pwrite64')).toHaveLength(4 * 2)
    for (const times of ['once', 'on']) {
      const inTurn = of('pwrite64').filter((one) => one.times === times)
      expect(new Set(inTurn.map(({ error }) => error)).size).toBe(4)
    }
    expect(plan.map(({ number }) => number)).toEqual(plan.map((_, n) => n))
    expect(planOf(lives, true).filter(({ call }) => call === 'pwrite64')).toHaveLength(4 * 2 * 4)
  })

  it('is sampled from each call of each life in turn, the same for the same seed', () => {
    const plan = planOf(lives, false)
    const sample = sampleOf(plan, 6, chanceOf('seed', 1))
    expect(new Set(sample.slice(0, 3).map(({ life, call }) => `${life} ${call}`)).size).toBe(3)
    expect(sample).toEqual(sampleOf(plan, 6, chanceOf('seed', 1)))
    expect(sampleOf(plan, 1_000, chanceOf('seed', 1))).toHaveLength(plan.length)
  })
})
