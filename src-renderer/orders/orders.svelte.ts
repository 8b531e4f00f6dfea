import { SvelteSet } from 'svelte/reactivity'
import type { AppError } from '../../src-shared/errors'
import type { OrderId } from '../../src-shared/ids'
import type { OrdersFilter, OrdersPage, OrderState, OrderSummary } from '../../src-shared/ipc/checkout-view'
import type { Client } from '../../src-shared/ipc/client'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import type { Result } from '../../src-shared/result'
import { createPace } from '../outbox/pace'
import { type Outcome, refusal } from '../scan/strip.svelte'
import { type When, dayMeant, dayText } from './day-choice'
import { pageLength, withPage } from './order-pages'

export interface OrdersParts {
  client: Client
  /** Whether a person sees the list: nobody else needs it. */
  isInFront: () => boolean
  /** Ms since 1970 by the service's clock, as far as it is known: the days of the orders go by it. */
  serviceTime: () => number
  /** ms, for the pace. */
  now?: () => number
}

const noState: OrdersPage['byState'] = { unsent: 0, attention: 0, reported: 0, voided: 0, withdrawn: 0 }

/** The orders of a day: which are looked at, those that were fetched of them, and which one is open beside the list. */
export class Orders {
  when = $state<When>('today')
  /** The date that is meant by `when: 'day'`, YYYY-MM-DD. */
  date = $state('')
  state = $state<OrderState | null>(null)
  text = $state('')
  /** Newest first; null until the first answer. */
  orders = $state.raw<OrderSummary[] | null>(null)
  total = $state(0)
  byState = $state.raw(noState)
  isLoading = $state(false)
  error = $state.raw<AppError | null>(null)
  selectedId = $state.raw<OrderId | null>(null)
  /** The closing report is in front. */
  isClosing = $state(false)

  isWhole = $derived(this.orders !== null && this.orders.length >= this.total)
  isFiltered = $derived(this.state !== null || this.text.trim() !== '')

  readonly #client: Client
  readonly #isInFront: () => boolean
  readonly #serviceTime: () => number
  readonly #pace: ReturnType<typeof createPace>
  /** Orders that changed since their row was fetched. */
  readonly #outdated = new SvelteSet<string>()
  /** The row at the top of what is seen. */
  #seenFrom = 0
  #loads = 0

  constructor({ client, isInFront, serviceTime, now }: OrdersParts) {
    this.#client = client
    this.#isInFront = isInFront
    this.#serviceTime = serviceTime
    this.#pace = createPace(() => void this.#renew(), now ?? (() => performance.now()))
  }

  /** YYYY-MM-DD. */
  get today(): string {
    return dayText(this.#serviceTime())
  }

  get day(): string | null {
    return dayMeant(this.when, this.date, this.today)
  }

  get #filter(): OrdersFilter {
    return { day: this.day, state: this.state, budtenderId: null, text: this.text.trim() }
  }

  /** Shows the newest page of the filter; of two filters the newer one counts. */
  async load(): Promise<void> {
    await this.#ask()
  }

  /** As `load`; the answer is to this question, whatever the list shows by then. */
  async #ask(): Promise<Result<OrdersPage, AppError>> {
    const load = ++this.#loads
    this.#pace.done()
    this.#outdated.clear()
    this.isLoading = true
    const answer = await this.#client.call('checkout.orders', { filter: this.#filter, before: null })
    if (load !== this.#loads) return answer
    this.isLoading = false
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return answer
    this.#seenFrom = 0
    this.orders = answer.value.orders
    this.#count(answer.value)
    return answer
  }

  /** The next page, when there is one. */
  async more(): Promise<void> {
    const before = this.orders?.at(-1)?.seq
    if (this.isLoading || this.isWhole || before === undefined) return
    this.isLoading = true
    const load = this.#loads
    const page = await this.#fetch(before)
    if (load !== this.#loads) return
    this.isLoading = false
    // Nothing more came, whatever was said: the list is whole.
    if (page?.orders.length === 0) this.total = this.orders?.length ?? 0
  }

  /**
   * A scan on this screen looks for its order, whenever it was sold, and says whether there is one; the only one that is
   * found is opened.
   */
  async scan(text: string): Promise<Outcome> {
    this.isClosing = false
    this.when = 'all'
    this.state = null
    this.text = text
    const answer = await this.#ask()
    if (!answer.ok) return refusal(answer.error)
    const { orders, total } = answer.value
    const [first] = orders
    if (!first)
      return { tone: 'attention', what: { key: 'orders.scan.none' }, detail: { key: 'orders.scan.none.detail' } }
    if (total > 1) return { tone: 'good', what: { key: 'orders.found', values: { count: total } } }
    // Unless a newer scan looks for another.
    if (this.text === text) this.selectedId = first.orderId
    return { tone: 'good', what: { key: 'void.order', values: { orderId: first.orderId } } }
  }

  /** Opens an order beside the list, wherever it is asked for. */
  open(orderId: OrderId | null): void {
    this.selectedId = orderId
  }

  /** Opens the order above (-1) or below (1) the one that is open. */
  move(step: 1 | -1): void {
    const orders = this.orders ?? []
    const index = orders.findIndex(({ orderId }) => orderId === this.selectedId)
    const next = orders[index < 0 ? 0 : index + step]
    if (next) this.selectedId = next.orderId
  }

  operationChanged({ orderId }: OperationView): void {
    if (orderId === null) return
    this.#outdated.add(orderId)
    if (this.#isInFront() && this.orders) this.#pace.changed()
  }

  /** The list was scrolled: what came into sight is looked up again where it is outdated. */
  seen(from: number): void {
    this.#seenFrom = from
    if (from >= pageLength && this.#isOutdated(from)) this.#pace.changed()
  }

  /** However many changed: the first page, for what is new stands there, and the one that is seen. */
  async #renew(): Promise<void> {
    const load = this.#loads
    const from = this.#seenFrom
    if (!(await this.#fetch(null))) return
    const before = this.orders?.[from - 1]?.seq
    if (load === this.#loads && from >= pageLength && before !== undefined && this.#isOutdated(from)) {
      await this.#fetch(before)
    }
  }

  #isOutdated(from: number): boolean {
    const rows = this.orders?.slice(from, from + pageLength) ?? []
    return rows.some(({ orderId }) => this.#outdated.has(orderId))
  }

  /** Fetches a page into its place in the list; null when it could not be had or is of another filter by now. */
  async #fetch(before: number | null): Promise<OrdersPage | null> {
    const load = this.#loads
    const answer = await this.#client.call('checkout.orders', { filter: this.#filter, before })
    if (load !== this.#loads) return null
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return null
    const page = answer.value
    this.orders = withPage(this.orders ?? [], before, page.orders)
    for (const { orderId } of page.orders) this.#outdated.delete(orderId)
    this.#count(page)
    return page
  }

  #count({ total, byState }: OrdersPage): void {
    this.total = total
    this.byState = byState
  }
}
