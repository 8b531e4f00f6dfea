import type { ResultOf, ResultOr } from '../../../src-shared/errors'
import { type CaseId, type CountId, TagId } from '../../../src-shared/ids'
import type { StoreCount } from '../../../src-shared/ipc/contract/count'
import { err, ok } from '../../../src-shared/result'
import { withTimeout } from '../../core/async'
import { iso } from '../../core/clock'
import type { CountInStore, CountSettled, Hub } from '../../hub/port'
import type { CountBody } from '../../hub/rows'
import type { ListTables } from '../../hub/lists/list-rows'
import { SharedLists } from '../../hub/shared-lists'
import { type Watch, isSharedList, noteOf } from '../../sharing/watch'
import type { RoomContext } from '../../core/context'
import type { CaseCounts } from './count'
import type { SharedCount } from './count-merging'
import { OpenElsewhere, stationsBehind } from '../session/open-elsewhere'

interface SharedCountsContext extends RoomContext {
  hub: Pick<Hub, 'counts' | 'epoch' | 'stationId' | 'view' | 'onNews' | 'onSituation'>
  counts: CaseCounts
}

/** Among so many counts is looked for one of a case that is listed. */
const newest = 50

/** A scan of another station has its name: it is not pushed back. */
const scans: Watch[] = [
  {
    table: 'tag_count_scanned',
    on: 'INSERT',
    when: `NEW.station IS NULL AND ${isSharedList('counts', 'NEW.count')}`,
    do: noteOf('counts', { list: 'NEW.count', key: 'NEW.tag_id' }),
  },
  {
    table: 'tag_count_scanned',
    on: 'DELETE',
    when: isSharedList('counts', 'OLD.count'),
    do: noteOf('counts', { list: 'OLD.count', key: 'OLD.tag_id', isOthers: 'OLD.station IS NOT NULL' }),
  },
]

/**
 * A count is of the delivery under way that lists one of its cases, whichever station began it: it may be joined before the
 * delivery is, or before the case is listed.
 */
const deliveries: Watch[] = [
  {
    table: 'tag_count_case',
    on: 'INSERT',
    do: `UPDATE tag_count SET delivery = (
        SELECT delivery FROM delivery_case JOIN delivery ON delivery.seq = delivery
        WHERE delivery.finished_at IS NULL AND delivery_case.case_id = NEW.case_id AND dropped = 0)
      WHERE seq = NEW.count AND delivery IS NULL`,
  },
  {
    table: 'delivery_case',
    on: 'INSERT',
    when: 'NEW.dropped = 0',
    do: `UPDATE tag_count SET delivery = NEW.delivery
      WHERE delivery IS NULL AND seq > (SELECT max(seq) FROM tag_count) - ${newest}
        AND EXISTS (SELECT 1 FROM tag_count_case AS counted WHERE counted.count = tag_count.seq AND counted.case_id = NEW.case_id)
        AND EXISTS (SELECT 1 FROM delivery WHERE seq = NEW.delivery AND delivery.finished_at IS NULL
          AND (tag_count.finished_at IS NULL OR tag_count.started_at >= delivery.started_at))`,
  },
]

const tables: ListTables = {
  topic: 'counts',
  lists: 'tag_count',
  isFollowed: 'finished_at IS NULL',
  ended: { on: 'UPDATE OF finished_at', when: '(NEW.finished_at IS NULL) <> (OLD.finished_at IS NULL)' },
  entries: [...scans, ...deliveries],
}

type Joined = ResultOr<ReturnType<CaseCounts['joinCount']>, 'hub/unreachable' | 'receiving/no-count'>

/** How long the start of a count waits for the hub, in ms. */
const startPatience = 1_000

const settledHere = ({ by }: CountSettled): ResultOf<null, 'receiving/settled-elsewhere'> =>
  by === null ? ok(null) : err({ code: 'receiving/settled-elsewhere', ...by })

/** Counts that several stations of a store make together. The scans of all are merged into each station's own count. */
export class SharedCounts {
  readonly #context: SharedCountsContext
  readonly #lists: SharedLists<CountId, TagId>
  readonly #open: OpenElsewhere<CountInStore>
  readonly #stops: (() => void)[]

  constructor(context: SharedCountsContext) {
    const { events, hub } = context
    this.#context = context
    this.#open = new OpenElsewhere({
      hub,
      read: () => hub.counts.open(),
      isStopped: () => this.#lists.isStopped(),
      announce: () => {
        events.emit('receiving.storeCounts', this.listed())
      },
    })
    this.#lists = this.#shareLists()
    const push = () => {
      this.#lists.push()
    }
    this.#stops = [
      events.on('sharing.due', 'counting/cases/shared-counts.ts', () => {
        this.#lists.refresh()
      }),
      events.on('delivery.finished', 'counting/cases/shared-counts.ts', push),
      events.on('count.stepped', 'counting/cases/shared-counts.ts', push),
    ]
  }

  /** Counts under way at other stations. */
  listed(): StoreCount[] {
    const here = this.#context.counts.openCount()?.id
    return this.#open.counts
      .filter(({ id }) => id !== here)
      .map(({ id, stationName, startedAt, name, caseIds, total, scanned }) => ({
        ...{ id, station: stationName, startedAt: iso(startedAt), name, caseCount: caseIds.length, total, scanned },
      }))
  }

  /** Starts a count, or counts along if another station has begun one with this case. */
  async start(caseId: CaseId | null): Promise<ReturnType<CaseCounts['startCount']> | Joined> {
    const { counts, hub } = this.#context
    const isAsked = caseId !== null && !counts.openCount()
    const found = isAsked ? await withTimeout(hub.counts.open(), startPatience, () => undefined) : undefined
    const same = found?.find(({ caseIds }) => caseId !== null && caseIds.includes(caseId))
    if (same) return this.joinCount(same.id)
    const started = counts.startCount(caseId)
    this.#lists.push()
    return started
  }

  async joinCount(id: CountId): Promise<Joined> {
    const { counts, hub } = this.#context
    const body = await hub.counts.body(id)
    if (body === undefined) return err({ code: 'hub/unreachable' })
    if (body === 'unknown') return err({ code: 'receiving/no-count' })
    return this.#lists.join(id, () => counts.joinCount(id, body))
  }

  /** Makes this station the one that settles the differences of a count, if no other does; needs the hub if other stations counted. */
  async settle(countId: CountId): Promise<ResultOf<null, 'receiving/settled-elsewhere' | 'hub/unreachable'>> {
    const { hub, counts } = this.#context
    const id = counts.book.idNow(countId)
    if (this.#lists.seqOf(id) === undefined) return ok(null)
    const settled = await hub.counts.settle(id)
    if (settled) return settledHere(settled)
    return counts.book.stationsOf(id).length === 0 ? ok(null) : err({ code: 'hub/unreachable' })
  }

  /** Settles the differences in place of a station that is off, which gets the reason. */
  async takeOverSettling(
    countId: CountId,
    because: string,
  ): Promise<ResultOf<null, 'receiving/no-count' | 'receiving/settled-elsewhere' | 'hub/unreachable'>> {
    const { hub, counts } = this.#context
    const id = counts.book.idNow(countId)
    const seq = this.#lists.seqOf(id)
    const shared = seq === undefined ? undefined : counts.merging.bodyOf(seq)
    const about = shared?.body.cases.flatMap(({ tagIds }) => tagIds)[0]
    if (about === undefined) return err({ code: 'receiving/no-count' })
    const settled = await hub.counts.takeOverSettling(id, about, because)
    return settled ? settledHere(settled) : err({ code: 'hub/unreachable' })
  }

  /** How many scans, or undone ones, the hub doesn't have. */
  pending(): number {
    return this.#lists.pending()
  }

  /** The other stations that may have scans of a count that are not here, by name. */
  async behind(id: CountId): Promise<string[]> {
    const { hub, counts } = this.#context
    if (this.#lists.seqOf(id) === undefined) return []
    return stationsBehind(hub.counts.behind(id), () => counts.book.stationsOf(id))
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops) stop()
    this.#open.stop()
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
      lists: hub.counts,
      own: {
        head: (seq) => {
          const row = book.rows.bySeq(seq)
          return row && { id: row.id, isFinished: row.finishedAt !== null }
        },
        put: async (seq, epoch) => {
          const shared = merging.bodyOf(seq)
          return shared ? this.#pushBeginning(seq, epoch, shared) : true
        },
        entry: (seq, tagId) => {
          const scan = book.scans.one(seq, tagId)
          return scan && { ...scan, value: null }
        },
        entered: (seq) => book.scans.scannedHere(seq),
        merge: (seq, news, isOwn) => merging.merge(seq, news, isOwn),
        reread: () => {
          book.reread()
        },
        follow: () => {
          log.error('a count was merged into another one')
        },
      },
      readOpen: () => this.#open.read(),
      log,
    })
  }

  /** Tells that a count began, for the store. Returns false without an answer. */
  async #pushBeginning(seq: number, epoch: number, { id, isFinished, body }: SharedCount): Promise<boolean> {
    const { hub, counts } = this.#context
    const put = (openCase: CaseId | null) => hub.counts.put(epoch, id, body, { isFinished, openCase })
    const there = await put(body.caseId)
    if (there === undefined || there === id || this.#lists.isStopped()) return there === id
    const other = await hub.counts.body(there)
    if (other === undefined || this.#lists.isStopped()) return false
    // It was finished meanwhile, or this station has counted along before and began anew: both stay.
    if (other === 'unknown' || counts.book.rows.byId(there)) return (await put(null)) === id
    this.#countAlong(seq, there, other)
    return true
  }

  /** Another station has begun to count the same case: its count is this one's too, with what was scanned here. */
  #countAlong(seq: number, id: CountId, body: CountBody): void {
    let announceChange: () => void = () => undefined
    this.#lists.become(seq, () => {
      announceChange = this.#context.counts.merging.become(seq, id, body)
    })
    this.#context.log.info('two stations had begun to count one case: it is one count')
    announceChange()
  }
}
