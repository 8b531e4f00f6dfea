import './scripts/require-node.mjs'
import { defineConfig } from '@playwright/test'
import { browserLaunch } from './test/e2e/browser'
import { fastFolder } from './test/fast-folder'

process.env.TMPDIR = fastFolder()

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results',
  // What takes long is not part of `npm test`: npm run test:e2e -- --grep @long.
  ...(process.env.COUNTERTAG_E2E_PART ? { grepInvert: /@long/ } : {}),
  // They look at what only the bundles have: playwright.bundles.config.ts.
  testIgnore: /bundles[\w-]*\.spec/,
  // Each worker has a browser and a process for its stations (test/e2e/stations.ts): two of them fill a two-core machine.
  workers: 2,
  fullyParallel: true,
  // A busy machine is no failure: only what hangs is ended.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  use: {
    viewport: { width: 1024, height: 768 },
    launchOptions: await browserLaunch(),
    // What is still fading in has other colours than it will have, and every frame of it is work.
    contextOptions: { reducedMotion: 'reduce' },
  },
})
