import { setImmediate } from 'node:timers/promises'
import type { ClaimedBy } from '../../src-shared/claim'
import type { ResultOf } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import { type CartMode, type ItemAdded, lookupPatience } from '../../src-shared/ipc/contract/checkout'
import { assertNever, err, ok } from '../../src-shared/result'
import { settleWithin } from '../core/async'
import type { NotSaved } from '../database/saved'
import type { ClaimAnswer } from '../hub/port'
import type { TooLittle } from '../security/gates'
import { scannedItem } from './cart'
import type { Counter } from './counter'
import type { ItemNews } from './item-news'
import type { OpenOrder } from './open-order-rows'
import type { Reevaluation } from './reevaluation'
import {
  type HeardAnswer,
  type ItemHeard,
  type NotTakenCode,
  type Saving,
  type ScanApproval,
  type ScanEvent,
  type ScanStage,
  type ScanWish,
  onScan,
} from './scan'
import type { CounterClaims } from './counter-context'

/** The claim of another station that is taken over. */
type TakenOver = Pick<ClaimedBy, 'stationId' | 'revision'>

/** A scan that is under way. */
interface Scan {
  mode: CartMode
  wish: ScanWish
  takeOver: TakenOver | undefined
  /** The order that it is for. */
  order: OpenOrder
  stage: ScanStage
  /** The service's answer, once it is asked. */
  asked?: Promise<ItemHeard>
  /** That answer, once it is there. */
  answer?: ItemHeard
}

/** Items scanned into the current sale or return. What a scan does with what it hears is decided in `scan.ts`. */
export class Scanning {
  readonly #counter: Counter
  readonly #reevaluation: Reevaluation
  readonly #news: ItemNews
  readonly #patience: number

  constructor(counter: Counter, reevaluation: Reevaluation, news: ItemNews) {
    this.#counter = counter
    this.#reevaluation = reevaluation
    this.#news = news
    this.#patience = counter.patience ?? lookupPatience
  }

  /**
   * Adds an item at once and waits up to `lookupPatience` for what the service knows of it; not at all if the item is
   * remembered and the service is out of reach. A later answer arrives by events. An approval is for the reasons that
   * the person was shown. In a store of several stations `takeOver` takes the item from the station that holds it, with
   * an approval, also for a line of the cart.
   */
  async addItem(
    mode: CartMode,
    tagId: TagId,
    approval?: ScanApproval,
    takeOver?: TakenOver,
  ): Promise<ResultOf<ItemAdded, NotTakenCode | TooLittle>> {
    const { gates, orders } = this.#counter
    const isMissing = (approval ?? takeOver) && (await gates.objection('pin', approval ?? {}))
    if (isMissing) return err(isMissing)
    const wish = { tagId, approval, isTakeover: takeOver !== undefined }
    return this.#goOn({ mode, wish, takeOver, order: orders.front(mode), stage: { is: 'begun' } })
  }

  /** Waits for what the scan needs in its stage, until it is answered. */
  async #goOn(scan: Scan): Promise<ResultOf<ItemAdded, NotTakenCode>> {
    const { stage } = scan
    switch (stage.is) {
      case 'begun':
        this.#tell(scan, this.#byMemory(scan))
        return this.#goOn(scan)
      case 'asking-first':
        this.#tell(scan, this.#byMemory(scan, await this.#askFirst(scan)))
        return this.#goOn(scan)
      case 'claiming':
        await this.#claim(scan, stage.service === 'asked')
        return this.#goOn(scan)
      case 'held':
      case 'saved':
        this.#tell(scan, await this.#byService(scan))
        return this.#goOn(scan)
      case 'taken':
        if (stage.isHeardLater) void this.#news.follow(scan.wish.tagId, this.#askLate(scan))
        return this.#added(scan)
      case 'refused':
        if (stage.isShown) this.#show(scan.order)
        return err(stage.error)
      default:
        return assertNever(stage)
    }
  }

  /** What came leads to the next stage, and to one commit. */
  #tell(scan: Scan, event: ScanEvent): void {
    const rules = this.#counter.rules.view()
    const { stage, saving } = onScan(scan, event, rules)
    const saved = saving && this.#save(scan, saving)
    scan.stage = saved?.ok === false ? onScan(scan, { of: 'disk', error: saved.error }, rules).stage : stage
  }

  /** A look-up that fails is one without an answer. */
  async #askFirst(scan: Scan): Promise<ItemHeard | undefined> {
    const settled = await settleWithin(this.#asked(scan), this.#patience)
    return settled.status === 'fulfilled' ? settled.value : undefined
  }

  /** Asks the service, once for a scan. */
  #asked(scan: Scan): Promise<ItemHeard> {
    if (scan.asked) return scan.asked
    scan.asked = this.#counter.verdicts.ask(scan.wish.tagId)
    scan.asked.then(
      (answer) => (scan.answer = answer),
      (cause: unknown) => {
        this.#counter.log.error('the look-up of a scan failed', { cause })
      },
    )
    return scan.asked
  }

  #byMemory(scan: Scan, answer?: ItemHeard): ScanEvent {
    const { lookup, orders, objections, verdicts, claims, connection } = this.#counter
    const { mode } = scan
    const { tagId } = scan.wish
    const isSameOrder = orders.front(mode).id === scan.order.id
    scan.order = orders.front(mode)
    const isCached = lookup.cached(tagId) !== undefined
    const line = orders.itemOf(scan.order, tagId)
    // What the line says now, also if it is taken over and the service isn't asked.
    const ofLine = line && verdicts.before(mode, tagId, scan.order.id)
    return {
      of: 'memory',
      objection: objections.toAdd(mode, tagId),
      line,
      verdict: ofLine ?? (isCached ? verdicts.before(mode, tagId) : verdicts.looking(mode, tagId)),
      isCached,
      isOutOfReach: connection.isOutOfReach(),
      isClaimed: mode === 'sale' && claims !== undefined,
      heard: answer && this.#heard(scan, answer),
      isSameOrder,
    }
  }

  /** Asks the hub, and the service at the same time. Waits for the hub, at most for its patience. */
  async #claim(scan: Scan, asksService: boolean): Promise<void> {
    const { claims } = this.#counter
    if (!claims) throw new Error('claimed without a hub')
    const { order, takeOver } = scan
    const { tagId, approval } = scan.wish
    const wish = { tagId, kind: 'cart', orderId: order.orderId, at: 0 } as const
    const put = (answer: ClaimAnswer) => {
      this.#tell(scan, this.#byHub(scan, answer, claims))
    }
    const claiming = takeOver ? claims.takeOver(wish, takeOver, approval?.reason ?? null, put) : claims.take(wish, put)
    if (asksService) void this.#asked(scan)
    await claiming
  }

  #byHub(scan: Scan, answer: ClaimAnswer, claims: CounterClaims): ScanEvent {
    const { orders, objections } = this.#counter
    const { tagId } = scan.wish
    return {
      of: 'hub',
      answer,
      objection: objections.toAdd('sale', tagId),
      isInCart: orders.holderOf(tagId)?.id === scan.order.id,
      isSameOrder: orders.front('sale').id === scan.order.id,
      early: scan.answer && this.#heard(scan, scan.answer),
      refuses: claims.policy() === 'refuse',
      productName: this.#nameOf(tagId),
    }
  }

  /** Waits for the service, at most for its patience. A look-up that fails is one without an answer. */
  async #byService(scan: Scan): Promise<ScanEvent> {
    const { orders } = this.#counter
    const { tagId } = scan.wish
    const settled = await settleWithin(this.#asked(scan), this.#patience)
    const productName = this.#nameOf(tagId)
    if (settled.status !== 'fulfilled') return { of: 'silence', productName }
    const heard = this.#heard(scan, settled.value)
    const holder = orders.holderOf(tagId)
    const isInOrder = holder?.id === scan.order.id
    // It may be on hold by now.
    if (isInOrder) scan.order = holder
    return { of: 'service', heard, isInOrder, productName }
  }

  #heard({ mode, wish, order }: Scan, answer: ItemHeard): HeardAnswer {
    return { answer, verdict: this.#counter.verdicts.byAnswer(mode, wish.tagId, answer, order.id) }
  }

  #nameOf(tagId: TagId): string | null {
    return this.#counter.lookup.cached(tagId)?.productName ?? null
  }

  #save(scan: Scan, saving: Saving): ResultOf<null, NotSaved> {
    const { order } = scan
    const { tagId } = scan.wish
    switch (saving.what) {
      case 'line':
        return this.#counter.carts.save(order, () => {
          this.#addLine(scan, saving)
        })
      case 'claim':
        return this.#counter.carts.save(order, () => {
          this.#keepClaim(scan, saving.claim)
        })
      case 'removal':
        return this.#counter.carts.save(order, () => {
          this.#counter.orders.remove(order, tagId)
        })
      case 'verdict':
      case 'nothing':
        return this.#reevaluation.save(order, tagId, saving)
      default:
        return assertNever(saving)
    }
  }

  #addLine(scan: Scan, { verdict, permitted, claim }: Extract<Saving, { what: 'line' }>): void {
    const { orders, history, clock } = this.#counter
    const { mode } = scan
    const { tagId } = scan.wish
    orders.add(mode, { tagId, found: verdict, permitted, scannedAt: clock.now() })
    if (claim) this.#keepClaim(scan, claim)
    if (mode === 'sale' || orders.front(mode).orderId !== null) return
    // A return takes the number of the order in which this station sold the item.
    const past = history.item(tagId)
    if (past.kind === 'sold') orders.set(mode, { orderId: past.orderId })
  }

  #keepClaim({ wish: { tagId }, order }: Scan, answer: ClaimAnswer): void {
    const { claims, orders } = this.#counter
    const isInSync = orders.front('sale').orderId === order.orderId
    if (answer.kind === 'granted') claims?.keep(tagId, { revision: answer.revision, isInSync })
    // A claim from before, of a line that was removed, may have been given back.
    else claims?.keepUnchecked(tagId)
  }

  /** Asks once the scan is answered, unless the service was asked: the scan's answer doesn't depend on it. */
  async #askLate({ asked, wish }: Scan): Promise<ItemHeard> {
    if (asked) return asked
    await setImmediate()
    return this.#counter.verdicts.ask(wish.tagId)
  }

  #added({ mode, order, wish }: Scan): ResultOf<ItemAdded, 'checkout/cart-changed'> {
    const { orders, views, events } = this.#counter
    const cart = views.cart(mode)
    const item = scannedItem(cart, wish.tagId)
    // While the service was asked, the item was removed by another scan or its order was put on hold.
    if (!item || orders.front(mode).id !== order.id) return err({ code: 'checkout/cart-changed' })
    events.emit('cart.changed', cart)
    return ok({ ...item, mode, revision: cart.revision })
  }

  #show({ mode, heldAt }: OpenOrder): void {
    if (heldAt === null) this.#counter.carts.announce(mode)
    else this.#counter.carts.announceHeld()
  }
}
