import './scripts/require-node.mjs'
import { defineConfig } from '@playwright/test'
import usual from './playwright.config'

// Before the specs are loaded: test/e2e/hosts.ts chooses the host by it.
process.env.COUNTERTAG_E2E_HOST = 'bundles'

/** In CI: the doors, the main job and a power cut. All of them: `npm run test:e2e:bundles`. */
const part = /bundles[\w-]*\.spec|receives a case, sells from it|after a power cut/

const { launchOptions, ...use } = usual.use ?? {}

/**
 * The same end-to-end specs against the built Electron main and preload bundles, on the fake of Electron whose windows are
 * pages of the test Chromium (src-main/electron/electron.md).
 */
export default defineConfig({
  ...usual,
  outputDir: 'test-results/bundles',
  ...(process.env.COUNTERTAG_E2E_PART ? { testMatch: [/bundles[\w-]*\.spec/, /main-job\.spec/], grep: part } : {}),
  testIgnore: [
    // A page for those who build the app, which the browser host serves.
    /gallery\.spec/,
    // Links that are good for one use, and the command of the browser host.
    /screens\.spec/,
  ],
  use: {
    ...use,
    // Pages are answered by main alone, and no name leads anywhere else.
    launchOptions: {
      ...launchOptions,
      args: [...(launchOptions?.args ?? []), '--host-resolver-rules=MAP * ~NOTFOUND'],
    },
  },
})
