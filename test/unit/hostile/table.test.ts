import { describe, expect, it } from 'vitest'
import { families } from '../../hostile/misbehaviour'
import { chosen, misbehaviours } from '../../hostile/misbehaviours'
import { parseOptions } from '../../hostile/options'

const clock = () => 7

describe('the table of misbehaviours', () => {
  it('has at least 200 rows per family, each with a unique name', () => {
    expect(misbehaviours.length).toBeGreaterThanOrEqual(200)
    expect(new Set(misbehaviours.map(({ name }) => name)).size).toBe(misbehaviours.length)
    expect(new Set(misbehaviours.map(({ family }) => family))).toEqual(new Set(families))
  })

  it('gives the same sample of every family for the same seed, and another sample for another seed', () => {
    const names = (seed: number) => chosen({ sample: 60, seed }).map(({ name }) => name)
    expect(names(1)).toEqual(names(1))
    expect(names(1)).not.toEqual(names(2))
    expect(new Set(chosen({ sample: 60, seed: 1 }).map(({ family }) => family))).toEqual(new Set(families))
  })

  it('gives the rows of one family, or those with a text in their name', () => {
    expect(new Set(chosen({ family: 'tls', seed: 1 }).map(({ family }) => family))).toEqual(new Set(['tls']))
    const named = chosen({ only: 'a firewall', seed: 1 })
    expect(named.length).toBeGreaterThan(0)
    expect(named.every(({ name }) => name.includes('a firewall'))).toBe(true)
  })
})

describe('the command line of the hostile suite', () => {
  it('reads its flags, and takes the seed from the clock by default', () => {
    expect(parseOptions(['--family', 'tls', '--sample', '9', '--seed', '3', '--jobs', '2'], clock)).toEqual({
      ok: true,
      value: { only: undefined, family: 'tls', sample: 9, seed: 3, jobs: 2, list: false },
    })
    expect(parseOptions([], clock)).toMatchObject({ ok: true, value: { seed: 7, sample: undefined } })
  })

  it.each([['--family', 'odd'], ['--sample', '0'], ['--sample', 'many'], ['--jobs', '-1'], ['--unknown'], ['--only']])(
    'refuses %s %s with a sentence',
    (...args) => {
      expect(parseOptions(args, clock)).toMatchObject({ ok: false })
    },
  )
})
