import type { HubPolicy } from '../../src-shared/ipc/contract/hub'
import { bundleStation } from '../crash/bundle'
import type { TestServer } from '../hub/server'
import { type Mutation, mutate, mutations } from './faults'
import { type Lane, laneOn } from './lane'
import { runStore } from './run'
import { firstFailure } from './tested'

interface MutationParts {
  root: string
  servers: readonly TestServer[]
  seed: number
  folder: string
  resourcesDir: string
  /** Runs that each fault has to be found in. */
  most: number
  /** `what`: the complaint, or the test that failed; undefined if nothing found the fault. */
  onTried: (mutation: Mutation, runs: number, what: string | undefined) => void
}

/** Tries each fault until a run finds it, or its test. Returns how many were found by each. */
export async function tryMutations({ onTried, ...parts }: MutationParts): Promise<{ runs: number; tests: number }> {
  const caught = { runs: 0, tests: 0 }
  // A test that fails without a fault finds nothing.
  for (const test of new Set(mutations.flatMap((one) => one.test ?? []))) {
    const failed = await firstFailure(parts.root, test, undefined)
    if (failed !== undefined) throw new Error(`${test} fails without a fault: ${failed}`)
  }
  for (const mutation of mutations) {
    const { name, test } = mutation
    if (test === undefined) {
      const { runs, what } = await tryRuns(parts, mutation)
      if (what !== undefined) caught.runs++
      onTried(mutation, runs, what)
    } else {
      const what = await firstFailure(parts.root, test, name)
      if (what !== undefined) caught.tests++
      onTried(mutation, 0, what)
    }
  }
  return caught
}

async function tryRuns(
  { root, servers, seed, folder, resourcesDir, most }: Omit<MutationParts, 'onTried'>,
  mutation: Mutation,
): Promise<{ runs: number; what: string | undefined }> {
  const bundle = await bundleStation(root, 'test/store/station.ts', [mutate(root, mutation)])
  const lanes = servers.map((server): Lane => laneOn(server, bundle))
  let runs = 0
  let what: string | undefined
  await Promise.all(
    lanes.map(async (lane) => {
      while (what === undefined && runs < most) {
        const run = runs++
        const policy: HubPolicy = run % 2 === 0 ? 'refuse' : 'warn'
        const { complaints } = await runStore({ lane, seed, run, policy, folder, resourcesDir })
        what ??= complaints[0]?.what
      }
      await lane.endProcesses()
    }),
  )
  bundle.remove()
  return { runs, what }
}
