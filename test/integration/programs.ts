import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import type { TestProject } from 'vitest/node'

/** What tests run as processes of their own, by name. */
const programs = {
  browser: 'src-main/browser/main.ts',
  practice: 'src-practice/main.ts',
  'killed-child': 'test/integration/station/killed-child.ts',
  'keychain-child': 'test/integration/station/keychain-child.ts',
  holder: 'test/integration/database/holder.ts',
  'hostile-station': 'test/hostile/station.ts',
  'store-station': 'test/store/station.ts',
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** The file of each program, to be run by node alone. */
    programs: Record<keyof typeof programs, string>
  }
}

/**
 * Bundles them all once, before the first test: through tsx each process would take ten times as much of a processor to
 * start, and there are some thirty of them.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  const root = join(import.meta.dirname, '../..')
  mkdirSync(join(root, 'out'), { recursive: true })
  // Inside the repository, for what is native stays outside the bundles and is looked up from there.
  const outDir = mkdtempSync(join(root, 'out', 'programs-'))
  const remove = () => {
    rmSync(outDir, { recursive: true, force: true })
  }
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: true,
      outDir,
      target: 'node22',
      rolldownOptions: {
        input: programs,
        output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: 'chunks/[name]-[hash].mjs' },
      },
    },
    ssr: {
      noExternal: true,
      external: ['better-sqlite3', 'keytar', 'node-hid', 'usb', 'vite', '@sveltejs/vite-plugin-svelte'],
    },
  }).catch((cause: unknown) => {
    remove()
    throw cause
  })
  const file = (name: keyof typeof programs) => join(outDir, `${name}.mjs`)
  project.provide('programs', {
    browser: file('browser'),
    practice: file('practice'),
    'killed-child': file('killed-child'),
    'keychain-child': file('keychain-child'),
    holder: file('holder'),
    'hostile-station': file('hostile-station'),
    'store-station': file('store-station'),
  })
  return remove
}
