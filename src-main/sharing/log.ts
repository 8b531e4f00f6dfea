import type { Database, Transaction } from 'better-sqlite3'
import { z } from 'zod'
import { singleFlight } from '../core/async'
import type { MainEvents } from '../core/events'
import type { Log } from '../core/log'
import { type Settings, parseStored } from '../database/settings'
import { type Hub, type LogNews, type LogRecord, longestRecord } from '../hub/port'
import { DirtyKeys } from './dirty-keys'
import { pushDirty } from './pushing'
import { hubSetting } from './watch'
import { type Change, type RecordStep, type Topic, stepOf } from './topic'

interface SharedLogContext {
  db: Database
  hub: Pick<Hub, 'log' | 'epoch' | 'onNews' | 'stationId'>
  events: Pick<MainEvents, 'on'>
  settings: Pick<Settings, 'read' | 'write'>
  log: Log
}

/** So many records are pushed at a time. */
const atOnce = 500

/**
 * Keeps the things of one topic alike at all stations. What was changed here is pushed unless another station has changed it
 * since this one last read: then that is read first, and both are merged. After a start, and from a hub that was lost or made anew, all
 * is read, and the hub gets what it lacks.
 */
export class SharedLog<Body> {
  readonly #context: SharedLogContext
  readonly #topic: Topic<Body>
  readonly #dirty: DirtyKeys
  readonly #inOne: Transaction<(step: () => void) => void>
  readonly #exchanging: ReturnType<typeof singleFlight>
  readonly #stopping = new AbortController()
  readonly #stops: (() => void)[]
  /** The setting with the hub that was read last: none at a station that joins. */
  readonly #hubSetting: string
  /** Up to which revision this process has read. */
  #readUpTo = 0
  /** The keys that the hub has, while all is read. */
  #there: Set<string> | null = new Set()

  constructor(context: SharedLogContext, topic: Topic<Body>) {
    const { db, hub, events, log } = context
    this.#context = context
    this.#topic = topic
    this.#dirty = new DirtyKeys(db, topic.name, topic.watches)
    this.#hubSetting = hubSetting(topic.name)
    this.#inOne = db.transaction((step: () => void) => {
      step()
    })
    this.#exchanging = singleFlight(
      () => this.#exchange(),
      (cause) => {
        log.error('what the stations share could not be exchanged', { topic: topic.name, cause })
      },
    )
    this.#stops = [
      hub.onNews(topic.name, this.exchange),
      ...(['sharing.due', ...topic.dirtyAfter] as const).map((name) => events.on(name, topic.file, this.exchange)),
    ]
  }

  /** Reads what other stations changed, and pushes what was changed here. Never rejects. */
  readonly exchange = (): void => {
    this.#exchanging.ask()
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops) stop()
    this.#stopping.abort()
    await this.#exchanging.stop()
  }

  #isStopped(): boolean {
    return this.#stopping.signal.aborted
  }

  async #exchange(): Promise<void> {
    this.#topic.prepare?.()
    if (!(await this.#pull()) || (await this.#push()) !== 'lost') return
    // Another station was first: its change is merged, then what counts of this one is pushed.
    this.exchange()
  }

  /** Returns false without an answer, or if the disk refused. */
  async #pull(): Promise<boolean> {
    for (;;) {
      const news = await this.#context.hub.log.since(this.#topic.name, this.#readUpTo)
      if (!news || this.#isStopped()) return false
      const from = this.#readUpTo
      if (this.#isOtherHub(news)) {
        this.#startOver(news.hubId)
        if (from > 0) continue
      }
      if (!this.#merge(news)) return false
      this.#readUpTo = news.revision
      if (news.hasMore) continue
      this.#noteLacking()
      return true
    }
  }

  /** Another hub than before, one that was made anew, or one from a backup. */
  #isOtherHub({ hubId, revision }: LogNews): boolean {
    return this.#context.settings.read(this.#hubSetting, z.string()) !== hubId || revision < this.#readUpTo
  }

  /** A station that joins has edited nothing: what the store has counts. */
  #startOver(hubId: string): void {
    const { settings } = this.#context
    this.#inOne.immediate(() => {
      if (settings.read(this.#hubSetting, z.string()) === undefined) {
        this.#dirty.forget()
        this.#topic.joined?.()
      }
      settings.write(this.#hubSetting, hubId)
    })
    this.#readUpTo = 0
    this.#there = new Set()
  }

  /** What is here and not at the hub is pushed, once all of the hub's is read. */
  #noteLacking(): void {
    const there = this.#there
    this.#there = null
    const lacking = there ? [...this.#topic.keys()].filter((key) => !there.has(key)) : []
    if (lacking.length > 0)
      this.#inOne.immediate(() => {
        this.#dirty.noteLacking(lacking)
      })
  }

  /** Returns false if it was not saved. */
  #merge({ records }: LogNews): boolean {
    const edited = new Set(this.#dirty.entered())
    const taken: Change<Body>[] = []
    const [settled, kept]: [string[], string[]] = [[], []]
    for (const record of records) {
      const { key } = record
      this.#there?.add(key)
      const change = this.#changeOf(record)
      const step = change ? this.#stepOf(change, record) : 'unread'
      if (change && step === 'take') taken.push(change)
      if (step === 'same') settled.push(key)
      if (step === 'push') kept.push(key)
    }
    const used = taken.length > 0 ? this.#topic.apply(taken, edited) : new Set<string>()
    if (!used) return false
    // What was used here is no edit of this station, although the triggers have noted it.
    this.#inOne.immediate(() => {
      for (const key of [...settled, ...used]) this.#dirty.drop(key)
      this.#dirty.noteLacking(kept)
    })
    return true
  }

  #stepOf({ key, body: theirs }: Change<Body>, { stationId }: LogRecord): RecordStep {
    const isOwn = stationId === this.#context.hub.stationId
    return stepOf({ mine: this.#topic.read(key), theirs, isOwn, isDirty: this.#dirty.has(key) }, this.#topic.better)
  }

  /** Undefined for one that this version can't read: that one is left out. */
  #changeOf({ key, body, at }: LogRecord): Change<Body> | undefined {
    const read = parseStored(this.#topic.body, body)
    if (read === undefined)
      this.#context.log.warn('a record of the store could not be read', { topic: this.#topic.name })
    return read === undefined ? undefined : { key, body: read, at }
  }

  /** `lost`: another station has changed something meanwhile. */
  #push(): ReturnType<typeof pushDirty> {
    const { hub } = this.#context
    return pushDirty(this.#dirty, {
      ...{ hub, atOnce },
      isStopped: () => this.#isStopped(),
      push: async (dirty, epoch) => {
        const records = dirty.flatMap(({ key }) => this.#recordOf(key))
        const pushed = await hub.log.push(this.#topic.name, { upTo: this.#readUpTo, epoch }, records)
        return pushed ? new Set(records.flatMap(({ key }) => (pushed.has(key) ? [] : [key]))) : false
      },
    })
  }

  /** None for a thing that the others couldn't read: one that is too long stays here. */
  #recordOf(key: string): Pick<LogRecord, 'key' | 'body'>[] {
    const mine = this.#topic.read(key)
    const body = mine === undefined || !this.#topic.body.safeParse(mine).success ? undefined : JSON.stringify(mine)
    return body === undefined || body.length > longestRecord ? [] : [{ key, body }]
  }
}
