import type { ResultOr } from '../../../src-shared/errors'
import { type CountId, TagId } from '../../../src-shared/ids'
import type { ShelfCount, ShelfScope, StoreShelfCount } from '../../../src-shared/ipc/contract/stock'
import { err } from '../../../src-shared/result'
import { withTimeout } from '../../core/async'
import { iso } from '../../core/clock'
import type { Hub, ShelfInStore } from '../../hub/port'
import { ShelfEnd } from '../../hub/rows'
import type { MergedNews } from '../../hub/lists/list-parts'
import type { ListTables } from '../../hub/lists/list-rows'
import { SharedLists } from '../../hub/shared-lists'
import { type Watch, isSharedList, noteOf } from '../../sharing/watch'
import type { RoomContext } from '../../core/context'
import { parseStored } from '../../database/settings'
import { endedSomewhere } from './count-merging'
import { type ShelfCountRow, isUnderWay } from './count-rows'
import type { ObjectionElsewhere, ShelfCounts } from './counts'
import { OpenElsewhere, stationsBehind } from '../session/open-elsewhere'
import { type KeptScope, viewOfScope } from './scope'

interface SharedShelvesContext extends RoomContext {
  hub: Pick<Hub, 'shelf' | 'epoch' | 'stationId' | 'view' | 'onNews' | 'onSituation'>
  counts: ShelfCounts
}

/** A pause is each station's own, and what is deleted of a count that was given up is not pushed. */
const scans: Watch[] = [
  {
    table: 'stock_count_scan',
    on: 'INSERT',
    when: `NEW.station IS NULL AND ${isSharedList('shelf', 'NEW.count')}`,
    do: noteOf('shelf', { list: 'NEW.count', key: 'NEW.tag_id' }),
  },
  {
    table: 'stock_count_scan',
    on: 'DELETE',
    when: `${isSharedList('shelf', 'OLD.count')} AND (SELECT state FROM stock_count WHERE seq = OLD.count) <> 'dropped'`,
    do: noteOf('shelf', { list: 'OLD.count', key: 'OLD.tag_id', isOthers: 'OLD.station IS NOT NULL' }),
  },
]

const isOpen = (row: string) => `${row}.state IN ('counting', 'paused')`
const tables: ListTables = {
  topic: 'shelf',
  lists: 'stock_count',
  isFollowed: `state IN ('counting', 'paused', 'finished')`,
  ended: {
    on: 'UPDATE OF state, results',
    when: `(${isOpen('NEW')}) <> (${isOpen('OLD')})
      OR (NOT ${isOpen('NEW')} AND (NEW.state <> OLD.state OR NEW.results IS NOT OLD.results))`,
  },
  entries: scans,
}

/** Stations that are named with an end. */
const mostStations = 60
/** How long the start of a count waits for the hub, in ms. */
const startPatience = 1_000

/** How a finished count is told: as another station told it, if that finished it. `by`: this station. */
export function endedAs(
  row: ShelfCountRow,
  { scanned, stations }: Pick<ShelfCount, 'scanned' | 'stations'>,
  by: Pick<ShelfEnd, 'stationId' | 'station'>,
): ShelfEnd | null {
  const { ended, state, finishedAt: at, signedAt, signature, results } = row
  if (state === 'counting' || state === 'paused') return null
  if (ended?.state === state) return ended
  const own: ShelfEnd = { state, ...by, at, signedAt, signature, results }
  if (state !== 'signed') return own
  // Who scanned how much is final once it is signed.
  const all = stations.length > 0 ? stations : [{ station: null, scanned }]
  const named = all.slice(0, mostStations).map((one) => ({ ...one, station: one.station ?? by.station }))
  return { ...own, scanned, stations: named }
}

/** Counts of the shelf that several stations of a store make together. The scans of all are in each station's own count. */
export class SharedShelves {
  readonly #context: SharedShelvesContext
  readonly #lists: SharedLists<CountId, TagId>
  readonly #open: OpenElsewhere<ShelfInStore>
  readonly #stopListening: () => void

  constructor(context: SharedShelvesContext) {
    const { events, hub } = context
    this.#context = context
    this.#open = new OpenElsewhere({
      hub,
      read: () => hub.shelf.open(),
      isStopped: () => this.#lists.isStopped(),
      announce: () => {
        this.#announce()
      },
    })
    this.#lists = this.#shareLists()
    this.#shareEarlier()
    this.#stopListening = events.on('sharing.due', 'counting/shelf/shared-shelves.ts', () => {
      this.#lists.refresh()
    })
  }

  /** Counts under way at other stations. */
  listed(): StoreShelfCount[] {
    return this.#open.counts
      .filter((one) => !this.#isKnown(one))
      .map(({ id, stationName: station, scope, isRecount, startedAt, scanned }) => ({
        ...{ id, station, scope: viewOfScope(scope), isRecount, startedAt: iso(startedAt), scanned },
        overlaps: this.#context.counts.rivals.overlaps(scope),
      }))
  }

  /** Starts a count, unless another station counts some of the same items. */
  async start(scope: ShelfScope): Promise<Awaited<ReturnType<ShelfCounts['start']>>> {
    return this.pushed(await this.#context.counts.start(scope, await this.#rivals()))
  }

  /** Counts the differences again, unless another station counts some of them. */
  async recount(id: CountId): Promise<ReturnType<ShelfCounts['recount']>> {
    return this.pushed(this.#context.counts.recount(id, await this.#rivals(id)))
  }

  /** Counts along. */
  async join(
    id: CountId,
  ): Promise<ResultOr<Awaited<ReturnType<ShelfCounts['join']>>, 'hub/unreachable' | 'stock/no-count'>> {
    const { hub, counts } = this.#context
    const found = await hub.shelf.join(id)
    if (found === undefined) return err({ code: 'hub/unreachable' })
    if (found === 'unknown') return err({ code: 'stock/no-count' })
    const joined = await this.#lists.join(id, () => counts.join(id, found.body, found.isRecount))
    if (joined.ok) this.#announce()
    return joined
  }

  /** How many scans, or undone ones, the hub doesn't have. */
  pending(): number {
    return this.#lists.pending()
  }

  /** The other stations that may have scans of a count that are not here, by name. */
  async behind(id: CountId): Promise<string[]> {
    const { hub, counts } = this.#context
    if (this.#lists.seqOf(id) === undefined) return []
    return stationsBehind(hub.shelf.behind(id), () => counts.stationsOf(id))
  }

  /** Call after each scan. Never rejects. */
  push(): void {
    this.#lists.push()
  }

  /** Call after each other step of a count: what it overlaps changes, and one that ended is under way at no other station. */
  pushed<Answer>(answer: Answer): Answer {
    this.#open.leaveOut(({ id }) => this.#lists.isPending(id))
    this.#lists.push()
    if (this.#open.counts.length > 0) this.#announce()
    return answer
  }

  async stop(): Promise<void> {
    this.#open.stop()
    this.#stopListening()
    await this.#lists.stop()
  }

  #shareLists(): SharedLists<CountId, TagId> {
    const { db, hub, counts, log } = this.#context
    const { merging, book } = counts
    return new SharedLists<CountId, TagId>({
      db,
      tables,
      readKey: (text) => TagId.safeParse(text).data,
      hub,
      lists: hub.shelf,
      own: {
        head: (seq) => {
          const row = book.rows.bySeq(seq)
          return row && { id: row.id, isFinished: !isUnderWay(row), ended: this.#endOf(row), isRecount: row.isRecount }
        },
        put: (seq, epoch, isFinished) => this.#put(seq, epoch, isFinished),
        entry: (seq, tagId) => merging.entry(seq, tagId),
        entered: (seq) => book.scans.scannedHere(seq),
        merge: (seq, news, isOwn) => this.#merge(seq, news, isOwn),
        reread: () => {
          book.tallies.forget()
        },
        follow: () => {
          log.error('a count of the shelf was merged into another one')
        },
      },
      readOpen: () => this.#open.read(),
      log,
    })
  }

  /** Counts that were begun before there was a hub. */
  #shareEarlier(): void {
    for (const { seq } of this.#context.counts.book.rows.open()) this.#lists.share(seq)
  }

  #announce(): void {
    this.#context.events.emit('stock.storeCounts', this.listed())
  }

  /** Whether another station's count is under way here, or was until just now. */
  #isKnown({ id }: Pick<ShelfInStore, 'id'>): boolean {
    return this.#context.counts.merging.isHere(id) || this.#lists.isPending(id)
  }

  #endOf(row: ShelfCountRow): string | null {
    // Asked about often: it has no end, and its scans needn't be added up.
    if (isUnderWay(row)) return null
    const { hub, counts } = this.#context
    const found = counts.count(row.id)
    const sums = found.ok ? found.value : { scanned: 0, stations: [] }
    const end = endedAs(row, sums, { stationId: hub.stationId ?? '', station: hub.view().station ?? '' })
    return end && JSON.stringify(end)
  }

  async #put(seq: number, epoch: number, isFinished: boolean): Promise<boolean> {
    const { hub, counts } = this.#context
    const row = counts.book.rows.bySeq(seq)
    if (!row) return true
    if (!(await hub.shelf.put(row.id, counts.merging.bodyOf(row), row.isRecount))) return false
    return !isFinished || (await hub.shelf.finish(epoch, row.id, true, this.#endOf(row))) === true
  }

  #merge(seq: number, { entries, isFinished, ended }: MergedNews<TagId>, isOwn: (tagId: TagId) => boolean) {
    const { hub, counts } = this.#context
    const end = ended === null ? undefined : (parseStored(ShelfEnd, ended) ?? endedSomewhere)
    const isElsewhere = end !== undefined && end.stationId !== hub.stationId
    return counts.merging.merge(seq, { entries, isFinished, end: isElsewhere ? end : null }, isOwn)
  }

  /** Objects to a scope of which another station counts some items, by what the hub says within a moment. `own`: the count itself. */
  async #rivals(own?: CountId): Promise<ObjectionElsewhere> {
    const { hub, counts } = this.#context
    const found = (await withTimeout(hub.shelf.open(), startPatience, () => undefined)) ?? []
    return (scope: KeptScope) => {
      const other = found.find(
        (one) => one.id !== own && !this.#isKnown(one) && counts.rivals.doOverlap(one.scope, scope),
      )
      if (!other) return undefined
      const { id: countId, stationName: station, startedAt } = other
      return err({ code: 'stock/counted-elsewhere', countId, station, startedAt: iso(startedAt) })
    }
  }
}
