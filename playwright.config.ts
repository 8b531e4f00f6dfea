import { defineConfig } from '@playwright/test'
import { browserLaunch } from './test/e2e/browser'

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results',
  // Each worker starts its own app, practice service and browser: two of them fill a two-core machine.
  workers: 2,
  fullyParallel: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: { viewport: { width: 1024, height: 768 }, launchOptions: await browserLaunch() },
})
