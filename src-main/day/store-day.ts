import { nowByService } from '../core/clock'
import type { ResultOf } from '../../src-shared/errors'
import { err, ok } from '../../src-shared/result'
import { singleFlight, sleep } from '../core/async'
import type { Counter } from '../counter/counter'
import { createSettings } from '../database/settings'
import { ownFrom } from '../hub/memory'
import type { Hub, OthersEntries, StationPresence, StoreEntries } from '../hub/port'
import type { DayStatus } from '../hub/rows'
import { DayEntryRows } from './day-entry-rows'
import { DayPush, knownFor } from './day-push'
import { type Span, spanOf } from './history'

/** What the store's day needs of the hub. */
export type DayHub = Pick<Hub, 'day' | 'epoch' | 'stations' | 'stationId' | 'view' | 'onNews' | 'onSituation'>

/**
 * A station in the store's day. `answered`: just now; `off`: Countertag was closed there, and this is what it said last;
 * `silent`: it did not answer, so that newer reports of it may be missing; `left`: it is not in the store any more.
 */
export interface DayStation {
  id: string
  name: string
  status: 'answered' | 'off' | 'silent' | 'left'
  /** Ms since 1970, by the hub's clock; null if it left. */
  seenAt: number | null
  open: DayStatus
}

/** The day of the whole store, as its stations have just said. */
export interface StoreDay extends StoreEntries {
  stations: DayStation[]
}

/** What the other stations reported of the orders of a day, and how all stations stand. */
export interface OthersOfDay extends OthersEntries {
  stations: DayStation[]
}

/** The stations of the store, and what each said of a day. */
interface Asked {
  there: StationPresence[]
  said: Map<string, DayStatus>
}

/** How long the other stations may take to answer, in ms, and how often it is looked. */
const answerPatience = 3_000
const betweenLooks = 100

const isAwaited = ({ id, isGone, heartbeat }: StationPresence, { said }: Asked) =>
  !said.has(id) && !isGone && heartbeat?.isOff !== true

/** A station of the store, also one that did not answer. */
function stationOf({ id, name, seenAt, heartbeat }: StationPresence, answer: DayStatus | undefined): DayStation {
  const { unsent = 0, attention = 0, untold = 0 } = heartbeat ?? {}
  return {
    ...{ id, name, seenAt },
    status: answer ? 'answered' : heartbeat?.isOff === true ? 'off' : 'silent',
    open: answer ?? { unsent, attention, untold, inCart: 0, verified: null },
  }
}

/** A station that left the store: what is open of its reports. */
function leftStation(id: string, name: string, entries: OthersEntries['entries']): DayStation {
  const own = entries.filter(({ stationId }) => stationId === id)
  const attention = own.filter(({ needsPerson }) => needsPerson).length
  const unsent = own.filter((one) => !one.needsPerson && !['accepted', 'cancelled'].includes(one.state)).length
  const open = { unsent, attention, untold: 0, inCart: 0, verified: null }
  return { id, name, status: 'left', seenAt: null, open }
}

function stationsOf({ there, said }: Asked, { entries }: OthersEntries): DayStation[] {
  const stations = there.map((station) => stationOf(station, said.get(station.id)))
  const listed = new Set(stations.map(({ id }) => id))
  const left = new Map(
    entries.flatMap(({ stationId, stationName }) => (listed.has(stationId) ? [] : [[stationId, stationName]])),
  )
  return [...stations, ...[...left].map(([id, name]) => leftStation(id, name, entries))]
}

/**
 * The day of a store of several stations. A station that shows or closes the day asks the others first: what they did until then is
 * told before they answer.
 */
export class StoreDays {
  readonly #counter: Counter
  readonly #hub: DayHub
  readonly #rows: DayEntryRows
  readonly #push: DayPush
  readonly #answering = singleFlight(
    () => this.#answerAll(),
    (cause) => {
      this.#push.failed(cause)
    },
  )
  readonly #stopping = new AbortController()
  readonly #stops: (() => void)[]

  constructor(counter: Counter, hub: DayHub) {
    const { db, log } = counter
    this.#counter = counter
    this.#hub = hub
    this.#rows = new DayEntryRows(db, ownFrom(createSettings(db, log)))
    const { signal } = this.#stopping
    this.#push = new DayPush({
      ...{ rows: this.#rows, hub, log },
      now: () => this.#now(),
      isStopped: () => signal.aborted,
    })
    this.#stops = this.#listen()
  }

  /** This station's own id. */
  get ownId(): string | null {
    return this.#hub.stationId
  }

  /** How many reports the hub doesn't have in their newest state. */
  untold(): number {
    return this.#rows.dirty.count()
  }

  /** The day of the whole store, after asking every station. `day`: YYYY-MM-DD. */
  async read(day: string): Promise<ResultOf<StoreDay, 'hub/unreachable' | 'hub/day-too-old'>> {
    return this.#afterAsking(day, () => this.#hub.day.read(day, spanOf(day)))
  }

  /**
   * What the other stations reported of the orders of a day, after asking every station. `span`: when its orders may have been
   * reported.
   */
  async others(day: string, span: Span): Promise<ResultOf<OthersOfDay, 'hub/unreachable' | 'hub/day-too-old'>> {
    return this.#afterAsking(day, () => this.#hub.day.others(span, spanOf(day)))
  }

  /** Closes a day as it was read. */
  async close(day: string, mark: string): Promise<ResultOf<null, 'hub/unreachable' | 'hub/day-changed'>> {
    const isClosed = await this.#hub.day.close(day, spanOf(day), mark)
    if (isClosed === undefined) return err({ code: 'hub/unreachable' })
    return isClosed ? ok(null) : err({ code: 'hub/day-changed' })
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops) stop()
    await this.#push.finish()
    this.#stopping.abort()
    await this.#answering.stop()
    await this.#push.stop()
  }

  #listen(): (() => void)[] {
    const { events } = this.#counter
    return [
      events.on('operation.changed', 'day/store-day.ts', () => {
        this.#push.ask()
      }),
      events.on('sharing.due', 'day/store-day.ts', () => {
        this.#push.askAll()
        this.#answering.ask()
      }),
      this.#hub.onNews('day', () => {
        events.emit('checkout.storeDayChanged', null)
      }),
      this.#hub.onSituation(() => {
        if (this.#hub.view().situation !== 'online') this.#push.hubLost()
      }),
      this.#hub.onNews('day-asked', () => {
        this.#answering.ask()
      }),
    ]
  }

  #now(): number {
    return nowByService(this.#counter)
  }

  async #afterAsking<Read extends OthersEntries>(
    day: string,
    read: () => Promise<Read | undefined>,
  ): Promise<ResultOf<Read & { stations: DayStation[] }, 'hub/unreachable' | 'hub/day-too-old'>> {
    if (spanOf(day)[0] < this.#now() - knownFor) return err({ code: 'hub/day-too-old' })
    const asked = await this.#askAll(day)
    const found = asked && (await read())
    return found ? ok({ ...found, stations: stationsOf(asked, found) }) : err({ code: 'hub/unreachable' })
  }

  /** Asks every station about a day, and waits until each that is there has answered or time is up. Undefined: no hub. */
  async #askAll(day: string): Promise<Asked | undefined> {
    const question = await this.#hub.day.ask(day)
    if (question === undefined) return undefined
    this.#answering.ask()
    const until = Date.now() + answerPatience
    const { signal } = this.#stopping
    for (;;) {
      const asked = await this.#asked(day, question)
      if (!asked?.there.some((station) => isAwaited(station, asked)) || Date.now() >= until || signal.aborted)
        return asked
      await sleep(betweenLooks, signal)
    }
  }

  /** What was answered by now. */
  async #asked(day: string, question: number): Promise<Asked | undefined> {
    const stations = await this.#hub.stations.list()
    const answers = await this.#hub.day.answers(day, question)
    // Copies report nothing.
    const there = stations?.filter(({ copyOf }) => copyOf === null)
    return there && answers && { there, said: new Map(answers.map((one) => [one.stationId, one.standing])) }
  }

  async #answerAll(): Promise<void> {
    const asked = await this.#hub.day.asked()
    if (!asked || asked.length === 0) return
    await this.#push.push()
    for (const { day, question } of asked) {
      if (!(await this.#hub.day.answer(day, question, this.#status(day)))) return
    }
  }

  #status(day: string): DayStatus {
    const { outbox, orders } = this.#counter
    const { unsent, attention } = outbox.read.counts()
    const view = this.#counter.verification(day)
    const inCart = (['sale', 'return'] as const).map((mode) => orders.itemsOf(orders.front(mode)).length)
    return {
      ...{ unsent, attention, untold: this.untold() },
      inCart: inCart.reduce((sum, items) => sum + items, 0),
      verified: view
        ? {
            state: view.state,
            total: view.total,
            asReported: view.asReported,
            differenceCount: view.differenceCount,
            isOutOfDate: view.isOutOfDate,
          }
        : null,
    }
  }
}
