import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { npmCommand, tooOld } from '../../../scripts/node-version.mjs'

const root = join(import.meta.dirname, '../../..')
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))

/** The files that the commands of package.json run themselves. */
const entries = [
  ...new Set(
    Object.values(scripts).flatMap((text) =>
      text.split(' && ').flatMap((command) => /^(?:tsx|node)(?: --\S+)* (\S+)/.exec(command)?.[1] ?? []),
    ),
  ),
]

/** Runs a file of the repository on this Node, which says that it is an old one. */
const onOldNode = (file: string) => {
  const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`
  const args = ['--import', `data:text/javascript,${old}`, ...(file.endsWith('.ts') ? ['--import', 'tsx'] : []), file]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', timeout: 60_000 })
  return { status, said: `${stdout}${stderr}`.trim() }
}

describe('a command that runs on a Node that is too old', () => {
  it.each([
    ['22.0.0', true, undefined],
    ['24.1.0', false, undefined],
    [
      '20.20.2',
      true,
      'Countertag needs Node 22 or newer, and this is Node 20.20.2. The Node that it needs is installed beside it, and npm uses that one: start it with `npm start`.',
    ],
    [
      '20.20.2',
      false,
      'Countertag needs Node 22 or newer, and this is Node 20.20.2. The npm package "node" brings one, but its program is missing: run `npm ci` without --ignore-scripts, then `npm start`.',
    ],
  ])('names the real cause: Node %s, with a Node of its own: %s', (version, hasOwnNode, sentence) => {
    expect(tooOld({ version, hasOwnNode, command: 'npm start' })).toBe(sentence)
  })

  it.each([
    ['scripts/start.mjs', 'npm start'],
    ['scripts/test.mjs', 'npm test'],
    ['scripts/hub/main.ts', 'npm run hub'],
    ['bench/pos-day.ts', 'npm run bench:pos'],
    ['node_modules/vitest/vitest.mjs', 'npm exec -- vitest'],
    ['node_modules/.bin/playwright', 'npm exec -- playwright'],
    ['node_modules/@playwright/test/cli.js', 'npm exec -- playwright'],
    ['scripts/schema-fixture.ts', 'npm exec -- tsx scripts/schema-fixture.ts'],
  ])('says how npm starts %s', (path, command) => {
    expect(npmCommand(scripts, path)).toBe(command)
  })

  it.each(['scripts/start.mjs', 'scripts/hub/main.ts'])('ends %s with that sentence', (file) => {
    expect(onOldNode(file)).toEqual({
      status: 1,
      said: tooOld({ version: '20.20.2', hasOwnNode: true, command: npmCommand(scripts, file) }),
    })
  })

  it('is said so by every command, before it loads anything else', () => {
    expect(entries.length).toBeGreaterThan(30)
    const unguarded = entries.filter((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      return file.endsWith('.ts')
        ? !/^import '(\.\.?\/)+(scripts\/)?require-node\.mjs'\n/.test(text)
        : !/^requireNode\(\)$/m.test(text)
    })
    expect(unguarded).toEqual([])
  })
})
