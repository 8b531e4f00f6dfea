import { pushDirty } from '../../sharing/pushing'
import type { ListEntry } from '../port'
import type { SharedListsParts } from './list-parts'
import { type FollowedList, type ListRows, isPending } from './list-rows'

/** So many entries are pushed at a time. */
const atOnce = 500

/** Pushes to the hub what changed in this station's lists. */
export class ListPushing<Id extends string, Key extends string> {
  readonly #parts: Pick<SharedListsParts<Id, Key>, 'hub' | 'lists' | 'own' | 'readKey'>
  readonly #rows: ListRows
  readonly #isStopped: () => boolean

  constructor(parts: SharedListsParts<Id, Key>, rows: ListRows, isStopped: () => boolean) {
    this.#parts = parts
    this.#rows = rows
    this.#isStopped = isStopped
  }

  /** Pushes everything of a list. Returns false without an answer. */
  async push(list: FollowedList): Promise<boolean> {
    return (await this.#pushStatus(list)) && (await this.#pushEntries(list.seq))
  }

  /** The hub doesn't know the list: it was made anew, or has no longer kept it. */
  startAgain(seq: number): void {
    this.#rows.inOne(() => {
      this.#rows.pushAgain(seq)
      this.noteAll(seq)
    })
  }

  noteAll(seq: number): void {
    this.#rows.noteAll(seq, this.#parts.own.entered(seq))
  }

  /** Pushes that a list began, ended or was opened again. Returns false without an answer. */
  async #pushStatus(list: FollowedList): Promise<boolean> {
    const { hub, lists, own } = this.#parts
    const { seq } = list
    if (!isPending(list)) return true
    const epoch = await hub.epoch()
    if (epoch === undefined || this.#isStopped()) return false
    // Read after the epoch was given: what is pushed later is newer.
    const [now, head] = [this.#rows.state(seq), own.head(seq)]
    if (!now || !head) return true
    const answer = await lists.finish(epoch, head.id, head.isFinished, head.ended ?? null, head.isRecount)
    const isPushed = answer === 'unknown' ? await own.put(seq, epoch, head.isFinished) : answer
    if (!isPushed || this.#isStopped()) return false
    this.#rows.endPushed(seq, now.change)
    return true
  }

  /** Returns false without an answer. */
  async #pushEntries(seq: number): Promise<boolean> {
    const { hub, lists, own } = this.#parts
    const pushed = await pushDirty(this.#rows.dirty, {
      ...{ hub, atOnce, list: seq, isStopped: this.#isStopped },
      push: async (dirty, epoch) => {
        const id = own.head(seq)?.id
        if (id === undefined) return new Set(dirty.map(({ key }) => key))
        const entries = dirty.flatMap(({ key, isOthers }) => this.#entry(seq, key, isOthers))
        const isPushed = entries.length === 0 ? true : await lists.push(epoch, id, entries)
        if (isPushed === 'unknown' && !this.#isStopped()) this.startAgain(seq)
        return isPushed === true
      },
    })
    return pushed !== 'no-answer'
  }

  /** An entry as the hub should have it; none if its key can't be read, or if another station made it. */
  #entry(seq: number, text: string, isOthers: boolean): ListEntry<Key>[] {
    const key = this.#parts.readKey(text)
    if (key === undefined) return []
    const entry = this.#parts.own.entry(seq, key)
    if (!entry) return [{ key, value: null, at: Date.now(), isGone: true, isOthers }]
    const { at, value, station } = entry
    return station === null ? [{ key, value, at, isGone: false, isOthers }] : []
  }
}
