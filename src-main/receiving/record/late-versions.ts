import { singleFlight } from '../../core/async'
import type { Records } from './record'
import type { RecordContext } from './record-context'

/** How long it must be quiet before what arrived late is added to a record, in ms: it comes in pieces. */
const quiet = 1_000

/** Adds a version to the record of a delivery after something of it arrived late, here or before the last end. */
export class LateVersions {
  readonly #closing = new AbortController()
  readonly #adding
  #timer: NodeJS.Timeout | undefined

  constructor({ events, late, log }: RecordContext, records: Records) {
    this.#adding = singleFlight(
      () => records.addLate(this.#closing.signal),
      (cause) => {
        log.error('what arrived late could not be added to the record of a delivery', { cause })
      },
    )
    events.on('record.late', 'receiving/record/late-versions.ts', () => {
      this.#soon()
    })
    // What was noted before the last end.
    if (late.deliveries().length > 0) this.#soon()
  }

  async stop(): Promise<void> {
    this.#closing.abort()
    clearTimeout(this.#timer)
    await this.#adding.stop()
  }

  #soon(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#adding.ask()
    }, quiet).unref()
  }
}
