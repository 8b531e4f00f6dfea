import { it } from 'vitest'
import type { RowId } from './rows'
import { type World, openWorld } from './world'

/**
 * The test of one row of the specification, against a service of its own. `scripts/spec-coverage` reads these calls, so
 * id and sentence are written out.
 */
export function row(id: RowId, sentence: string, body: (world: World) => Promise<void>): void {
  it(`${id}: ${sentence}`, async () => {
    const world = await openWorld()
    try {
      await body(world)
    } finally {
      await world.close()
    }
  })
}
