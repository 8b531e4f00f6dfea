import { SvelteMap, SvelteSet } from 'svelte/reactivity'
import type { AppError } from '../../src-shared/errors'
import type { Client } from '../../src-shared/ipc/client'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import type { Result } from '../../src-shared/result'
import { isLeft } from '../ui/gate.svelte'

/** The saved report of a change, or why none was saved. */
export type Reported = { operation: OperationView; error: AppError | null } | { operation: null; error: AppError }

interface ReportsParts {
  client: Client
  onChanged?: () => void
  /** The place here of a change that was made elsewhere; null if it has none. */
  placeOf?: (operation: OperationView) => string | null
}

/** Changes made here: each is shown beside what it changes (its `place`) and can be undone there. */
export class Reports {
  readonly #reported = new SvelteMap<string, Reported>()
  readonly #busy = new SvelteSet<string>()
  readonly #client: Client
  readonly #onChanged: () => void
  readonly #placeOf: (operation: OperationView) => string | null

  constructor({ client, onChanged = () => undefined, placeOf = () => null }: ReportsParts) {
    this.#client = client
    this.#onChanged = onChanged
    this.#placeOf = placeOf
  }

  of(place: string): Reported | null {
    return this.#reported.get(place) ?? null
  }

  isBusy(place: string): boolean {
    return this.#busy.has(place)
  }

  has({ id }: OperationView): boolean {
    return [...this.#reported.values()].some(({ operation }) => operation?.id === id)
  }

  /** Saves one change; null if it was refused or an earlier one of this place is still being saved. */
  async run(place: string, save: () => Promise<Result<OperationView, AppError>>): Promise<OperationView | null> {
    if (this.#busy.has(place)) return null
    this.#busy.add(place)
    const answer = await save()
    this.#busy.delete(place)
    if (!answer.ok && isLeft(answer.error)) return null
    this.#reported.set(
      place,
      answer.ok ? { operation: answer.value, error: null } : { operation: null, error: answer.error },
    )
    if (answer.ok) this.#onChanged()
    return answer.ok ? answer.value : null
  }

  /** Withdraws an unsent report, otherwise reports its inverse. An error is shown beside it. */
  async undo(place: string): Promise<void> {
    const before = this.#reported.get(place)?.operation
    if (!before || this.#busy.has(place)) return
    this.#busy.add(place)
    const answer = await this.#client.call('receiving.undo', { operationId: before.id })
    this.#busy.delete(place)
    if (!answer.ok && isLeft(answer.error)) return
    const after: Reported = answer.ok
      ? { operation: answer.value, error: null }
      : { operation: before, error: answer.error }
    this.#reported.set(place, after)
    this.#onChanged()
  }

  /** Reports with nothing left to show. A refused one still has its reason. */
  get settled(): readonly OperationView[] {
    return [...this.#reported.values()].flatMap(({ operation }) =>
      operation?.state === 'accepted' || operation?.state === 'cancelled' ? [operation] : [],
    )
  }

  forget(operations: readonly OperationView[]): void {
    for (const [place, { operation }] of this.#reported)
      if (operations.some(({ id }) => id === operation?.id)) this.#reported.delete(place)
  }

  operationChanged(operation: OperationView): void {
    for (const [place, reported] of this.#reported) {
      if (reported.operation?.id === operation.id) this.#reported.set(place, { ...reported, operation })
    }
    this.#overtake(operation)
  }

  /** A later change of the same thing, made elsewhere, takes the place of the older one, whose undo is over. */
  #overtake(operation: OperationView): void {
    // A refused or withdrawn report has changed nothing.
    const place = operation.state === 'rejected' || operation.state === 'cancelled' ? null : this.#placeOf(operation)
    const older = place === null ? null : this.#reported.get(place)?.operation
    if (place !== null && older && older.seq < operation.seq && !this.#busy.has(place))
      this.#reported.set(place, { operation, error: null })
  }
}

/** Accepted, refused, withdrawn or dismissed. */
export const isDone = ({ state }: Pick<OperationView, 'state'>): boolean =>
  state === 'accepted' || state === 'rejected' || state === 'cancelled'

/** The collection that a report removes or restores; null for other reports. */
export const collectionOf = ({ kind, collectionId }: OperationView): string | null =>
  kind === 'remove-collection' || kind === 'restore-collection' ? collectionId : null
