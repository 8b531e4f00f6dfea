import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './root'
import { electronSurface } from './surface'

const note = readFileSync(join(root, 'src-main/electron/electron.md'), 'utf8')
/** Each item of the list: calls, why they are made, and the test. */
const items = [...note.matchAll(/^- (`(?:.|\n {2})+?`):\s+((?:.|\n {2})+?)Test:\s+`([\w-]+\.test\.ts)`/gm)].map(
  ([, calls = '', why = '', test = '']) => ({
    calls: [...calls.matchAll(/`([^`]+)`/g)].map(([, call]) => call),
    why,
    test,
  }),
)
const listed = items.flatMap(({ calls }) => calls)

describe('our use of Electron', () => {
  it('is limited to src-main/electron', () => {
    const others = ['src-shared', 'src-main', 'src-practice', 'src-renderer'].flatMap((side) =>
      readdirSync(join(root, side), { recursive: true, encoding: 'utf8' })
        .map((file) => join(side, file))
        .filter((file) => /\.(ts|svelte|js|mjs)$/.test(file) && !file.startsWith(join('src-main', 'electron'))),
    )
    const importing = others.filter((file) =>
      /(from|import|require)\s*\(?\s*['"]electron['"/]/.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(others.length).toBeGreaterThan(20)
    expect(importing).toEqual([])
  })

  it('is listed in electron.md, completely and with nothing more', () => {
    expect([...electronSurface()].sort()).toEqual([...listed].sort())
    // TypeScript reads half the app for this test: slow on a busy machine.
  }, 120_000)

  it('has a reason and a test for each line of that list', () => {
    for (const { calls, why, test } of items) {
      expect([calls, why.length > 10]).toEqual([calls, true])
      expect([test, existsSync(join(import.meta.dirname, test))]).toEqual([test, true])
    }
  })
})
