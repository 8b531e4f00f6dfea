import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'
import { fastFolder } from './test/fast-folder'

// A busy machine is no failure: only what hangs is ended.
const usual = {
  testTimeout: 180_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 15_000, interval: 20 } },
  // Nothing of a test goes into the keychain of whoever runs it.
  env: { TMPDIR: fastFolder(), COUNTERTAG_KEYCHAIN: 'off' },
}

export default defineConfig({
  test: {
    // Most of the longer tests wait, for the network and for time: more of them go side by side than there are processors.
    maxWorkers: 4,
    projects: [
      // What runs in main and in the service holds nothing outside its functions: one process loads it once for many
      // files. The renderer's modules remember the language, which english.ts sets back.
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          exclude: ['test/unit/renderer/**'],
          isolate: false,
          ...usual,
        },
      },
      {
        test: {
          name: 'renderer',
          include: ['test/unit/renderer/**/*.test.ts'],
          isolate: false,
          setupFiles: 'test/unit/renderer/english.ts',
          ...usual,
        },
        plugins: [svelte({ configFile: false })],
      },
      {
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          isolate: false,
          globalSetup: 'test/integration/programs.ts',
          ...usual,
        },
      },
      { test: { name: 'electron', include: ['test/electron/**/*.test.ts'], ...usual } },
    ],
  },
})
