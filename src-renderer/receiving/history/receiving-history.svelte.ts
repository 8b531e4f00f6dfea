import { SvelteMap } from 'svelte/reactivity'
import type { AppError } from '../../../src-shared/errors'
import type { DeliveryId, OperationId } from '../../../src-shared/ids'
import type { Client } from '../../../src-shared/ipc/client'
import type { DeliverySummary } from '../../../src-shared/ipc/contract/delivery'
import type { OperationKind, OperationView } from '../../../src-shared/ipc/contract/outbox'
import type { ExportFile } from '../../../src-shared/ipc/contract/call'
import type { HistoryEntry, HistoryFilter, HistoryPage } from '../../../src-shared/ipc/contract/receiving'
import { isLeft } from '../../ui/gate.svelte'
import { Ask } from '../../ui/ask.svelte'
import { historyFile } from '../../outbox/report-file'

/** A line of the list: the heading of a day, or an entry. */
export type HistoryLine = { kind: 'day'; key: string; at: Date } | { kind: 'entry'; key: string; entry: HistoryEntry }

const received: OperationKind[] = [
  'import',
  'blind-import',
  'import-removal',
  'add-items',
  'remove-item',
  'restore-item',
]

/** What was received, and when. Older pages are loaded as a person scrolls. */
export class ReceivingHistory {
  from = $state('')
  to = $state('')
  text = $state('')
  /** Null until the first answer. */
  entries = $state.raw<HistoryEntry[] | null>(null)
  total = $state(0)
  readonly deliveries = new Ask<DeliverySummary[]>()
  /** Searched for in the deliveries. */
  deliveryText = $state('')
  /** Why the last delivery could not be reopened. */
  reopenError = $state.raw<AppError | null>(null)
  readonly #page = new Ask<HistoryPage>()
  isSaving = $state(false)
  #saveError = $state.raw<AppError | null>(null)
  /** Why an undo was refused, by operation. */
  readonly undoErrors = new SvelteMap<OperationId, AppError>()

  error = $derived(this.#saveError ?? this.#page.error)
  isFiltered = $derived(this.from !== '' || this.to !== '' || this.text.trim() !== '')
  /** The first day is after the last one: shown as a mistake, not as an empty list. */
  isBackwards = $derived(this.from !== '' && this.to !== '' && this.from > this.to)
  isWhole = $derived(this.entries !== null && this.entries.length >= this.total)
  lines = $derived(linesOf(this.entries ?? []))

  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  get #filter(): HistoryFilter {
    return { from: this.from || null, to: this.to || null, text: this.text.trim() }
  }

  /** Loads the newest page for the filter. */
  async load(): Promise<void> {
    this.#saveError = null
    if (this.isBackwards) {
      this.#page.clear()
      this.entries = []
      this.total = 0
      return
    }
    await this.#page.ask(
      () => this.#client.call('receiving.history', { filter: this.#filter, before: null }),
      ({ entries, total }) => {
        this.entries = entries
        this.total = total
      },
    )
  }

  /** Loads the next page, if there is one. */
  async more(): Promise<void> {
    const { entries } = this
    const before = entries?.at(-1)?.operation.seq
    if (this.#page.isBusy || this.isWhole || !entries || before === undefined) return
    await this.#page.ask(
      () => this.#client.call('receiving.history', { filter: this.#filter, before }),
      (page) => {
        const shown = this.entries ?? []
        this.entries = [...shown, ...page.entries.filter(({ operation }) => operation.seq < before)]
        // An empty page ends the list, whatever the total.
        this.total = page.entries.length === 0 ? this.entries.length : page.total
      },
    )
  }

  async loadDeliveries(): Promise<void> {
    this.reopenError = null
    const text = this.deliveryText.trim()
    await this.deliveries.ask(() => this.#client.call('receiving.deliveries', text === '' ? undefined : { text }))
  }

  /** Makes a delivery the one under way again. False, with the reason and the list as it is now, if main refuses. */
  async reopen(deliveryId: DeliveryId): Promise<boolean> {
    const answer = await this.#client.call('receiving.reopenDelivery', { deliveryId })
    if (answer.ok) return true
    await this.loadDeliveries()
    this.reopenError = answer.error
    return false
  }

  clear(): void {
    this.from = ''
    this.to = ''
    this.text = ''
  }

  /** Withdraws an operation that was not sent, or queues its inverse, which is a new entry. */
  async undo({ id }: OperationView): Promise<void> {
    this.undoErrors.delete(id)
    const answer = await this.#client.call('receiving.undo', { operationId: id })
    if (!answer.ok) {
      if (!isLeft(answer.error)) this.undoErrors.set(id, answer.error)
      return
    }
    this.operationChanged(answer.value)
    // The operation itself can no longer be undone.
    await this.#reload()
  }

  /** Shows the new state of an operation; loads the newest page if it is a new one. */
  operationChanged(operation: OperationView): void {
    if (!this.entries || !received.includes(operation.kind)) return
    const isKnown = this.entries.some((entry) => entry.operation.id === operation.id)
    if (isKnown) {
      this.entries = this.entries.map((entry) =>
        entry.operation.id === operation.id ? { ...entry, operation } : entry,
      )
    } else if (operation.seq > (this.entries[0]?.operation.seq ?? 0)) void this.#reload()
  }

  /** Loads the newest page again and keeps the older ones. A page for a filter that has changed since is not shown. */
  async #reload(): Promise<void> {
    const filter = this.#filter
    const answer = await this.#client.call('receiving.history', { filter, before: null })
    if (!answer.ok || JSON.stringify(filter) !== JSON.stringify(this.#filter) || this.isBackwards) return
    const { entries, total } = answer.value
    const last = entries.at(-1)?.operation.seq ?? 0
    this.entries = [...entries, ...(this.entries ?? []).filter(({ operation }) => operation.seq < last)]
    this.total = total
  }

  /** All entries of the filter as a file; null if it can't be made. */
  async export(): Promise<ExportFile | null> {
    if (this.isSaving) return null
    this.isSaving = true
    const answer = await this.#client.call('receiving.exportHistory', { filter: this.#filter })
    this.isSaving = false
    this.#saveError = answer.ok ? null : answer.error
    return answer.ok ? historyFile(answer.value) : null
  }
}

/** The entries under headings for the days, in this computer's time zone. Newest first. */
function linesOf(entries: HistoryEntry[]): HistoryLine[] {
  let day = ''
  return entries.flatMap((entry): HistoryLine[] => {
    const { id, performedAt } = entry.operation
    const at = new Date(performedAt)
    const line: HistoryLine = { kind: 'entry', key: id, entry }
    if (at.toDateString() === day) return [line]
    day = at.toDateString()
    // If the clock was set, a day may come twice.
    return [{ kind: 'day', key: `${day} ${id}`, at }, line]
  })
}
