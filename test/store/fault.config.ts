import { join } from 'node:path'
import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { fastFolder } from '../fast-folder'
import { mutate, mutations } from './faults'

/** For tests that have to find a deliberate fault: the one named by COUNTERTAG_FAULT, or none. */
const root = join(import.meta.dirname, '../..')
const fault = mutations.find(({ name }) => name === process.env.COUNTERTAG_FAULT)

export default defineConfig({
  root,
  plugins: fault ? [mutate(root, fault)] : [],
  test: {
    include: ['test/integration/hub/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 5_000, interval: 20 } },
    env: { TMPDIR: fastFolder(), COUNTERTAG_KEYCHAIN: 'off' },
    bail: 1,
    // It doesn't know one fault from another.
    fsModuleCache: false,
  },
})
