import type { Database } from 'better-sqlite3'
import type { AppError } from '../../../src-shared/errors'
import { type CountId, TagId } from '../../../src-shared/ids'
import type { ShelfCount, ShelfScope, StoreShelfCount } from '../../../src-shared/ipc/contract/stock'
import { type Result, err } from '../../../src-shared/result'
import { withTimeout } from '../../core/async'
import { iso } from '../../core/clock'
import type { Hub, ShelfInStore } from '../../hub/port'
import { ShelfEnd } from '../../hub/rows'
import { SharedLists } from '../../hub/shared-lists'
import type { MainEvents } from '../../core/events'
import type { Log } from '../../core/log'
import { parseStored } from '../../database/settings'
import { endedSomewhere, isUnderWay } from './count-merging'
import type { CountRow } from './count-rows'
import type { ShelfCounts } from './counts'
import { type KeptScope, viewOfScope } from './scope'

interface SharedShelvesParts {
  db: Database
  events: Pick<MainEvents, 'emit' | 'on'>
  hub: Pick<Hub, 'shelf' | 'stationId' | 'view' | 'onNews' | 'onSituation'>
  counts: ShelfCounts
  log: Log
}

const due = 'ON CONFLICT (count, tag_id) DO UPDATE SET change = change + 1, is_others = excluded.is_others;'
const isOpen = (row: string) => `${row}.state IN ('counting', 'paused')`
const isShared = (row: string) => `EXISTS (SELECT 1 FROM hub_stock WHERE count = ${row}.count)`
/** As for counts of cases. A pause is each station's own, and what is deleted of a count that was given up is not told. */
const triggers = `
  CREATE TEMP TRIGGER hub_stock_begun AFTER INSERT ON stock_count BEGIN
    INSERT INTO hub_stock (count) VALUES (NEW.seq);
  END;
  CREATE TEMP TRIGGER hub_stock_ended AFTER UPDATE OF state, results ON stock_count
  WHEN (${isOpen('NEW')}) <> (${isOpen('OLD')})
    OR (NOT ${isOpen('NEW')} AND (NEW.state <> OLD.state OR NEW.results IS NOT OLD.results)) BEGIN
    UPDATE hub_stock SET change = change + 1 WHERE count = NEW.seq;
  END;
  CREATE TEMP TRIGGER hub_stock_scanned AFTER INSERT ON stock_count_scan WHEN NEW.station IS NULL AND ${isShared('NEW')} BEGIN
    INSERT INTO hub_stock_due (count, tag_id, change) VALUES (NEW.count, NEW.tag_id, 1) ${due}
  END;
  CREATE TEMP TRIGGER hub_stock_unscanned AFTER DELETE ON stock_count_scan
  WHEN ${isShared('OLD')} AND (SELECT state FROM stock_count WHERE seq = OLD.count) <> 'dropped' BEGIN
    INSERT INTO hub_stock_due VALUES (OLD.count, OLD.tag_id, 1, OLD.station IS NOT NULL) ${due}
  END;`

/** Stations that are named with an end. */
const mostStations = 60
/** How long the start of a count waits for the hub, in ms. */
const startPatience = 1_000

export type SharedShelves = ReturnType<typeof createSharedShelves>

/** Counts of the shelf that several stations of a store make together. The scans of all are in each station's own count. */
export function createSharedShelves({ db, events, hub, counts, log }: SharedShelvesParts) {
  db.exec(triggers)
  const { together } = counts
  let open: ShelfInStore[] = []
  const listed = (): StoreShelfCount[] =>
    open
      .filter(({ id }) => !together.isHere(id) && !lists.isPending(id))
      .map(({ id, stationName, scope, isRecount, startedAt, scanned }) => ({
        ...{ id, station: stationName, scope: viewOfScope(scope), isRecount, startedAt: iso(startedAt), scanned },
        overlaps: counts.overlaps(scope),
      }))
  /** How a finished count is told: as another station told it, if that finished it. */
  const endedAs = ({ id, ended, state, finishedAt, signedAt, signature, results }: CountRow): string | null => {
    if (state === 'counting' || state === 'paused') return null
    const station = hub.view().station ?? ''
    const found = counts.count(id)
    const { scanned, stations } = found.ok ? found.value : { scanned: 0, stations: [] }
    const by = stations.length > 0 ? stations : [{ station: null, scanned }]
    const own: ShelfEnd = {
      ...{ state, stationId: hub.stationId ?? '', station },
      ...{ at: finishedAt, signedAt, signature, results },
      // Who scanned how much is final once it is signed.
      ...(state === 'signed' && {
        scanned,
        stations: by.slice(0, mostStations).map((one) => ({ ...one, station: one.station ?? station })),
      }),
    }
    return JSON.stringify(ended?.state === state ? ended : own)
  }
  const lists = new SharedLists<CountId, TagId>({
    db,
    tables: {
      ...{ list: 'stock_count', followed: 'hub_stock', due: 'hub_stock_due', of: 'count', key: 'tag_id' },
      // A finished one is signed days later, or opened again.
      isOpen: `state IN ('counting', 'paused', 'finished')`,
    },
    readKey: (text) => TagId.safeParse(text).data,
    hub,
    topic: 'shelf',
    lists: hub.shelf,
    own: {
      head(seq) {
        const row = together.rowOf(seq)
        return row && { id: row.id, isFinished: !isUnderWay(row), ended: endedAs(row), isRecount: row.isRecount }
      },
      async put(seq, epoch, isFinished) {
        const row = together.rowOf(seq)
        if (!row) return true
        if (!(await hub.shelf.put(row.id, together.bodyOf(row), row.isRecount))) return false
        return !isFinished || (await hub.shelf.finish(epoch, row.id, true, endedAs(row))) === true
      },
      entry: (seq, tagId) => together.entry(seq, tagId),
      entered: (seq) => together.entered(seq),
      merge(seq, { entries, isFinished, ended }, isOwn) {
        const end = ended === null ? undefined : (parseStored(ShelfEnd, ended) ?? endedSomewhere)
        const isElsewhere = end !== undefined && end.stationId !== hub.stationId
        return together.merge(seq, { entries, isFinished, end: isElsewhere ? end : null }, isOwn)
      },
      reread: () => {
        together.reread()
      },
      follow: () => {
        log.error('a count of the shelf was merged into another one')
      },
    },
    async readOpen() {
      const found = await hub.shelf.open()
      if (!found || lists.isStopped()) return
      open = found
      events.emit('stock.storeCounts', listed())
    },
    log,
  })

  // Those that were begun before there was a hub.
  const isNew = db.prepare('INSERT INTO hub_stock (count) VALUES (?) ON CONFLICT DO NOTHING')
  for (const seq of together.openSeqs()) if (isNew.run(seq).changes > 0) lists.noteAll(seq)

  /** A count of another station that has some items of a scope, by what the hub says within a moment. */
  const rivals = async () => {
    const found = (await withTimeout(hub.shelf.open(), startPatience, () => undefined)) ?? []
    return (scope: KeptScope, own?: CountId): Result<never, AppError> | undefined => {
      const other = found.find(
        (one) =>
          one.id !== own && !together.isHere(one.id) && !lists.isPending(one.id) && counts.doOverlap(one.scope, scope),
      )
      if (!other) return undefined
      const { id: countId, stationName: station, startedAt } = other
      return err({ code: 'stock/counted-elsewhere', countId, station, startedAt: iso(startedAt) })
    }
  }
  /** A count began or ended here: what it overlaps changes, and one that ended is under way at no other station. */
  const pushed = <Answer>(answer: Answer): Answer => {
    open = open.filter(({ id }) => !lists.isPending(id))
    lists.push()
    if (open.length > 0) events.emit('stock.storeCounts', listed())
    return answer
  }

  const stopComparing = events.on('sharing.due', 'counting/shelf/shared-shelves.ts', lists.refresh)
  const stop = hub.onSituation(() => {
    if (hub.view().situation === 'online' || open.length === 0) return
    open = []
    events.emit('stock.storeCounts', listed())
  })
  return {
    /** Counts under way at other stations. */
    listed,
    /** As `start` of counts. Errors also: stock/counted-elsewhere. */
    start: async (scope: ShelfScope): Promise<Result<Pick<ShelfCount, 'id'>, AppError>> =>
      pushed(await counts.start(scope, await rivals())),
    /** As `recount` of counts. Errors also: stock/counted-elsewhere. */
    async recount(id: CountId): Promise<Result<null, AppError>> {
      const isRival = await rivals()
      return pushed(counts.recount(id, (scope) => isRival(scope, id)))
    },
    /** Counts along. Errors: hub/unreachable, stock/no-count; those of `join` of counts. */
    async join(id: CountId): Promise<Result<null, AppError>> {
      const found = await hub.shelf.join(id)
      if (found === undefined) return err({ code: 'hub/unreachable' })
      if (found === 'unknown') return err({ code: 'stock/no-count' })
      const joined = await lists.join(id, () => counts.join(id, found.body, found.isRecount))
      if (joined.ok) events.emit('stock.storeCounts', listed())
      return joined
    },
    /** How many scans, or undone ones, the hub doesn't have. */
    pending: lists.pending,
    /** The other stations that may have scans of a count that are not here, by name. */
    async behind(id: CountId): Promise<string[]> {
      if (lists.seqOf(id) === undefined) return []
      const behind = await hub.shelf.behind(id)
      if (behind) return behind.map(({ name }) => name)
      return counts.stationsOf(id).flatMap(({ station }) => station ?? [])
    },
    /** Call after each scan. Never rejects. */
    push: lists.push,
    /** Call after each other step of a count. */
    told: pushed,
    async stop(): Promise<void> {
      stop()
      stopComparing()
      await lists.stop()
    },
  }
}
