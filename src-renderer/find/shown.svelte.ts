import type { AppError } from '../../src-shared/errors'
import type { Client } from '../../src-shared/ipc/client'
import type { ThingRef, ThingView } from '../../src-shared/ipc/find-view'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import type { Result } from '../../src-shared/result'
import { createPace } from '../outbox/pace'
import { CollectionWork } from './collection-work.svelte'
import { isDone } from './reports.svelte'

export interface ShownParts {
  client: Client
  ref: ThingRef
  /** Whether a person sees it: nobody else needs what is new. */
  isInFront: () => boolean
  /** ms, for the pace. */
  now: () => number
}

const saleKinds: readonly OperationView['kind'][] = ['complete', 'return', 'void']

/** One thing on the trail: what is known of it, and what is being done to it. */
export class Shown {
  view = $state.raw<ThingView | null>(null)
  error = $state.raw<AppError | null>(null)
  isLoading = $state(false)
  readonly ref: ThingRef
  readonly work: CollectionWork | null
  readonly #client: Client
  readonly #isInFront: () => boolean
  readonly #pace: ReturnType<typeof createPace>
  #loads = 0

  constructor({ client, ref, isInFront, now }: ShownParts) {
    this.#client = client
    this.#isInFront = isInFront
    this.ref = { kind: ref.kind, id: ref.id }
    this.#pace = createPace(() => void this.load(), now)
    this.work =
      ref.kind === 'collection'
        ? new CollectionWork(
            client,
            () => (this.view?.kind === 'collection' ? this.view : null),
            () => this.#changed(),
          )
        : null
  }

  /** Asks for it; of two answers the one that was asked for last is shown. Each is told to whoever asked. */
  async load(): Promise<Result<ThingView, AppError>> {
    const load = ++this.#loads
    this.#pace.done()
    this.isLoading = true
    const answer = await this.#client.call('find.thing', this.ref)
    if (load !== this.#loads) return answer
    this.isLoading = false
    this.error = answer.ok ? null : answer.error
    if (answer.ok) this.view = answer.value
    return answer
  }

  operationChanged(operation: OperationView): void {
    const isListed = this.view?.operations.some(({ id }) => id === operation.id) ?? false
    if (!isListed && this.#maySell(operation)) this.#changed()
    if (!isListed && !this.work?.reports.has(operation) && !this.#isAbout(operation)) return
    this.work?.reports.operationChanged(operation)
    if (this.view && isListed) {
      const operations = this.view.operations.map((one) => (one.id === operation.id ? operation : one))
      this.view = { ...this.view, operations }
    }
    if (isDone(operation)) this.#changed()
  }

  #isAbout({ kind, caseId, collectionId, packageUid }: OperationView): boolean {
    const { view } = this
    const ids: readonly (string | null)[] = [caseId, collectionId]
    switch (view?.kind) {
      case 'tag':
        return view.holders.some(({ link }) => ids.includes(link.id))
      case 'collection':
        // Which package a case is put into, the report does not show.
        if (kind === 'add-case' && view.type === 'regulator') return true
        return ids.includes(view.collectionId) || packageUid === view.identifier
      case 'package':
        return kind === 'add-case' || packageUid === view.ref.id || view.cases.some(({ link }) => ids.includes(link.id))
      case 'product':
      case 'batch':
      case 'coa':
      case undefined:
        return false
    }
  }

  /** A report of an order does not show its items. What main listed is told apart already: only one that is new may be about it. */
  #maySell({ kind, state, attempts }: OperationView): boolean {
    const isOfItems = this.view?.kind === 'tag' || this.view?.kind === 'collection'
    return isOfItems && saleKinds.includes(kind) && state === 'queued' && attempts === 0
  }

  /** While nobody looks nothing is asked: it is when the screen comes to the front. */
  #changed(): void {
    if (this.#isInFront()) this.#pace.changed()
  }
}
