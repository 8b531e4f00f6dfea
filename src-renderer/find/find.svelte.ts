import { type AppError, isUnanswered } from '../../src-shared/errors'
import type { OperationId } from '../../src-shared/ids'
import type { ConnectionView } from '../../src-shared/ipc/contract/app'
import type { CartView } from '../../src-shared/ipc/contract/checkout'
import type { Client } from '../../src-shared/ipc/client'
import type { Matches, EntityLink, EntityRef } from '../../src-shared/ipc/contract/find'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import { type Result, assertNever } from '../../src-shared/result'
import type { Meaning } from '../../src-shared/scan/meaning'
import { isPackageByLengthOnly } from '../../src-shared/scan/packages'
import type { Verdict } from '../../src-shared/verdict'
import { verdictSound, verdictText } from '../checkout/verdict-text'
import { debounce } from '../ui/throttle'
import { explain } from '../text/errors'
import type { Text } from '../text/text.svelte'
import { type ScanOutcome, refusal } from '../scan/strip.svelte'
import { Removed } from './removed.svelte'
import { Shown, Trail } from './shown.svelte'

export interface FindParts {
  client: Client
  isInFront: () => boolean
  /** Opens Orders at an order of this station, and says what is there. */
  openOrder: (orderId: string) => Promise<ScanOutcome>
  /** Opens the Outbox at an operation. */
  showOperation: (id: OperationId) => void
  connection: () => ConnectionView['state']
  /** Monotonic clock, in ms. */
  now?: () => number
}

const isUnasked = (error: AppError) => error.code === 'ipc/disconnected' || isUnanswered(error)

/** Scans that name a thing; the others mean the same on every screen. */
type Naming = Exclude<Meaning, { kind: 'badge' | 'action' | 'join' }>

/** Looks things up: what matches a text, the thing that is open, and the trail that led to it. */
export class Find {
  text = $state('')
  /** What the text may mean; null while there is no search. */
  matches = $state.raw<Matches | null>(null)
  isSearching = $state(false)
  error = $state.raw<AppError | null>(null)
  /** Recently opened things; null until they are known. */
  recent = $state.raw<EntityLink[] | null>(null)
  isRemovedOpen = $state(false)
  /** Counts requests to focus the search field. */
  fieldAsked = $state(0)
  /** An address outside the app that is being asked about. */
  leaving = $state.raw<URL | null>(null)
  readonly removed: Removed
  readonly trail = new Trail<Shown>()

  shown = $derived(this.trail.current)
  /** The last search found nothing: the thing that was open before must not look like its result. */
  isNothingFound = $state(false)
  canGoBack = $derived(this.trail.canGoBack || (this.isNothingFound && this.shown !== null))

  readonly #parts: FindParts
  readonly #client: Client
  /** Number of the latest request: only its answer is shown. */
  #turn = 0
  readonly #searchSoon = debounce(() => void this.search())

  constructor(parts: FindParts) {
    this.#parts = parts
    this.#client = parts.client
    this.removed = new Removed(parts.client)
  }

  /** The screen comes to the front: what it shows may have changed meanwhile, here or elsewhere. */
  async load(): Promise<void> {
    await Promise.all([this.#loadRecent(), this.shown?.load(), this.isRemovedOpen ? this.removed.load() : null])
  }

  async #loadRecent(): Promise<void> {
    const answer = await this.#client.call('find.recent', undefined)
    if (answer.ok) this.recent = answer.value
  }

  /** A key changed the text: it is searched for at the next pause. */
  typed(): void {
    this.#searchSoon()
  }

  /** Overtakes earlier requests. A keyboard-mode scanner types before its scan is known: that must not be searched. */
  #nextTurn(): number {
    this.#searchSoon.cancel()
    return ++this.#turn
  }

  /** Searches for what is typed, and opens nothing. */
  async search(): Promise<Matches | null> {
    const text = this.text.trim()
    if (text === '') {
      this.isRemovedOpen = false
      this.clear()
      return null
    }
    const { answer } = await this.#search(text)
    return answer.ok ? answer.value : null
  }

  /** Searches for a text, and shows the answer unless something newer was asked for meanwhile. */
  async #search(text: string) {
    const turn = this.#nextTurn()
    this.isRemovedOpen = false
    this.isSearching = true
    const answer = await this.#client.call('find.search', { text })
    const isNewest = turn === this.#turn
    if (isNewest) this.#answered(answer)
    return { answer, isNewest }
  }

  #answered(answer: Result<Matches, AppError>): void {
    this.isSearching = false
    this.error = answer.ok ? null : answer.error
    this.matches = answer.ok ? answer.value : null
    const isFound = answer.ok && (answer.value.things.length > 0 || answer.value.orderId !== null)
    // A collection that is being changed stays in front.
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

  /** Enter: searches, and opens the result if it is a single thing. */
  async enter(): Promise<void> {
    const matches = await this.search()
    const turn = this.#turn
    if (matches && matches === this.matches && turn === this.#turn) await this.#openOnly(matches)
  }

  /** Opens the only thing or order that was found; null if there is not exactly one. */
  #openOnly({ things, orderId }: Matches): Promise<ScanOutcome> | null {
    const [only, ...others] = things
    if (!only) return orderId === null ? null : this.#parts.openOrder(orderId)
    return others.length === 0 && orderId === null ? this.open(only) : null
  }

  openOrder(orderId: string): void {
    void this.#parts.openOrder(orderId)
  }

  showOperation(id: OperationId): void {
    this.#parts.showOperation(id)
  }

  get connection(): ConnectionView['state'] {
    return this.#parts.connection()
  }

  get isInFront(): boolean {
    return this.#parts.isInFront()
  }

  /** A scan on this screen opens what it names, at once where that is certain. */
  async scan(meaning: Naming): Promise<ScanOutcome> {
    const taken = this.shown?.work?.scan(meaning)
    if (taken) return taken
    // A scan replaces what was typed before.
    this.clear()
    switch (meaning.kind) {
      case 'tag':
        return meaning.certain ? this.open({ kind: 'tag', id: meaning.tagId }) : this.#lookFor(meaning.tagId)
      case 'case':
        return this.open({ kind: 'collection', id: meaning.identifier })
      case 'package':
        // What only looks like a package UID is searched for as if it were typed.
        return isPackageByLengthOnly(meaning.packageUid)
          ? this.#lookFor(meaning.packageUid)
          : this.open({ kind: 'package', id: meaning.packageUid })
      case 'order':
        return this.#parts.openOrder(meaning.orderId)
      case 'gs1':
        // The whole code: main also reads the batch from it.
        return this.#lookFor(meaning.text)
      case 'unknown':
        return meaning.text === '' ? refusal({ code: 'scan/not-a-code', text: '' }) : this.#lookFor(meaning.text)
      default:
        return assertNever(meaning)
    }
  }

  async #lookFor(text: string): Promise<ScanOutcome> {
    this.text = text
    const { answer, isNewest } = await this.#search(text)
    if (!answer.ok) return refusal(answer.error)
    const { things, orderId, unreachable } = answer.value
    // Behind a newer scan it only says what it was.
    const opened = isNewest ? this.#openOnly(answer.value) : null
    if (opened) return opened
    const count = things.length + (orderId === null ? 0 : 1)
    if (count > 0) return { tone: 'good', what: { key: 'find.matches', values: { count } } }
    const what = { key: 'find.scan.none' } as const
    return {
      tone: 'attention',
      what,
      detail: unreachable ? explain(unreachable).what : { key: 'find.scan.none.detail' },
    }
  }

  /** Shows a thing, and says what it is. */
  async open(ref: EntityRef): Promise<ScanOutcome> {
    const { client, isInFront, now } = this.#parts
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
    // If there was no answer, the thing stays as it is known.
    if (!answer.ok && !(shown.view && isUnasked(answer.error))) return refusal(answer.error)
    const view = answer.ok ? answer.value : shown.view
    const what = { key: `find.scan.${ref.kind}`, values: { name: view?.name ?? ref.id } } as const
    const standing = view?.kind === 'tag' ? view.standing : null
    // Found is not the same as sellable: the strip is green for both only, and never milder than the card.
    const tone = standing ? verdictSound(standing) : 'good'
    if (!answer.ok || answer.value.knowledge.source !== 'now')
      return {
        tone: tone === 'bad' ? 'bad' : 'attention',
        what,
        detail: storedText(standing, answer.ok ? answer.value.unreachable : answer.error),
      }
    if (standing) return { tone, what, detail: verdictText(standing) }
    const isRemoved = answer.value.kind === 'collection' && answer.value.isRemoved
    return isRemoved ? { tone: 'attention', what, detail: { key: 'find.removed.means' } } : { tone: 'good', what }
  }

  /** True if a person must agree first to drop items scanned for the collection in front; `go` runs once they do. */
  #asksFirst(go: () => void): boolean {
    const work = this.shown?.work
    if (!work?.mode) return false
    if (work.asksToDrop(go)) return true
    work.leave()
    return false
  }

  /** Takes away the message that nothing was found. */
  #uncover(): void {
    if (this.isNothingFound) this.clear()
  }

  back(): boolean {
    // The message that nothing was found covers the thing that was open before.
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
    // What was known then is shown at once; the newest answer follows.
    void this.shown?.load()
    return true
  }

  /** Esc: leaves a mode, then goes back; false if there is nothing to leave. */
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
    // With another list open, the next scan is looked up and not added here.
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

  cartChanged(cart: CartView): void {
    this.shown?.cartChanged(cart)
  }

  settingsChanged(): void {
    this.shown?.settingsChanged()
  }

  operationChanged(operation: OperationView): void {
    this.removed.operationChanged(operation)
    // A thing out of sight is read again when it is opened; the state of its changes is kept up to date.
    for (const entry of this.trail.entries) {
      if (entry === this.shown) entry.operationChanged(operation)
      else entry.work?.reports.operationChanged(operation)
    }
  }
}

/** What a strip says of what is only stored: the verdict that gives it its color, and why there is nothing newer. */
function storedText(standing: Verdict | null, error: AppError | null): Text {
  const stored: Text = error
    ? { key: 'find.scan.stored.why', values: { why: explain(error).what } }
    : { key: 'find.scan.stored' }
  if (!standing || standing.level === 'ok') return stored
  return { key: 'find.scan.stored.verdict', values: { verdict: verdictText(standing), stored } }
}
