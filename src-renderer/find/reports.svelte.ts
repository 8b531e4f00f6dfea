import { SvelteMap, SvelteSet } from 'svelte/reactivity'
import type { AppError } from '../../src-shared/errors'
import type { Client } from '../../src-shared/ipc/client'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import type { Result } from '../../src-shared/result'

/** What became of a change: the report that was saved, or why none was. */
export type Reported = { operation: OperationView; error: AppError | null } | { operation: null; error: AppError }

export interface ReportsParts {
  client: Client
  onChanged?: () => void
  /** Where a change that was asked for elsewhere would be said here; null where it would not. */
  placeOf?: (operation: OperationView) => string | null
}

/** Changes that were asked for here, each said beside what it changes (`place`), and taken back from there. */
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

  get isEmpty(): boolean {
    return this.#reported.size === 0
  }

  has({ id }: OperationView): boolean {
    return [...this.#reported.values()].some(({ operation }) => operation?.id === id)
  }

  /** Saves one change; null when it was refused or an earlier one of this place is still being saved. */
  async run(place: string, save: () => Promise<Result<OperationView, AppError>>): Promise<OperationView | null> {
    if (this.#busy.has(place)) return null
    this.#busy.add(place)
    const answer = await save()
    this.#busy.delete(place)
    this.#reported.set(
      place,
      answer.ok ? { operation: answer.value, error: null } : { operation: null, error: answer.error },
    )
    if (answer.ok) this.#onChanged()
    return answer.ok ? answer.value : null
  }

  /** Unsent it is withdrawn, otherwise its inverse is reported. What keeps it from that stands beside it. */
  async undo(place: string): Promise<void> {
    const before = this.#reported.get(place)?.operation
    if (!before || this.#busy.has(place)) return
    this.#busy.add(place)
    const answer = await this.#client.call('receiving.undo', { operationId: before.id })
    this.#busy.delete(place)
    const after: Reported = answer.ok
      ? { operation: answer.value, error: null }
      : { operation: before, error: answer.error }
    this.#reported.set(place, after)
    this.#onChanged()
  }

  /** The reports of which nothing is left to be said: of a refused one, the reason is. */
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

  /** A later change of the same, asked for elsewhere, stands where the older one stood: the undo of that is over. */
  #overtake(operation: OperationView): void {
    // What was refused or withdrawn has changed nothing.
    const place = operation.state === 'rejected' || operation.state === 'cancelled' ? null : this.#placeOf(operation)
    const older = place === null ? null : this.#reported.get(place)?.operation
    if (place !== null && older && older.seq < operation.seq && !this.#busy.has(place))
      this.#reported.set(place, { operation, error: null })
  }
}

/** Answered, withdrawn or dismissed: it changes nothing any more. */
export const isDone = ({ state }: Pick<OperationView, 'state'>): boolean =>
  state === 'accepted' || state === 'rejected' || state === 'cancelled'

/** Of a change of a collection as a whole, the collection; null of any other report. */
export const collectionOf = ({ kind, collectionId }: OperationView): string | null =>
  kind === 'remove-collection' || kind === 'restore-collection' ? collectionId : null
