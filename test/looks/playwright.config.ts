import { defineConfig } from '@playwright/test'
import { browserLaunch } from '../e2e/browser'

/** Every screen in every look: `npm run test:looks`. Pictures go into `test-results/looks`. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/looks-failed',
  workers: 2,
  fullyParallel: true,
  timeout: 600_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  use: {
    viewport: { width: 1024, height: 768 },
    actionTimeout: 15_000,
    launchOptions: await browserLaunch(),
    contextOptions: { reducedMotion: 'reduce' },
  },
})
