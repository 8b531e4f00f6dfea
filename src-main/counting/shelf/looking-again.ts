import { type SingleFlight, singleFlight } from '../../core/async'
import type { RoomContext } from '../../core/context'
import type { ShelfCounts } from './counts'

/** Looks again at the differences of finished counts once more is known: of the shelf, of an item, or of another station. */
export class LookingAgain {
  readonly #worker: SingleFlight

  constructor({ events, log }: RoomContext, counts: ShelfCounts) {
    this.#worker = singleFlight(
      () => counts.end.lookAgain(),
      (cause) => {
        // If the disk refuses, the next reading looks again.
        log.warn('the differences of counts could not be looked at again', { cause })
      },
    )
    for (const name of ['shelf.read', 'shelf-count.late'] as const)
      events.on(name, 'counting/shelf/looking-again.ts', () => {
        this.#worker.ask()
      })
    events.on('shelf.item-known', 'counting/shelf/looking-again.ts', ({ tagId }) => {
      if (counts.learned(tagId)) this.#worker.ask()
    })
    events.on('shelf.no-item', 'counting/shelf/looking-again.ts', ({ tagId }) => {
      counts.scans.isNoItem(tagId)
    })
  }

  async stop(): Promise<void> {
    await this.#worker.stop()
  }
}
