import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commands, planOf } from '../../../scripts/fresh/places'

describe("where README's two commands are tried", () => {
  it('are the commands that README names', () => {
    const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8')
    const [, block = ''] = /^## Two commands\n+```sh\n(.*?)```/ms.exec(readme) ?? []
    expect(block.split('\n').flatMap((line) => /^(.*?) +#/.exec(line)?.[1] ?? [])).toEqual(Object.values(commands))
  })

  it.each(['isOfRoot', 'isOrdinary', 'hasLetters', 'isArchive'] as const)(
    'include %s: the start alone; and the tests, for root only of all',
    (condition) => {
      const here = planOf(false).filter((one) => one[condition])
      const alone = here.filter((one) => Object.values(one).filter((value) => value === true).length === 1)
      expect(alone.flatMap(({ shows }) => shows)).toContain('start')
      expect(here.some(({ shows }) => shows.includes('test'))).toBe(condition !== 'isOfRoot')
    },
  )

  it('are both commands under each condition alone, if all are asked for', () => {
    expect(planOf(true).map(({ shows }) => shows)).toEqual(Array(4).fill(['start', 'test']))
  })
})
