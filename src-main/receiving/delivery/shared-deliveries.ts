import type { Database } from 'better-sqlite3'
import type { AppError } from '../../../src-shared/errors'
import type { DeliveryId } from '../../../src-shared/ids'
import type { StoreDelivery } from '../../../src-shared/ipc/contract/delivery'
import { type Result, err } from '../../../src-shared/result'
import { withTimeout } from '../../core/async'
import { iso } from '../../core/clock'
import type { DeliveryInStore, Hub } from '../../hub/port'
import { DeliveryKey, Finisher, thingOf } from '../../hub/rows'
import type { ListTables } from '../../hub/lists/list-rows'
import { SharedLists } from '../../hub/shared-lists'
import { type Watch, isSharedList, noteOf } from '../../sharing/watch'
import type { MainEvents } from '../../core/events'
import type { Log } from '../../core/log'
import type { Memory } from '../../memory/store'
import { parseStored } from '../../database/settings'
import type { Merging } from './delivery-merging'
import type { DeliveryRows } from './delivery-rows'

interface SharedDeliveriesParts {
  db: Database
  events: Pick<MainEvents, 'emit' | 'on'>
  hub: Pick<Hub, 'deliveries' | 'stationId' | 'view' | 'onNews' | 'onSituation'>
  rows: Pick<DeliveryRows, 'open' | 'stations'>
  merging: Merging
  seen: Pick<Memory, 'case'>
  log: Log
}

const listed = (key: string) => noteOf('deliveries', { list: 'NEW.delivery', key })
const dropped = (key: string) =>
  noteOf('deliveries', { list: 'OLD.delivery', key, isOthers: 'OLD.station IS NOT NULL' })
const isOwn = `NEW.station IS NULL AND ${isSharedList('deliveries', 'NEW.delivery')}`
const isShared = isSharedList('deliveries', 'OLD.delivery')

/** What another station listed is not pushed back. */
const things: Watch[] = [
  { table: 'delivery_package', on: 'INSERT', when: isOwn, do: listed(`'package ' || NEW.package_uid`) },
  { table: 'delivery_package', on: 'DELETE', when: isShared, do: dropped(`'package ' || OLD.package_uid`) },
  { table: 'delivery_case', on: 'INSERT', when: `NEW.dropped = 0 AND ${isOwn}`, do: listed(`'case ' || NEW.case_id`) },
  {
    table: 'delivery_case',
    on: 'UPDATE OF package_uid',
    when: `NEW.dropped = 0 AND NEW.package_uid IS NOT OLD.package_uid AND ${isOwn}`,
    do: listed(`'case ' || NEW.case_id`),
  },
  {
    table: 'delivery_case',
    on: 'UPDATE OF dropped',
    when: `NEW.dropped > OLD.dropped AND ${isShared}`,
    do: dropped(`'case ' || OLD.case_id`),
  },
  {
    table: 'delivery_case',
    on: 'DELETE',
    when: `OLD.dropped = 0 AND ${isShared}`,
    do: dropped(`'case ' || OLD.case_id`),
  },
]

const tables: ListTables = {
  topic: 'deliveries',
  lists: 'delivery',
  isFollowed: 'finished_at IS NULL',
  ended: { on: 'UPDATE OF finished_at', when: '(NEW.finished_at IS NULL) <> (OLD.finished_at IS NULL)' },
  entries: things,
}

/** How long the question before a delivery is finished waits for the hub, in ms. */
const behindPatience = 1_000
/** Two deliveries with the same package or case that began within so many ms are one. */
const sameMoment = 10_000

export type SharedDeliveries = ReturnType<typeof createSharedDeliveries>

/** Deliveries that several stations of a store receive together. Each station keeps what all of them listed. */
export function createSharedDeliveries(parts: SharedDeliveriesParts) {
  const { db, hub, rows, merging, seen, log, events } = parts
  let open: DeliveryInStore[] = []
  const labelOf = (key: DeliveryKey): string | null => {
    const thing = thingOf(key)
    if (!thing) return null
    return 'packageUid' in thing ? thing.packageUid : (seen.case(thing.caseId)?.value.identifier ?? thing.caseId)
  }
  const inStore = (): StoreDelivery[] => {
    const here = rows.open()?.id
    return open
      .filter(({ id }) => id !== here)
      .map(({ id, stationName, startedAt, packages, cases, alsoHere }) => ({
        ...{ id, station: stationName, startedAt: iso(startedAt), packageCount: packages, caseCount: cases },
        alsoHere: here === undefined || alsoHere === null ? null : labelOf(alsoHere),
      }))
  }
  const headOf = (seq: number) => {
    const head = merging.head(seq)
    if (!head) return undefined
    const { id, isFinished, finishedBy } = head
    return { id, isFinished, ended: finishedBy && JSON.stringify(finishedBy) }
  }
  const lists = new SharedLists<DeliveryId, DeliveryKey>({
    db,
    tables,
    readKey: (text) => DeliveryKey.safeParse(text).data,
    hub,
    lists: hub.deliveries,
    own: {
      head: headOf,
      async put(seq, epoch, isFinished) {
        const [head, startedAt] = [headOf(seq), merging.startedAt(seq)]
        if (!head || startedAt === undefined) return true
        if (!(await hub.deliveries.put(head.id, startedAt))) return false
        return !isFinished || (await hub.deliveries.finish(epoch, head.id, true, head.ended)) === true
      },
      entry: (seq, key) => merging.entry(seq, key),
      entered: (seq) => merging.entered(seq),
      merge(seq, { entries, isFinished, ended }, isOwn) {
        const finishedBy = ended === null ? null : (parseStored(Finisher, ended) ?? null)
        return merging.merge(seq, { entries, isFinished, finishedBy }, isOwn)
      },
      // Nothing of a delivery is kept in memory.
      reread: () => undefined,
      follow: (seq, into) => {
        merging.follow(seq, into)
      },
    },
    async readOpen() {
      const found = await hub.deliveries.open(rows.open()?.id ?? null)
      if (!found || lists.isStopped()) return
      open = found
      const same = sameBegun()
      if (same) await joinSame(same.id)
      events.emit('receiving.storeDeliveries', inStore())
    },
    log,
  })

  /** The delivery that began in the same moment as the own one, with the same package, and goes first. */
  const sameBegun = (): DeliveryInStore | undefined => {
    const own = rows.open()
    if (!own) return undefined
    return open.find(({ id, startedAt, alsoHere }) => {
      const later = own.startedAt - startedAt
      const isFirst = later > 0 || (later === 0 && id < own.id)
      return alsoHere !== null && id !== own.id && isFirst && later < sameMoment
    })
  }

  const join = async (id: DeliveryId): Promise<Result<null, AppError>> => {
    const own = rows.open()?.id
    const head = await hub.deliveries.head(id)
    if (head === undefined) return err({ code: 'hub/unreachable' })
    if (head === 'unknown') return err({ code: 'receiving/no-delivery' })
    if (own !== undefined && own !== id) {
      const merged = await hub.deliveries.merge(own, id)
      if (merged === false) return err({ code: 'hub/unreachable' })
      if (merged === 'unknown') return err({ code: 'receiving/no-delivery' })
    }
    return lists.join(id, () => merging.join(id, head))
  }

  /** Those that could not be joined by themselves: logged once each, tried again each time. */
  const failing = new Set<DeliveryId>()
  /** Never rejects: the other deliveries are still read and told. */
  const joinSame = async (id: DeliveryId) => {
    try {
      await join(id)
    } catch (cause) {
      if (!failing.has(id)) log.error('the delivery of another station could not be joined', { id, cause })
      failing.add(id)
    }
  }

  // One that was begun before there was a hub.
  const begun = rows.open()
  if (begun) lists.share(begun.seq)

  const stops = [
    events.on('sharing.due', 'receiving/delivery/shared-deliveries.ts', lists.refresh),
    events.on('delivery.stepped', 'receiving/delivery/shared-deliveries.ts', lists.push),
    events.on('import.asked', 'receiving/delivery/shared-deliveries.ts', lists.push),
    hub.onSituation(() => {
      if (hub.view().situation === 'online' || open.length === 0) return
      open = []
      events.emit('receiving.storeDeliveries', inStore())
    }),
  ]
  return {
    /** Deliveries under way at other stations. */
    listed: inStore,
    /** Receives along. Errors: hub/unreachable, receiving/no-delivery, store/not-saved. */
    join,
    /** How many packages and cases, or dropped ones, the hub doesn't have. */
    pending: lists.pending,
    /** The other stations that may have something of a delivery that is not here, by name. */
    async behind(id: DeliveryId): Promise<string[]> {
      const seq = lists.seqOf(id)
      if (seq === undefined) return []
      const behind = await withTimeout(hub.deliveries.behind(id), behindPatience, () => undefined)
      return behind?.map(({ name }) => name) ?? rows.stations(seq)
    },
    async stop(): Promise<void> {
      for (const stop of stops) stop()
      await lists.stop()
    },
  }
}
