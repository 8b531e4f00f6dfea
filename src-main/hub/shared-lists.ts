import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { AppError } from '../../src-shared/errors'
import type { Result } from '../../src-shared/result'
import { singleFlight } from '../core/async'
import type { Hub, HubLists, ListEntry, ListNews, ListStatus } from './port'
import type { Log } from '../core/log'

/** Where this station keeps lists of one kind, and what it has not told of them. Names of tables and columns. */
interface ListTables {
  /** Has `seq`, `id` and `finished_at`. */
  list: 'tag_count' | 'delivery' | 'stock_count'
  followed: 'hub_count' | 'hub_delivery' | 'hub_stock'
  due: 'hub_count_due' | 'hub_delivery_due' | 'hub_stock_due'
  /** The column of a list's `seq`, and the one of an entry's key. */
  of: 'count' | 'delivery'
  key: 'tag_id' | 'key'
  /** The condition on rows of `list` that are not over: these are followed however old they are. */
  isOpen: string
}

/** What was entered or undone elsewhere; `station` is null for this one. */
export type MergedEntry<Key> = Omit<ListEntry<Key>, 'isOthers'> & { station: string | null }

/** A list as this station has it. `ended`: what the others should know of its end. */
interface ListHead<Id> {
  id: Id
  isFinished: boolean
  ended?: string | null
  /** As in `HubLists.finish`. */
  isRecount?: boolean
}

/** What is taken over of a list; `ended` as the station told it that finished the list. */
export interface MergedNews<Key> {
  entries: MergedEntry<Key>[]
  isFinished: boolean
  ended: string | null
}

interface SharedListsParts<Id extends string, Key extends string> {
  db: Database
  tables: ListTables
  /** Undefined for what is none. */
  readKey: (text: string) => Key | undefined
  hub: Pick<Hub, 'stationId' | 'view' | 'onNews' | 'onSituation'>
  topic: 'counts' | 'deliveries' | 'shelf'
  lists: HubLists<Id, Key>
  /** The lists of this station. */
  own: {
    head: (seq: number) => ListHead<Id> | undefined
    /** Shares a list that the hub doesn't know, as it is. Returns false without an answer. */
    put: (seq: number, epoch: number, isFinished: boolean) => Promise<boolean>
    /** An entry as it is here; undefined if it is gone. `station`: the other one that made it. */
    entry: (seq: number, key: Key) => { at: number; value: string | null; station: string | null } | undefined
    /** The keys of this station's own entries. */
    entered: (seq: number) => Key[]
    /**
     * Takes over what other stations did. `isOwn`: what this station has not told yet, which counts. Returns how to tell the
     * screens once that is committed. Throws when the disk refuses; `reread` is called if it is not saved.
     */
    merge: (seq: number, news: MergedNews<Key>, isOwn: (key: Key) => boolean) => () => void
    reread: () => void
    /** The list became a part of another one. */
    follow: (seq: number, into: Id) => void
  }
  /** Reads which lists of other stations are open. */
  readOpen: () => Promise<void>
  log: Log
}

/** So many entries are pushed at a time. */
const atOnce = 500
/** Lists that are over are followed for so long after they were finished, in ms: what was entered apart, and a reopening, come late. */
const followed = 7 * 24 * 3_600_000

const Followed = z.object({
  seq: z.number(),
  mark: z.string().nullable(),
  revision: z.number(),
  change: z.number(),
  told: z.number(),
})
type Followed = z.infer<typeof Followed>
const DirtyEntry = z.object({ key: z.string(), change: z.number(), is_others: z.number() })

/**
 * Lists that several stations of a store keep together: the scans of a count, of a case or of the shelf, the packages and cases
 * of a delivery. What changes here is noted by triggers in the commit that changes it, pushed in the background, and merged at the others.
 */
export function createSharedLists<Id extends string, Key extends string>(parts: SharedListsParts<Id, Key>) {
  const { db, hub, lists, own, readOpen, log } = parts
  const { list, followed: followedTable, due, of, key, isOpen } = parts.tables
  const columns = `h.${of} AS seq, h.mark, h.revision, h.change, h.told FROM ${followedTable} AS h`
  const selectFollowed = db.prepare(`
    SELECT ${columns} JOIN ${list} AS list ON list.seq = h.${of}
    WHERE ${isOpen} OR finished_at > ? OR change <> told OR EXISTS (SELECT 1 FROM ${due} AS due WHERE due.${of} = h.${of})
    ORDER BY h.${of} DESC LIMIT 50`)
  const selectState = db.prepare(`SELECT ${columns} WHERE h.${of} = ?`)
  const selectOne = db.prepare(`SELECT ${columns} JOIN ${list} AS list ON list.seq = h.${of} WHERE list.id = ?`)
  const markSynced = db.prepare(`UPDATE ${followedTable} SET told = ? WHERE ${of} = ?`)
  const markEndSynced = db.prepare(`UPDATE ${followedTable} SET told = change WHERE ${of} = ?`)
  const pushAgain = db.prepare(
    `UPDATE ${followedTable} SET change = change + 1, revision = 0, mark = NULL WHERE ${of} = ?`,
  )
  const countDirty = db.prepare(`SELECT count(*) FROM ${due}`).pluck()
  const setRevision = db.prepare(`UPDATE ${followedTable} SET revision = ?, mark = ? WHERE ${of} = ?`)
  const note = db.prepare(`
    INSERT INTO ${due} (${of}, ${key}, change) VALUES (?, ?, 1)
    ON CONFLICT DO UPDATE SET change = change + 1, is_others = excluded.is_others`)
  const selectDirty = db.prepare(
    `SELECT ${key} AS key, change, is_others FROM ${due} WHERE ${of} = ? ORDER BY ${key} LIMIT ?`,
  )
  const selectDirtyKeys = db.prepare(`SELECT ${key} FROM ${due} WHERE ${of} = ?`).pluck()
  const settle = db.prepare(`DELETE FROM ${due} WHERE ${of} = ? AND ${key} = ? AND change = ?`)
  const forgetDirty = db.prepare(`DELETE FROM ${due} WHERE ${of} = ? AND ${key} = ?`)
  const inOne = db.transaction((step: () => void) => {
    step()
  })
  /** Lists that are being joined. The hub knows that they are open: that is noted in the commit that makes or opens them here. */
  const joining = new Set<unknown>()
  const joins = `${followedTable}_joins`
  db.function(joins, (id) => (joining.has(id) ? 1 : 0))
  const known = (seq: string) => `BEGIN
    UPDATE ${followedTable} SET told = change, revision = 0 WHERE ${of} = ${seq};
  END;`
  const isJoined = `WHEN ${joins}((SELECT id FROM ${list} WHERE seq = NEW.${of})) ${known(`NEW.${of}`)}`
  db.exec(`
    CREATE TEMP TRIGGER ${joins}_begun AFTER INSERT ON ${followedTable} ${isJoined}
    CREATE TEMP TRIGGER ${joins}_opened AFTER UPDATE OF change ON ${followedTable} ${isJoined}
    CREATE TEMP TRIGGER ${joins}_renamed AFTER UPDATE OF id ON ${list} WHEN ${joins}(NEW.id) ${known('NEW.seq')}`)
  const stopping = new AbortController()
  const isStopped = () => stopping.signal.aborted

  const stateOf = (seq: number) => Followed.optional().parse(selectState.get(seq))
  const followedOnes = () => selectFollowed.all(Date.now() - followed).map((row) => Followed.parse(row))
  const noteAll = (seq: number) => {
    for (const one of own.entered(seq)) note.run(seq, one)
  }
  /** The hub doesn't know the list: it was made anew, or has no longer kept it. */
  const startAgain = (seq: number) => {
    inOne.immediate(() => {
      pushAgain.run(seq)
      noteAll(seq)
    })
  }

  /** What is in a list already is told, and it is read from the start. */
  const joined = (id: Id) => {
    const row = selectOne.get(id)
    if (row !== undefined) {
      const { seq } = Followed.parse(row)
      inOne.immediate(() => {
        markEndSynced.run(seq)
        setRevision.run(0, null, seq)
        noteAll(seq)
      })
    }
    refreshing.ask()
  }

  /** Pushes that a list began, ended or was opened again. Returns false without an answer. */
  const pushStatus = async ({ seq, change, told }: Followed): Promise<boolean> => {
    if (change === told) return true
    const epoch = await lists.epoch()
    if (epoch === undefined || isStopped()) return false
    // Read after the epoch was given: what is pushed later is newer.
    const [now, head] = [stateOf(seq), own.head(seq)]
    if (!now || !head) return true
    const answer = await lists.finish(epoch, head.id, head.isFinished, head.ended ?? null, head.isRecount)
    const isSynced = answer === 'unknown' ? await own.put(seq, epoch, head.isFinished) : answer
    if (!isSynced || isStopped()) return false
    markSynced.run(now.change, seq)
    return true
  }
  /** Returns false without an answer. */
  const pushEntries = async ({ seq }: Followed): Promise<boolean> => {
    while (!isStopped()) {
      const epoch = selectDirtyKeys.get(seq) === undefined ? null : await lists.epoch()
      const id = own.head(seq)?.id
      if (epoch === null || id === undefined) return true
      if (epoch === undefined || isStopped()) return false
      const rows = selectDirty.all(seq, atOnce).map((row) => DirtyEntry.parse(row))
      const entries = rows.flatMap(({ key: text, is_others: isOthers }): ListEntry<Key>[] => {
        const one = parts.readKey(text)
        if (one === undefined) return []
        const entry = own.entry(seq, one)
        if (!entry) return [{ key: one, value: null, at: Date.now(), isGone: true, isOthers: isOthers === 1 }]
        const { at, value, station } = entry
        return station === null ? [{ key: one, value, at, isGone: false, isOthers: isOthers === 1 }] : []
      })
      const told = entries.length === 0 ? true : await lists.push(epoch, id, entries)
      if (isStopped()) return false
      if (told === 'unknown') startAgain(seq)
      if (told !== true) return false
      for (const { key: one, change } of rows) settle.run(seq, one, change)
    }
    return false
  }
  /** Lists that have something at the hub that what was untold here left out, by seq. */
  const unread = new Set<number>()
  const pushing = singleFlight(
    async () => {
      for (const one of followedOnes()) {
        if (!(await pushStatus(one)) || !(await pushEntries(one))) return
        // The hub may have refused what was told, of which there is no news.
        if (unread.delete(one.seq)) refreshing.ask()
      }
    },
    (cause) => {
      log.error('the store could not be told what was entered here', { topic: parts.topic, cause })
    },
  )

  const merge = (seq: number, news: ListNews<Key>, there: ListStatus<Id>, wasInSync: boolean) => {
    let announceChange: () => void = () => undefined
    try {
      inOne.immediate(() => {
        const pending = new Set(z.array(z.string()).parse(selectDirtyKeys.all(seq)))
        const now = stateOf(seq)
        // What was ended or opened here while the hub was asked, or was not told yet, stays so.
        const isInSync = wasInSync && now?.change === now?.told
        const { isFinished = false, ended = null } = (isInSync && !news.hasMore ? there : own.head(seq)) ?? {}
        const entries = news.entries.map(({ stationId, stationName, ...entry }) => ({
          ...entry,
          station: stationId === hub.stationId ? null : stationName,
        }))
        announceChange = own.merge(seq, { entries, isFinished, ended }, (one) => pending.has(one))
        // The triggers noted what was merged.
        for (const one of entries) if (!pending.has(one.key)) forgetDirty.run(seq, one.key)
        if (isInSync) markEndSynced.run(seq)
        // What was left to this station's own telling is read again afterwards. The end has a revision too.
        const isWhole = !entries.some((one) => pending.has(one.key)) && (isInSync || news.hasMore)
        const revision = news.hasMore ? Math.min(news.revision, there.revision - 1) : there.revision
        if (isWhole) setRevision.run(revision, there.epochId, seq)
        else unread.add(seq)
      })
    } catch (cause) {
      own.reread()
      throw cause
    }
    announceChange()
  }

  /** Reads what other stations did in a list. Returns false without an answer. */
  const readOne = async (before: Followed, id: Id, there: ListStatus<Id> | undefined): Promise<boolean> => {
    const { seq, change, told, mark, revision } = before
    const into = there?.mergedInto
    if (into != null) {
      joining.add(into)
      try {
        own.follow(seq, into)
      } finally {
        joining.delete(into)
      }
      joined(into)
      return true
    }
    if (!there || (mark ?? there.epochId) !== there.epochId || there.revision < revision) {
      // A beginning that is not told yet was never there.
      const now = stateOf(seq)
      const isInSync = change === told && now?.change === change
      if (change === told || mark !== null) startAgain(seq)
      if (there) unread.add(seq)
      if (!there?.isFinished || !isInSync) return true
      // Another station told the list to the hub made anew: its end counts here, and is not told as a reopening.
      markEndSynced.run(seq)
      const again = stateOf(seq)
      return again ? readOne(again, id, there) : true
    }
    if (there.revision === revision && there.epochId === mark) return true
    // A step that is told meanwhile makes what the hub said of the end old.
    const isSame = () => stateOf(seq)?.change === change && change === told
    for (let from = revision; ;) {
      const news = await lists.since(id, from)
      if (!news || isStopped()) return false
      merge(seq, news, there, isSame())
      if (!news.hasMore) return true
      from = news.revision
    }
  }
  /** Lists that could not be merged, by seq: logged once each, tried again each time. */
  const failing = new Set<number>()
  /** Reads one list. A list that can't be merged doesn't hold up the others. */
  const tryOne = async (state: Followed, id: Id, there: ListStatus<Id> | undefined): Promise<boolean> => {
    try {
      const isAnswered = await readOne(state, id, there)
      if (isAnswered) failing.delete(state.seq)
      return isAnswered
    } catch (cause) {
      if (isStopped()) throw cause
      if (!failing.has(state.seq))
        log.error('a list of the store could not be merged', { topic: parts.topic, id, cause })
      failing.add(state.seq)
      return true
    }
  }
  const refreshing = singleFlight(
    async () => {
      const ones = followedOnes().flatMap((state) => {
        const id = own.head(state.seq)?.id
        return id === undefined ? [] : [{ id, state }]
      })
      const there = ones.length > 0 ? await lists.status(ones.map(({ id }) => id)) : new Map<Id, never>()
      if (!there || isStopped()) return
      for (const { id, state } of ones) if (!(await tryOne(state, id, there.get(id)))) return
      if (!isStopped()) await readOpen()
      pushing.ask()
    },
    (cause) => {
      log.error('what the store has entered could not be read', { topic: parts.topic, cause })
    },
  )
  const stop = hub.onNews(parts.topic, () => {
    refreshing.ask()
  })
  return {
    isStopped,
    /** The number of a list here; undefined if it is not shared. */
    seqOf: (id: Id): number | undefined => Followed.optional().parse(selectOne.get(id))?.seq,
    /** Whether the last beginning, end or reopening of a list here was not pushed yet. */
    isPending(id: Id): boolean {
      const state = Followed.optional().parse(selectOne.get(id))
      return state !== undefined && state.change !== state.told
    },
    /** How many entries, or undone ones, the hub doesn't have. */
    pending: () => z.number().parse(countDirty.get()),
    /** Makes a list that of another station, by `step`: it is read from the start, and what is in it here is told. */
    become(seq: number, step: () => void): void {
      inOne.immediate(() => {
        step()
        markEndSynced.run(seq)
        setRevision.run(0, null, seq)
        noteAll(seq)
      })
      refreshing.ask()
    },
    /** Joins a list by `step`: its beginning is known at the hub. What is in it already is told. */
    async join<Value>(
      id: Id,
      step: () => Result<Value, AppError> | Promise<Result<Value, AppError>>,
    ): Promise<Result<Value, AppError>> {
      joining.add(id)
      try {
        const done = await step()
        if (done.ok) joined(id)
        return done
      } finally {
        joining.delete(id)
      }
    },
    /** Notes what was entered in a list before it was shared. */
    noteAll,
    /** Call after each step. Never rejects. */
    push: () => {
      pushing.ask()
    },
    /** Reads what other stations did. Never rejects. */
    refresh: () => {
      refreshing.ask()
    },
    async stop(): Promise<void> {
      stopping.abort()
      stop()
      await refreshing.stop()
      await pushing.stop()
    },
  }
}
