import { expect, it } from 'vitest'
import { closingLine, fuzz } from '../../fuzz/fuzz'

/** A short run of `npm run fuzz:ipc`, always with the same inputs. */
it('answers every generated input of every call without an unexpected error', { timeout: 120_000 }, async () => {
  const result = await fuzz({ perCall: 12, seed: 7 })
  expect({ bugs: result.bugs, foreign: result.foreign, isWell: result.isWell }).toEqual({
    bugs: [],
    foreign: [],
    isWell: true,
  })
  expect(closingLine(result)).toBe(
    `${12 * result.calls} payloads over ${result.calls} calls: ${12 * result.calls} answered, 0 unanswered, 0 crashed`,
  )
  // Inputs that are always refused would test little.
  expect(result.taken).toBeGreaterThan(result.calls)
})
