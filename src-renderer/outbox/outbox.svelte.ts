import { SvelteMap, SvelteSet } from 'svelte/reactivity'
import type { AppError } from '../../src-shared/errors'
import type { CaseId, OperationId } from '../../src-shared/ids'
import type { CartReopened } from '../../src-shared/ipc/contract/checkout'
import { localTime } from '../../src-shared/csv/local-time'
import type { Client } from '../../src-shared/ipc/client'
import type { ManyDone, OperationView, OutboxGroup, OutboxOverview } from '../../src-shared/ipc/contract/outbox'
import type { ExportFile } from '../../src-shared/ipc/contract/call'
import type { Result } from '../../src-shared/result'
import { dayText } from '../orders/listing'
import { isLeft } from '../ui/gate.svelte'
import { type Throttled, keepUnchanged, throttle } from '../ui/throttle'
import { Histories } from './history.svelte'
import { Outages } from './outages/outages.svelte'
import { Refusal } from './refusal.svelte'
import { outboxFile } from './report-file'

/** A list of the outbox: the first of `total`. */
interface Listing {
  operations: OperationView[]
  total: number
}

const emptyListing: Listing = { operations: [], total: 0 }

/** The new list, with the old object for each operation that did not change. */
const renewed = (before: Listing, { operations, total }: Listing): Listing => ({
  operations: keepUnchanged(before.operations, operations, ({ id }) => id),
  total,
})

const emptyOverview: OutboxOverview = { groups: [], total: 0, today: { accepted: 0, sales: 0, cancelled: 0 } }

/** The new groups, with the old object for each group and operation that did not change. */
const regrouped = (before: OutboxOverview, now: OutboxOverview): OutboxOverview => {
  const known = before.groups.flatMap(({ operations }) => operations)
  const groups = now.groups.map((group) => ({
    ...group,
    operations: keepUnchanged(known, group.operations, ({ id }) => id),
  }))
  return { ...now, groups: keepUnchanged(before.groups, groups, ({ key }) => key) }
}

/** The done operations of `day` (YYYY-MM-DD) and the earlier ones, newest first. */
export function dayGroups({ operations, total }: Listing, day: string) {
  const isOfDay = ({ performedAt }: OperationView) => dayText(Date.parse(performedAt)) === day
  const today = operations.filter(isOfDay)
  const earlier = operations.filter((one) => !isOfDay(one))
  // What is not listed is older than what is.
  const rest = total - operations.length
  const isAllToday = earlier.length === 0
  return {
    today: { operations: today, total: today.length + (isAllToday ? rest : 0) },
    earlier: { operations: earlier, total: earlier.length + (isAllToday ? 0 : rest) },
  }
}

/** An action that a person must confirm: taking back, confirming or dismissing an operation. */
export type Question =
  | { what: 'withdraw' | 'confirm' | 'dismiss'; operation: OperationView }
  | { what: 'amend'; operation: OperationView; refusal: Refusal }
  | { what: 'dismiss-many'; group: OutboxGroup }
  | { what: 'amend-many'; group: OutboxGroup }

/** What became of the last action on a group. */
export interface GroupOutcome extends ManyDone {
  what: 'retry' | 'dismiss' | 'amend'
}

/** Groups of so many are open from the start. */
const openFromStart = 3

/** So many refused orders open by themselves. */
const openedAtOnce = 3

interface OutboxParts {
  client: Client
  /** Called with the cart that a refused order was put back into. */
  onReopened: (cart: CartReopened) => void
  /** Called with cases that must be imported before a refused order can be sent. */
  onImport: (caseIds: CaseId[]) => void
  /** Whether the lists are on the screen; otherwise they are not read. */
  isInFront: () => boolean
  /** The service's time, in ms. */
  serviceTime: () => number
  /** Monotonic clock, in ms. */
  now?: () => number
}

/** The outbox: operations that need a person, that wait, and that were sent recently. */
export class OutboxLists {
  waiting = $state.raw<Listing>(emptyListing)
  /** What needs attention, by cause, and the day's figures. */
  overview = $state.raw<OutboxOverview>(emptyOverview)
  recent = $state.raw<Listing>(emptyListing)
  /** The lists are up to date; false after a change while they were not on the screen. */
  isLoaded = $state(false)
  error = $state.raw<AppError | null>(null)
  /** The question that is on the screen. */
  asking = $state.raw<Question | null>(null)
  /** An operation that another screen leads to: scrolled to once the lists are there. */
  wanted = $state.raw<OperationId | null>(null)
  isSaving = $state(false)
  /** Reports, or the times without the service. */
  section = $state<'reports' | 'outages'>('reports')
  readonly outages: Outages
  /** The last action on a group; null once another one began. */
  outcome = $state.raw<GroupOutcome | null>(null)
  /** An action on a group is under way. Its buttons stay enabled: a disabled one would lose the focus. */
  isBusy = $state(false)
  /** Groups that a person opened or closed, by key. */
  readonly #opened = new SvelteMap<string, boolean>()
  /** Why the last action on an operation was refused. */
  readonly errors = new SvelteMap<OperationId, AppError>()
  /** Open histories; they stay open when their operation moves to another list. */
  readonly histories: Histories
  /** Refused orders whose items are shown. */
  readonly refusals = new SvelteMap<OperationId, Refusal>()
  /** When the next waiting report is tried, in ms since 1970; null if none waits for a time. */
  nextTryAt = $derived.by(() => {
    const times = this.waiting.operations.flatMap(({ nextAttemptAt }) => nextAttemptAt ?? [])
    return times.length === 0 ? null : Math.min(...times.map((time) => Date.parse(time)))
  })

  readonly #client: Client
  readonly #parts: OutboxParts
  readonly #reload: Throttled
  #asked = 0
  #answered = 0
  /** Refusals that have been shown; they don't open by themselves again. */
  readonly #seen = new SvelteSet<string>()

  constructor(parts: OutboxParts) {
    this.#parts = parts
    this.#client = parts.client
    this.histories = new Histories(parts.client)
    this.outages = new Outages(parts)
    this.#reload = throttle(() => void this.load(), parts.now)
  }

  async load(): Promise<void> {
    const turn = ++this.#asked
    this.#reload.reset()
    const histories = this.histories.reload()
    const [waiting, overview, recent] = await Promise.all([
      this.#client.call('outbox.list', { show: 'waiting' }),
      this.#client.call('outbox.overview', undefined),
      this.#client.call('outbox.list', { show: 'recent' }),
    ])
    // An answer that a newer one overtook is out of date. (One that is late but not overtaken is shown.)
    if (turn > this.#answered) {
      this.#answered = turn
      if (waiting.ok) this.waiting = renewed(this.waiting, waiting.value)
      if (overview.ok) this.overview = regrouped(this.overview, overview.value)
      if (recent.ok) this.recent = renewed(this.recent, recent.value)
      const failed = [waiting, overview, recent].find((answer) => !answer.ok)
      this.error = failed ? failed.error : null
      this.isLoaded = !failed
      this.#openRefusals()
    }
    await histories
  }

  operationChanged({ id }: OperationView): void {
    this.histories.outdate(id)
    if (this.#parts.isInFront()) this.#reload()
    else this.isLoaded = false
  }

  /** Whether an operation is in one of the lists. */
  shows(id: OperationId): boolean {
    return [this.needing, this.waiting.operations, this.recent.operations].some((list) =>
      list.some((one) => one.id === id),
    )
  }

  /** The operations of all groups that are listed. */
  get needing(): OperationView[] {
    return this.overview.groups.flatMap(({ operations }) => operations)
  }

  isOpen({ key, count }: OutboxGroup): boolean {
    return this.#opened.get(key) ?? count <= openFromStart
  }

  /** Shows or hides the members of a group. */
  toggleGroup(group: OutboxGroup): void {
    this.#opened.set(group.key, !this.isOpen(group))
  }

  /** Sends all of a group again. */
  async retryAll(group: OutboxGroup): Promise<void> {
    await this.#actOnMany('retry', () => this.#client.call('outbox.retryMany', { operationIds: group.canRetry }))
  }

  async #actOnMany(what: GroupOutcome['what'], act: () => Promise<Result<ManyDone, AppError>>): Promise<void> {
    if (this.isBusy) return
    this.isBusy = true
    this.outcome = null
    const answer = await act()
    this.isBusy = false
    if (answer.ok) {
      this.outcome = { what, ...answer.value }
      for (const { operationId, error } of answer.value.refused) this.errors.set(operationId, error)
    }
    await this.load()
    if (!answer.ok && !isLeft(answer.error)) this.error = answer.error
  }

  /** Opens or closes the items of a refused order. */
  async toggleRefusal(operation: OperationView): Promise<void> {
    if (this.refusals.delete(operation.id)) return
    const refusal = new Refusal(this.#client, operation)
    this.refusals.set(operation.id, refusal)
    await refusal.load()
  }

  /** Asks for the reason why items are taken out of a refused order; `answer` then sends the rest again. */
  amend(refusal: Refusal): void {
    if (!refusal.isBusy) this.asking = { what: 'amend', operation: refusal.operation, refusal }
  }

  async #amend({ refusal, operation: { id } }: Extract<Question, { what: 'amend' }>, reason: string): Promise<void> {
    refusal.isBusy = true
    const answer = await this.#client.call('checkout.amend', { operationId: id, without: refusal.takenOut, reason })
    refusal.isBusy = false
    await this.#settle(id, answer)
  }

  importCases(caseIds: CaseId[]): void {
    this.#parts.onImport(caseIds)
  }

  /** Every report of this station as a file; null if it can't be made. */
  async export(): Promise<ExportFile | null> {
    if (this.isSaving) return null
    this.isSaving = true
    const answer = await this.#client.call('outbox.export', undefined)
    this.isSaving = false
    this.error = answer.ok ? null : answer.error
    return answer.ok ? outboxFile(answer.value) : null
  }

  /** A person says when it was done, in ms since 1970; it's sent with that time. */
  async date({ id }: OperationView, at: number): Promise<void> {
    const performedAt = localTime(at).replace(' ', 'T').replace(' ', '')
    await this.#settle(id, await this.#client.call('outbox.date', { operationId: id, performedAt }))
  }

  async retry({ id }: OperationView): Promise<void> {
    await this.#settle(id, await this.#client.call('outbox.retry', { operationId: id }))
  }

  /**
   * Takes back an import. For a sale, return or void a person must confirm, because it may have happened at the
   * counter.
   */
  async undo(operation: OperationView): Promise<void> {
    const { id, kind } = operation
    if (kind !== 'import') this.asking = { what: 'withdraw', operation }
    else await this.#settle(id, await this.#client.call('receiving.undo', { operationId: id }))
  }

  /** Does the confirmed action. `text`: the reason for giving something up, or where a person saw the report at the service. */
  async answer(text: string): Promise<void> {
    if (!this.asking) return
    const { asking } = this
    this.asking = null
    if (asking.what === 'dismiss-many') {
      const operationIds = asking.group.canDismiss
      await this.#actOnMany('dismiss', () => this.#client.call('outbox.dismissMany', { operationIds, reason: text }))
      return
    }
    if (asking.what === 'amend-many') {
      const { operationIds, without } = asking.group.canAmend
      const items = without.map(({ tagId }) => tagId)
      await this.#actOnMany('amend', () =>
        this.#client.call('checkout.amendMany', { operationIds, without: items, reason: text }),
      )
      return
    }
    if (asking.what === 'amend') {
      await this.#amend(asking, text)
      return
    }
    const { what, operation } = asking
    const operationId = operation.id
    await this.#settle(
      operationId,
      what === 'withdraw'
        ? await this.#client.call('outbox.withdraw', { operationId })
        : what === 'dismiss'
          ? await this.#client.call('outbox.dismiss', { operationId, reason: text })
          : await this.#client.call('outbox.confirm', { operationId, ...(text !== '' && { reason: text }) }),
    )
  }

  /** Puts a refused sale or return back into its cart, where it can be changed. */
  async change({ id }: OperationView): Promise<void> {
    const answer = await this.#client.call('checkout.reopen', { operationId: id })
    if (!answer.ok) {
      this.errors.set(id, answer.error)
      return
    }
    this.errors.delete(id)
    this.#parts.onReopened(answer.value)
    await this.load()
  }

  async sendNow(): Promise<void> {
    const answer = await this.#client.call('outbox.sendNow', undefined)
    if (!answer.ok) this.error = answer.error
  }

  async #settle(id: OperationId, answer: Result<OperationView, AppError>): Promise<void> {
    if (answer.ok) this.errors.delete(id)
    else if (!isLeft(answer.error)) this.errors.set(id, answer.error)
    this.histories.outdate(id)
    await this.load()
  }

  /** Opens the items of the first few refused orders, and of the one that another screen leads to. */
  #openRefusals(): void {
    const led = this.overview.groups.find(({ operations }) => operations.some(({ id }) => id === this.wanted))
    if (led) this.#opened.set(led.key, true)
    // One that was put back into the cart names the products it was refused for.
    const refused = this.needing.filter(({ actions, note }) => actions.includes('amend') || note === 'taken-back')
    for (const [place, operation] of refused.entries()) {
      const { id, attempts } = operation
      const open = this.refusals.get(id)
      // Sent again and refused again, perhaps for other items.
      if (open && open.operation.attempts !== attempts) this.refusals.delete(id)
      const refusal = `${id} ${attempts}`
      const isNew = !this.#seen.has(refusal) && (place < openedAtOnce || open !== undefined)
      this.#seen.add(refusal)
      if ((isNew || id === this.wanted) && !this.refusals.has(id)) void this.toggleRefusal(operation)
    }
    for (const id of this.refusals.keys()) if (!refused.some((one) => one.id === id)) this.refusals.delete(id)
  }
}
