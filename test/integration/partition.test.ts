import { describe, expect, it } from 'vitest'
import type { Cut } from '../fakes/partition'
import { runDrill } from '../partition/drill'

/** Small and side by side: most of each drill is waiting. `npm run test:partition` does 500 operations, and measures. */
describe.concurrent('a station whose line breaks while its queue is sent', () => {
  it.for<Exclude<Cut, 'none'>>(['requests swallowed', 'answers swallowed', 'both swallowed', 'refused'])(
    'reports everything once, in order, when it is well again: %s',
    { timeout: 90_000 },
    async (cut) => {
      const { drainedIn, complaints } = await runDrill({ cut, operations: 60, latency: 10, outage: 2_500 })
      expect(complaints).toEqual([])
      expect(drainedIn).not.toBeNull()
    },
  )

  it('reports everything once, in order, when it was started anew meanwhile', { timeout: 90_000 }, async () => {
    const drill = { cut: 'both swallowed', operations: 60, latency: 10, outage: 2_500, isRestarted: true } as const
    const { drainedIn, complaints } = await runDrill(drill)
    expect(complaints).toEqual([])
    expect(drainedIn).not.toBeNull()
  })
})
