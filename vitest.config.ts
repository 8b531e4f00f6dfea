import './scripts/require-node.mjs'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { join } from 'node:path'
import { compileModule } from 'svelte/compiler'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { fastFolder } from './test/fast-folder'

const usual = {
  // Generous, for a busy machine: only a test that hangs is ended.
  testTimeout: 120_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 60_000, interval: 20 } },
  // Nothing of a test goes into the keychain of the person who runs it.
  env: { TMPDIR: fastFolder(), COUNTERTAG_KEYCHAIN: 'off' },
}

const large = [
  'test/unit/**/*.large.test.ts',
  // It waits a minute to see what an idle station asks.
  'test/integration/core/connection.test.ts',
  'test/integration/core/large-delivery.test.ts',
  'test/integration/partition.test.ts',
  'test/integration/fleet.test.ts',
  // Stations of a store: with each, hub, stations and service start anew.
  'test/integration/hub/{counter,own-claims,connections,shared,shared-counts,shared-deliveries,shared-shelves}.test.ts',
  'test/integration/hub/{deliveries-together,joining,host,hosting,store-day,store-pos}.test.ts',
  'test/integration/core/{delivery-record,manifests,outage-ledger}.test.ts',
  'test/integration/hub/{at-once,cloned-reports,identity,pgbouncer,shared-pos-ids,takeover,upgrade-0.2,whole-store}.test.ts',
  // Every way in which a connection changes hands, and every start that fails.
  'test/integration/station/{practice-apart,profile,profile-accounts,policy,start-problems,fuzz}.test.ts',
  'test/integration/core/{verify-day,bounded-answers,delivery-imports,find,paging,reconcile-other-till}.test.ts',
  // They wait: for tokens to expire, for the next try, for an answer that comes late.
  'test/integration/core/{blind-imports,late-refusal,outages,paced-tokens}.test.ts',
  'test/integration/station/customers.test.ts',
  // Processes that are killed again and again.
  'test/integration/station/{killed,failing-sync}.test.ts',
  // Generated data; suites that have commands of their own.
  'test/integration/service/properties/*.test.ts',
  'test/integration/practice/{statements,any-json,assets,catalogue-access}.test.ts',
  // What lint refuses.
  'test/integration/layers.test.ts',
  'test/integration/{hostile,store-suite}.test.ts',
  'test/unit/power/judge.test.ts',
]

/** Starts of the built program, and what is read of all of it. */
const largeElectron = [
  'test/electron/{data-folder,licences,policy,proxy,runtime,start,start-problem,till-host,tills,window}.test.ts',
]

/** What is in a package, and every use of Electron: `npm run test:package`. */
const packaged = ['test/electron/{package*,surface}.test.ts']

const clientOf = (path: string) => join(import.meta.dirname, 'node_modules', 'svelte', 'src', path)
const clientRunes: Plugin = {
  name: 'client-runes',
  enforce: 'post',
  transform: (code, id) =>
    id.endsWith('.svelte.ts') ? compileModule(code, { filename: id, generate: 'client' }).js : undefined,
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
          exclude: ['test/unit/renderer/**', ...large],
          isolate: false,
          ...usual,
        },
      },
      // Large tables and deliveries, generated damage, a whole partition: `npm run test:large`.
      {
        test: {
          name: 'large',
          include: large,
          isolate: false,
          globalSetup: 'test/integration/programs.ts',
          ...usual,
        },
      },
      {
        test: {
          name: 'renderer',
          include: ['test/unit/renderer/**/*.test.ts'],
          exclude: ['test/unit/renderer/**/*.client.test.ts'],
          isolate: false,
          setupFiles: 'test/unit/renderer/english.ts',
          ...usual,
        },
        plugins: [svelte({ configFile: false })],
      },
      // The same modules as they run in a page: compiled for the server, as above, nothing in them is redrawn.
      {
        test: { name: 'client', include: ['test/unit/renderer/**/*.client.test.ts'], ...usual },
        plugins: [clientRunes],
        resolve: {
          alias: [
            { find: /^svelte$/, replacement: clientOf('index-client.js') },
            { find: /^svelte\/reactivity$/, replacement: clientOf('reactivity/index-client.js') },
          ],
        },
      },
      {
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          exclude: large,
          isolate: false,
          globalSetup: 'test/integration/programs.ts',
          ...usual,
        },
      },
      {
        test: {
          name: 'electron',
          include: ['test/electron/**/*.test.ts'],
          exclude: [...largeElectron, ...packaged],
          ...usual,
        },
      },
      { test: { name: 'large-electron', include: largeElectron, ...usual } },
      { test: { name: 'packaged', include: packaged, ...usual } },
    ],
  },
})
