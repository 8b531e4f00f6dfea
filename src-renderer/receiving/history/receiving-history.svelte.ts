import { SvelteMap } from 'svelte/reactivity'
import type { AppError } from '../../../src-shared/errors'
import type { OperationId } from '../../../src-shared/ids'
import type { Client } from '../../../src-shared/ipc/client'
import type { DeliverySummary } from '../../../src-shared/ipc/delivery-view'
import type { OperationKind, OperationView } from '../../../src-shared/ipc/operation-view'
import type { ExportFile, HistoryEntry, HistoryFilter } from '../../../src-shared/ipc/receiving-history-view'

/** A line of the list: the head of a day, or what was reported on it. */
export type HistoryLine = { kind: 'day'; key: string; at: Date } | { kind: 'entry'; key: string; entry: HistoryEntry }

const received: OperationKind[] = [
  'import',
  'blind-import',
  'import-removal',
  'add-items',
  'remove-item',
  'restore-item',
]

/** What was received, and when; older pages come as they are scrolled to. */
export class ReceivingHistory {
  from = $state('')
  to = $state('')
  text = $state('')
  /** Null until the first answer. */
  entries = $state.raw<HistoryEntry[] | null>(null)
  total = $state(0)
  isLoading = $state(false)
  error = $state.raw<AppError | null>(null)
  isSaving = $state(false)
  deliveries = $state.raw<DeliverySummary[] | null>(null)
  /** What an undo was refused with, beside its row. */
  readonly undoErrors = new SvelteMap<OperationId, AppError>()

  isFiltered = $derived(this.from !== '' || this.to !== '' || this.text.trim() !== '')
  /** Days the wrong way round find nothing: said, not shown as an empty list. */
  isBackwards = $derived(this.from !== '' && this.to !== '' && this.from > this.to)
  isWhole = $derived(this.entries !== null && this.entries.length >= this.total)
  lines = $derived(linesOf(this.entries ?? []))

  readonly #client: Client
  #loads = 0

  constructor(client: Client) {
    this.#client = client
  }

  get #filter(): HistoryFilter {
    return { from: this.from || null, to: this.to || null, text: this.text.trim() }
  }

  /** The newest page of the filter; of two filters the newer one counts. */
  async load(): Promise<void> {
    const load = ++this.#loads
    if (this.isBackwards) {
      this.entries = []
      this.total = 0
      return
    }
    this.isLoading = true
    const answer = await this.#client.call('receiving.history', { filter: this.#filter, before: null })
    if (load !== this.#loads) return
    this.isLoading = false
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    this.entries = answer.value.entries
    this.total = answer.value.total
  }

  /** The next page, when there is one. */
  async more(): Promise<void> {
    const { entries } = this
    const before = entries?.at(-1)?.operation.seq
    if (this.isLoading || this.isWhole || !entries || before === undefined) return
    const load = this.#loads
    this.isLoading = true
    const answer = await this.#client.call('receiving.history', { filter: this.#filter, before })
    if (load !== this.#loads) return
    this.isLoading = false
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    this.entries = [...entries, ...answer.value.entries.filter(({ operation }) => operation.seq < before)]
    // Nothing more came, whatever was said: the list is whole.
    this.total = answer.value.entries.length === 0 ? this.entries.length : answer.value.total
  }

  async loadDeliveries(): Promise<void> {
    const answer = await this.#client.call('receiving.deliveries', undefined)
    if (answer.ok) this.deliveries = answer.value
    else this.error = answer.error
  }

  clear(): void {
    this.from = ''
    this.to = ''
    this.text = ''
  }

  /** Withdraws it unsent, or queues its inverse, which is a line of its own. */
  async undo({ id }: OperationView): Promise<void> {
    this.undoErrors.delete(id)
    const answer = await this.#client.call('receiving.undo', { operationId: id })
    if (!answer.ok) {
      this.undoErrors.set(id, answer.error)
      return
    }
    this.operationChanged(answer.value)
    // Its own undo is over now.
    await this.#reload()
  }

  /** A report got further; one that is not there yet is newer than all that are. */
  operationChanged(operation: OperationView): void {
    if (!this.entries || !received.includes(operation.kind)) return
    const isKnown = this.entries.some((entry) => entry.operation.id === operation.id)
    if (isKnown) {
      this.entries = this.entries.map((entry) =>
        entry.operation.id === operation.id ? { ...entry, operation } : entry,
      )
    } else if (operation.seq > (this.entries[0]?.operation.seq ?? 0)) void this.#reload()
  }

  /** Looks the newest page up again and keeps the older ones that were loaded. */
  async #reload(): Promise<void> {
    const load = this.#loads
    const answer = await this.#client.call('receiving.history', { filter: this.#filter, before: null })
    if (!answer.ok || load !== this.#loads || this.isBackwards) return
    const { entries, total } = answer.value
    const last = entries.at(-1)?.operation.seq ?? 0
    this.entries = [...entries, ...(this.entries ?? []).filter(({ operation }) => operation.seq < last)]
    this.total = total
  }

  /** All of the filter as a file; null when it could not be had. */
  async export(): Promise<ExportFile | null> {
    if (this.isSaving) return null
    this.isSaving = true
    const answer = await this.#client.call('receiving.exportHistory', { filter: this.#filter })
    this.isSaving = false
    this.error = answer.ok ? null : answer.error
    return answer.ok ? answer.value : null
  }
}

/** The entries under the days of this computer; they come newest first. */
function linesOf(entries: HistoryEntry[]): HistoryLine[] {
  let day = ''
  return entries.flatMap((entry): HistoryLine[] => {
    const { id, performedAt } = entry.operation
    const at = new Date(performedAt)
    const line: HistoryLine = { kind: 'entry', key: id, entry }
    if (at.toDateString() === day) return [line]
    day = at.toDateString()
    // By clocks that were set in between one day may come twice.
    return [{ kind: 'day', key: `${day} ${id}`, at }, line]
  })
}
