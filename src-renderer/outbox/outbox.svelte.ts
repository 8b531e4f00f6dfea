import { SvelteMap, SvelteSet } from 'svelte/reactivity'
import type { AppError } from '../../src-shared/errors'
import type { CaseId, OperationId } from '../../src-shared/ids'
import type { CartMode } from '../../src-shared/ipc/checkout-view'
import type { Client } from '../../src-shared/ipc/client'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import type { ExportFile } from '../../src-shared/ipc/receiving-history-view'
import type { Result } from '../../src-shared/result'
import { History } from './history.svelte'
import { type Listing, emptyListing, renewed } from './listing'
import { createPace } from './pace'
import { Refusal } from './refusal.svelte'
import { isForItems } from './refused-items'

/** So many refused orders open by themselves: of more, a person says which. */
const openedAtOnce = 3

export interface OutboxParts {
  client: Client
  /** Told which cart a refused order was put back into. */
  onReopened: (mode: CartMode) => void
  /** Told which case must be imported before a refused order can be sent. */
  onImport: (caseId: CaseId) => void
  /** Whether a person sees the lists: nobody else needs them. */
  isInFront: () => boolean
  /** ms, for the pace. */
  now?: () => number
}

/** The outbox: what needs a person, what waits, and what was sent lately. */
export class Outbox {
  waiting = $state.raw<Listing>(emptyListing)
  attention = $state.raw<Listing>(emptyListing)
  recent = $state.raw<Listing>(emptyListing)
  /** The lists are what main last said; false after a change that nobody looked at. */
  isLoaded = $state(false)
  error = $state.raw<AppError | null>(null)
  /** The operation that is being dismissed, while its reason is asked for. */
  dismissing = $state.raw<OperationView | null>(null)
  /** The operation that is being confirmed, while that is asked about. */
  confirming = $state.raw<OperationView | null>(null)
  /** The unsent operation that is being taken back, while that is asked about. */
  withdrawing = $state.raw<OperationView | null>(null)
  /** The operation that somebody asked for on another screen; the lists lead to it once they are there. */
  wanted = $state.raw<OperationId | null>(null)
  isSaving = $state(false)
  /** What the last action on an operation was refused with, beside that operation. */
  readonly errors = new SvelteMap<OperationId, AppError>()
  /** The histories that are open, wherever their operation goes. */
  readonly histories = new SvelteMap<OperationId, History>()
  /** Refused orders whose items are shown. */
  readonly refusals = new SvelteMap<OperationId, Refusal>()
  /** When the next report is tried that waits for its time, in ms; null when none does. */
  nextTryAt = $derived.by(() => {
    const times = this.waiting.operations.flatMap(({ nextAttemptAt }) => nextAttemptAt ?? [])
    return times.length === 0 ? null : Math.min(...times.map((time) => Date.parse(time)))
  })

  readonly #client: Client
  readonly #parts: OutboxParts
  readonly #pace: ReturnType<typeof createPace>
  #asked = 0
  #answered = 0
  /** Refusals that were seen: they don't open by themselves again. */
  readonly #seen = new SvelteSet<string>()

  constructor(parts: OutboxParts) {
    this.#parts = parts
    this.#client = parts.client
    this.#pace = createPace(() => void this.load(), parts.now ?? (() => performance.now()))
  }

  async load(): Promise<void> {
    const turn = ++this.#asked
    this.#pace.done()
    const histories = this.#loadHistories()
    const [waiting, attention, recent] = await Promise.all([
      this.#client.call('outbox.list', { show: 'waiting' }),
      this.#client.call('outbox.list', { show: 'attention' }),
      this.#client.call('outbox.list', { show: 'recent' }),
    ])
    // An answer that was overtaken by a later one tells of the past.
    if (turn > this.#answered) {
      this.#answered = turn
      if (waiting.ok) this.waiting = renewed(this.waiting, waiting.value)
      if (attention.ok) this.attention = renewed(this.attention, attention.value)
      if (recent.ok) this.recent = renewed(this.recent, recent.value)
      const failed = [waiting, attention, recent].find((answer) => !answer.ok)
      this.error = failed ? failed.error : null
      this.isLoaded = !failed
      this.#openRefusals()
    }
    await histories
  }

  operationChanged({ id }: OperationView): void {
    this.#outdate(id)
    if (this.#parts.isInFront()) this.#pace.changed()
    else this.isLoaded = false
  }

  /** Whether an operation stands in one of the lists. */
  shows(id: OperationId): boolean {
    return [this.attention, this.waiting, this.recent].some(({ operations }) => operations.some((one) => one.id === id))
  }

  /** Opens or closes the history of an operation. */
  async toggleHistory({ id }: OperationView): Promise<void> {
    if (this.histories.delete(id)) return
    const history = new History(this.#client, id)
    this.histories.set(id, history)
    await history.load()
  }

  /** Opens or closes the items of a refused order. */
  async toggleRefusal(operation: OperationView): Promise<void> {
    if (this.refusals.delete(operation.id)) return
    const refusal = new Refusal(this.#client, operation)
    this.refusals.set(operation.id, refusal)
    await refusal.load()
  }

  /** Sends a refused order again without the items that were taken out. */
  async amend(refusal: Refusal): Promise<void> {
    if (refusal.isBusy) return
    refusal.isBusy = true
    const { id } = refusal.operation
    const answer = await this.#client.call('checkout.amend', { operationId: id, without: refusal.takenOut })
    refusal.isBusy = false
    await this.#settle(id, answer)
  }

  importCase(caseId: CaseId): void {
    this.#parts.onImport(caseId)
  }

  /** Everything that was ever to be reported, as a file; null when it could not be had. */
  async export(): Promise<ExportFile | null> {
    if (this.isSaving) return null
    this.isSaving = true
    const answer = await this.#client.call('outbox.export', undefined)
    this.isSaving = false
    this.error = answer.ok ? null : answer.error
    return answer.ok ? answer.value : null
  }

  async retry({ id }: OperationView): Promise<void> {
    await this.#settle(id, await this.#client.call('outbox.retry', { operationId: id }))
  }

  async dismiss(reason: string): Promise<void> {
    const operation = this.dismissing
    if (!operation) return
    this.dismissing = null
    await this.#settle(operation.id, await this.#client.call('outbox.dismiss', { operationId: operation.id, reason }))
  }

  /** A person saw that the service has it; `where`, empty for nothing, is kept with it. */
  async confirm(where: string): Promise<void> {
    const operation = this.confirming
    if (!operation) return
    this.confirming = null
    const reason = where === '' ? {} : { reason: where }
    const { id } = operation
    await this.#settle(id, await this.#client.call('outbox.confirm', { operationId: id, ...reason }))
  }

  /** Takes an import back. A sale, return or void is asked about first: it may have happened at the counter. */
  async undo(operation: OperationView): Promise<void> {
    if (operation.kind !== 'import') {
      this.withdrawing = operation
      return
    }
    const { id } = operation
    await this.#settle(id, await this.#client.call('receiving.undo', { operationId: id }))
  }

  /** Withdraws the unsent operation that was asked about. */
  async withdraw(): Promise<void> {
    const operation = this.withdrawing
    if (!operation) return
    this.withdrawing = null
    const { id } = operation
    await this.#settle(id, await this.#client.call('outbox.withdraw', { operationId: id }))
  }

  /** Puts a refused sale or return back into its cart, where it can be changed. */
  async change({ id }: OperationView): Promise<void> {
    const answer = await this.#client.call('checkout.reopen', { operationId: id })
    if (!answer.ok) {
      this.errors.set(id, answer.error)
      return
    }
    this.errors.delete(id)
    this.#parts.onReopened(answer.value.mode)
    await this.load()
  }

  async sendNow(): Promise<void> {
    const answer = await this.#client.call('outbox.sendNow', undefined)
    if (!answer.ok) this.error = answer.error
  }

  async #settle(id: OperationId, answer: Result<OperationView, AppError>): Promise<void> {
    if (answer.ok) this.errors.delete(id)
    else this.errors.set(id, answer.error)
    this.#outdate(id)
    await this.load()
  }

  /** Of what was refused for some of its items, the first few and the one that is asked for show them at once. */
  #openRefusals(): void {
    const refused = this.attention.operations.filter(isForItems)
    for (const [place, operation] of refused.entries()) {
      const { id, attempts } = operation
      const open = this.refusals.get(id)
      // It was sent again, and refused again: perhaps for others.
      if (open && open.operation.attempts !== attempts) this.refusals.delete(id)
      const refusal = `${id} ${attempts}`
      const isNew = !this.#seen.has(refusal) && (place < openedAtOnce || open !== undefined)
      this.#seen.add(refusal)
      if ((isNew || id === this.wanted) && !this.refusals.has(id)) void this.toggleRefusal(operation)
    }
    for (const id of this.refusals.keys()) if (!refused.some((one) => one.id === id)) this.refusals.delete(id)
  }

  #outdate(id: OperationId): void {
    const history = this.histories.get(id)
    if (history) history.isOutdated = true
  }

  async #loadHistories(): Promise<void> {
    const outdated = [...this.histories.values()].filter((history) => history.isOutdated)
    await Promise.all(outdated.map((history) => history.load()))
  }
}
