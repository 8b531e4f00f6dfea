import type { StoreBoard } from '../../src-shared/ipc/contract/hub'
import type { AppError } from '../../src-shared/errors'
import { type Result, err, ok } from '../../src-shared/result'
import { singleFlight } from '../async'
import { type Clock, iso } from '../clock'
import type { MainEvents } from '../events'
import type { Log } from '../log'
import type { Hub, RememberedStation } from './port'
import type { StationSays } from './rows'

interface BoardParts {
  hub: Pick<Hub, 'stations' | 'stationId' | 'view'>
  /** What this station says of itself. */
  says: () => StationSays
  clock: Clock
  log: Log
  events: Pick<MainEvents, 'emit'>
  /** Called with the stations that were read, without copies. */
  remember: (stations: RememberedStation[]) => void
}

/** The stations of the store: this one says how it is, and reads what the others say. */
export function createBoard({ hub, says, clock, log, events, remember }: BoardParts) {
  let board: StoreBoard = { stations: [], readAt: null }

  const read = async () => {
    const stations = await hub.stations.list()
    if (!stations) return false
    const next = stations.map(({ id, name, version, seenAt, isGone, copyOf, says: said }) => ({
      ...{ id, name, version, isGone },
      says: said && { ...said, unshared: said.scansUntold + said.entriesUntold + said.importsUntold },
      copyOf: stations.find((one) => one.id === copyOf)?.name ?? (copyOf === null ? null : name),
      isThis: id === hub.stationId,
      seenAt: iso(seenAt),
    }))
    remember(stations.flatMap(({ id, name, copyOf }) => (copyOf === null ? { id, name } : [])))
    board = { stations: next, readAt: iso(clock.now()) }
    events.emit('hub.board', board)
    return true
  }
  const reading = singleFlight(
    async () => {
      if (hub.view().situation !== 'together') return
      await hub.stations.say(says())
      await read()
    },
    (cause) => {
      log.error('the stations of the store could not be read', { cause })
    },
  )

  return {
    view: (): StoreBoard => board,
    /** Says how this station is, and reads the others. Never rejects. */
    refresh: () => {
      reading.ask()
    },
    /** Errors: hub/unreachable, hub/station-there. */
    async remove(id: string): Promise<Result<StoreBoard, AppError>> {
      const stations = await hub.stations.list()
      const station = stations?.find((one) => one.id === id)
      if (!stations) return err({ code: 'hub/unreachable' })
      if (station && (!station.isGone || id === hub.stationId)) return err({ code: 'hub/station-there' })
      if (!(await hub.stations.remove(id)) || !(await read())) return err({ code: 'hub/unreachable' })
      return ok(board)
    },
    stop: () => reading.stop(),
  }
}
