import { afterStep } from '../../src-shared/cart-step'
import type { ClaimedBy } from '../../src-shared/claim'
import type { AppError } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import type { Client } from '../../src-shared/ipc/client'
import type { CallInput } from '../../src-shared/ipc/contract'
import {
  type CartChange,
  type CartMode,
  type CartStep,
  type CartView,
  type HeldOrder,
  type ItemAdded,
  lookupPatience,
} from '../../src-shared/ipc/contract/checkout'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import { type Result, err, ok } from '../../src-shared/result'
import type { Approval } from '../../src-shared/gates'
import type { VerdictKind } from '../../src-shared/verdict'
import { ExpectedCounts } from './expected.svelte'
import { LinePlaces, tagIdsIn } from './line-places'

/** An order number is saved when typing pauses for so long, in ms. */
const typingPause = 400
/** Main answers a scan within `lookupPatience`; the way there and back takes a little longer. In ms. */
const patience = lookupPatience + 400

/** Errors that are shown beside the field of the order number. */
const aboutOrder = new Set<AppError['code']>([
  'checkout/order-id-missing',
  'checkout/order-id-used',
  'checkout/order-voided',
  'checkout/order-unknown',
])

/** Errors that say what must be confirmed: they open the question. */
const toBeConfirmed = new Set<AppError['code']>(['checkout/not-as-expected', 'checkout/doubtful-items'])

/** Main holds another cart than the page shows. */
const isOutOfDate = ({ code }: AppError) =>
  code === 'checkout/cart-changed' || code === 'app/saved-unseen' || toBeConfirmed.has(code)

/** Of an order that was shown, only the budtender is another one. */
function isOnlyServed(shown: CartView | null, now: CartView | null): boolean {
  if (!shown || !now || shown.budtender?.id === now.budtender?.id) return false
  return ordered(shown) === ordered(now)
}

/** What a person finishes. */
const ordered = ({ id, orderId, customerId, mustConfirm, lines }: CartView): string => {
  const items = lines.map(({ key, expected, items }) => [key, expected, items.map(({ tagId }) => tagId)])
  return JSON.stringify([id, orderId, customerId, mustConfirm, items])
}

/** What an error of the cart says isn't so any more: "no items yet" beside an item, or a refused item that was taken out. */
export function isOver(error: AppError, { orderId, customerId, budtender, itemCount, lines }: CartView): boolean {
  const { code } = error
  if (code === 'checkout/empty-cart' || code === 'checkout/nothing-to-hold') return itemCount > 0
  if (code === 'checkout/order-begun') return itemCount > 0 || (orderId === null && customerId === null)
  if (code === 'checkout/order-id-missing') return orderId !== null
  if (code === 'checkout/budtender-missing') return budtender !== null
  const tagId = 'tagId' in error ? error.tagId : null
  return tagId !== null && !lines.some(({ items }) => items.some((item) => item.tagId === tagId))
}

/** The items that only one of two carts holds. */
const differing = (one: ReadonlySet<TagId>, other: ReadonlySet<TagId>): TagId[] =>
  [...one, ...other].filter((tagId) => one.has(tagId) !== other.has(tagId))

/** Waits until a promise settles, for at most `ms`. Returns false if it did not. */
const settlesWithin = (ms: number, promise: Promise<unknown>) =>
  new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), ms)
    void promise.finally(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })

const trimmed = (text: string): string | null => text.trim() || null

interface CartListeners {
  closed: () => void
  itemsGone: (tagIds: TagId[]) => void
  modeChanged: () => void
}

/**
 * The current sale or return. Main owns it and pushes the whole cart with each change; a command answers with its outcome
 * and the revision it led to, and has ended once that revision is shown.
 */
export class Cart {
  view = $state.raw<CartView | null>(null)
  orderText = $state('')
  customerText = $state('')
  /** Reason for a return. Stored locally, never sent. */
  note = $state('')
  error = $state.raw<AppError | null>(null)
  isBusy = $state(false)
  isAskingToClear = $state(false)
  /** Asks whether to report although counts differ or the service will refuse an item. */
  isAskingToFinish = $state(false)
  /** Grows with every report that could not be made: the field at fault then takes the focus. */
  refusals = $state(0)

  orderError = $derived(this.error && aboutOrder.has(this.error.code) ? this.error : null)
  isBudtenderMissing = $derived(this.error?.code === 'checkout/budtender-missing')
  otherError = $derived(this.error && !this.orderError && !this.isBudtenderMissing ? this.error : null)
  lines = $derived(this.view?.lines ?? [])
  itemCount = $derived(this.view?.itemCount ?? 0)
  budtender = $derived(this.view?.budtender ?? null)
  customerId = $derived(this.view?.customerId ?? null)
  /** The item that was scanned last. */
  last = $derived.by(() => {
    const { tagId, coa = null } = this.view?.last ?? {}
    for (const line of this.lines) {
      const item = line.items.find((one) => one.tagId === tagId)
      if (item) return { line, item, coa }
    }
    return null
  })
  /** Lines with another count than the expected one. */
  differences = $derived(this.lines.filter(({ difference }) => difference !== null && difference !== 0))
  /** Items that the service will refuse. */
  doubts = $derived(
    this.lines.flatMap((line) => line.items.flatMap((item) => (item.isDoubtful ? [{ line, item }] : []))),
  )
  /** Some of them are not sold at all, or need a manager first: completing isn't offered. */
  isBlocked = $derived(
    this.doubts.some(
      ({ item: { verdict, claim } }) =>
        verdict.level === 'refuse' || verdict.level === 'pin' || (claim?.kind === 'held' && claim.isRefused),
    ),
  )
  isEmpty = $derived(this.lines.length === 0 && this.orderText === '' && this.customerText === '')

  readonly mode: CartMode
  readonly places = new LinePlaces()
  readonly expected = new ExpectedCounts(
    () => this.lines,
    (key, expected) => this.#keepExpected(key, expected),
  )
  readonly #client: Client
  readonly #closed: () => void
  readonly #itemsGone: (tagIds: TagId[]) => void
  readonly #modeChanged: () => void
  #isRemoving = $state(false)
  #saving: ReturnType<typeof setTimeout> | undefined
  #isOrderDirty = false
  #isCustomerDirty = false
  #reporting: Promise<unknown> | undefined
  /** Views with a lower revision are out of date. */
  #revision = 0
  #loadError: AppError | null = null
  #reloading: Promise<void> | null = null
  /** How often the whole cart was needed. */
  #needs = 0
  #arrivals: { revision: number; arrived: () => void }[] = []
  /** Commands that have not ended, with the item that they add or remove. */
  #commands: { ended: Promise<unknown>; tagId: TagId | null }[] = []

  /**
   * `closed` is called when the order is reported, held, resumed or cleared: its scans can't be undone any more. `itemsGone` is
   * called with the items that the cart doesn't hold any more, `modeChanged` when scans get another meaning.
   */
  constructor(mode: CartMode, client: Client, { closed, itemsGone, modeChanged }: CartListeners) {
    this.mode = mode
    this.#client = client
    this.#closed = closed
    this.#itemsGone = itemsGone
    this.#modeChanged = modeChanged
  }

  /** Scanned items are removed, not added. */
  get isRemoving(): boolean {
    return this.#isRemoving
  }

  set isRemoving(isRemoving) {
    if (isRemoving === this.#isRemoving) return
    this.#isRemoving = isRemoving
    this.#modeChanged()
  }

  /** Shows a cart unless a newer one is shown. Text being typed stays; of the order that was closed, its number only. */
  show(view: CartView): void {
    if (view.revision < this.#revision) return
    this.#revision = view.revision
    const before = this.view
    this.places.follow(before?.lines ?? [], view.lines)
    this.view = view
    if (before && before.id !== view.id) this.#close()
    else if (before) this.expected.follow(before.lines)
    if (!view.mustConfirm) this.isAskingToFinish = false
    if (this.error && isOver(this.error, view)) this.error = null
    if (!this.#isOrderDirty) this.orderText = view.orderId ?? ''
    if (!this.#isCustomerDirty) this.customerText = view.customerId ?? ''
    const holds = tagIdsIn(view.lines)
    this.#itemsGone([...tagIdsIn(before?.lines ?? [])].filter((tagId) => !holds.has(tagId)))
    const arrivals = this.#arrivals.filter(({ revision }) => revision <= view.revision)
    this.#arrivals = this.#arrivals.filter(({ revision }) => revision > view.revision)
    for (const { arrived } of arrivals) arrived()
  }

  /** Shows the next step of the cart. If it doesn't begin at the view that is shown, the whole cart is asked for. */
  async follow(step: CartStep): Promise<void> {
    // A view of the same revision may have been asked for before main knew all that the step tells.
    if (step.revision < this.#revision) return
    if (this.view?.revision === step.since) this.show(afterStep(this.view, step))
    else await this.#reload()
  }

  /** Asks for the cart when the page begins or reconnects. */
  async load(): Promise<void> {
    // Main may have been restarted: its revisions are unrelated to those before.
    this.#revision = 0
    await this.#reload()
  }

  /** Asks for the cart where its view may be out of date: once more if that is found while the answer is awaited. */
  #reload(): Promise<void> {
    this.#needs++
    this.#reloading ??= this.#askUntilCurrent().finally(() => (this.#reloading = null))
    return this.#reloading
  }

  async #askUntilCurrent(): Promise<void> {
    let asked: number
    do {
      asked = this.#needs
      await this.#ask()
    } while (asked < this.#needs)
  }

  async #ask(): Promise<void> {
    const answer = await this.#client.call('checkout.cart', { mode: this.mode })
    if (answer.ok) this.show(answer.value)
    // An error of something else stays.
    if (!answer.ok || this.error === this.#loadError) this.error = answer.ok ? null : answer.error
    this.#loadError = answer.ok ? null : answer.error
  }

  /** Resolves once a revision is shown. One that doesn't come in time is asked for. */
  async #shown(revision: number): Promise<void> {
    if (this.#revision >= revision) return
    const { promise, resolve } = Promise.withResolvers<null>()
    const arrival = {
      revision,
      arrived: () => {
        resolve(null)
      },
    }
    this.#arrivals.push(arrival)
    if (await settlesWithin(patience, promise)) return
    this.#arrivals = this.#arrivals.filter((one) => one !== arrival)
    await this.#reload()
  }

  /** Ends when the cart that the command led to is shown. */
  async #command<Answer extends CartChange>(call: Promise<Result<Answer, AppError>>, tagId: TagId | null = null) {
    const ended = call.then(async (answer) => {
      if (answer.ok) await this.#shown(answer.value.revision)
      return answer
    })
    this.#commands.push({ ended, tagId })
    try {
      return await ended
    } finally {
      this.#commands = this.#commands.filter((one) => one.ended !== ended)
    }
  }

  /** A command whose error is shown in the cart. */
  async #change(call: Promise<Result<CartChange, AppError>>): Promise<Result<CartChange, AppError>> {
    const answer = await this.#command(call)
    this.error = answer.ok ? null : answer.error
    return answer
  }

  /** Waits for the commands under way, for a limited time. Returns the items that they add or remove. */
  async #commandsEnded(): Promise<TagId[]> {
    const tagIds = this.#commands.flatMap(({ tagId }) => tagId ?? [])
    await settlesWithin(patience, Promise.allSettled(this.#commands.map(({ ended }) => ended)))
    return tagIds
  }

  /**
   * `shown`: the reasons that an approval is for. A scan after "complete" is meant for the next order, even while the last one
   * is still being saved.
   */
  add(tagId: TagId, approval?: Approval, shown: VerdictKind[] = []): Promise<Result<ItemAdded, AppError>> {
    return this.#add({ mode: this.mode, tagId, ...(approval && { approval, shown }) })
  }

  /** Takes an item from the station that holds it. */
  takeOver(tagId: TagId, { stationId, revision }: ClaimedBy, approval: Approval): Promise<Result<ItemAdded, AppError>> {
    return this.#add({ mode: this.mode, tagId, approval, shown: [], takeOver: { stationId, revision } })
  }

  #add(input: CallInput<'checkout.addItem'> & { tagId: TagId }): Promise<Result<ItemAdded, AppError>> {
    const call = () => this.#client.call('checkout.addItem', input)
    return this.#command(this.isBusy ? this.finished().then(call) : call(), input.tagId)
  }

  remove(tagId: TagId): Promise<Result<CartChange, AppError>> {
    return this.#command(this.#client.call('checkout.removeItem', { mode: this.mode, tagId }), tagId)
  }

  /** Removes the items that the service will refuse. */
  async removeDoubts(): Promise<void> {
    this.isAskingToFinish = false
    for (const { item } of this.doubts) {
      const answer = await this.remove(item.tagId)
      this.error = answer.ok ? null : answer.error
      if (!answer.ok) return
    }
  }

  setBudtender(budtenderId: string | null): Promise<Result<CartChange, AppError>> {
    return this.#change(this.#client.call('checkout.setBudtender', { mode: this.mode, budtenderId }))
  }

  customerTyped(): void {
    this.#isCustomerDirty = true
  }

  /** Saves the customer as typed; an empty field removes it from the order. */
  async saveCustomer(): Promise<Result<null, AppError>> {
    if (!this.#isCustomerDirty) return ok(null)
    const typed = this.customerText
    const customerId = trimmed(typed)
    if (customerId !== this.customerId) {
      const answer = await this.#change(this.#client.call('checkout.setCustomer', { mode: this.mode, customerId }))
      if (!answer.ok) return answer
    }
    if (this.customerText !== typed) return ok(null)
    this.#isCustomerDirty = false
    this.customerText = this.customerId ?? ''
    return ok(null)
  }

  async #keepExpected(key: string, expected: number | null): Promise<Result<CartChange, AppError>> {
    const answer = await this.#command(this.#client.call('checkout.setExpected', { mode: this.mode, key, expected }))
    // The line is gone, as the cart then shows: not an error.
    if (!answer.ok && answer.error.code === 'checkout/cart-changed') await this.#reload()
    else this.error = answer.ok ? null : answer.error
    return answer
  }

  async clear(): Promise<void> {
    clearTimeout(this.#saving)
    this.error = null
    await this.#commandsEnded()
    const cleared = await this.#closeBy((revision) =>
      this.#client.call('checkout.clear', { mode: this.mode, revision }),
    )
    // What was typed stays if the order does.
    if (!cleared.ok) return
    this.#isOrderDirty = false
    this.orderText = this.view?.orderId ?? ''
  }

  /** Puts the sale on hold. */
  async hold(): Promise<Result<CartChange, AppError>> {
    await this.#commandsEnded()
    const saved = await this.#saveTyped()
    if (!saved.ok) return saved
    return this.#closeBy((revision) => this.#client.call('checkout.hold', { revision }))
  }

  /** Makes a held sale current; the one that was is held. */
  async resume(heldId: HeldOrder['id']): Promise<Result<CartChange, AppError>> {
    await this.#commandsEnded()
    const saved = await this.#saveTyped()
    if (!saved.ok) return saved
    return this.#closeBy(() => this.#client.call('checkout.resume', { heldId }))
  }

  /** `call` gets the revision that the person sees. */
  async #closeBy(call: (revision: number) => Promise<Result<CartChange, AppError>>) {
    const answer = await this.#change(call(this.view?.revision ?? 0))
    if (!answer.ok && answer.error.code === 'checkout/cart-changed') await this.#reload()
    return answer
  }

  /** The order number is being typed: it is saved at the next pause. */
  orderTyped(): void {
    this.#isOrderDirty = true
    if (this.orderError) this.error = null
    clearTimeout(this.#saving)
    this.#saving = setTimeout(() => void this.saveOrder(), typingPause)
  }

  useOrder(orderId: string): Promise<Result<null, AppError>> {
    this.orderText = orderId
    this.#isOrderDirty = true
    return this.saveOrder()
  }

  /** Saves the order number in the field, if it was changed. */
  async saveOrder(): Promise<Result<null, AppError>> {
    clearTimeout(this.#saving)
    if (!this.#isOrderDirty) return ok(null)
    const typed = this.orderText
    const orderId = trimmed(typed)
    const answer = await this.#command(this.#client.call('checkout.setOrder', { mode: this.mode, orderId }))
    if (!answer.ok) {
      this.error = answer.error
      return answer
    }
    if (this.orderText === typed) this.#isOrderDirty = false
    if (this.orderError) this.error = null
    return ok(null)
  }

  async #saveTyped(): Promise<Result<null, AppError>> {
    for (const save of [() => this.saveOrder(), () => this.saveCustomer(), () => this.expected.saveAll()]) {
      const saved = await save()
      if (!saved.ok) return saved
    }
    return ok(null)
  }

  /**
   * Reports the order and returns the saved report. Null if nothing was saved: then `error` says why, or a question is
   * open, because counts differ or the service will refuse an item. `isMeant` is its answer.
   */
  async finish(isMeant = false): Promise<OperationView | null> {
    if (this.isBusy) return null
    this.isBusy = true
    this.isAskingToFinish = false
    this.error = null
    const reporting = this.#report(isMeant)
    this.#reporting = reporting
    const answer = await reporting
    this.isBusy = false
    if (answer.ok) return answer.value
    // Main knew more than the page: a warning came with the report.
    if (toBeConfirmed.has(answer.error.code) && this.view?.mustConfirm) {
      this.isAskingToFinish = true
      return null
    }
    this.error = answer.error
    this.refusals++
    return null
  }

  /** Waits for a report that is being saved. */
  async finished(): Promise<void> {
    await this.#reporting
  }

  async #report(isMeant: boolean): Promise<Result<OperationView | null, AppError>> {
    // Only what the person saw or scanned by now is reported, not what another page adds meanwhile.
    const seen = tagIdsIn(this.lines)
    const scanned = await this.#commandsEnded()
    const saved = await this.#saveTyped()
    // Again, for what was typed while that was saved.
    const savedAgain = saved.ok ? await this.#saveTyped() : saved
    if (!savedAgain.ok) return savedAgain
    const isUnseen = differing(seen, tagIdsIn(this.lines)).some((tagId) => !scanned.includes(tagId))
    if (isUnseen) return err({ code: 'checkout/cart-changed' })
    // The fault is shown beside its field.
    if (this.expected.fault) {
      this.refusals++
      return ok(null)
    }
    const { mode, itemCount } = this
    const orderId = trimmed(this.orderText)
    if (this.view?.mustConfirm && !isMeant) {
      this.isAskingToFinish = true
      return ok(null)
    }
    const note = this.note.trim()
    const asShown = () =>
      this.#client.call('checkout.finish', {
        ...{ mode, orderId, itemCount, revision: this.view?.revision ?? 0 },
        ...(isMeant && { isMeant }),
        ...(note && { note }),
      })
    const before = this.view
    let answer = await asShown()
    if (!answer.ok && isOutOfDate(answer.error)) {
      const { code } = answer.error
      await this.#reload()
      // The person who signed in for it serves now.
      if (code === 'checkout/cart-changed' && isOnlyServed(before, this.view)) answer = await asShown()
    }
    if (answer.ok) await this.#shown(answer.value.revision)
    return answer
  }

  /** The cart has another order now. An order number that is being typed by now is the next order's: it stays. */
  #close(): void {
    this.isRemoving = false
    this.isAskingToClear = false
    this.isAskingToFinish = false
    this.note = ''
    this.expected.forget()
    this.#isCustomerDirty = false
    this.#closed()
  }
}
