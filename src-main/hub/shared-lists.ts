import type { AppError } from '../../src-shared/errors'
import type { Result } from '../../src-shared/result'
import { singleFlight } from '../core/async'
import type { SharedListsParts } from './lists/list-parts'
import { ListPushing } from './lists/list-pushing'
import { ListReading } from './lists/list-reading'
import { ListRows, isPending } from './lists/list-rows'

/**
 * Lists that several stations of a store keep together: the scans of a count, of a case or of the shelf, the packages and cases
 * of a delivery. What changes here is noted by triggers in the commit that changes it, pushed in the background, and merged at the others.
 */
export class SharedLists<Id extends string, Key extends string> {
  readonly #parts: SharedListsParts<Id, Key>
  readonly #rows: ListRows
  readonly #list: ListPushing<Id, Key>
  readonly #reading: ListReading<Id, Key>
  readonly #pushing: ReturnType<typeof singleFlight>
  readonly #refreshing: ReturnType<typeof singleFlight>
  readonly #stopping = new AbortController()
  readonly #stopListening: () => void

  constructor(parts: SharedListsParts<Id, Key>) {
    const { log } = parts
    const { topic } = parts.tables
    const isStopped = () => this.isStopped()
    const onFollowed = (into: Id) => {
      this.#joined(into)
    }
    this.#parts = parts
    this.#rows = new ListRows(parts.db, parts.tables)
    this.#list = new ListPushing(parts, this.#rows, isStopped)
    this.#reading = new ListReading(parts, this.#rows, this.#list, { isStopped, onFollowed })
    this.#pushing = singleFlight(
      () => this.#pushAll(),
      (cause) => {
        log.error('the store could not be told what was entered here', { topic, cause })
      },
    )
    this.#refreshing = singleFlight(
      () => this.#refreshAll(),
      (cause) => {
        log.error('what the store has entered could not be read', { topic, cause })
      },
    )
    this.#stopListening = parts.hub.onNews(topic, this.refresh)
  }

  /** Call after each step. Never rejects. A function of its own, for the map of events. */
  readonly push = (): void => {
    this.#pushing.ask()
  }

  /** Reads what other stations did. Never rejects. */
  readonly refresh = (): void => {
    this.#refreshing.ask()
  }

  /** How many entries, or undone ones, the hub doesn't have. */
  readonly pending = (): number => this.#rows.dirty.count()

  isStopped(): boolean {
    return this.#stopping.signal.aborted
  }

  /** The number of a list here; undefined if it is not shared. */
  seqOf(id: Id): number | undefined {
    return this.#rows.named(id)?.seq
  }

  /** Whether the last beginning, end or reopening of a list here was not pushed yet. */
  isPending(id: Id): boolean {
    const list = this.#rows.named(id)
    return list !== undefined && isPending(list)
  }

  /** Shares a list that was begun before there was a hub, with what was entered in it. */
  share(seq: number): void {
    this.#rows.inOne(() => {
      if (this.#rows.share(seq)) this.#list.noteAll(seq)
    })
  }

  /** Makes a list that of another station, by `step`: it is read from the start, and what is in it here is pushed. */
  become(seq: number, step: () => void): void {
    this.#rows.inOne(() => {
      step()
      this.#startOver(seq)
    })
    this.refresh()
  }

  /** Joins a list by `step`: its beginning is known at the hub. What is in it already is pushed. */
  async join<Done extends Result<unknown, AppError>>(id: Id, step: () => Done | Promise<Done>): Promise<Done> {
    this.#rows.joining.add(id)
    try {
      const done = await step()
      if (done.ok) this.#joined(id)
      return done
    } finally {
      this.#rows.joining.delete(id)
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#stopListening()
    await this.#refreshing.stop()
    await this.#pushing.stop()
  }

  /** What is in a list already is pushed, and it is read from the start. */
  #joined(id: Id): void {
    const list = this.#rows.named(id)
    if (list) {
      this.#rows.inOne(() => {
        this.#startOver(list.seq)
      })
    }
    this.refresh()
  }

  #startOver(seq: number): void {
    this.#rows.setInSync(seq)
    this.#rows.setRevision(seq, 0, null)
    this.#list.noteAll(seq)
  }

  async #pushAll(): Promise<void> {
    for (const one of this.#rows.followed()) {
      if (!(await this.#list.push(one))) return
      // The hub may have refused what was pushed, of which there is no news.
      if (this.#reading.unread.delete(one.seq)) this.refresh()
    }
  }

  async #refreshAll(): Promise<void> {
    const { lists, own, readOpen } = this.#parts
    const ones = this.#rows.followed().flatMap((list) => {
      const id = own.head(list.seq)?.id
      return id === undefined ? [] : [{ id, list }]
    })
    const there = ones.length > 0 ? await lists.status(ones.map(({ id }) => id)) : new Map<Id, never>()
    if (!there || this.isStopped()) return
    for (const { id, list } of ones) if (!(await this.#reading.read(list, id, there.get(id)))) return
    if (!this.isStopped()) await readOpen()
    this.push()
  }
}
