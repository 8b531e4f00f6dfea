import { defineConfig } from '@playwright/test'
import { browserLaunch } from './test/e2e/browser'
import { fastFolder } from './test/fast-folder'

process.env.TMPDIR = fastFolder()

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results',
  // Each worker starts its own app, practice service and browser: two of them fill a two-core machine.
  workers: 2,
  fullyParallel: true,
  // A busy machine is no failure: only what hangs is ended.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  use: { viewport: { width: 1024, height: 768 }, launchOptions: await browserLaunch() },
})
