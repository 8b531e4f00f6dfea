import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { ResultOf } from '../../src-shared/errors'
import { OrderId } from '../../src-shared/ids'
import { err, ok } from '../../src-shared/result'
import { settleWithin, singleFlight, sleep } from '../core/async'
import type { DayEntry, Hub, OthersEntries, StationPresence, StoreEntries } from '../hub/port'
import { ownFrom } from '../hub/memory'
import type { DayStatus } from '../hub/rows'
import { isForPerson, needsAttention, operationOf } from '../outbox/operation'
import type { Counter } from '../counter/counter'
import { productsOf } from './entries'
import { createSettings, parseStored } from '../database/settings'
import { type Span, ofOrder, spanOf } from './history'

/** What the store's day needs of the hub. */
export type DayHub = Pick<Hub, 'day' | 'stations' | 'stationId' | 'view' | 'onNews' | 'onSituation'>

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

/** So many entries are told, or compared, at a time. */
const atOnce = 200
/** Reports of so many ms are compared with those that the hub has: when it answers again, and so often in ms. */
const compared = 7 * 24 * 3_600_000
const betweenComparisons = 3_600_000
/** The days that began within so many ms are known; the hub forgets its entries a day later. */
const known = 59 * 24 * 3_600_000
/** How long the other stations may take to answer, in ms, and how often it is looked. */
const answerPatience = 3_000
const betweenLooks = 100
/** How long the last reports may take to be told when Countertag is closed, in ms. */
const pushingLast = 1_000

const due = 'ON CONFLICT (seq) DO UPDATE SET change = change + 1;'
const kinds = `('complete', 'return', 'void')`

/** What has to be told is noted in the commit that changes it. Triggers of this connection: without a hub there are none. */
const triggers = `
  CREATE TEMP TRIGGER hub_entry_made AFTER INSERT ON sale_entry BEGIN
    INSERT INTO hub_day_due VALUES (NEW.seq, 1) ${due}
  END;
  CREATE TEMP TRIGGER hub_entry_corrected AFTER UPDATE OF order_id, at, budtender_id, products ON sale_entry
  WHEN NEW.order_id IS NOT OLD.order_id OR NEW.at IS NOT OLD.at OR NEW.budtender_id IS NOT OLD.budtender_id
    OR NEW.products IS NOT OLD.products BEGIN
    INSERT INTO hub_day_due VALUES (NEW.seq, 1) ${due}
  END;
  CREATE TEMP TRIGGER hub_entry_settled AFTER UPDATE OF state, unsettled ON operation
  WHEN NEW.kind IN ${kinds} AND (NEW.state <> OLD.state OR NEW.unsettled <> OLD.unsettled) BEGIN
    INSERT INTO hub_day_due VALUES (NEW.seq, 1) ${due}
  END;`

const DirtyRow = z.object({ seq: z.number(), change: z.number() })
const EntryRow = z.object({
  entry_at: z.number(),
  entry_budtender: z.string().nullable(),
  entry_products: z.string(),
  entry_items: z.string(),
  entry_of: z.string().nullable(),
})
const Items = z.array(z.tuple([z.string().nullable(), z.string().nullable()]))

/** PostgreSQL takes no U+0000 and no halves of characters. */
const plain = (text: string | null) => text?.replaceAll('\0', '').toWellFormed() ?? null

/** Without what version 0.2 didn't tell: a day that it closed stays closed. */
const digestOf = ({ itemProducts: _products, ofOrder: _order, ...entry }: DayEntry) =>
  createHash('sha256').update(JSON.stringify(entry)).digest('base64url')

export type StoreDays = ReturnType<typeof createStoreDays>

/**
 * The day of a store of several stations. Each station tells the hub its sales, returns and voids in brief, and every change
 * of them; what could not be told stays noted. A station that shows or closes the day asks the others first: what they did
 * until then is told before they answer.
 */
export function createStoreDays(counter: Counter, hub: DayHub) {
  const { db, events, outbox, orders, log, clock, serviceClock } = counter
  db.exec(triggers)
  const from = ownFrom(createSettings(db, log))
  const selectDirty = db.prepare('SELECT seq, change FROM hub_day_due ORDER BY seq LIMIT ?')
  const countDirty = db.prepare('SELECT count(*) FROM hub_day_due').pluck()
  const countSince = db.prepare(`SELECT count(*) FROM sale_entry WHERE at >= ? AND seq > ${from}`).pluck()
  const settle = db.prepare('DELETE FROM hub_day_due WHERE seq = ? AND change = ?')
  const noteDirty = db.prepare(`INSERT INTO hub_day_due VALUES (?, 1) ${due}`)
  const selectIsDirty = db.prepare('SELECT 1 FROM hub_day_due WHERE seq = ?')
  const entryText = `SELECT operation.*, entry.at AS entry_at, entry.budtender_id AS entry_budtender, entry.products AS entry_products,
      (SELECT of_order FROM pos_second WHERE pos_second.order_id = entry.order_id) AS entry_of,
      (SELECT json_group_array(json_array(CASE WHEN json_valid(item.content) THEN item.content ->> '$.productId' END, item.name)
          ORDER BY tag.key)
        FROM json_each(CASE WHEN json_valid(payload) THEN payload ELSE '{}' END, '$.tagIds') AS tag
          LEFT JOIN memory AS item ON item.kind = 'tag' AND item.id = tag.value AND item.form = 'facts') AS entry_items
    FROM sale_entry AS entry JOIN operation USING (seq)`
  const selectEntry = db.prepare(`${entryText} WHERE seq = ?`)
  const selectRecent = db.prepare(`${entryText} WHERE entry.at >= ? AND seq > ? ORDER BY seq LIMIT ?`)
  /** Without copies, which report nothing. */
  const listed = async () => (await hub.stations.list())?.filter(({ copyOf }) => copyOf === null)
  const pending = () => z.number().parse(countDirty.get())
  const stopping = new AbortController()
  const isStopped = () => stopping.signal.aborted

  /** Null if the row is not a report that this version can read: each station shows those itself. */
  const entryOf = (row: unknown): DayEntry | null => {
    const read = EntryRow.safeParse(row)
    if (!read.success) return null
    const operation = operationOf(row)
    const payload = ofOrder(operation)
    if (!payload) return null
    return {
      id: operation.id,
      at: Math.round(read.data.entry_at),
      kind: payload.kind,
      orderId: payload.orderId,
      state: operation.state,
      needsPerson: needsAttention(operation) || isForPerson(operation),
      budtenderId: read.data.entry_budtender,
      tagIds: payload.tagIds,
      products: productsOf(read.data.entry_products).map(({ name, brand, items }) => [
        plain(name),
        plain(brand),
        items,
      ]),
      itemProducts: (parseStored(Items, read.data.entry_items) ?? []).map(([id, name]) => [plain(id), plain(name)]),
      ofOrder: OrderId.safeParse(read.data.entry_of).data,
    }
  }

  /** Returns whether the hub has everything. */
  const pushDirty = async (): Promise<boolean> => {
    while (!isStopped()) {
      const rows = selectDirty.all(atOnce).map((row) => DirtyRow.parse(row))
      if (rows.length === 0) return true
      const epoch = await hub.day.epoch()
      if (epoch === undefined) return false
      // Read after the epoch was given: what is pushed later is newer.
      const entries = rows.flatMap(({ seq }) => {
        const entry = seq > from ? entryOf(selectEntry.get(seq)) : null
        return entry ? [{ entry, digest: digestOf(entry) }] : []
      })
      if (entries.length > 0 && !(await hub.day.push(epoch, entries))) return false
      if (isStopped()) return false
      for (const { seq, change } of rows) settle.run(seq, change)
    }
    return false
  }
  let last: Promise<boolean> = Promise.resolve(true)
  /** One after the other. */
  const pushAll = (): Promise<boolean> => {
    last = last.then(pushDirty, pushDirty)
    return last
  }
  const failed = (cause: unknown) => {
    log.error("the store's day could not be told", { cause })
  }
  const pushing = singleFlight(async () => void (await pushAll()), failed)

  /** When all was compared, in ms since 1970; null if the hub was out of reach since. */
  let comparedAt: number | null = null
  const serviceNow = () => clock.now() + serviceClock.offset()
  /** Notes the reports that the hub doesn't have as they are here. Returns how many were thought to be there. */
  const noteMissing = async (since: number, there: ReadonlyMap<string, string>): Promise<number> => {
    let count = 0
    let seq = from
    while (!isStopped()) {
      const rows = selectRecent.all(since, seq, atOnce)
      for (const row of rows) {
        const operation = operationOf(row)
        seq = operation.seq
        const entry = entryOf(row)
        if (!entry || there.get(entry.id) === digestOf(entry)) continue
        if (selectIsDirty.get(seq) === undefined) count++
        noteDirty.run(seq)
      }
      if (rows.length < atOnce) break
      // Scans come between.
      await setImmediate()
    }
    return count
  }
  /**
   * The hub may be new, or restored from a backup: if it lacks something of the last days, or has fewer entries in all, all that it
   * keeps is compared. Returns false without an answer.
   */
  const compareAll = async (): Promise<boolean> => {
    for (const span of [compared, known]) {
      const since = serviceNow() - span
      const there = await hub.day.own(since)
      if (!there) return false
      if ((await noteMissing(since, there)) > 0) continue
      const oldest = serviceNow() - known
      const total = await hub.day.total(oldest)
      if (total === undefined) return false
      if (total + pending() >= z.number().parse(countSince.get(oldest))) break
    }
    return true
  }
  const comparing = singleFlight(async () => {
    comparedAt = Date.now()
    if (await compareAll()) pushing.ask()
    else comparedAt = null
  }, failed)

  const status = (day: string): DayStatus => {
    const { unsent, attention } = outbox.read.counts()
    const view = counter.verification?.(day)
    return {
      unsent,
      attention,
      untold: pending(),
      inCart: (['sale', 'return'] as const).reduce((sum, mode) => sum + orders.itemsOf(orders.front(mode)).length, 0),
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
  const answerAll = async (): Promise<void> => {
    const asked = await hub.day.asked()
    if (!asked || asked.length === 0) return
    await pushAll()
    for (const { day, question } of asked) if (!(await hub.day.answer(day, question, status(day)))) return
  }
  const answering = singleFlight(answerAll, failed)

  const isKept = (day: string) => spanOf(day)[0] >= serviceNow() - known
  /** Asks every station about a day, and waits until each that is there has answered or time is up. Undefined: no hub. */
  const askAll = async (day: string): Promise<Asked | undefined> => {
    const question = await hub.day.ask(day)
    if (question === undefined) return undefined
    answering.ask()
    const until = Date.now() + answerPatience
    for (;;) {
      const there = await listed()
      const answers = await hub.day.answers(day, question)
      if (!there || !answers) return undefined
      const said = new Map(answers.map((one) => [one.stationId, one.standing]))
      const isAwaited = ({ id, isGone, heartbeat }: StationPresence) =>
        !said.has(id) && !isGone && heartbeat?.isOff !== true
      if (!there.some(isAwaited) || Date.now() >= until || isStopped()) return { there, said }
      await sleep(betweenLooks, stopping.signal)
    }
  }

  /** What the stations said, those that did not answer included. */
  const stationsOf = ({ there, said: answers }: Asked, { entries }: OthersEntries) => {
    const stations = there.map((station): DayStation => {
      const { id, name, seenAt, heartbeat } = station
      const answer = answers.get(id)
      const { unsent = 0, attention = 0, untold: left = 0 } = heartbeat ?? {}
      return {
        ...{ id, name, seenAt },
        status: answer ? 'answered' : heartbeat?.isOff === true ? 'off' : 'silent',
        open: answer ?? { unsent, attention, untold: left, inCart: 0, verified: null },
      }
    })
    const listed = new Set(stations.map(({ id }) => id))
    const gone = new Map(
      entries.flatMap((one) => (listed.has(one.stationId) ? [] : [[one.stationId, one.stationName]])),
    )
    for (const [id, name] of gone) {
      const own = entries.filter(({ stationId }) => stationId === id)
      const attention = own.filter(({ needsPerson }) => needsPerson).length
      const unsent = own.filter((one) => !one.needsPerson && !['accepted', 'cancelled'].includes(one.state)).length
      const open = { unsent, attention, untold: 0, inCart: 0, verified: null }
      stations.push({ id, name, status: 'left', seenAt: null, open })
    }
    return stations
  }

  const stops = [
    events.on('operation.changed', 'day/store-day.ts', () => {
      pushing.ask()
    }),
    events.on('sharing.due', 'day/store-day.ts', () => {
      if (comparedAt === null || Date.now() - comparedAt > betweenComparisons) comparing.ask()
      pushing.ask()
      answering.ask()
    }),
    hub.onNews('day', () => {
      events.emit('checkout.storeDayChanged', null)
    }),
    hub.onSituation(() => {
      if (hub.view().situation !== 'online') comparedAt = null
    }),
    hub.onNews('day-asked', () => {
      answering.ask()
    }),
  ]
  return {
    /** How many reports the hub doesn't have in their newest state. */
    untold: pending,
    /** The day of the whole store, after asking every station. `day`: YYYY-MM-DD. */
    async read(day: string): Promise<ResultOf<StoreDay, 'hub/unreachable' | 'hub/day-too-old'>> {
      if (!isKept(day)) return err({ code: 'hub/day-too-old' })
      const asked = await askAll(day)
      const read = asked && (await hub.day.read(day, spanOf(day)))
      return read ? ok({ ...read, stations: stationsOf(asked, read) }) : err({ code: 'hub/unreachable' })
    },
    /**
     * What the other stations reported of the orders of a day, after asking every station. `span`: when its orders may have been
     * reported.
     */
    async others(day: string, span: Span): Promise<ResultOf<OthersOfDay, 'hub/unreachable' | 'hub/day-too-old'>> {
      if (!isKept(day)) return err({ code: 'hub/day-too-old' })
      const asked = await askAll(day)
      const read = asked && (await hub.day.others(span, spanOf(day)))
      return read ? ok({ ...read, stations: stationsOf(asked, read) }) : err({ code: 'hub/unreachable' })
    },
    /** Closes a day as it was read. */
    async close(day: string, mark: string): Promise<ResultOf<null, 'hub/unreachable' | 'hub/day-changed'>> {
      const isClosed = await hub.day.close(day, spanOf(day), mark)
      if (isClosed === undefined) return err({ code: 'hub/unreachable' })
      return isClosed ? ok(null) : err({ code: 'hub/day-changed' })
    },
    async stop(): Promise<void> {
      for (const stop of stops) stop()
      await comparing.stop()
      // What is on its way is told, and what is left now; the rest at the next start.
      await settleWithin(pushAll(), pushingLast)
      stopping.abort()
      await answering.stop()
      await pushing.stop()
    },
  }
}
