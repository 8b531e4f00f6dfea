import type { StorePresence } from '../../src-shared/ipc/contract/hub'
import type { ResultOf } from '../../src-shared/errors'
import { err, ok } from '../../src-shared/result'
import { singleFlight } from '../core/async'
import { type Clock, iso } from '../core/clock'
import type { MainEvents } from '../core/events'
import type { Log } from '../core/log'
import type { Hub, RememberedStation } from './port'
import type { Heartbeat } from './rows'

interface PresenceParts {
  hub: Pick<Hub, 'stations' | 'stationId' | 'view'>
  /** This station's heartbeat. */
  heartbeat: () => Heartbeat
  clock: Clock
  log: Log
  events: Pick<MainEvents, 'emit'>
  /** Called with the stations that were read, without copies. */
  remember: (stations: RememberedStation[]) => void
}

/** The presence of the store's stations: writes this station's heartbeat, and reads those of the others. */
export class Presence {
  readonly #parts: PresenceParts
  readonly #reading: ReturnType<typeof singleFlight>
  #presence: StorePresence = { stations: [], readAt: null }

  constructor(parts: PresenceParts) {
    this.#parts = parts
    this.#reading = singleFlight(
      () => this.#refresh(),
      (cause) => {
        parts.log.error('the stations of the store could not be read', { cause })
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
    const { hub } = this.#parts
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
    const { hub, heartbeat } = this.#parts
    if (hub.view().situation !== 'online') return
    await hub.stations.beat(heartbeat())
    await this.#read()
  }

  async #read(): Promise<boolean> {
    const { hub, clock, events, remember } = this.#parts
    const stations = await hub.stations.list()
    if (!stations) return false
    const next = stations.map(({ id, name, version, seenAt, isGone, copyOf, heartbeat: said }) => ({
      ...{ id, name, version, isGone },
      heartbeat: said && { ...said, unshared: said.scansUntold + said.entriesUntold + said.importsUntold },
      copyOf: stations.find((one) => one.id === copyOf)?.name ?? (copyOf === null ? null : name),
      isThis: id === hub.stationId,
      seenAt: iso(seenAt),
    }))
    remember(stations.flatMap(({ id, name, copyOf }) => (copyOf === null ? { id, name } : [])))
    this.#presence = { stations: next, readAt: iso(clock.now()) }
    events.emit('hub.presence', this.#presence)
    return true
  }
}
