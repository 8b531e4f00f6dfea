import { defineConfig } from '@playwright/test'
import { browserLaunch } from '../../test/e2e/browser'

/** Takes the README's pictures from the built app: `npm run pictures`. */
export default defineConfig({
  testDir: '.',
  testMatch: 'take.ts',
  workers: 1,
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  use: { viewport: { width: 1024, height: 768 }, launchOptions: await browserLaunch() },
})
