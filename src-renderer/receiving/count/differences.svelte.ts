import { SvelteMap, SvelteSet } from 'svelte/reactivity'
import type { AppError } from '../../../src-shared/errors'
import type { CaseId, OperationId, TagId } from '../../../src-shared/ids'
import type { Client } from '../../../src-shared/ipc/client'
import type { CountView, Difference, Resolve } from '../../../src-shared/ipc/count-view'
import type { OperationView } from '../../../src-shared/ipc/operation-view'
import type { ExportFile } from '../../../src-shared/ipc/receiving-history-view'
import { requestsOf } from './requests'

export type How = Resolve['how']

/** What differed in a count, and what a person makes of it: each by itself, or all that are ticked. */
export class Differences {
  count = $state.raw<CountView>()
  all = $state.raw<Difference[] | null>(null)
  /** The reports behind them, as they stand now. */
  readonly operations = new SvelteMap<OperationId, OperationView>()
  /** The case that strangers are added to; null until a person has said which of several. */
  target = $state<CaseId | null>(null)
  error = $state.raw<AppError | null>(null)
  isBusy = $state(false)
  readonly ticked = new SvelteSet<TagId>()
  /** What takes a report back, by the report: until the service has it, the report is in force. */
  readonly #inverses = new SvelteMap<OperationId, OperationId>()

  open = $derived((this.all ?? []).filter(({ resolution }) => resolution === 'open'))
  /** What a step is done to: never anything that nobody has ticked. */
  chosen = $derived(this.open.filter(({ tagId }) => this.ticked.has(tagId)))
  missing = $derived(this.chosen.filter(({ kind }) => kind === 'missing'))
  strangers = $derived(this.chosen.filter(({ kind }) => kind === 'stranger'))
  isAllTicked = $derived(this.open.length > 0 && this.open.every(({ tagId }) => this.ticked.has(tagId)))

  readonly #client: Client

  constructor(client: Client, count: CountView) {
    this.#client = client
    this.count = count
    const [first, ...others] = count.cases
    this.target = count.caseId ?? (first && others.length === 0 ? first.caseId : null)
  }

  /** Looks what differs; also asks about items that nobody could be asked about when they were scanned. */
  async load(): Promise<void> {
    if (!this.count) return
    const answer = await this.#client.call('receiving.countDetail', { countId: this.count.id })
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    this.count = answer.value.count
    this.all = answer.value.differences
    this.#know(answer.value.operations)
    for (const tagId of this.ticked) if (!this.open.some((one) => one.tagId === tagId)) this.ticked.delete(tagId)
  }

  #know(found: OperationView[]): void {
    for (const one of found) this.operations.set(one.id, one)
  }

  operationOf({ operationId }: Difference): OperationView | null {
    return operationId === null ? null : (this.operations.get(operationId) ?? null)
  }

  /** What takes its report back, as it stands; null when nothing does. */
  inverseOf({ operationId }: Difference): OperationView | null {
    const id = operationId === null ? undefined : this.#inverses.get(operationId)
    return id === undefined ? null : (this.operations.get(id) ?? null)
  }

  /** A report got further. What one of these came to may be more than its state: it is looked up. */
  operationChanged(operation: OperationView): void {
    const isOurs = this.operations.has(operation.id) || this.all?.some((one) => one.operationId === operation.id)
    if (!isOurs && !isOfCase(operation, this.count)) return
    if (isOurs) this.#know([operation])
    if (operation.state !== 'sending') void this.load()
  }

  tick(tagId: TagId): void {
    if (!this.ticked.delete(tagId)) this.ticked.add(tagId)
  }

  tickAll(): void {
    const isAll = this.isAllTicked
    this.ticked.clear()
    if (!isAll) for (const { tagId } of this.open) this.ticked.add(tagId)
  }

  /** Does the same to several: a report for each case, and what is refused is said. */
  async resolve(how: How, what: Difference[]): Promise<void> {
    if (!this.count || this.isBusy || what.length === 0) return
    this.isBusy = true
    this.error = null
    for (const { caseId, tagIds } of requestsOf(what, (one) => this.#caseFor(how, one))) {
      const request = { countId: this.count.id, caseId, tagIds, how }
      const answer = await this.#client.call('receiving.resolve', request)
      if (!answer.ok) {
        this.error = answer.error
        break
      }
      this.#know(answer.value)
      for (const tagId of tagIds) this.ticked.delete(tagId)
    }
    await this.#reload()
    this.isBusy = false
  }

  /** To ignore a stranger it does not matter of which case: nothing is reported. */
  #caseFor(how: How, { kind, caseId }: Difference): CaseId | null {
    if (kind === 'missing') return caseId
    return how === 'add' ? this.target : (this.target ?? caseId ?? this.count?.cases[0]?.caseId ?? null)
  }

  /** Takes one up again: an ignored one is open, a reported one is reported back. */
  async undo(difference: Difference): Promise<void> {
    if (difference.resolution === 'ignored') return this.resolve('open', [difference])
    if (difference.operationId === null || this.isBusy) return
    this.isBusy = true
    const answer = await this.#client.call('receiving.undo', { operationId: difference.operationId })
    const refused = answer.ok ? null : answer.error
    if (answer.ok) {
      this.#know([answer.value])
      if (answer.value.id !== difference.operationId) this.#inverses.set(difference.operationId, answer.value.id)
    }
    await this.#reload()
    this.error = refused ?? this.error
    this.isBusy = false
  }

  /** An error of the step stays, whatever the look says. */
  async #reload(): Promise<void> {
    const { error } = this
    await this.load()
    this.error = error ?? this.error
  }

  /** The whole count as a file; null when it could not be had. */
  async export(): Promise<ExportFile | null> {
    if (!this.count) return null
    const answer = await this.#client.call('receiving.exportCount', { countId: this.count.id })
    this.error = answer.ok ? null : answer.error
    return answer.ok ? answer.value : null
  }
}

const changes: OperationView['kind'][] = ['add-items', 'remove-item', 'restore-item']

/** A change of a case of the count may be the inverse of one of its reports. */
const isOfCase = ({ kind, caseId, state }: OperationView, count: CountView | undefined) =>
  changes.includes(kind) &&
  (state === 'accepted' || state === 'cancelled' || state === 'rejected') &&
  count?.cases.some((one) => one.caseId === caseId) === true
