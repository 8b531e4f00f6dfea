import type { CaseId, CountId, DeliveryId, TagId } from '../../../src-shared/ids'
import type { Client } from '../../../src-shared/ipc/client'
import type { CountChange, CountView, Difference, StoreCount } from '../../../src-shared/ipc/contract/count'
import { ok } from '../../../src-shared/result'
import { Ask } from '../../ui/ask.svelte'
import type { Primary } from '../importing.svelte'
import { type ScanOutcome, refusal } from '../../scan/strip.svelte'
import { countedSoFar, scanOutcome } from './count-text'
import { Differences } from './differences.svelte'

/** A scanned item that belongs elsewhere, or that the service could not be asked about (`isUnknown`). */
export type UnexpectedItem = Pick<Difference, 'tagId' | 'caseId' | 'identifier' | 'productName'> & {
  isUnknown: boolean
}

export interface CountingParts {
  client: Client
  panes: { isCountOpen: boolean }
  /** The current delivery. `isReading`: cases are still being read, and would be missing from a count. */
  subject: () => { deliveryId: DeliveryId | null; isReading: boolean }
}

/** Counting a case or the delivery: every item is scanned; differences are resolved afterwards. */
export class Counting {
  /** The current count, or the one whose differences are shown. */
  count = $state.raw<CountView | null>(null)
  /** Newest first. */
  unexpectedItems = $state.raw<UnexpectedItem[]>([])
  /** The case that was counted into last. */
  lastCase = $state.raw<CaseId | null>(null)
  differences = $state.raw<Differences | null>(null)
  /** The person is asked whether to finish although items are missing. */
  isAsking = $state(false)
  /** Starting or finishing. */
  readonly #step = new Ask<Pick<CountView, 'id'> | null>()
  /** Only the counts of the report: its lines are a whole delivery. */
  readonly #earlier = new Ask<CountView[]>()

  /** Counts under way at other stations of the store. */
  elsewhere = $state.raw<StoreCount[]>([])

  error = $derived(this.#step.error)
  isBusy = $derived(this.#step.isBusy)
  isOn = $derived(this.count !== null && this.count.finishedAt === null)
  missing = $derived(this.count ? this.count.total - this.count.counted : 0)

  readonly #parts: CountingParts
  /** Loading what the last change of a count needs. */
  #following: Promise<void> = Promise.resolve()

  constructor(parts: CountingParts) {
    this.#parts = parts
  }

  /** Resumes an unfinished count, at the start and after the connection to main was lost. */
  async load(): Promise<void> {
    const answer = await this.#parts.client.call('receiving.openCount', undefined)
    if (!answer.ok) return
    if (!answer.value) {
      if (this.isOn) this.close()
      return
    }
    const isNew = answer.value.id !== this.count?.id
    this.count = answer.value
    if (!isNew) return
    this.#begin()
    this.#parts.panes.isCountOpen = true
    if (answer.value.strangers > 0) await this.#loadStrangers(answer.value)
  }

  /** Finished counts of the delivery, newest first. Not a derived value: that would keep them after the delivery. */
  get earlier(): CountView[] {
    return this.#earlier.value ?? []
  }

  /** Loads the finished counts of the current delivery. */
  async loadEarlier(): Promise<void> {
    const { deliveryId } = this.#parts.subject()
    if (deliveryId === null) {
      this.#earlier.clear()
      return
    }
    await this.#earlier.ask(async () => {
      const answer = await this.#parts.client.call('receiving.report', { deliveryId })
      return answer.ok ? ok(answer.value.counts.filter(({ finishedAt }) => finishedAt !== null).reverse()) : answer
    })
  }

  /** The delivery is over, and its count with it: scans no longer count, and its counts are no longer offered. */
  forget(): void {
    this.count = null
    this.#begin()
    this.#earlier.clear()
  }

  /** Follows the reports of the differences, until the returned function is called. */
  follow(): () => void {
    return this.#parts.client.on('outbox.changed', (operation) => this.differences?.operationChanged(operation))
  }

  #starting: Promise<void> | null = null

  /** Starts counting one case, or the whole delivery (null). */
  async start(caseId: CaseId | null): Promise<void> {
    if (this.isBusy) return
    const answer = await this.#step.ask(() => this.#parts.client.call('receiving.startCount', { caseId }))
    if (answer.ok || answer.error.code !== 'receiving/count-open') return
    this.#step.clear()
    await this.load()
  }

  /** Reads which counts are under way at other stations; later ones come by event. */
  async loadElsewhere(): Promise<void> {
    const answer = await this.#parts.client.call('receiving.storeCounts', undefined)
    if (answer.ok) this.elsewhere = answer.value
  }

  /** Counts along with another station. */
  async join(countId: CountId): Promise<void> {
    if (this.isBusy) return
    const answer = await this.#step.ask(() => this.#parts.client.call('receiving.joinCount', { countId }))
    if (answer.ok) this.#parts.panes.isCountOpen = true
  }

  /** Shows the count under way. */
  goOn(): void {
    this.#parts.panes.isCountOpen = true
  }

  #begin(): void {
    this.#step.clear()
    this.lastCase = null
    this.unexpectedItems = []
    this.differences = null
    this.isAsking = false
  }

  async #loadStrangers({ id }: CountView): Promise<void> {
    const answer = await this.#parts.client.call('receiving.countDetail', { countId: id })
    if (!answer.ok || this.count?.id !== id) return
    const found = answer.value.differences.filter(({ kind }) => kind === 'stranger')
    const others = found.filter(({ tagId }) => !this.unexpectedItems.some((one) => one.tagId === tagId))
    // Another station may have taken one back.
    const isShared = answer.value.count.stations.length > 0
    const still = this.unexpectedItems.filter(({ tagId }) => !isShared || found.some((one) => one.tagId === tagId))
    this.unexpectedItems = [...still, ...others.map((one) => ({ ...one, isUnknown: false }))]
  }

  /** Counts an item of the delivery; the first one starts the count. */
  async scanFirst(tagId: TagId): Promise<ScanOutcome> {
    if (this.#parts.subject().isReading) return { tone: 'attention', what: { key: 'count.reading' } }
    this.#starting ??= this.start(null)
    await this.#starting
    this.#starting = null
    return this.error && !this.count ? refusal(this.error) : this.scan(tagId)
  }

  /** Counts an item; gives the result for the scan strip. */
  async scan(tagId: TagId): Promise<ScanOutcome> {
    const { count } = this
    if (!count) return refusal({ code: 'receiving/no-count' })
    // A person who goes on scanning has not finished.
    this.isAsking = false
    const answer = await this.#parts.client.call('receiving.countTag', { countId: count.id, tagId })
    if (!answer.ok) return refusal(answer.error)
    const result = answer.value
    if (result.kind === 'stranger') this.#keep({ tagId, ...result, isUnknown: false })
    if (result.kind === 'unknown')
      this.#keep({ tagId, caseId: null, identifier: null, productName: null, isUnknown: true })
    const outcome = scanOutcome(result, this.count ?? count)
    const countId = count.id
    const undo = result.kind === 'repeat' ? null : () => this.#uncount(countId, tagId)
    if (result.kind === 'counted') this.lastCase = result.case.caseId
    return { ...outcome, ...(undo && { undo }) }
  }

  /** A scan was counted or taken back. */
  counted({ count, case: changed }: CountChange): void {
    if (this.count?.id !== count.id) return
    const cases = this.count.cases.map((one) => (one.caseId === changed?.caseId ? changed : one))
    this.count = { ...this.count, ...count, cases }
  }

  #keep(stranger: UnexpectedItem): void {
    this.unexpectedItems = [stranger, ...this.unexpectedItems.filter(({ tagId }) => tagId !== stranger.tagId)]
  }

  async #uncount(countId: CountId, tagId: TagId): Promise<ScanOutcome> {
    const answer = await this.#parts.client.call('receiving.uncountTag', { countId, tagId })
    if (!answer.ok) return refusal(answer.error)
    this.unexpectedItems = this.unexpectedItems.filter((one) => one.tagId !== tagId)
    const detail = this.count?.id === countId ? countedSoFar(this.count) : undefined
    return { tone: 'good', what: { key: 'count.undone' }, ...(detail && { detail }) }
  }

  /** Finishes the count. If items are missing, the first call only asks (`isAsking`). */
  async finish(): Promise<void> {
    const { count } = this
    if (!count || !this.isOn || this.isBusy) return
    if (this.missing > 0 && !this.isAsking) {
      this.isAsking = true
      return
    }
    const answer = await this.#step.ask(() => this.#parts.client.call('receiving.finishCount', { countId: count.id }))
    this.isAsking = false
    if (answer.ok) await this.#following
  }

  /** A count was started or finished, or a difference of it was resolved, here or on another page. */
  changed(count: CountView): Promise<void> {
    this.#following = this.#follow(count)
    return this.#following
  }

  async #follow(count: CountView): Promise<void> {
    if (count.finishedAt === null) {
      // One that is gone on with had its differences on the screen.
      const isNew = count.id !== this.count?.id || !this.isOn
      const hasOthers = count.stations.length > 0 && count.strangers !== this.unexpectedItems.length
      this.count = count
      if (isNew) this.#begin()
      if ((isNew || hasOthers) && count.strangers > 0) await this.#loadStrangers(count)
    } else if (this.count?.id === count.id) {
      if (this.isOn) await this.show(count)
      else await this.differences?.changed()
    }
  }

  /** Goes on with a finished count; main says whether that is possible (`canReopen`). */
  async reopen(): Promise<void> {
    const { count } = this
    if (!count || this.isOn || this.isBusy) return
    await this.#step.ask(() => this.#parts.client.call('receiving.reopenCount', { countId: count.id }))
    await this.#following
  }

  /** Shows the differences of a finished count. */
  async show(count: CountView): Promise<void> {
    this.count = count
    this.lastCase = null
    this.differences = new Differences(this.#parts.client, count)
    await this.differences.load()
  }

  /** Closes a finished count. */
  close(): void {
    this.count = null
    this.#begin()
    void this.loadEarlier()
  }

  /** Ctrl+Enter or the action code: starts or finishes a count. */
  async primary(): Promise<Primary> {
    const { count } = this
    if (!count) {
      if (this.#parts.subject().isReading) return shown({ tone: 'attention', what: { key: 'count.reading' } })
      await this.start(null)
      return shown(this.error ? refusal(this.error) : { tone: 'good', what: { key: 'count.started' } })
    }
    if (!this.isOn) return { kind: 'nothing' }
    await this.finish()
    if (this.error) return shown(refusal(this.error))
    if (!this.isAsking) return shown({ tone: 'good', what: { key: 'count.finished' }, detail: countedSoFar(count) })
    const detail = { key: 'count.ask.again' } as const
    return shown({ tone: 'attention', what: { key: 'count.ask.title', values: { count: this.missing } }, detail })
  }
}

const shown = (outcome: ScanOutcome): Primary => ({ kind: 'shown', outcome })
