import { setImmediate } from 'node:timers/promises'
import type { ClaimedBy } from '../../src-shared/claim'
import type { AppError } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import { type CartMode, type ItemAdded, lookupPatience } from '../../src-shared/ipc/contract/checkout'
import { type Result, err, ok } from '../../src-shared/result'
import type { Approval } from '../../src-shared/gates'
import { type Verdict, type VerdictKind, VerdictReasons } from '../../src-shared/verdict'
import { withTimeout } from '../core/async'
import type { Operation } from '../outbox/operation'
import { scannedItem } from './cart'
import { claimedBy } from '../hub/own-claims'
import type { ClaimAnswer } from '../hub/port'
import type { Counter } from './counter'
import type { CounterClaims } from './sharing'
import type { OpenOrder } from './open-orders'
import type { ReevaluatedItem, Reevaluation } from './reevaluation'
import { type ItemAnswer, errorOf, isDoubtful, isApprovalFor, isShownBy, judged } from './verdict'

/** Verdicts that an import, or the removal of one, changes. */
const ofInventory: VerdictKind[] = ['sellable', 'not-imported', 'other-company', 'sister-store']

/** The station whose claim is taken over, and why. */
interface Claiming {
  reason: string | null
  takeOver: Pick<ClaimedBy, 'stationId' | 'revision'> | undefined
}

/** An approval, and the reasons that it covers; left out: all. */
type Permitted = Approval & { shown?: VerdictKind[] | undefined }

/** Items scanned into the current sale or return. */
export function createScanning(counter: Counter, { announceFlags, replace }: Reevaluation) {
  const { lookup, orders, views, history, objections, rules, clock, log, isOutOfReach, save, events, announceHeld } =
    counter
  const { verdicts, patience = lookupPatience } = counter

  const put = (mode: CartMode, tagId: TagId, found: Verdict, permitted: string | null, keepClaim?: () => void) =>
    save({ mode, heldAt: null }, () => {
      orders.add(mode, { tagId, found, permitted, scannedAt: clock.now() })
      keepClaim?.()
      if (mode === 'sale' || orders.front(mode).orderId !== null) return
      // A return takes the number of the order in which this station sold the item.
      const past = history.item(tagId)
      if (past.kind === 'sold') orders.set(mode, { orderId: past.orderId })
    })

  const itemNamed = (tagId: TagId) => ({ tagId, productName: lookup.cached(tagId)?.productName ?? null })
  /** Names the product of an item that another station holds: the service may answer after the hub. */
  const named = async (tagId: TagId, error: AppError, asked: Promise<unknown> | undefined): Promise<AppError> => {
    if (error.code !== 'checkout/claimed' || error.productName !== null || !asked) return error
    await withTimeout(
      asked.catch(() => undefined),
      patience,
      () => undefined,
    )
    return { ...error, ...itemNamed(tagId) }
  }

  /**
   * Claims an item for the current sale, and saves its line and the claim in one commit. Waits for the hub, at most for its
   * patience. `known`: what is known of the item by then, or why it is not taken. Errors: those of `toAdd` and `known`,
   * checkout/claimed, -not-claimed, -awaited, -cart-changed, store/not-saved.
   */
  const claimAndPut = (
    claims: CounterClaims,
    tagId: TagId,
    known: () => Result<Verdict, AppError>,
    { reason, takeOver }: Claiming,
  ) => {
    const order = orders.front('sale')
    const wish = { tagId, kind: 'cart', orderId: order.orderId, at: 0 } as const
    const answered = (answer: ClaimAnswer): Result<null, AppError> => {
      // Other scans were taken meanwhile.
      const isInCart = takeOver !== undefined && orders.holderOf(tagId)?.id === order.id
      const no = isInCart ? undefined : objections.toAdd('sale', tagId)
      if (no) return err(no)
      if (orders.front('sale').id !== order.id) return err({ code: 'checkout/cart-changed' })
      if (answer.kind === 'held')
        return err({ code: 'checkout/claimed', ...itemNamed(tagId), by: claimedBy(answer.by) })
      const isUnclaimed = answer.kind !== 'granted'
      const refuses = claims.policy() === 'refuse'
      if (isUnclaimed && (takeOver || refuses)) return err({ code: 'checkout/not-claimed', tagId })
      const stations = (!isUnclaimed && answer.awaited) || []
      if (stations.length > 0 && refuses && !takeOver) return err({ code: 'checkout/awaited', tagId, stations })
      const isInSync = orders.front('sale').orderId === order.orderId
      const keepClaim = () => {
        if (answer.kind === 'granted') claims.keep(tagId, { revision: answer.revision, isInSync })
        // A claim from before, of a line that was removed, may have been given back.
        else claims.keepUnchecked(tagId)
      }
      if (isInCart) return save(order, keepClaim)
      const found = known()
      return found.ok ? put('sale', tagId, found.value, found.value.level === 'pin' ? reason : null, keepClaim) : found
    }
    return takeOver ? claims.takeOver(wish, takeOver, reason, answered) : claims.take(wish, answered)
  }

  const added = (order: OpenOrder, tagId: TagId): Result<ItemAdded, AppError> => {
    const { mode } = order
    const cart = views.cart(mode)
    const item = scannedItem(cart, tagId)
    // While the service was asked, the item was removed by another scan or its order was put on hold.
    if (!item || orders.front(mode).id !== order.id) return err({ code: 'checkout/cart-changed' })
    events.emit('cart.changed', cart)
    return ok({ ...item, mode, revision: cart.revision })
  }

  /** Why an item is not taken; undefined if it is. */
  const objectionTo = (tagId: TagId, verdict: Verdict, approval: Permitted | undefined): AppError | undefined => {
    const { level } = verdict
    if (level !== 'refuse' && level !== 'pin') return undefined
    const isCovered = approval && (approval.shown === undefined || isShownBy(approval.shown, verdict))
    return level === 'pin' && isCovered ? undefined : errorOf(tagId, verdict)
  }

  /** Why an item is not taken that the service has just answered about; undefined if it is. */
  const refusalOf = (
    tagId: TagId,
    answer: Result<ItemAnswer, AppError>,
    verdict: Verdict,
    approval: Permitted | undefined,
  ): AppError | undefined => {
    const isWrongCode = !answer.ok && verdict.kind === 'unknown' && verdict.level === 'refuse'
    return isWrongCode ? answer.error : objectionTo(tagId, verdict, approval)
  }

  const isFree = ({ kind }: VerdictReasons) => kind === 'sellable' || kind === 'returnable'
  const judgedNow = (found: VerdictReasons) => judged(VerdictReasons.parse(found), rules.view())
  /** Nothing to write: a sellable item that the service confirms is not worth a commit. */
  const isSame = (now: VerdictReasons, shown: VerdictReasons) =>
    (isFree(now) && now.kind === shown.kind && (now.asOf === null || shown.asOf !== null)) ||
    JSON.stringify(judgedNow(now)) === JSON.stringify(judgedNow(shown))
  /** The service says now what was only remembered. Returns true if that is news. */
  const confirm = (tagId: TagId, now: VerdictReasons, shown: VerdictReasons) => {
    const isNews = now.asOf === null && shown.asOf !== null
    if (isNews) orders.confirm(tagId)
    return isNews
  }

  /** Saves the verdict on an item. */
  const setVerdict = (order: OpenOrder, tagId: TagId, verdict: Verdict, permitted: string | null) =>
    save(
      order,
      () => {
        orders.setVerdict(order, tagId, verdict, permitted)
      },
      isDoubtful(verdict) ? 'warning' : 'news',
    )
  const itemOf = (order: OpenOrder, tagId: TagId) => orders.itemsOf(order).find((item) => item.tagId === tagId)

  const answered = (tagId: TagId, answer: Result<ItemAnswer, AppError>) => {
    const order = orders.holderOf(tagId)
    const shown = order && itemOf(order, tagId)
    if (!order || !shown) return
    const verdict = verdicts.byAnswer(order.mode, tagId, answer, order.id)
    const isNew = !isSame(verdict, shown.found)
    // No answer, and the line already says what can be said: nothing to redraw.
    if (!isNew && !answer.ok) return
    const isConfirmed = !isNew && confirm(tagId, verdict, shown.found)
    const permitted = isApprovalFor(judgedNow(shown.found), verdict) ? shown.permitted : null
    if (isNew && !setVerdict(order, tagId, verdict, permitted).ok) return
    if (order.heldAt !== null) {
      announceHeld()
      return
    }
    // More is known of the product: the order is the same and is shown differently.
    if (!isNew) orders.raise(order.mode, 'news')
    announceFlags(order.mode, isNew || isConfirmed ? [tagId] : [])
  }

  const failedLate = (cause: unknown) => {
    log.error('a late look-up failed', { cause })
  }
  const lateAnswer = async (tagId: TagId, asked: Promise<Result<ItemAnswer, AppError>>) => {
    try {
      const answer = await asked
      // The scan is answered first: its notice must be there before it is updated.
      await setImmediate()
      answered(tagId, answer)
    } catch (cause) {
      failedLate(cause)
    }
  }

  /** Asks once the scan is answered: its answer doesn't depend on it. */
  const askedLater = async (tagId: TagId) => {
    await setImmediate()
    return verdicts.ask(tagId)
  }

  let isAskingAgain = false
  const askAbout = async (items: readonly { tagId: TagId }[]) => {
    try {
      for (const { tagId } of items) {
        // Taken out or sold meanwhile.
        if (orders.holderOf(tagId)) answered(tagId, await verdicts.ask(tagId))
      }
    } catch (cause) {
      log.error('items could not be asked about again', { cause })
    }
  }

  /** Takes an item out again that the service answered about in time. */
  const refuse = (holder: OpenOrder, tagId: TagId, refusal: AppError): Result<ItemAdded, AppError> => {
    const taken = save(holder, () => {
      orders.remove(holder, tagId)
    })
    // If the disk refuses, the item stays in the cart: its pages must show it.
    if (!taken.ok || holder.heldAt === null) counter.announce(holder.mode)
    else announceHeld()
    return taken.ok ? err(refusal) : taken
  }

  /** An approval for an item of the cart whose verdict came late; undefined if there is nothing to approve. */
  const approveInCart = (
    mode: CartMode,
    tagId: TagId,
    approval: Permitted,
  ): Result<ItemAdded, AppError> | undefined => {
    const order = orders.front(mode)
    const item = itemOf(order, tagId)
    if (!item || item.permitted !== null || judgedNow(item.found).level !== 'pin') return undefined
    const objection = objectionTo(tagId, judgedNow(item.found), approval)
    if (objection) return err(objection)
    const permitted = setVerdict(order, tagId, judgedNow(item.found), approval.reason ?? null)
    return permitted.ok ? added(order, tagId) : permitted
  }

  /** What came back here may have been sold again by another station: only the service knows. */
  const isOfService = (no: AppError | undefined) => no?.code === 'checkout/already-returned' && !isOutOfReach()
  const askedAgain = async (mode: CartMode, tagId: TagId): Promise<AppError | undefined> => {
    await withTimeout(verdicts.ask(tagId), patience, () => undefined)
    return objections.toAdd(mode, tagId)
  }

  /** Takes an item of the cart from the other station that holds it. */
  const takeOverInCart = async (
    mode: CartMode,
    tagId: TagId,
    approval: Permitted | undefined,
    takeOver: NonNullable<Claiming['takeOver']>,
  ): Promise<Result<ItemAdded, AppError>> => {
    const order = orders.front(mode)
    if (mode !== 'sale' || !counter.claims) return err({ code: 'checkout/duplicate', tagId })
    const reason = approval?.reason ?? null
    const known = () => ok(verdicts.before(mode, tagId, order.id))
    const done = await claimAndPut(counter.claims, tagId, known, { reason, takeOver })
    return done.ok ? added(order, tagId) : done
  }

  /** Updates the verdicts on a case's items when its import or the removal of its import changes. */
  const noticeImport = ({ payload }: Operation) => {
    if (payload?.kind !== 'import' && payload?.kind !== 'import-removal') return
    for (const order of [orders.front('sale'), ...orders.held()]) {
      const changes = orders.itemsOf(order).flatMap(({ tagId, found }): ReevaluatedItem[] => {
        if (!ofInventory.includes(found.kind)) return []
        if (lookup.cached(tagId)?.caseId !== payload.caseId) return []
        const now = verdicts.before('sale', tagId, order.id)
        return now.kind === found.kind ? [] : [{ tagId, now, permitted: null, isNews: true }]
      })
      replace(order, changes)
    }
  }
  /** Shows what the other stations hold of open sales. */
  const claimsChanged = ({ tagIds, isGrave }: { tagIds: TagId[]; isGrave: boolean }) => {
    const front = orders.front('sale')
    const shown = orders.itemsOf(front).flatMap(({ tagId }) => (tagIds.includes(tagId) ? [tagId] : []))
    if (shown.length > 0) {
      orders.raise('sale', isGrave ? 'warning' : 'news')
      announceFlags('sale', isGrave ? shown : [])
    }
    if (shown.length < tagIds.length) announceHeld()
  }
  /** Asks again about the items of all open orders about which the service has not answered. Never rejects. */
  const askAgain = async (): Promise<void> => {
    // A service that answers every other request calls this often.
    if (isAskingAgain) return
    isAskingAgain = true
    await askAbout(orders.unheard())
    isAskingAgain = false
  }
  events.on('operation.changed', 'counter/scanning.ts', noticeImport)
  events.on('claims.changed', 'counter/scanning.ts', claimsChanged)
  events.on('service.back', 'counter/scanning.ts', () => void askAgain())

  return {
    /**
     * Adds an item at once and waits up to `lookupPatience` for what the service knows of it; not at all if the item is
     * remembered and the service is out of reach. A later answer arrives by events. Errors:
     * checkout/duplicate, -in-open-order, -already-sold, -in-refused-order, -already-returned, -in-other-order,
     * -sold-elsewhere, -unchecked, -not-sellable, -cart-changed, scan/wrong-place, service/not-found, store/not-saved;
     * with an approval also gate/reason-missing, gate/pin-missing, security/wrong-pin. An approval is for the reasons that the
     * person was shown. In a store of several stations also checkout/claimed, -not-claimed, -awaited; `takeOver` takes the item from
     * the station that holds it, with an approval, also for a line of the cart.
     */
    async addItem(
      mode: CartMode,
      tagId: TagId,
      approval?: Permitted,
      takeOver?: Claiming['takeOver'],
    ): Promise<Result<ItemAdded, AppError>> {
      const isMissing = (approval ?? takeOver) && (await counter.gates.objection('pin', approval ?? {}))
      if (isMissing) return err(isMissing)
      const permittedLate = approval && !takeOver && approveInCart(mode, tagId, approval)
      if (permittedLate) return permittedLate
      if (takeOver && itemOf(orders.front(mode), tagId)) return takeOverInCart(mode, tagId, approval, takeOver)
      const first = objections.toAdd(mode, tagId)
      const no = isOfService(first) ? await askedAgain(mode, tagId) : first
      if (no) return err(no)
      const reason = approval?.reason ?? null
      const isCached = lookup.cached(tagId) !== undefined
      const shown = isCached ? verdicts.before(mode, tagId) : verdicts.looking(mode, tagId)
      const order = orders.front(mode)
      // Without the service, memory decides.
      const isFinal = isCached && isOutOfReach()
      const objection = isFinal ? objectionTo(tagId, shown, approval) : undefined
      if (objection) return err(objection)
      const claims = mode === 'sale' ? counter.claims : undefined
      // The other stations and the service are asked at the same time.
      const early: { answer?: Result<ItemAnswer, AppError>; isUsed: boolean } = { isUsed: false }
      const known = (): Result<Verdict, AppError> => {
        const { answer } = early
        if (!answer) return ok(shown)
        early.isUsed = true
        const verdict = verdicts.byAnswer(mode, tagId, answer, order.id)
        const refusal = refusalOf(tagId, answer, verdict, approval)
        return refusal ? err(refusal) : ok(verdict)
      }
      const claiming = claims && claimAndPut(claims, tagId, known, { reason, takeOver })
      const askedEarly = claiming && !isFinal ? verdicts.ask(tagId) : undefined
      askedEarly?.then((answer) => (early.answer = answer), failedLate)
      const done = claiming ? await claiming : put(mode, tagId, shown, shown.level === 'pin' ? reason : null)
      if (!done.ok) return err(await named(tagId, done.error, askedEarly))
      // The service came before the other stations: the line was saved with its answer.
      if (early.isUsed) return added(order, tagId)
      if (isFinal) {
        void lateAnswer(tagId, askedLater(tagId))
        return added(order, tagId)
      }
      const asked = askedEarly ?? verdicts.ask(tagId)
      const answer = await withTimeout(asked, patience, () => undefined)
      if (answer === undefined) {
        void lateAnswer(tagId, asked)
        return added(order, tagId)
      }
      const verdict = verdicts.byAnswer(mode, tagId, answer, order.id)
      // The item may have been removed, reported, or scanned into another order meanwhile.
      const holder = orders.holderOf(tagId)
      if (holder?.id !== order.id) return err({ code: 'checkout/cart-changed' })
      const refusal = refusalOf(tagId, answer, verdict, approval)
      if (refusal) return refuse(holder, tagId, refusal)
      if (isSame(verdict, shown)) {
        confirm(tagId, verdict, shown)
        // A page that asked for the cart meanwhile has a view of this revision that knew less.
        orders.raise(mode, 'news')
        return added(order, tagId)
      }
      const flagged = setVerdict(holder, tagId, verdict, verdict.level === 'pin' ? reason : null)
      if (flagged.ok) return added(order, tagId)
      counter.announce(mode)
      return flagged
    },
    askAgain,
    /** Asks about all items of the current order: minutes or days may have passed since they were scanned. Never rejects. */
    askAboutAll: (mode: CartMode): Promise<void> => askAbout(orders.itemsOf(orders.front(mode))),
  }
}
