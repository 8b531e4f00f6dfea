import type { Database } from 'better-sqlite3'
import type { AppError } from '../../../src-shared/errors'
import { type CaseId, type CountId, TagId } from '../../../src-shared/ids'
import type { CountView, StoreCount } from '../../../src-shared/ipc/contract/count'
import { type Result, err, ok } from '../../../src-shared/result'
import { withTimeout } from '../../core/async'
import { iso } from '../../core/clock'
import type { CountInStore, CountSettled, Hub } from '../../hub/port'
import type { CountBody } from '../../hub/rows'
import { SharedLists } from '../../hub/shared-lists'
import type { MainEvents } from '../../core/events'
import type { Log } from '../../core/log'
import type { CaseCounts, SharedCount } from './count'

interface SharedCountsParts {
  db: Database
  events: Pick<MainEvents, 'emit' | 'on'>
  hub: Pick<Hub, 'counts' | 'stationId' | 'view' | 'onNews' | 'onSituation'>
  counts: CaseCounts
  log: Log
}

/** Among so many counts is looked for one of a case that is listed. */
const newest = 50
/**
 * What has to be told is noted in the commit that changes it. Triggers of this connection: without a hub no count is shared.
 * A scan of another station has its name: it is not told back. A count is of the delivery under way that lists one of its cases,
 * whichever station began it: it may be joined before the delivery is, or before the case is listed.
 */
const due = 'ON CONFLICT (count, tag_id) DO UPDATE SET change = change + 1, is_others = excluded.is_others;'
const triggers = `
  CREATE TEMP TRIGGER hub_count_begun AFTER INSERT ON tag_count BEGIN
    INSERT INTO hub_count (count) VALUES (NEW.seq);
  END;
  CREATE TEMP TRIGGER hub_count_ended AFTER UPDATE OF finished_at ON tag_count
  WHEN (NEW.finished_at IS NULL) <> (OLD.finished_at IS NULL) BEGIN
    UPDATE hub_count SET change = change + 1 WHERE count = NEW.seq;
  END;
  CREATE TEMP TRIGGER hub_count_scanned AFTER INSERT ON tag_count_scanned
  WHEN NEW.station IS NULL AND EXISTS (SELECT 1 FROM hub_count WHERE count = NEW.count) BEGIN
    INSERT INTO hub_count_due (count, tag_id, change) VALUES (NEW.count, NEW.tag_id, 1) ${due}
  END;
  CREATE TEMP TRIGGER hub_count_unscanned AFTER DELETE ON tag_count_scanned
  WHEN EXISTS (SELECT 1 FROM hub_count WHERE count = OLD.count) BEGIN
    INSERT INTO hub_count_due VALUES (OLD.count, OLD.tag_id, 1, OLD.station IS NOT NULL) ${due}
  END;
  CREATE TEMP TRIGGER hub_count_of_delivery AFTER INSERT ON tag_count_case BEGIN
    UPDATE tag_count SET delivery = (
      SELECT delivery FROM delivery_case JOIN delivery ON delivery.seq = delivery
      WHERE delivery.finished_at IS NULL AND delivery_case.case_id = NEW.case_id AND dropped = 0)
    WHERE seq = NEW.count AND delivery IS NULL;
  END;
  CREATE TEMP TRIGGER hub_count_case_listed AFTER INSERT ON delivery_case WHEN NEW.dropped = 0 BEGIN
    UPDATE tag_count SET delivery = NEW.delivery
    WHERE delivery IS NULL AND seq > (SELECT max(seq) FROM tag_count) - ${newest}
      AND EXISTS (SELECT 1 FROM tag_count_case AS counted WHERE counted.count = tag_count.seq AND counted.case_id = NEW.case_id)
      AND EXISTS (SELECT 1 FROM delivery WHERE seq = NEW.delivery AND delivery.finished_at IS NULL
        AND (tag_count.finished_at IS NULL OR tag_count.started_at >= delivery.started_at));
  END;`

/** How long the start of a count waits for the hub, in ms. */
const startPatience = 1_000

export type SharedCounts = ReturnType<typeof createSharedCounts>

/** Counts that several stations of a store make together. The scans of all are merged into each station's own count. */
export function createSharedCounts({ db, events, hub, counts, log }: SharedCountsParts) {
  db.exec(triggers)
  let open: CountInStore[] = []
  const listed = (): StoreCount[] => {
    const here = counts.openCount()?.id
    return open
      .filter(({ id }) => id !== here)
      .map(({ id, stationName, startedAt, name, caseIds, total, scanned }) => ({
        ...{ id, station: stationName, startedAt: iso(startedAt), name, caseCount: caseIds.length, total, scanned },
      }))
  }
  const lists = new SharedLists<CountId, TagId>({
    db,
    tables: {
      ...{ list: 'tag_count', followed: 'hub_count', due: 'hub_count_due', of: 'count', key: 'tag_id' },
      isOpen: 'finished_at IS NULL',
    },
    readKey: (text) => TagId.safeParse(text).data,
    hub,
    topic: 'counts',
    lists: hub.counts,
    own: {
      head: (seq) => counts.headOf(seq),
      async put(seq, epoch) {
        const shared = counts.bodyOf(seq)
        return shared ? pushBeginning(seq, epoch, shared) : true
      },
      entry: (seq, tagId) => {
        const scan = counts.scanOf(seq, tagId)
        return scan && { ...scan, value: null }
      },
      entered: (seq) => counts.scannedHere(seq),
      merge: (seq, { entries, isFinished }, isOwn) => {
        const scans = entries.map(({ key: tagId, at, isGone, station }) => ({ tagId, at, isGone, station }))
        return counts.merge(seq, { scans, isFinished }, isOwn)
      },
      reread: () => {
        counts.reread()
      },
      follow: () => {
        log.error('a count was merged into another one')
      },
    },
    async readOpen() {
      const found = await hub.counts.open()
      if (!found || lists.isStopped()) return
      open = found
      events.emit('receiving.storeCounts', listed())
    },
    log,
  })

  /** Another station has begun to count the same case: its count is this one's too, with what was scanned here. */
  const countAlong = (seq: number, id: CountId, body: CountBody) => {
    let announceChange: () => void = () => undefined
    lists.become(seq, () => {
      announceChange = counts.become(seq, id, body)
    })
    log.info('two stations had begun to count one case: it is one count')
    announceChange()
  }
  /** Tells that a count began, for the store. Returns false without an answer. */
  const pushBeginning = async (seq: number, epoch: number, { id, isFinished, body }: SharedCount): Promise<boolean> => {
    const put = (openCase: CaseId | null) => hub.counts.put(epoch, id, body, { isFinished, openCase })
    const there = await put(body.caseId)
    if (there === undefined || there === id || lists.isStopped()) return there === id
    const other = await hub.counts.body(there)
    if (other === undefined || lists.isStopped()) return false
    // It was finished meanwhile, or this station has counted along before and began anew: both stay.
    if (other === 'unknown' || counts.isKnown(there)) return (await put(null)) === id
    countAlong(seq, there, other)
    return true
  }
  const settledHere = ({ by }: CountSettled): Result<null, AppError> =>
    by === null ? ok(null) : err({ code: 'receiving/settled-elsewhere', ...by })

  const joinCount = async (id: CountId): Promise<Result<Pick<CountView, 'id'>, AppError>> => {
    const body = await hub.counts.body(id)
    if (body === undefined) return err({ code: 'hub/unreachable' })
    if (body === 'unknown') return err({ code: 'receiving/no-count' })
    return lists.join(id, () => counts.joinCount(id, body))
  }

  // Without the hub they can't be joined, and may be finished.
  const stops = [
    events.on('sharing.due', 'counting/cases/shared-counts.ts', lists.refresh),
    events.on('delivery.finished', 'counting/cases/shared-counts.ts', lists.push),
    events.on('count.stepped', 'counting/cases/shared-counts.ts', lists.push),
    hub.onSituation(() => {
      if (hub.view().situation === 'online' || open.length === 0) return
      open = []
      events.emit('receiving.storeCounts', listed())
    }),
  ]
  return {
    /** Counts under way at other stations. */
    listed,
    joinCount,
    /** Starts a count, or counts along if another station has begun one with this case. Errors: as `startCount`. */
    async start(caseId: CaseId | null): Promise<Result<Pick<CountView, 'id'>, AppError>> {
      const isAsked = caseId !== null && !counts.openCount()
      const found = isAsked ? await withTimeout(hub.counts.open(), startPatience, () => undefined) : undefined
      const same = found?.find(({ caseIds }) => caseId !== null && caseIds.includes(caseId))
      if (same) return joinCount(same.id)
      const started = counts.startCount(caseId)
      lists.push()
      return started
    },
    /**
     * Makes this station the one that settles the differences of a count, if no other does. Errors:
     * receiving/settled-elsewhere; hub/unreachable, if other stations counted.
     */
    async settle(countId: CountId): Promise<Result<null, AppError>> {
      const id = counts.idNow(countId)
      if (lists.seqOf(id) === undefined) return ok(null)
      const settled = await hub.counts.settle(id)
      if (!settled) return counts.stationsOf(id).length === 0 ? ok(null) : err({ code: 'hub/unreachable' })
      return settledHere(settled)
    },
    /**
     * Settles the differences in place of a station that is off, which gets the reason. Errors: receiving/settled-elsewhere,
     * hub/unreachable.
     */
    async takeOverSettling(countId: CountId, because: string): Promise<Result<null, AppError>> {
      const id = counts.idNow(countId)
      const seq = lists.seqOf(id)
      const [about] = seq !== undefined ? (counts.bodyOf(seq)?.body.cases.flatMap(({ tagIds }) => tagIds) ?? []) : []
      if (about === undefined) return err({ code: 'receiving/no-count' })
      const settled = await hub.counts.takeOverSettling(id, about, because)
      return settled ? settledHere(settled) : err({ code: 'hub/unreachable' })
    },
    /** How many scans, or undone ones, the hub doesn't have. */
    pending: lists.pending,
    /** The other stations that may have scans of a count that are not here, by name. */
    async behind(id: CountId): Promise<string[]> {
      if (lists.seqOf(id) === undefined) return []
      const behind = await hub.counts.behind(id)
      if (behind) return behind.map(({ name }) => name)
      return counts.stationsOf(id).flatMap(({ station }) => station ?? [])
    },
    async stop(): Promise<void> {
      for (const stop of stops) stop()
      await lists.stop()
    },
  }
}
