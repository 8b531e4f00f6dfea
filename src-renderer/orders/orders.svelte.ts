import { SvelteSet } from 'svelte/reactivity'
import type { AppError } from '../../src-shared/errors'
import type { OrderId } from '../../src-shared/ids'
import type { OrdersFilter, OrdersPage, OrderState, OrderSummary } from '../../src-shared/ipc/contract/checkout'
import type { Client } from '../../src-shared/ipc/client'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import type { Result } from '../../src-shared/result'
import { type Throttled, throttle } from '../ui/throttle'
import { type ScanOutcome, refusal } from '../scan/strip.svelte'
import { type Days, dayText, daysMeant, pageLength, withPage } from './listing'

interface OrdersParts {
  client: Client
  /** Whether the list is on the screen; otherwise it is not read. */
  isInFront: () => boolean
  /** The service's time, in ms since 1970: orders are filed by it. */
  serviceTime: () => number
  /** Monotonic clock, in ms. */
  now?: () => number
}

const noState: OrdersPage['byState'] = { unsent: 0, attention: 0, reported: 0, voided: 0, withdrawn: 0 }

/** The list of orders: its filter, the pages that have been read, and the order that is open beside it. */
export class Orders {
  when = $state<Days>('today')
  /** The dates for `when: 'days'`, YYYY-MM-DD; empty while they are not entered. */
  from = $state('')
  to = $state('')
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
  /** Its steps that are open: as they were when a person comes back to it from another screen. */
  readonly openSteps = new SvelteSet<string>()
  #hasOpened = false

  isWhole = $derived(this.orders !== null && this.orders.length >= this.total)
  isOfOneDay = $derived(this.when === 'today' || this.when === 'yesterday')
  isFiltered = $derived(this.state !== null || this.text.trim() !== '')

  readonly #client: Client
  readonly #isInFront: () => boolean
  readonly #serviceTime: () => number
  readonly #renewSoon: Throttled
  /** Orders that changed since their row was read. */
  readonly #outdated = new SvelteSet<string>()
  /** The first row in sight. */
  #seenFrom = 0
  #loads = 0

  constructor({ client, isInFront, serviceTime, now }: OrdersParts) {
    this.#client = client
    this.#isInFront = isInFront
    this.#serviceTime = serviceTime
    this.#renewSoon = throttle(() => void this.#renew(), now)
  }

  /** YYYY-MM-DD. */
  get today(): string {
    return dayText(this.#serviceTime())
  }

  get #filter(): OrdersFilter {
    const days = daysMeant(this.when, this.from, this.to, this.today)
    return { days, state: this.state, budtenderId: null, text: this.text.trim() }
  }

  /** Shows the newest page for the filter. Only the newest question's answer is shown. */
  async load(): Promise<void> {
    await this.#ask()
  }

  /** Like `load`; gives the answer to this question, whatever the list shows by then. */
  async #ask(): Promise<Result<OrdersPage, AppError>> {
    const load = ++this.#loads
    this.#renewSoon.reset()
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

  /** Reads the next page, if there is one. */
  async more(): Promise<void> {
    const before = this.orders?.at(-1)?.seq
    if (this.isLoading || this.isWhole || before === undefined) return
    this.isLoading = true
    const load = this.#loads
    const page = await this.#fetch(before)
    if (load !== this.#loads) return
    this.isLoading = false
    // No more orders came, whatever the total says: the list is complete.
    if (page?.orders.length === 0) this.total = this.orders?.length ?? 0
  }

  /** A scan on this screen searches all days for its order, and opens it if it is the only one found. */
  async scan(text: string): Promise<ScanOutcome> {
    this.leaveDay()
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
    // Unless a newer scan searches for another order.
    if (this.text === text) this.selectedId = first.orderId
    return { tone: 'good', what: { key: 'orders.order', values: { orderId: first.orderId } } }
  }

  /** Opens the first step of the closing report that needs something, once. */
  openFirst(key: string | undefined): void {
    if (!this.#hasOpened && key !== undefined) this.openSteps.add(key)
    this.#hasOpened = true
  }

  toggleStep(key: string): void {
    if (!this.openSteps.delete(key)) this.openSteps.add(key)
  }

  /** Back from the closing report to the list. */
  leaveDay(): void {
    this.isClosing = false
    this.openSteps.clear()
    this.#hasOpened = false
  }

  /** Opens an order beside the list; null closes it. */
  open(orderId: OrderId | null): void {
    this.selectedId = orderId
  }

  operationChanged({ orderId }: OperationView): void {
    if (orderId === null) return
    this.#outdated.add(orderId)
    if (this.#isInFront() && this.orders) this.#renewSoon()
  }

  /** The list was scrolled: outdated rows in sight are read again. `from`: the first row in sight. */
  seen(from: number): void {
    this.#seenFrom = from
    if (from >= pageLength && this.#isOutdated(from)) this.#renewSoon()
  }

  /** Reads the first page again, where new orders stand, and the page in sight. */
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

  /** Reads a page into its place in the list; null if it failed or the filter has changed meanwhile. */
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
