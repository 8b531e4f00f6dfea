import { describe, expect, it } from 'vitest'
import { type ScenarioName, complaintsOf, runScenario } from '../../bench/fleet/scenarios'

/** As `npm run bench:fleet`, with a hundred stations. One request more in a second is chance, so ten seconds are judged. */
describe('a hundred stations that find the service again after an hour', () => {
  it.each<ScenarioName>(['sound', 'busy', 'busy-until', 'half', 'reports-fail'])(
    'drain without a flood: %s',
    async (name) => {
      const result = await runScenario(name, 100, 1, 10)
      expect(complaintsOf(result)).toEqual([])
    },
  )
})
