import type { AppError } from '../../src-shared/errors'
import type { CartView } from '../../src-shared/ipc/contract/checkout'
import type { Client } from '../../src-shared/ipc/client'
import type { EntityRef, EntityView } from '../../src-shared/ipc/contract/find'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import type { Result } from '../../src-shared/result'
import { Ask } from '../ui/ask.svelte'
import { type Throttled, throttle } from '../ui/throttle'
import { CollectionWork } from './collection-work.svelte'
import { Folds } from './folds.svelte'
import { isDone } from './reports.svelte'

interface ShownParts {
  client: Client
  ref: EntityRef
  /** Whether it is on the screen; otherwise nothing is read. */
  isInFront: () => boolean
  /** Monotonic clock, in ms. */
  now?: (() => number) | undefined
}

const saleKinds: readonly OperationView['kind'][] = ['complete', 'return', 'void']

/** One thing on the trail: what is known about it, and what is being done to it. */
export class Shown {
  readonly ref: EntityRef
  readonly work: CollectionWork | null
  readonly folds = new Folds()
  readonly #client: Client
  readonly #isInFront: () => boolean
  readonly #ask = new Ask<EntityView>()
  readonly #reload: Throttled

  constructor({ client, ref, isInFront, now }: ShownParts) {
    this.#client = client
    this.#isInFront = isInFront
    this.ref = { kind: ref.kind, id: ref.id }
    this.#reload = throttle(() => void this.load(), now)
    this.work =
      ref.kind === 'collection'
        ? new CollectionWork(
            client,
            () => (this.view?.kind === 'collection' ? this.view : null),
            () => this.#changed(),
          )
        : null
  }

  get view() {
    return this.#ask.value
  }

  get error() {
    return this.#ask.error
  }

  get isLoading() {
    return this.#ask.isBusy
  }

  /** Reads it from main. Every caller gets the answer to its own question. */
  async load(): Promise<Result<EntityView, AppError>> {
    this.#reload.reset()
    return this.#ask.ask(() => this.#client.call('find.entity', this.ref))
  }

  operationChanged(operation: OperationView): void {
    const isListed = this.view?.operations.some(({ id }) => id === operation.id) ?? false
    if (!isListed && this.view?.watched.newSales && this.#isNewSale(operation)) this.#changed()
    if (!isListed && !this.work?.reports.has(operation) && !this.#isAbout(operation)) return
    this.work?.reports.operationChanged(operation)
    if (isListed) {
      this.#ask.patch((view) => ({
        ...view,
        operations: view.operations.map((one) => (one.id === operation.id ? operation : one)),
      }))
    }
    if (isDone(operation)) this.#changed()
  }

  /** The item that is shown was scanned into an open order, or taken out of one: on another page, if this one is in front. */
  cartChanged({ lines }: CartView): void {
    const { view } = this
    if (view?.kind !== 'tag') return
    const isInCart = lines.some(({ items }) => items.some(({ tagId }) => tagId === view.ref.id))
    if (isInCart !== (view.standing?.kind === 'in-open-order')) this.#changed()
  }

  /** The levels of verdicts may be others now. */
  settingsChanged(): void {
    if (this.view?.kind === 'tag') this.#changed()
  }

  #isAbout({ kind, caseId, collectionId, packageUid }: OperationView): boolean {
    if (!this.view) return false
    const { ids, kinds } = this.view.watched
    return kinds.includes(kind) || [caseId, collectionId, packageUid].some((id) => id !== null && ids.includes(id))
  }

  /** Main lists the sales that it knew when it was asked. */
  #isNewSale({ kind, state, attempts }: OperationView): boolean {
    return saleKinds.includes(kind) && state === 'queued' && attempts === 0
  }

  /** Not read while it is out of sight: that happens when the screen comes to the front. */
  #changed(): void {
    if (this.#isInFront()) this.#reload()
  }
}

/** The things that were opened, in order: back and forward lead through them like the pages of a browser. */
export class Trail<Entry> {
  #entries = $state.raw<readonly Entry[]>([])
  #at = $state(-1)

  current = $derived(this.#entries[this.#at] ?? null)
  canGoBack = $derived(this.#at > 0)
  canGoForward = $derived(this.#at < this.#entries.length - 1)

  /** Each entry keeps what it shows, so the trail must end somewhere. */
  readonly #longest: number

  constructor(longest = 50) {
    this.#longest = longest
  }

  /** All entries, also those ahead. */
  get entries(): readonly Entry[] {
    return this.#entries
  }

  /** Continues from here: the entries ahead are dropped. */
  add(entry: Entry): void {
    this.#entries = [...this.#entries.slice(0, this.#at + 1), entry].slice(-this.#longest)
    this.#at = this.#entries.length - 1
  }

  /** False if there is nothing to go back to. */
  back(): boolean {
    if (!this.canGoBack) return false
    this.#at -= 1
    return true
  }

  forward(): boolean {
    if (!this.canGoForward) return false
    this.#at += 1
    return true
  }
}
