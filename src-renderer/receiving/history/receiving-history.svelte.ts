import { SvelteMap } from 'svelte/reactivity'
import type { AppError } from '../../../src-shared/errors'
import type { DeliveryId, OperationId } from '../../../src-shared/ids'
import type { Client } from '../../../src-shared/ipc/client'
import type { DeliverySummary } from '../../../src-shared/ipc/contract/delivery'
import type { OperationKind, OperationView } from '../../../src-shared/ipc/contract/outbox'
import type { ExportFile } from '../../../src-shared/ipc/contract/call'
import type { HistoryEntry, HistoryFilter } from '../../../src-shared/ipc/contract/receiving'
import { type Result, ok } from '../../../src-shared/result'
import { isLeft } from '../../ui/gate.svelte'
import { Ask } from '../../ui/ask.svelte'
import { Command } from '../../ui/command.svelte'
import { type Page, PagedList } from '../../ui/paged-list.svelte'
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
  readonly deliveries = new Ask<DeliverySummary[]>()
  /** Searched for in the deliveries. */
  deliveryText = $state('')
  /** Why the last delivery could not be reopened. */
  reopenError = $state.raw<AppError | null>(null)
  readonly saving = new Command()
  /** Newest first. */
  readonly list = new PagedList<HistoryEntry>((before) => this.#page(before))
  lines = $derived(linesOf(this.list.rows ?? []))
  /** Why an undo was refused, by operation. */
  readonly undoErrors = new SvelteMap<OperationId, AppError>()

  isFiltered = $derived(this.from !== '' || this.to !== '' || this.text.trim() !== '')
  /** The first day is after the last one: shown as a mistake, not as an empty list. */
  isBackwards = $derived(this.from !== '' && this.to !== '' && this.from > this.to)

  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  get error(): AppError | null {
    return this.saving.error ?? this.list.error
  }

  get #filter(): HistoryFilter {
    return { from: this.from || null, to: this.to || null, text: this.text.trim() }
  }

  /** Shows the newest page for the filter. */
  async load(): Promise<void> {
    this.saving.forget()
    await this.list.load()
  }

  async #page(before: number | null): Promise<Result<Page<HistoryEntry, number, null>, AppError>> {
    if (this.isBackwards) return ok({ rows: [], next: null, total: 0, head: null })
    const answer = await this.#client.call('receiving.history', { filter: this.#filter, before })
    if (!answer.ok) return answer
    const { entries: rows, total } = answer.value
    return ok({ rows, total, next: rows.at(-1)?.operation.seq ?? null, head: null })
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
    await this.list.reload()
  }

  /** Shows the new state of an operation; reads the list again if it is a new one. */
  operationChanged(operation: OperationView): void {
    const { rows } = this.list
    if (!rows || !received.includes(operation.kind)) return
    const isKnown = rows.some((entry) => entry.operation.id === operation.id)
    const withNew = (entry: HistoryEntry) => (entry.operation.id === operation.id ? { ...entry, operation } : entry)
    if (isKnown) this.list.patch((entries) => entries.map(withNew))
    else if (operation.seq > (rows[0]?.operation.seq ?? 0)) void this.list.reload()
  }

  /** All entries of the filter as a file; null if it can't be made. */
  async export(): Promise<ExportFile | null> {
    const answer = await this.saving.run(() => this.#client.call('receiving.exportHistory', { filter: this.#filter }))
    return answer?.ok ? historyFile(answer.value) : null
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
