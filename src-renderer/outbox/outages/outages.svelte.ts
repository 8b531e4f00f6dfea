import type { Client } from '../../../src-shared/ipc/client'
import type { ExportFile } from '../../../src-shared/ipc/contract/call'
import type { OutageExport, OutageLine, OutageSpan } from '../../../src-shared/ipc/contract/outages'
import type { CallOutput } from '../../../src-shared/ipc/contract'
import { dayText } from '../../orders/listing'
import { Ask } from '../../ui/ask.svelte'
import { isLeft } from '../../ui/gate.svelte'
import { type Throttled, throttle } from '../../ui/throttle'
import { outageFile } from './outage-text'

export const ranges = ['last-24', 'today', 'days'] as const
export type Range = (typeof ranges)[number]

const day = 86_400_000
/** So many pages of the open outage are read again after a change; further ones when they are asked for. */
const mostReread = 25
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
  readonly detail = new Ask<CallOutput<'outbox.outage'>>()
  /** What is printed; null while the sheet is closed. */
  readonly paper = new Ask<OutageExport>()
  isPrinting = $state(false)
  isSaving = $state(false)
  /** Something that the list may show has changed: it is read again soon. */
  readonly changed: Throttled
  readonly #parts: OutagesParts
  /** Pages of the open outage that are shown, or are to be. */
  #pages = 1

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
    const details = this.openId === null ? undefined : this.#loadDetail(this.openId, Math.min(this.#pages, mostReread))
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
    if (this.openId !== null) await this.#loadDetail(this.openId, 1)
  }

  /** Appends the next page of what was done. */
  async more(): Promise<void> {
    const shown = this.detail.value
    if (this.openId === null || !shown?.hasMore) return
    await this.#loadDetail(this.openId, this.#pages + 1, { lines: shown.lines, pages: this.#pages })
  }

  /** Shows so many pages, all of them read anew but for those in `kept`. A newer reading takes the place of this one. */
  async #loadDetail(id: number, pages: number, kept?: { lines: OutageLine[]; pages: number }): Promise<void> {
    this.#pages = pages
    await this.detail.ask(async () => {
      let lines = kept?.lines ?? []
      for (let read = (kept?.pages ?? 0) + 1; ; read++) {
        const answer = await this.#parts.client.call('outbox.outage', { id, after: lines.at(-1)?.seq ?? 0 })
        if (!answer.ok) return answer
        lines = [...lines, ...answer.value.lines]
        if (read >= pages || !answer.value.hasMore) return { ok: true, value: { ...answer.value, lines } }
      }
    })
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
