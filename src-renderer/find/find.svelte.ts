import type { AppError } from '../../src-shared/errors'
import type { Client } from '../../src-shared/ipc/client'
import type { Matches, ThingLink, ThingRef } from '../../src-shared/ipc/find-view'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import { type Result, assertNever } from '../../src-shared/result'
import type { Meaning } from '../../src-shared/scan/meaning'
import { readPackageTag } from '../../src-shared/scan/packages'
import { isUnanswered } from '../../src-shared/unreachable'
import { explain } from '../messages/errors'
import { type Outcome, refusal } from '../scan/strip.svelte'
import { Removed } from './removed.svelte'
import { Shown } from './shown.svelte'
import { Trail } from './trail.svelte'

export interface FindParts {
  client: Client
  isInFront: () => boolean
  /** Opens Orders at an order of this station, and says what is there. */
  openOrder: (orderId: string) => Promise<Outcome>
  /** ms, for the pace. */
  now?: () => number
}

/** Until somebody pauses, in ms: not every letter is a question. */
const pause = 250

const isUnasked = (error: AppError) => error.code === 'ipc/disconnected' || isUnanswered(error)

/** Scans that name something; the others mean the same on every screen. */
type Naming = Exclude<Meaning, { kind: 'badge' | 'action' }>

/** Looks things up: what matches a text, and the one that is open, with the way that led to it. */
export class Find {
  text = $state('')
  /** What the text may mean; null while nothing is looked for. */
  matches = $state.raw<Matches | null>(null)
  isSearching = $state(false)
  error = $state.raw<AppError | null>(null)
  /** What was looked at lately; null until it is known. */
  recent = $state.raw<ThingLink[] | null>(null)
  isRemovedOpen = $state(false)
  /** Grows when somebody asks for the search field. */
  fieldAsked = $state(0)
  /** An address outside the app that is being asked about. */
  leaving = $state.raw<URL | null>(null)
  readonly removed: Removed
  readonly trail = new Trail<Shown>()

  shown = $derived(this.trail.current)
  /** Nothing is what was looked for last: what was open before must not pass for it. */
  isNothingFound = $state(false)
  canGoBack = $derived(this.trail.canGoBack || (this.isNothingFound && this.shown !== null))

  readonly #parts: FindParts
  readonly #client: Client
  /** What was asked for last is what comes to the front, whatever is answered last. */
  #turn = 0
  #typed: ReturnType<typeof setTimeout> | undefined

  constructor(parts: FindParts) {
    this.#parts = parts
    this.#client = parts.client
    this.removed = new Removed(parts.client)
  }

  /** When the screen comes to the front: what it shows may have been sold meanwhile, here or elsewhere. */
  async load(): Promise<void> {
    await Promise.all([this.#loadRecent(), this.shown?.load(), this.isRemovedOpen ? this.removed.load() : null])
  }

  async #loadRecent(): Promise<void> {
    const answer = await this.#client.call('find.recent', undefined)
    if (answer.ok) this.recent = answer.value
  }

  /** The text has changed by a key: it is searched for at the next pause. */
  typed(): void {
    clearTimeout(this.#typed)
    this.#typed = setTimeout(() => void this.search(), pause)
  }

  /** Whatever was asked for before is overtaken. A wedge types as well before its scan is told: that must not be searched. */
  #nextTurn(): number {
    clearTimeout(this.#typed)
    return ++this.#turn
  }

  /** What is typed is searched for; nothing is opened by it. */
  async search(): Promise<Matches | null> {
    const text = this.text.trim()
    const turn = this.#nextTurn()
    this.isRemovedOpen = false
    if (text === '') {
      this.clear()
      return null
    }
    this.isSearching = true
    const answer = await this.#client.call('find.search', { text })
    if (turn !== this.#turn) return answer.ok ? answer.value : null
    this.#answered(answer)
    return this.matches
  }

  #answered(answer: Result<Matches, AppError>): void {
    this.isSearching = false
    this.error = answer.ok ? null : answer.error
    this.matches = answer.ok ? answer.value : null
    const isFound = answer.ok && (answer.value.things.length > 0 || answer.value.orderId !== null)
    // Whoever is changing a collection looks up something beside it: that stays in front.
    this.isNothingFound = !isFound && !this.shown?.work?.mode
  }

  clear(): void {
    this.#nextTurn()
    this.text = ''
    this.matches = null
    this.error = null
    this.isSearching = false
    this.isNothingFound = false
  }

  /** Enter: searches, and opens what is found where it is one thing. */
  async enter(): Promise<void> {
    const matches = await this.search()
    const turn = this.#turn
    if (matches && matches === this.matches && turn === this.#turn) await this.#openOnly(matches)
  }

  /** The one thing or order that was found, opened; null where there is not exactly one. */
  #openOnly({ things, orderId }: Matches): Promise<Outcome> | null {
    const [only, ...others] = things
    if (!only) return orderId === null ? null : this.#parts.openOrder(orderId)
    return others.length === 0 && orderId === null ? this.open(only) : null
  }

  openOrder(orderId: string): void {
    void this.#parts.openOrder(orderId)
  }

  /** A scan on this screen opens what it names, at once where that is certain. */
  async scan(meaning: Naming): Promise<Outcome> {
    const taken = this.shown?.work?.scan(meaning)
    if (taken) return taken
    // What was typed before is over.
    this.clear()
    switch (meaning.kind) {
      case 'tag':
        return meaning.certain ? this.open({ kind: 'tag', id: meaning.tagId }) : this.#lookFor(meaning.tagId)
      case 'case':
        return this.open({ kind: 'collection', id: meaning.identifier })
      case 'package':
        // What only looks like a package is looked for as if it were typed.
        return readPackageTag(meaning.packageUid)
          ? this.open({ kind: 'package', id: meaning.packageUid })
          : this.#lookFor(meaning.packageUid)
      case 'order':
        return this.#parts.openOrder(meaning.orderId)
      case 'gs1':
        // The whole of it: main reads the batch out of it as well.
        return this.#lookFor(meaning.text)
      case 'unknown':
        return meaning.text === '' ? refusal({ code: 'scan/not-a-code', text: '' }) : this.#lookFor(meaning.text)
      default:
        return assertNever(meaning)
    }
  }

  async #lookFor(text: string): Promise<Outcome> {
    this.text = text
    const turn = this.#nextTurn()
    this.isRemovedOpen = false
    this.isSearching = true
    const answer = await this.#client.call('find.search', { text })
    const isOvertaken = turn !== this.#turn
    if (!isOvertaken) this.#answered(answer)
    if (!answer.ok) return refusal(answer.error)
    const { things, orderId, silence } = answer.value
    // A newer scan is in front: this one only says what it was.
    const opened = isOvertaken ? null : this.#openOnly(answer.value)
    if (opened) return opened
    const count = things.length + (orderId === null ? 0 : 1)
    if (count > 0) return { tone: 'good', what: { key: 'find.matches', values: { count } } }
    const what = { key: 'find.scan.none' } as const
    return { tone: 'attention', what, detail: silence ? explain(silence).what : { key: 'find.scan.none.detail' } }
  }

  /** Shows a thing and what is known of it, and says what it is. */
  async open(ref: ThingRef): Promise<Outcome> {
    const { client, isInFront, now = () => performance.now() } = this.#parts
    const isSame = this.shown?.ref.kind === ref.kind && this.shown.ref.id === ref.id
    if (!isSame && this.#asksFirst(() => void this.open(ref)))
      return { tone: 'attention', what: { key: 'find.work.item-wanted' } }
    this.#nextTurn()
    this.isSearching = false
    this.#uncover()
    if (!isSame) this.trail.add(new Shown({ client, ref, isInFront, now }))
    const { shown } = this
    if (!shown) return { tone: 'attention', what: { key: 'find.scan.none' } }
    const answer = await shown.load()
    if (isInFront()) void this.#loadRecent()
    // Where nobody could be asked, what is in front stays what is known.
    if (!answer.ok && !(shown.view && isUnasked(answer.error))) return refusal(answer.error)
    const view = answer.ok ? answer.value : shown.view
    const what = { key: `find.scan.${ref.kind}`, values: { name: view?.name ?? ref.id } } as const
    if (!answer.ok || answer.value.knowledge.source !== 'now')
      return { tone: 'attention', what, detail: { key: 'find.scan.stored' } }
    const isRemoved = answer.value.kind === 'collection' && answer.value.isRemoved
    return isRemoved ? { tone: 'attention', what, detail: { key: 'find.removed.means' } } : { tone: 'good', what }
  }

  /** Whether a person has to say first that what was scanned for the collection in front is to be dropped; `go` follows. */
  #asksFirst(go: () => void): boolean {
    const work = this.shown?.work
    if (!work?.mode) return false
    if (work.asksToDrop(go)) return true
    work.leave()
    return false
  }

  /** What was looked for and not found makes room. */
  #uncover(): void {
    if (this.isNothingFound) this.clear()
  }

  back(): boolean {
    // What was looked for and not found lies over what was open before.
    if (this.isNothingFound && this.shown) {
      this.clear()
      return true
    }
    if (this.trail.canGoBack && this.#asksFirst(() => void this.back())) return true
    return this.trail.back() && this.#stepped()
  }

  forward(): boolean {
    if (this.trail.canGoForward && this.#asksFirst(() => void this.forward())) return true
    return this.trail.forward() && this.#stepped()
  }

  #stepped(): boolean {
    this.#nextTurn()
    this.#uncover()
    // What was known then is there at once; what is known now follows.
    void this.shown?.load()
    return true
  }

  /** Esc: leaves a mode, then goes back; false where there is nothing to leave here. */
  stepBack(): boolean {
    const work = this.shown?.work
    if (work?.mode) {
      work.askToLeave()
      return true
    }
    if (this.isRemovedOpen) {
      this.isRemovedOpen = false
      return true
    }
    if (this.isNothingFound) {
      this.clear()
      return true
    }
    return this.back()
  }

  toggleRemoved(): void {
    // Whoever looks at another list adds nothing here: the next scan is to be looked up.
    if (!this.isRemovedOpen && this.#asksFirst(() => this.toggleRemoved())) return
    this.isRemovedOpen = !this.isRemovedOpen
    if (!this.isRemovedOpen) return
    this.#uncover()
    void this.removed.load()
  }

  /** Ctrl+Enter: saves what a mode collected, otherwise asks for the search field. */
  async primary(): Promise<void> {
    if (this.shown?.work?.mode) await this.shown.work.save()
    else this.fieldAsked++
  }

  operationChanged(operation: OperationView): void {
    this.removed.operationChanged(operation)
    // What is not in front is asked for anew once it is; what became of a change, only its report tells.
    for (const entry of this.trail.entries) {
      if (entry === this.shown) entry.operationChanged(operation)
      else entry.work?.reports.operationChanged(operation)
    }
  }
}
