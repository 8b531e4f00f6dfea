import type { ResultOf } from '../../../src-shared/errors'
import type { DeliveryId } from '../../../src-shared/ids'
import type { StoreDelivery } from '../../../src-shared/ipc/contract/delivery'
import { err } from '../../../src-shared/result'
import { withTimeout } from '../../core/async'
import { iso } from '../../core/clock'
import type { DeliveryInStore } from '../../hub/port'
import { DeliveryKey, Finisher, thingOf } from '../../hub/rows'
import type { ListTables } from '../../hub/lists/list-rows'
import { SharedLists } from '../../hub/shared-lists'
import { type Watch, isSharedList, noteOf } from '../../sharing/watch'
import type { NotSaved } from '../../database/saved'
import { parseStored } from '../../database/settings'
import type { ReceivingContext } from '../receiving-context'
import type { Merging } from './delivery-merging'

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

/** Deliveries that several stations of a store receive together. Each station keeps what all of them listed. */
export class SharedDeliveries {
  readonly #context: ReceivingContext
  readonly #merging: Merging
  readonly #lists: SharedLists<DeliveryId, DeliveryKey>
  readonly #stops: (() => void)[]
  #open: DeliveryInStore[] = []
  /** Those that could not be joined by themselves: logged once each, tried again each time. */
  readonly #failing = new Set<DeliveryId>()

  constructor(context: ReceivingContext, merging: Merging) {
    const { events, hub, deliveries } = context
    this.#context = context
    this.#merging = merging
    this.#lists = this.#shareLists()
    // One that was begun before there was a hub.
    const begun = deliveries.open()
    if (begun) this.#lists.share(begun.seq)
    this.#stops = [
      events.on('sharing.due', 'receiving/delivery/shared-deliveries.ts', this.#lists.refresh),
      events.on('delivery.stepped', 'receiving/delivery/shared-deliveries.ts', this.#lists.push),
      events.on('import.asked', 'receiving/delivery/shared-deliveries.ts', this.#lists.push),
      hub.onSituation(() => {
        if (hub.view().situation === 'online' || this.#open.length === 0) return
        this.#open = []
        this.#announce()
      }),
    ]
  }

  /** Deliveries under way at other stations. */
  listed(): StoreDelivery[] {
    const here = this.#context.deliveries.open()?.id
    return this.#open
      .filter(({ id }) => id !== here)
      .map(({ id, stationName, startedAt, packages, cases, alsoHere }) => ({
        ...{ id, station: stationName, startedAt: iso(startedAt), packageCount: packages, caseCount: cases },
        alsoHere: here === undefined || alsoHere === null ? null : this.#labelOf(alsoHere),
      }))
  }

  /** Receives along. */
  async join(id: DeliveryId): Promise<ResultOf<null, NotSaved | 'hub/unreachable' | 'receiving/no-delivery'>> {
    const own = this.#context.deliveries.open()?.id
    const head = await this.#context.hub.deliveries.head(id)
    if (head === undefined) return err({ code: 'hub/unreachable' })
    if (head === 'unknown') return err({ code: 'receiving/no-delivery' })
    if (own !== undefined && own !== id) {
      const merged = await this.#context.hub.deliveries.merge(own, id)
      if (merged === false) return err({ code: 'hub/unreachable' })
      if (merged === 'unknown') return err({ code: 'receiving/no-delivery' })
    }
    return this.#lists.join(id, () => this.#merging.join(id, head))
  }

  /** How many packages and cases, or dropped ones, the hub doesn't have. */
  pending(): number {
    return this.#lists.pending()
  }

  /** The other stations that may have something of a delivery that is not here, by name. */
  async behind(id: DeliveryId): Promise<string[]> {
    const seq = this.#lists.seqOf(id)
    if (seq === undefined) return []
    const behind = await withTimeout(this.#context.hub.deliveries.behind(id), behindPatience, () => undefined)
    return behind?.map(({ name }) => name) ?? this.#context.deliveries.stations(seq)
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops) stop()
    await this.#lists.stop()
  }

  #shareLists(): SharedLists<DeliveryId, DeliveryKey> {
    const merging = this.#merging
    const { db, hub, log } = this.#context
    return new SharedLists<DeliveryId, DeliveryKey>({
      db,
      tables,
      readKey: (text) => DeliveryKey.safeParse(text).data,
      hub,
      lists: hub.deliveries,
      own: {
        head: (seq) => this.#headOf(seq),
        put: (seq, epoch, isFinished) => this.#put(seq, epoch, isFinished),
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
      readOpen: () => this.#readOpen(),
      log,
    })
  }

  async #put(seq: number, epoch: number, isFinished: boolean): Promise<boolean> {
    const { hub } = this.#context
    const merging = this.#merging
    const [head, startedAt] = [this.#headOf(seq), merging.startedAt(seq)]
    if (!head || startedAt === undefined) return true
    if (!(await hub.deliveries.put(head.id, startedAt))) return false
    return !isFinished || (await hub.deliveries.finish(epoch, head.id, true, head.ended)) === true
  }

  async #readOpen(): Promise<void> {
    const { hub, deliveries } = this.#context
    const found = await hub.deliveries.open(deliveries.open()?.id ?? null)
    if (!found || this.#lists.isStopped()) return
    this.#open = found
    const same = this.#sameBegun()
    if (same) await this.#joinSame(same.id)
    this.#announce()
  }

  #announce(): void {
    this.#context.events.emit('receiving.storeDeliveries', this.listed())
  }

  #labelOf(key: DeliveryKey): string | null {
    const thing = thingOf(key)
    if (!thing) return null
    return 'packageUid' in thing
      ? thing.packageUid
      : (this.#context.seen.case(thing.caseId)?.value.identifier ?? thing.caseId)
  }

  #headOf(seq: number) {
    const head = this.#merging.head(seq)
    if (!head) return undefined
    const { id, isFinished, finishedBy } = head
    return { id, isFinished, ended: finishedBy && JSON.stringify(finishedBy) }
  }

  /** The delivery that began in the same moment as the own one, with the same package, and goes first. */
  #sameBegun(): DeliveryInStore | undefined {
    const own = this.#context.deliveries.open()
    if (!own) return undefined
    return this.#open.find(({ id, startedAt, alsoHere }) => {
      const later = own.startedAt - startedAt
      const isFirst = later > 0 || (later === 0 && id < own.id)
      return alsoHere !== null && id !== own.id && isFirst && later < sameMoment
    })
  }

  /** Never rejects: the other deliveries are still read and told. */
  async #joinSame(id: DeliveryId) {
    try {
      await this.join(id)
    } catch (cause) {
      if (!this.#failing.has(id))
        this.#context.log.error('the delivery of another station could not be joined', { id, cause })
      this.#failing.add(id)
    }
  }
}
