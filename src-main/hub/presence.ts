import type { StorePresence } from '../../src-shared/ipc/contract/hub'
import type { ResultOf } from '../../src-shared/errors'
import { err, ok } from '../../src-shared/result'
import type { JournalEnd } from '../outbox/chain'
import { singleFlight } from '../core/async'
import { iso } from '../core/clock'
import type { HubContext } from './hub-context'
import { rememberStations } from './memory'
import type { Heartbeat } from './rows'

/** The presence of the store's stations: writes this station's heartbeat, and reads those of the others. */
export class Presence {
  readonly #context: HubContext
  readonly #heartbeat: () => Heartbeat
  readonly #compare: (line: JournalEnd) => void
  #isCompared = false
  readonly #reading: ReturnType<typeof singleFlight>
  #presence: StorePresence = { stations: [], readAt: null }

  /** `heartbeat`: this station's. `compare`: called with the line that the hub had from it, before that is replaced. */
  constructor(context: HubContext, heartbeat: () => Heartbeat, compare: (line: JournalEnd) => void) {
    this.#context = context
    this.#compare = compare
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

  /** Call when it has stopped: says that Countertag was closed here. */
  async leave(): Promise<void> {
    if (await this.#hasCompared()) await this.#context.hub.stations.beat({ ...this.#heartbeat(), isOff: true })
  }

  async #refresh(): Promise<void> {
    const { hub } = this.#context
    if (hub.view().situation !== 'online') return
    if (!(await this.#hasCompared())) return
    await hub.stations.beat(this.#heartbeat())
    await this.#read()
  }

  /** Once after a start: what the hub knows of this station's journal must be in it. False while the hub doesn't answer. */
  async #hasCompared(): Promise<boolean> {
    if (this.#isCompared) return true
    const { hub } = this.#context
    const stations = await hub.stations.list()
    if (!stations) return false
    const line = stations.find(({ id }) => id === hub.stationId)?.heartbeat?.line
    if (line) this.#compare(line)
    this.#isCompared = true
    return true
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
