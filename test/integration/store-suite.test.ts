import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { removeFolder } from '../remove-folder'
import { type Lane, openLane } from '../store/lane'
import { runStore } from '../store/run'

/** Two short runs; `npm run test:store` plays hundreds. */
describe('three stations of a store, with kills, cuts and a hub that goes down', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countertag-store-'))
  let lane: Lane
  beforeAll(async () => {
    lane = await openLane({ file: inject('programs')['store-station'], cache: join(folder, 'cache') })
  })
  afterAll(async () => {
    await lane.close()
    await removeFolder(folder)
  })

  it.each([
    { policy: 'refuse', run: 2 },
    { policy: 'warn', run: 3 },
  ] as const)('break no promise, policy $policy', async ({ policy, run }) => {
    const resourcesDir = join(import.meta.dirname, '../../resources')
    const { complaints, entries } = await runStore({ lane, seed: 5, run, policy, folder, resourcesDir })
    expect(complaints).toEqual([])
    expect(entries.some(({ call, outcome }) => call === 'checkout.addItem' && outcome === 'ok')).toBe(true)
  })
})
