import type { ListNews, ListStatus } from '../port'
import type { SharedListsParts } from './list-parts'
import type { ListPushing } from './list-pushing'
import { type FollowedList, type ListRows, isPending } from './list-rows'

/** What is done with what the hub has of a list. */
type ListStep = 'none' | 'read' | 'follow' | 'push-again'

/** `there`: undefined if the hub doesn't know the list. */
export function stepOf(
  { mark, revision }: Pick<FollowedList, 'mark' | 'revision'>,
  there: Pick<ListStatus<unknown>, 'epochId' | 'revision' | 'mergedInto'> | undefined,
): ListStep {
  if (there?.mergedInto != null) return 'follow'
  // The hub was made anew or restored.
  if (!there || (mark ?? there.epochId) !== there.epochId || there.revision < revision) return 'push-again'
  return there.revision === revision && there.epochId === mark ? 'none' : 'read'
}

/** Reads what other stations did in a list, and merges it. */
export class ListReading<Id extends string, Key extends string> {
  readonly #parts: SharedListsParts<Id, Key>
  readonly #rows: ListRows
  readonly #pushing: ListPushing<Id, Key>
  readonly #isStopped: () => boolean
  /** Called with a list that this one became a part of, once it is here. */
  readonly #onFollowed: (into: Id) => void
  /** Lists that have something at the hub that what was pending here left out, by seq. */
  readonly unread = new Set<number>()
  /** Lists that could not be merged, by seq: logged once each, tried again each time. */
  readonly #failing = new Set<number>()

  constructor(
    parts: SharedListsParts<Id, Key>,
    rows: ListRows,
    pushing: ListPushing<Id, Key>,
    { isStopped, onFollowed }: { isStopped: () => boolean; onFollowed: (into: Id) => void },
  ) {
    this.#parts = parts
    this.#rows = rows
    this.#pushing = pushing
    this.#isStopped = isStopped
    this.#onFollowed = onFollowed
  }

  /** Reads one list. A list that can't be merged doesn't hold up the others. Returns false without an answer. */
  async read(list: FollowedList, id: Id, there: ListStatus<Id> | undefined): Promise<boolean> {
    const { tables, log } = this.#parts
    try {
      const isAnswered = await this.#readOne(list, id, there)
      if (isAnswered) this.#failing.delete(list.seq)
      return isAnswered
    } catch (cause) {
      if (this.#isStopped()) throw cause
      if (!this.#failing.has(list.seq))
        log.error('a list of the store could not be merged', { topic: tables.topic, id, cause })
      this.#failing.add(list.seq)
      return true
    }
  }

  async #readOne(list: FollowedList, id: Id, there: ListStatus<Id> | undefined): Promise<boolean> {
    const step = stepOf(list, there)
    if (step === 'push-again') return this.#pushAgain(list, id, there)
    if (step === 'none' || !there) return true
    if (there.mergedInto === null) return this.#readNews(list, id, there)
    this.#follow(list.seq, there.mergedInto)
    return true
  }

  #follow(seq: number, into: Id): void {
    const { joining } = this.#rows
    joining.add(into)
    try {
      this.#parts.own.follow(seq, into)
    } finally {
      joining.delete(into)
    }
    this.#onFollowed(into)
  }

  async #pushAgain(list: FollowedList, id: Id, there: ListStatus<Id> | undefined): Promise<boolean> {
    const { seq, mark } = list
    // A beginning that is not pushed yet was never there.
    const isInSync = this.#isSame(list)
    if (!isPending(list) || mark !== null) this.#pushing.startAgain(seq)
    if (there) this.unread.add(seq)
    if (!there?.isFinished || !isInSync) return true
    // Another station pushed the list to the hub made anew: its end counts here, and is not pushed as a reopening.
    this.#rows.setInSync(seq)
    const again = this.#rows.state(seq)
    return again ? this.#readOne(again, id, there) : true
  }

  async #readNews(list: FollowedList, id: Id, there: ListStatus<Id>): Promise<boolean> {
    for (let from = list.revision; ;) {
      const news = await this.#parts.lists.since(id, from)
      if (!news || this.#isStopped()) return false
      // A step that is pushed meanwhile makes what the hub said of the end old.
      this.#merge(list.seq, news, there, this.#isSame(list))
      if (!news.hasMore) return true
      from = news.revision
    }
  }

  /** Whether its beginning and end are at the hub as they were, and still are as they were. */
  #isSame(list: FollowedList): boolean {
    return this.#rows.state(list.seq)?.change === list.change && !isPending(list)
  }

  #merge(seq: number, news: ListNews<Key>, there: ListStatus<Id>, wasInSync: boolean): void {
    let show: () => void = () => undefined
    try {
      this.#rows.inOne(() => {
        show = this.#mergeNews(seq, news, there, wasInSync)
      })
    } catch (cause) {
      this.#parts.own.reread()
      throw cause
    }
    show()
  }

  /** In a transaction. Returns how to show what changed. */
  #mergeNews(seq: number, news: ListNews<Key>, there: ListStatus<Id>, wasInSync: boolean): () => void {
    const { own, hub } = this.#parts
    const pending = this.#rows.dirty.keys(seq)
    const now = this.#rows.state(seq)
    // What was ended or opened here while the hub was asked, or was not pushed yet, stays so.
    const isInSync = wasInSync && now?.change === now?.told
    const { isFinished = false, ended = null } = (isInSync && !news.hasMore ? there : own.head(seq)) ?? {}
    const entries = news.entries.map(({ stationId, stationName, ...entry }) => ({
      ...entry,
      station: stationId === hub.stationId ? null : stationName,
    }))
    const show = own.merge(seq, { entries, isFinished, ended }, (key) => pending.has(key))
    // The triggers noted what was merged.
    for (const { key } of entries) if (!pending.has(key)) this.#rows.dirty.drop(key, seq)
    if (isInSync) this.#rows.setInSync(seq)
    // What was left to this station's own push is read again afterwards. The end has a revision too.
    const isWhole = !entries.some(({ key }) => pending.has(key)) && (isInSync || news.hasMore)
    const revision = news.hasMore ? Math.min(news.revision, there.revision - 1) : there.revision
    if (isWhole) this.#rows.setRevision(seq, revision, there.epochId)
    else this.unread.add(seq)
    return show
  }
}
