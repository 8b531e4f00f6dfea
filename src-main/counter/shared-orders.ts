import type { ResultOf } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import type { CartChange, HeldOrder } from '../../src-shared/ipc/contract/checkout'
import { err, ok } from '../../src-shared/result'
import { singleFlight } from '../core/async'
import { iso } from '../core/clock'
import type { HeldInStore, TakenOrder } from '../hub/port'
import { type NotSaved, saved } from '../database/saved'
import type { Counter } from './counter'
import type { OpenOrder } from './open-order-rows'
import { PushedOrders } from './pushed-orders'
import { type SharedOrderRow, SharedOrderRows } from './shared-order-rows'
import type { CounterSharing } from './counter-context'

/** The orders on hold of all stations of a store. Each is resumed by one station. */
export class SharedOrders {
  readonly #counter: Counter
  readonly #sharing: CounterSharing
  readonly #rows: SharedOrderRows
  readonly #pushed: PushedOrders
  /** Those of other stations, as the hub listed them last. */
  #others: HeldInStore[] = []
  /** Orders that are being resumed now: between the hub's answer and the commit. */
  readonly #resuming = new Set<string>()
  readonly #refreshing = singleFlight(
    () => this.#refresh(),
    (cause) => {
      this.#counter.log.error('the orders on hold of the store could not be read', { cause })
    },
  )
  readonly #stops: (() => void)[] = []

  constructor(counter: Counter, sharing: CounterSharing) {
    this.#counter = counter
    this.#sharing = sharing
    this.#rows = new SharedOrderRows(counter.db)
    this.#pushed = new PushedOrders(counter, sharing, this.#rows)
    // Held before this station joined, or while its hub was not asked.
    for (const { id } of counter.orders.held()) if (!this.#rows.openOf(id)) this.#rows.add(id)
    counter.carts.showHeld(() => this.view())
  }

  /** All that can be resumed: here first, then those of other stations. */
  view(): HeldOrder[] {
    const { views, rules } = this.#counter
    const others = this.#others.map(({ id, body, stationName, heldAt }): HeldOrder => ({
      id,
      station: stationName,
      orderId: body.orderId,
      budtender: rules.budtender(body.budtenderId),
      itemCount: body.items.length,
      products: body.products,
      heldAt: iso(heldAt),
    }))
    return [...views.held(), ...others]
  }

  /** Resumes an order of this station or of another one. */
  async resume(
    id: HeldOrder['id'],
  ): Promise<
    ResultOf<
      CartChange,
      NotSaved | 'checkout/held-elsewhere' | 'checkout/held-unreachable' | 'checkout/not-held' | 'checkout/order-begun'
    >
  > {
    const done = await (typeof id === 'number' ? this.#resumeOwn(id) : this.#resumeOther(id))
    const change = done.ok ? this.#counter.carts.announce('sale') : undefined
    this.#counter.carts.announceHeld()
    this.push()
    this.#sharing.claims.push()
    return change ? ok(change) : done.ok ? err({ code: 'checkout/not-held' }) : done
  }

  /** Drops another station's order for the whole store. */
  async dropOther(id: string): Promise<ResultOf<null, 'checkout/held-unreachable'>> {
    if (!(await this.#sharing.hub.held.drop(id))) return err({ code: 'checkout/held-unreachable' })
    this.#others = this.#others.filter((one) => one.id !== id)
    this.#counter.carts.announceHeld()
    this.#refreshing.ask()
    return ok(null)
  }

  /** Orders that another station has resumed leave this one. Nothing happens if the hub doesn't answer. */
  async loseResumed(): Promise<void> {
    const asked = this.#rows.asked()
    const status = await this.#statusOf(asked)
    const isTaken = ({ id }: SharedOrderRow) =>
      status?.some((one) => one.id === id && one.takenBy !== null && one.takenBy !== this.#sharing.hub.stationId)
    const gone = asked.filter((one) => isTaken(one) && this.#rows.openOf(one.openOrder)?.id === one.id)
    for (const one of gone) this.#loseTo(one)
    if (gone.length > 0) this.#counter.carts.announceHeld()
  }

  /** Tells the hub what has changed. Call after a commit that changed orders on hold. Never rejects. */
  push(): void {
    this.#pushed.push()
  }

  start(): void {
    const ask = () => {
      this.#refreshing.ask()
    }
    this.#stops.push(
      this.#sharing.hub.onNews('held', ask),
      this.#counter.events.on('sharing.due', 'counter/shared-orders.ts', ask),
    )
    ask()
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops) stop()
    await this.#refreshing.stop()
    await this.#pushed.stop()
  }

  /** What the hub has of these orders; undefined if it didn't answer. */
  async #statusOf(orders: SharedOrderRow[]) {
    return orders.length > 0 ? await this.#sharing.hub.held.status(orders.map(({ id }) => id)) : []
  }

  /** Compares with what the hub has, and saves what this station took and didn't save. */
  async #refresh(): Promise<void> {
    const { hub } = this.#sharing
    const asked = this.#rows.asked()
    const status = await this.#statusOf(asked)
    // Read first: what is saved here and not among those taken any more is confirmed, whether the answer came or not.
    const savedHere = this.#rows.taken()
    const [list, taken] = [await hub.held.list(), await hub.held.taken()]
    if (!status || !list || !taken) return
    for (const id of savedHere) if (!taken.includes(id)) this.#rows.forgetTaken(id)
    const takers = new Map(status.map(({ id, takenBy }) => [id, takenBy]))
    for (const one of asked) this.#compare(one, takers.get(one.id))
    const ours = this.#rows.ids()
    // The list may be from before this station took one.
    const savedNow = new Set([...savedHere, ...this.#rows.taken()])
    this.#others = list.filter((one) => !ours.has(one.id) && !savedNow.has(one.id) && one.stationId !== hub.stationId)
    for (const id of taken) if (!ours.has(id) && !this.#resuming.has(id)) await this.#saveTaken(id)
    this.#counter.carts.announceHeld()
    this.push()
  }

  /** `takenBy`: the station that has taken an order of this one; null for none, undefined if the hub doesn't know the order. */
  #compare(before: SharedOrderRow, takenBy: string | null | undefined): void {
    // Resumed or changed here while the hub was asked: the next look sees it.
    if (this.#rows.openOf(before.openOrder)?.id !== before.id) return
    if (takenBy === undefined) this.#rows.pushAgain(before.id)
    else if (takenBy !== null && takenBy !== this.#sharing.hub.stationId) this.#loseTo(before)
    // Taken to be resumed here, and never saved as resumed: it is on hold anew.
    else if (takenBy !== null && !this.#resuming.has(before.id)) {
      this.#counter.db
        .transaction(() => {
          this.#rows.markOver(before.id)
          this.#rows.add(before.openOrder)
        })
        .immediate()
    }
  }

  /** Confirms an order that this station has taken, and saves it first if it crashed in between. */
  async #saveTaken(id: string): Promise<void> {
    if (this.#rows.isTaken(id)) {
      await this.#confirmTaken(id)
      return
    }
    const again = await this.#sharing.hub.held.take(id)
    if (again.kind === 'taken' && (await this.#placed(again)).ok) await this.#confirmTaken(id)
  }

  /** Tells the hub that an order is saved here. */
  async #confirmTaken(id: string): Promise<void> {
    if (await this.#sharing.hub.held.done(id)) this.#rows.forgetTaken(id)
  }

  /** An order of this station that another one has resumed or dropped leaves this station. */
  #loseTo({ id, openOrder }: SharedOrderRow): void {
    const { orders } = this.#counter
    const order = orders.byId(openOrder)
    this.#counter.db
      .transaction(() => {
        if (order && order.heldAt !== null) orders.drop(openOrder)
        this.#rows.forget(id)
      })
      .immediate()
  }

  /** Saves an order that this station has taken, with the claims that came with it. Returns it, on hold. */
  async #placed({ order, claims: granted }: Extract<TakenOrder, { kind: 'taken' }>) {
    const { orders, seal, clock, log } = this.#counter
    const { claims, storeSeal } = this.#sharing
    const storeKey = order.customer === null ? null : await storeSeal()
    const customer = order.customer === null ? undefined : storeKey?.open(order.customer)
    if (order.customer !== null && customer === undefined)
      log.warn('the customer of a resumed order could not be opened')
    const made = saved(() =>
      ok(
        this.#counter.db
          .transaction(() => {
            const placed = orders.place(order.body, {
              customerId: customer === undefined ? null : seal.seal(customer),
              heldAt: clock.now(),
              // Taken over from this order, with the hub's word.
              keeps: (tagId) => claims.markOf(tagId) === null,
            })
            this.#keepMoved(this.#tagIdsOf(placed), granted)
            this.#rows.noteTaken(order.id)
            return placed
          })
          .immediate(),
      ),
    )
    if (made.ok) this.#others = this.#others.filter(({ id }) => id !== order.id)
    return made
  }

  #tagIdsOf(order: OpenOrder): TagId[] {
    return this.#counter.orders.itemsOf(order).map(({ tagId }) => tagId)
  }

  /** Claims that moved with an order. The order's other items may be another station's by now, whatever was granted before. */
  #keepMoved(tagIds: TagId[], moved: { tagId: TagId; revision: number }[]): void {
    const { claims } = this.#sharing
    for (const { tagId, revision } of moved) claims.keep(tagId, { revision, isInSync: false })
    claims.doubt(tagIds.filter((one) => !moved.some(({ tagId }) => tagId === one)))
  }

  async #whileResuming<T>(id: string, work: () => Promise<T>): Promise<T> {
    this.#resuming.add(id)
    try {
      return await work()
    } finally {
      this.#resuming.delete(id)
    }
  }

  /**
   * Makes an order of this station current. What was typed for the order in front may object: asked before the hub is, and
   * again with its answer.
   */
  #resumeHere(id: number, alongside: () => void = () => undefined): ResultOf<null, NotSaved | 'checkout/order-begun'> {
    const { orders, clock } = this.#counter
    const order = orders.byId(id)
    const objection = order && orders.resumeObjection(order)
    if (objection) return err(objection)
    return this.#counter.carts.save({ mode: 'sale', heldAt: null }, () => {
      orders.resume(id, clock.now())
      alongside()
    })
  }

  async #resumeOwn(
    id: number,
  ): Promise<
    ResultOf<
      null,
      NotSaved | 'checkout/held-elsewhere' | 'checkout/held-unreachable' | 'checkout/not-held' | 'checkout/order-begun'
    >
  > {
    const { orders } = this.#counter
    const { hub, claims } = this.#sharing
    // Another station may just have resumed it.
    const before = orders.byId(id)
    if (before?.heldAt == null) return err({ code: 'checkout/not-held' })
    const objection = orders.resumeObjection(before)
    if (objection) return err(objection)
    const one = this.#rows.openOf(id)
    if (!one?.isAsked) return this.#resumeHere(id)
    return this.#whileResuming(one.id, async () => {
      const answer = await hub.held.takeOwn(one.id, this.#tagIdsOf(before))
      if (orders.byId(id)?.heldAt == null) return err({ code: 'checkout/not-held' })
      if (answer.kind === 'gone') {
        this.#refreshing.ask()
        return err({ code: 'checkout/held-elsewhere' })
      }
      if (answer.kind === 'offline' && claims.policy() === 'refuse') return err({ code: 'checkout/held-unreachable' })
      return this.#resumeHere(id, () => {
        this.#keepMoved(this.#tagIdsOf(before), answer.kind === 'taken' ? answer.claims : [])
      })
    })
  }

  async #resumeOther(
    id: string,
  ): Promise<
    ResultOf<
      null,
      NotSaved | 'checkout/held-elsewhere' | 'checkout/held-unreachable' | 'checkout/not-held' | 'checkout/order-begun'
    >
  > {
    const order = this.#others.find((one) => one.id === id)
    // The hub would give it twice: the second time may be the first one's lost answer.
    if (!order || this.#resuming.has(id)) return err({ code: 'checkout/not-held' })
    // Whether it has a customer is seen once it is here.
    const objection = this.#counter.orders.resumeObjection({ orderId: order.body.orderId, customerId: null })
    if (objection) return err(objection)
    const tagIds = order.body.items.map(({ tagId }) => tagId)
    return this.#whileResuming(id, () => this.#sharing.claims.protect(tagIds, () => this.#takeOther(id)))
  }

  async #takeOther(
    id: string,
  ): Promise<
    ResultOf<null, NotSaved | 'checkout/held-elsewhere' | 'checkout/held-unreachable' | 'checkout/order-begun'>
  > {
    const answer = await this.#sharing.hub.held.take(id)
    if (answer.kind === 'gone') {
      this.#refreshing.ask()
      return err({ code: 'checkout/held-elsewhere' })
    }
    if (answer.kind === 'offline') return err({ code: 'checkout/held-unreachable' })
    const made = await this.#placed(answer)
    if (!made.ok) return made
    void this.#confirmTaken(id).catch((cause: unknown) => {
      this.#counter.log.warn('the hub could not be told of a resumed order', { cause })
    })
    return this.#resumeHere(made.value.id)
  }
}
