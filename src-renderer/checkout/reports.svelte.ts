import type { AppError } from '../../src-shared/errors'
import type { OperationId } from '../../src-shared/ids'
import type { Client } from '../../src-shared/ipc/client'
import type { OrderReport, ReportsView } from '../../src-shared/ipc/contract/checkout'
import type { Sound } from '../scan/sounds'
import type { ScanStrip } from '../scan/strip.svelte'
import { reportOutcome } from './report-text'

interface ReportsParts {
  client: Client
  strip: ScanStrip
  play: (sound: Sound) => void
}

const none: ReportsView = { revision: 0, orders: [], unseen: [], unseenCount: 0 }

/** What became of the orders finished lately, and the refusals that no person has seen: as main pushes it. */
export class Reports {
  view = $state.raw<ReportsView>(none)
  /** Why a refusal could not be marked as seen. */
  error = $state.raw<AppError | null>(null)
  readonly #parts: ReportsParts
  /** The unseen ones that have sounded. */
  #heard: OperationId[] = []

  constructor(parts: ReportsParts) {
    this.#parts = parts
  }

  /** Asks for the view when the page begins or reconnects. */
  async load(): Promise<void> {
    const answer = await this.#parts.client.call('checkout.reports', undefined)
    // Main may have been restarted: its revisions are unrelated to those before.
    this.view = { ...this.view, revision: 0 }
    if (answer.ok) this.show(answer.value)
  }

  /** Shows a view unless a newer one is shown. A refusal sounds once, on whatever screen the person is. */
  show(view: ReportsView): void {
    if (view.revision < this.view.revision) return
    this.view = view
    for (const report of [...view.orders, ...view.unseen]) {
      // A refusal is on its card, or in the banner: the strip would say it a second time.
      const isTold = report.word === 'refused' || report.word === 'unclear'
      this.#parts.strip.reported(report.operation.id, isTold ? null : reportOutcome(report))
    }
    const news = view.unseen.filter(({ operation }) => !this.#heard.includes(operation.id))
    this.#heard = view.unseen.map(({ operation }) => operation.id)
    if (news.length > 0) this.#parts.play(news.some(({ word }) => word === 'refused') ? 'bad' : 'attention')
  }

  /** The report of an operation, if it is one of those shown. */
  of(id: OperationId): OrderReport | undefined {
    return this.view.orders.find(({ operation }) => operation.id === id)
  }

  /** Whether a refused report of an order was put back into the cart, and not all of it was sent again. */
  isTakenBack(orderId: string): boolean {
    return this.view.orders.some(({ operation }) => operation.note === 'taken-back' && operation.orderId === orderId)
  }

  /** A person has seen these. */
  async see(operationIds: OperationId[]): Promise<void> {
    const answer = await this.#parts.client.call('checkout.seen', { operationIds })
    this.error = answer.ok ? null : answer.error
  }

  /** A person has seen all that are shown and counted now. */
  async seeAll(): Promise<void> {
    const answer = await this.#parts.client.call('checkout.seenAll', { revision: this.view.revision })
    this.error = answer.ok ? null : answer.error
  }
}
