import './scripts/require-node.mjs'
import { defineConfig } from '@playwright/test'

// Before the specs are loaded: test/e2e/hosts.ts chooses the host by it.
process.env.COUNTERTAG_E2E_HOST = 'electron'

/** Specs in Electron itself. Needs its runtime, and a display. */
export default defineConfig({
  workers: 1,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  projects: [
    // What only the runtime can show: npm run test:runtime.
    { name: 'runtime', testDir: 'test/runtime', outputDir: 'test-results/runtime' },
    // The same end-to-end specs as in a browser.
    {
      name: 'specs',
      testDir: 'test/e2e',
      outputDir: 'test-results/electron',
      // The gallery, and links that are good for one use, are the browser host's; two are of the fake that Chromium takes
      // part in. Other specs skip what they can't do here.
      testIgnore: [/gallery\.spec/, /screens\.spec/, /bundles[\w-]*\.spec/],
    },
  ],
})
