import { join } from 'node:path'
import { ESLint } from 'eslint'
import { beforeAll, describe, expect, it } from 'vitest'

/** The layers of the README hold because lint says so: these are the imports that it must refuse, and some it must not. */
describe('the layers', () => {
  const cwd = join(import.meta.dirname, '../..')
  const layerRules = ['import-x/no-restricted-paths', 'no-restricted-imports']
  let eslint: ESLint
  beforeAll(() => {
    eslint = new ESLint({
      cwd,
      // As configured, without the rules that need types: those would have TypeScript read all sides first.
      ruleFilter: ({ ruleId }) => layerRules.includes(ruleId),
      overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
    })
  })

  /** The rules that a file breaks when it imports this. The file is a real one; its text is not touched. */
  const broken = async (file: string, from: string) => {
    const [result] = await eslint.lintText(`import * as imported from '${from}'\n\nvoid imported\n`, {
      filePath: join(cwd, file),
    })
    return result?.messages.map((message) => message.ruleId) ?? []
  }

  it.each([
    ['src-shared/ids.ts', '../src-main/core/clock'],
    ['src-renderer/main.ts', '../src-main/core/clock'],
    ['src-renderer/main.ts', '../src-practice/app'],
    ['src-practice/app.ts', '../src-main/core/clock'],
    ['src-main/core/log.ts', '../../src-practice/app'],
    ['src-main/outbox/sender.ts', '../../src-practice/app'],
    ['src-main/outbox/sender.ts', '../app/compose'],
    ['src-main/outbox/sender.ts', '../app/network'],
    ['src-main/app/outbox.ts', './compose'],
    ['src-main/station/station.ts', '../app/network'],
    ['src-main/core/log.ts', '../app/network'],
    ['src-main/outbox/sender.ts', '../electron/window'],
    ['src-main/outbox/sender.ts', '../../src-renderer/app.svelte'],
    ['src-main/sqlite-pages/tables.ts', '../database/schema'],
    ['src-main/sqlite-pages/tables.ts', '../../src-shared/result'],
    ['src-main/sqlite-pages/tables.ts', '../core/clock'],
  ])('refuse %s importing %s', async (file, from) => {
    expect(await broken(file, from)).toContain('import-x/no-restricted-paths')
  })

  it.each([
    ['src-main/outbox/sender.ts', 'electron'],
    ['src-main/app/compose.ts', 'electron'],
    ['src-shared/ids.ts', 'node:fs'],
    ['src-shared/ids.ts', 'svelte'],
  ])('refuse %s importing the package %s', async (file, from) => {
    expect(await broken(file, from)).toContain('no-restricted-imports')
  })

  it.each([
    ['src-main/practice/training.ts', '../../src-practice/start'],
    ['src-main/browser/main.ts', '../app/compose'],
    ['src-main/app/compose.ts', './network'],
    ['src-main/app/outbox.ts', './network'],
    ['src-renderer/main.ts', '../src-shared/ids'],
    ['src-main/electron/window.ts', 'electron'],
  ])('let %s import %s', async (file, from) => {
    const rules = await broken(file, from)
    expect(rules).not.toContain('import-x/no-restricted-paths')
    expect(rules).not.toContain('no-restricted-imports')
  })
})
