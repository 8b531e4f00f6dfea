import type { StorePresence } from '../../src-shared/ipc/contract/hub'
import type { ResultOf } from '../../src-shared/errors'
import { err, ok } from '../../src-shared/result'
import { singleFlight } from '../core/async'
import { iso } from '../core/clock'
import type { HubContext } from './hub-context'
import { rememberStations } from './memory'
import type { Heartbeat } from './rows'

/** The presence of the store's stations: writes this station's heartbeat, and reads those of the others. */
export class Presence {
  readonly #context: HubContext
  readonly #heartbeat: () => Heartbeat
  readonly #reading: ReturnType<typeof singleFlight>
  #presence: StorePresence = { stations: [], readAt: null }

  /** `heartbeat`: this station's. */
  constructor(context: HubContext, heartbeat: () => Heartbeat) {
    this.#context = context
    this.#heartbeat = heartbeat
    this.#reading = singleFlight(
      () => this.#refresh(),
      (cause) => {
        context.log.error('the stations of the store could not be read', { cause })
      },
    )
  }

  view(): StorePresence {
    return this.#presence
  }

  /** Writes the heartbeat, and reads those of the others. Never rejects. */
  refresh(): void {
    this.#reading.ask()
  }

  async remove(id: string): Promise<ResultOf<StorePresence, 'hub/unreachable' | 'hub/station-there'>> {
    const { hub } = this.#context
    const stations = await hub.stations.list()
    const station = stations?.find((one) => one.id === id)
    if (!stations) return err({ code: 'hub/unreachable' })
    if (station && (!station.isGone || id === hub.stationId)) return err({ code: 'hub/station-there' })
    if (!(await hub.stations.remove(id)) || !(await this.#read())) return err({ code: 'hub/unreachable' })
    return ok(this.#presence)
  }

  stop(): Promise<void> {
    return this.#reading.stop()
  }

  async #refresh(): Promise<void> {
    const { hub } = this.#context
    if (hub.view().situation !== 'online') return
    await hub.stations.beat(this.#heartbeat())
    await this.#read()
  }

  async #read(): Promise<boolean> {
    const { hub, clock, events, settings } = this.#context
    const stations = await hub.stations.list()
    if (!stations) return false
    const next = stations.map(({ id, name, version, seenAt, isGone, copyOf, heartbeat: said }) => ({
      ...{ id, name, version, isGone },
      heartbeat: said && { ...said, unshared: said.scansUntold + said.entriesUntold + said.importsUntold },
      copyOf: stations.find((one) => one.id === copyOf)?.name ?? (copyOf === null ? null : name),
      isThis: id === hub.stationId,
      seenAt: iso(seenAt),
    }))
    rememberStations(
      settings,
      stations.flatMap(({ id, name, copyOf }) => (copyOf === null ? { id, name } : [])),
    )
    this.#presence = { stations: next, readAt: iso(clock.now()) }
    events.emit('hub.presence', this.#presence)
    return true
  }
}
