import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
/** A copy without its history has nothing to look at. */
const isClone = existsSync(join(root, '.git'))

describe.skipIf(!isClone)('every file of the repository', () => {
  const { stdout } = spawnSync('git', ['ls-files', '--eol'], { cwd: root, encoding: 'utf8' })
  const files = [...stdout.matchAll(/^i\/(\S+)\s+w\/(\S*)\s+attr\/(.*?)\s*\t(.*)$/gm)].map(
    ([, kept = '', here = '', attributes = '', name = '']) => ({ kept, here, attributes, name }),
  )

  it('is a text with line feeds, here and in every clone, or is named as binary', () => {
    expect(files.length).toBeGreaterThan(1000)
    const odd = files.filter(({ kept, here, attributes }) =>
      attributes === '-text'
        ? kept !== '-text'
        : // A file that was deleted and not yet committed is not here.
          attributes !== 'text=auto eol=lf' || !['lf', 'none'].includes(kept) || !['lf', 'none', ''].includes(here),
    )
    expect(odd).toEqual([])
  })

  it('that is binary is of a few kinds', () => {
    const kinds = new Set(
      files.filter(({ attributes }) => attributes === '-text').map(({ name }) => name.split('.').at(-1)),
    )
    expect([...kinds].sort()).toEqual(['gz', 'icns', 'ico', 'jpg', 'mp4', 'png'])
  })
})
