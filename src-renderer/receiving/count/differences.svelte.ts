import { SvelteMap, SvelteSet } from 'svelte/reactivity'
import type { AppError } from '../../../src-shared/errors'
import type { CaseId, OperationId, TagId } from '../../../src-shared/ids'
import type { Client } from '../../../src-shared/ipc/client'
import type {
  CountDetail,
  CountView,
  Difference,
  DifferenceGroup,
  Resolve,
} from '../../../src-shared/ipc/contract/count'
import type { OperationView } from '../../../src-shared/ipc/contract/outbox'
import type { ExportFile } from '../../../src-shared/ipc/contract/call'
import { type Gate, isLeft } from '../../ui/gate.svelte'
import { Ask } from '../../ui/ask.svelte'
import { countFile } from './count-csv'

export type How = Resolve['how']
type Change = Resolve['changes'][number]

/** A line of the list: the heading of a group, or a difference. */
export type DifferenceLine =
  { kind: 'group'; key: string; group: DifferenceGroup } | { kind: 'difference'; key: string; difference: Difference }

/** The differences of a finished count, and what a person does about them, one by one or all that are ticked. */
export class Differences {
  readonly #client: Client
  readonly #detail = new Ask<CountDetail>()
  /** Why the last step failed; it stays while the differences are loaded after the step. */
  #stepError = $state.raw<AppError | null>(null)
  /** The reports of the differences in their current state. */
  readonly operations = new SvelteMap<OperationId, OperationView>()
  /** By report, the operation that undoes it. The report stays in force until the service has accepted that. */
  readonly #inverses = new SvelteMap<OperationId, OperationId>()
  /** The case to which strangers are added; null until a person has chosen one of several. */
  target = $state<CaseId | null>(null)
  isBusy = $state(false)
  readonly ticked = new SvelteSet<TagId>()
  /** The differences that a person is about to ignore, and is asked why. */
  asking = $state.raw<Difference[] | null>(null)

  count: CountView
  /** Null until loaded. */
  all = $derived(this.#detail.value?.differences ?? null)
  error = $derived(this.#stepError ?? this.#detail.error)
  /** The station that settles these differences is off: a person may take them over. */
  isLeftBehind = $derived(this.#stepError?.code === 'receiving/settled-elsewhere' && this.#stepError.isOff)
  /** Stations that may have scans that are not here yet: their items would be reported as missing. */
  behind = $derived(this.#detail.value?.behind ?? [])
  open = $derived((this.all ?? []).filter(({ resolution }) => resolution === 'open'))
  chosen = $derived(this.open.filter(({ tagId }) => this.ticked.has(tagId)))
  /** The ticked items by what is possible: taken out of their case, added to one, only ignored. */
  missing = $derived(this.chosen.filter(({ kind, canCorrect }) => kind === 'missing' && canCorrect))
  unexpectedItems = $derived(this.chosen.filter(({ kind, canCorrect }) => kind === 'stranger' && canCorrect))
  onlyIgnored = $derived(this.chosen.filter(({ canCorrect }) => !canCorrect))
  /** The differences under the headings of their groups. */
  lines = $derived(linesOf(this.#detail.value))
  /** Reports whose answer is awaited. */
  waiting = $derived(
    [...this.operations.values()].filter(
      ({ state }) => state === 'queued' || state === 'sending' || state === 'unknown',
    ).length,
  )
  isAllTicked = $derived(this.open.length > 0 && this.chosen.length === this.open.length)

  constructor(client: Client, count: CountView) {
    this.#client = client
    this.count = $derived(this.#detail.value?.count ?? count)
    const [first, ...others] = count.cases
    this.target = count.caseId ?? (first && others.length === 0 ? first.caseId : null)
  }

  /** Loads the differences. Main also looks up items that were unknown when they were scanned. */
  async load(): Promise<void> {
    this.#stepError = null
    await this.#reload()
  }

  /** A difference was resolved, perhaps on another page. A step of this page loads them itself at its end. */
  async changed(): Promise<void> {
    if (!this.isBusy) await this.#reload()
  }

  async #reload(): Promise<void> {
    const countId = this.count.id
    await this.#detail.ask(
      () => this.#client.call('receiving.countDetail', { countId }),
      ({ operations }) => {
        this.#keep(operations)
        for (const tagId of this.ticked) if (!this.open.some((one) => one.tagId === tagId)) this.ticked.delete(tagId)
      },
    )
  }

  #keep(operations: OperationView[]): void {
    for (const one of operations) this.operations.set(one.id, one)
  }

  operationOf({ operationId }: Difference): OperationView | null {
    return operationId === null ? null : (this.operations.get(operationId) ?? null)
  }

  /** The operation that undoes the report of a difference; null if it was not undone. */
  inverseOf({ operationId }: Difference): OperationView | null {
    const id = operationId === null ? undefined : this.#inverses.get(operationId)
    return id === undefined ? null : (this.operations.get(id) ?? null)
  }

  /** Shows the new state of a report, and loads the differences again: its outcome may change them. */
  operationChanged(operation: OperationView): void {
    const isOurs = this.operations.has(operation.id) || this.all?.some((one) => one.operationId === operation.id)
    if (!isOurs && !isOfCase(operation, this.count)) return
    if (isOurs) this.#keep([operation])
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

  /** Ticks all of a group, or none if all are ticked. */
  tickGroup({ key }: DifferenceGroup): void {
    const members = this.open.filter(({ group }) => group === key)
    const isAll = members.every(({ tagId }) => this.ticked.has(tagId))
    for (const { tagId } of members) {
      if (isAll) this.ticked.delete(tagId)
      else this.ticked.add(tagId)
    }
  }

  /** How much of a group is ticked. */
  ticksOf({ key }: DifferenceGroup): 'none' | 'some' | 'all' {
    const members = this.open.filter(({ group }) => group === key)
    const ticks = members.filter(({ tagId }) => this.ticked.has(tagId)).length
    if (ticks === 0) return 'none'
    return ticks === members.length ? 'all' : 'some'
  }

  /** Asks why differences are ignored. Before a case is changed, main asks. */
  ask(how: 'remove' | 'add' | 'ignore', differences: Difference[]): void {
    if (this.isBusy || differences.length === 0) return
    if (how === 'ignore') this.asking = differences
    else void this.resolve(how, differences)
  }

  /** Ignores the differences that were asked about; `because`: why. */
  async answer(because: string): Promise<void> {
    const { asking } = this
    this.asking = null
    if (asking) await this.resolve('ignore', asking, because)
  }

  /** How many refused reports ignoring these differences gives up. */
  refusedOf(differences: Difference[]): number {
    const reports = differences.flatMap((one) => this.operationOf(one) ?? [])
    const refused = reports.filter(({ state }) => state === 'rejected')
    return Map.groupBy(refused, ({ id }) => id).size
  }

  /** Does the same to several differences, of all their cases in one request: a person is asked about them once. */
  async resolve(how: How, differences: Difference[], because?: string): Promise<void> {
    if (this.isBusy || differences.length === 0) return
    await this.#step(async () => {
      for (const changes of requestsOf(differences, (one) => this.#caseFor(how, one))) {
        const answer = await this.#client.call('receiving.resolve', {
          countId: this.count.id,
          changes,
          how,
          ...(because !== undefined && { because }),
        })
        if (!answer.ok) return isLeft(answer.error) ? null : answer.error
        this.#keep(answer.value)
        for (const tagId of changes.flatMap(({ tagIds }) => tagIds)) this.ticked.delete(tagId)
      }
      return null
    })
  }

  /** Asks for the reason and the manager's PIN, and takes the differences over from the station that is off. */
  async takeOver(gate: Gate): Promise<void> {
    const error = this.#stepError
    if (error?.code !== 'receiving/settled-elsewhere' || this.isBusy) return
    const needsPin = await gate.needsPin()
    const { station } = error
    const passed = await gate.ask(
      {
        title: { key: 'differences.take-over.title' },
        means: {
          key: 'differences.take-over.means',
          values: { station, needsPin: needsPin && !gate.hasLeads ? 'yes' : 'no' },
        },
        stay: { key: 'count.leave-there' },
        go: { key: 'differences.take-over' },
        reasonHint: { key: 'claim.take-over.hint', values: { station } },
        isDangerous: false,
        wants: needsPin ? 'pin' : 'reason',
      },
      async (approval) => {
        const taken = await this.#client.call('receiving.takeOverSettling', { countId: this.count.id, approval })
        if (taken.ok) await this.load()
        return taken
      },
    )
    if (passed && !passed.answer.ok) this.#stepError = passed.answer.error
  }

  /** Which case is reported. Ignoring a stranger reports nothing, so any case will do. */
  #caseFor(how: How, { kind, caseId }: Difference): CaseId | null {
    if (kind === 'missing') return caseId
    return how === 'add' ? this.target : (this.target ?? caseId ?? this.count.cases[0]?.caseId ?? null)
  }

  /** Reopens an ignored difference; undoes the report of another. */
  async undo(difference: Difference): Promise<void> {
    const { resolution, operationId } = difference
    if (resolution === 'ignored') return this.resolve('open', [difference])
    if (operationId === null || this.isBusy) return
    await this.#step(async () => {
      const answer = await this.#client.call('receiving.undo', { operationId })
      if (!answer.ok) return isLeft(answer.error) ? null : answer.error
      this.#keep([answer.value])
      if (answer.value.id !== operationId) this.#inverses.set(operationId, answer.value.id)
      return null
    })
  }

  async #step(run: () => Promise<AppError | null>): Promise<void> {
    this.isBusy = true
    this.#stepError = null
    this.#stepError = await run()
    await this.#reload()
    this.isBusy = false
  }

  /** The whole count as a file; null if it can't be made. */
  async export(): Promise<ExportFile | null> {
    const answer = await this.#client.call('receiving.exportCount', { countId: this.count.id })
    this.#stepError = answer.ok ? null : answer.error
    return answer.ok ? countFile(answer.value) : null
  }
}

function linesOf(detail: CountDetail | null): DifferenceLine[] {
  const groups = new Map(detail?.groups.map((group) => [group.key, group]))
  let last: string | null = null
  return (detail?.differences ?? []).flatMap((difference): DifferenceLine[] => {
    const line: DifferenceLine = { kind: 'difference', key: difference.tagId, difference }
    const group = difference.group === last ? undefined : groups.get(difference.group)
    last = difference.group
    return group ? [{ kind: 'group', key: group.key, group }, line] : [line]
  })
}

const changes: OperationView['kind'][] = ['add-items', 'remove-item', 'restore-item']

/** Whether a finished operation changed a case of the count: it may undo one of its reports. */
const isOfCase = ({ kind, caseId, state }: OperationView, count: CountView) =>
  changes.includes(kind) &&
  (state === 'accepted' || state === 'cancelled' || state === 'rejected') &&
  count.cases.some((one) => one.caseId === caseId)

/** Main accepts no more items in one change, and no more changes in one request. */
const mostOfCase = 500
/** As many items as one message holds. */
const mostAtOnce = 5_000

/** The items of each case, in as few requests as possible: usually one. Items without a case are left out. */
function requestsOf(differences: Difference[], caseOf: (difference: Difference) => CaseId | null): Change[][] {
  const requests: Change[][] = []
  let room = 0
  for (const [caseId, group] of Map.groupBy(differences, caseOf)) {
    if (caseId === null) continue
    const tagIds = group.map(({ tagId }) => tagId)
    for (let start = 0; start < tagIds.length; start += mostOfCase) {
      const change = { caseId, tagIds: tagIds.slice(start, start + mostOfCase) }
      const request = requests.at(-1)
      if (request && room >= change.tagIds.length && request.length < mostOfCase) request.push(change)
      else {
        requests.push([change])
        room = mostAtOnce
      }
      room -= change.tagIds.length
    }
  }
  return requests
}
