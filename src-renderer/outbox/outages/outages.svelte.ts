import type { AppError } from '../../../src-shared/errors'
import { type Result, err, ok } from '../../../src-shared/result'
import type { Client } from '../../../src-shared/ipc/client'
import type { ExportFile } from '../../../src-shared/ipc/contract/call'
import type { Outage, OutageExport, OutageLine, OutageSpan } from '../../../src-shared/ipc/contract/outages'
import type { CallOutput } from '../../../src-shared/ipc/contract'
import { dayText } from '../../orders/listing'
import { Ask } from '../../ui/ask.svelte'
import { type Page, PagedList } from '../../ui/paged-list.svelte'
import { isLeft } from '../../ui/gate.svelte'
import { type Throttled, throttle } from '../../ui/throttle'
import { outageFile } from './outage-text'

export const ranges = ['last-24', 'today', 'days'] as const
export type Range = (typeof ranges)[number]

const day = 86_400_000
/** Main takes no longer span. */
const longestSpan = 400 * day

const startOf = (date: string) => new Date(`${date}T00:00:00`)
const startOfNext = (date: string) => {
  const next = startOf(date)
  next.setDate(next.getDate() + 1)
  return next
}

interface OutagesParts {
  client: Client
  /** The service's time, in ms: outages are filed by it. */
  serviceTime: () => number
}

/** The times without the service in a span, and what was done during one of them. */
export class Outages {
  range = $state<Range>('last-24')
  /** YYYY-MM-DD, of the chosen days. */
  firstDay = $state('')
  lastDay = $state('')
  readonly list = new Ask<CallOutput<'outbox.outages'>>()
  /** The outage whose details are open. */
  openId = $state<number | null>(null)
  /** What was done during the open outage. Its head: the outage. */
  readonly detail = new PagedList<OutageLine, number, Outage>((after) => this.#lines(after))
  /** What is printed; null while the sheet is closed. */
  readonly paper = new Ask<OutageExport>()
  isPrinting = $state(false)
  isSaving = $state(false)
  /** Something that the list may show has changed: it is read again soon. */
  readonly changed: Throttled
  readonly #parts: OutagesParts

  constructor(parts: OutagesParts) {
    this.#parts = parts
    this.changed = throttle(() => void this.load())
  }

  /** The chosen span, at least a moment and at most what main takes. */
  span(): OutageSpan {
    const now = this.#parts.serviceTime()
    if (this.range === 'last-24') return spanOf(now - day, now + 1)
    const today = dayText(now)
    if (this.range === 'today') return spanOf(startOf(today).getTime(), startOfNext(today).getTime())
    const [first = today, last = today] = [this.firstDay || today, this.lastDay || this.firstDay || today].sort()
    const to = startOfNext(last).getTime()
    return spanOf(Math.max(startOf(first).getTime(), to - longestSpan), to)
  }

  async load(): Promise<void> {
    this.changed.reset()
    const span = this.span()
    const details = this.openId === null ? undefined : this.detail.reload()
    await this.list.ask(() => this.#parts.client.call('outbox.outages', span))
    await details
  }

  async choose(range: Range): Promise<void> {
    this.range = range
    if (range === 'days' && this.firstDay === '') {
      const today = dayText(this.#parts.serviceTime())
      this.firstDay = today
      this.lastDay = today
    }
    await this.chosen()
  }

  /** Shows another span. What was left out of a file of the one before says nothing of it. */
  async chosen(): Promise<void> {
    this.paper.clear()
    await this.load()
  }

  async toggle(id: number): Promise<void> {
    this.openId = this.openId === id ? null : id
    this.detail.clear()
    if (this.openId !== null) await this.detail.load()
  }

  async #lines(after: number | null): Promise<Result<Page<OutageLine, number, Outage>, AppError>> {
    const id = this.openId
    if (id === null) return err({ code: 'outbox/no-outage' })
    const answer = await this.#parts.client.call('outbox.outage', { id, after: after ?? 0 })
    if (!answer.ok) return answer
    const { lines: rows, hasMore, outage: head } = answer.value
    return ok({ rows, next: hasMore ? (rows.at(-1)?.seq ?? null) : null, head })
  }

  /** The file of the span; undefined if it was refused. */
  async export(): Promise<ExportFile | undefined> {
    const ledger = await this.#ledger()
    return ledger && outageFile(ledger)
  }

  async print(): Promise<void> {
    this.isPrinting = (await this.#ledger()) !== undefined
  }

  async #ledger(): Promise<OutageExport | undefined> {
    this.isSaving = true
    const answer = await this.paper.ask(() => this.#parts.client.call('outbox.exportOutages', this.span()))
    this.isSaving = false
    if (answer.ok) return answer.value
    // Leaving the PIN's dialog is no error.
    if (isLeft(answer.error)) this.paper.showError(null)
    return undefined
  }
}

const spanOf = (from: number, to: number): OutageSpan => ({
  from: new Date(from).toISOString(),
  to: new Date(Math.max(to, from + 1)).toISOString(),
})
