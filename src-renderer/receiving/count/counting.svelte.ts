import type { AppError } from '../../../src-shared/errors'
import type { CaseId, DeliveryId, TagId } from '../../../src-shared/ids'
import type { Client } from '../../../src-shared/ipc/client'
import type { CountSums, CountView, CountedCase, Difference } from '../../../src-shared/ipc/count-view'
import type { Panes } from '../panes.svelte'
import type { Primary } from '../importing'
import { type Outcome, refusal } from '../../scan/strip.svelte'
import { Differences } from './differences.svelte'
import { countedSoFar, findingOutcome } from './finding-text'

/** What was scanned and belongs elsewhere, or nobody could say where. */
export type Stranger = Pick<Difference, 'tagId' | 'caseId' | 'identifier' | 'productName'> & {
  /** Nobody could be asked. */
  isUnknown: boolean
}

export interface CountingParts {
  client: Client
  panes: Pick<Panes, 'isCountOpen'>
  /** The delivery under way, and whether cases of it are still being read: a count would not know of them. */
  subject: () => { deliveryId: DeliveryId | null; isReading: boolean }
}

/** Counting what came: every item of a case or of the delivery is scanned; what differs is settled afterwards. */
export class Counting {
  /** The count under way, or the one whose differences are shown. */
  count = $state.raw<CountView | null>(null)
  /** The newest first. */
  strangers = $state.raw<Stranger[]>([])
  last = $state.raw<{ outcome: Outcome; caseId: CaseId | null } | null>(null)
  differences = $state.raw<Differences | null>(null)
  /** Finished counts of the delivery, the newest first. */
  earlier = $state.raw<CountView[]>([])
  error = $state.raw<AppError | null>(null)
  isBusy = $state(false)
  /** Something is missing: whether to finish all the same. */
  isAsking = $state(false)

  isOn = $derived(this.count !== null && this.count.finishedAt === null)
  missing = $derived(this.count ? this.count.total - this.count.counted : 0)

  readonly #parts: CountingParts

  constructor(parts: CountingParts) {
    this.#parts = parts
  }

  /** Goes on with a count that is not finished: at the start, and after main was away. */
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

  /** The finished counts of the delivery under way, to be looked at again. */
  async loadEarlier(): Promise<void> {
    const { deliveryId } = this.#parts.subject()
    if (deliveryId === null) {
      this.earlier = []
      return
    }
    const answer = await this.#parts.client.call('receiving.report', { deliveryId })
    if (answer.ok) this.earlier = answer.value.counts.filter(({ finishedAt }) => finishedAt !== null).reverse()
  }

  /** Starts counting one case, or the whole delivery (null). */
  async start(caseId: CaseId | null): Promise<void> {
    if (this.isBusy) return
    this.isBusy = true
    const answer = await this.#parts.client.call('receiving.startCount', { caseId })
    this.isBusy = false
    this.error = answer.ok ? null : answer.error
    if (answer.ok) {
      this.count = answer.value
      this.#begin()
    } else if (answer.error.code === 'receiving/count-open') await this.load()
  }

  #begin(): void {
    this.error = null
    this.last = null
    this.strangers = []
    this.differences = null
    this.isAsking = false
  }

  async #loadStrangers({ id }: CountView): Promise<void> {
    const answer = await this.#parts.client.call('receiving.countDetail', { countId: id })
    if (!answer.ok || this.count?.id !== id) return
    const found = answer.value.differences.filter(({ kind }) => kind === 'stranger')
    const others = found.filter(({ tagId }) => !this.strangers.some((one) => one.tagId === tagId))
    this.strangers = [...this.strangers, ...others.map((one) => ({ ...one, isUnknown: false }))]
  }

  /** Counts an item, and says for the scan strip what it was. */
  async scan(tagId: TagId): Promise<Outcome> {
    const { count } = this
    if (!count) return refusal({ code: 'receiving/no-count' })
    // Whoever scans on has not finished.
    this.isAsking = false
    const answer = await this.#parts.client.call('receiving.countTag', { countId: count.id, tagId })
    if (!answer.ok) return this.#told(refusal(answer.error), null)
    const { finding } = answer.value
    const changed = finding.kind === 'counted' ? finding.case : null
    this.#take(answer.value.count, changed)
    if (finding.kind === 'stranger') this.#keep({ tagId, ...finding, isUnknown: false })
    if (finding.kind === 'unknown')
      this.#keep({ tagId, caseId: null, identifier: null, productName: null, isUnknown: true })
    const outcome = findingOutcome(finding, { ...count, ...answer.value.count })
    const undo = finding.kind === 'repeat' ? null : () => this.#uncount(count, tagId)
    return this.#told({ ...outcome, ...(undo && { undo }) }, changed?.caseId ?? null)
  }

  /** Scans are answered in any order: an older answer knows of fewer. */
  #take(sums: CountSums, changed: CountedCase | null): void {
    const before = this.count
    if (before?.id !== sums.id) return
    const scanned = (view: CountSums) => view.counted + view.strangers
    const shown = before.cases.find(({ caseId }) => caseId === changed?.caseId)
    this.count = withCase(
      scanned(sums) >= scanned(before) ? { ...before, ...sums } : before,
      changed && shown && changed.counted >= shown.counted ? changed : null,
    )
  }

  #keep(stranger: Stranger): void {
    this.strangers = [stranger, ...this.strangers.filter(({ tagId }) => tagId !== stranger.tagId)]
  }

  #told(outcome: Outcome, caseId: CaseId | null): Outcome {
    this.last = { outcome, caseId }
    return outcome
  }

  async #uncount({ id }: CountView, tagId: TagId): Promise<Outcome> {
    const answer = await this.#parts.client.call('receiving.uncountTag', { countId: id, tagId })
    if (!answer.ok) return this.#told(refusal(answer.error), null)
    if (this.count?.id === id) {
      this.count = withCase({ ...this.count, ...answer.value.count }, answer.value.case)
      this.strangers = this.strangers.filter((one) => one.tagId !== tagId)
    }
    return this.#told({ tone: 'good', what: { key: 'count.undone' }, detail: countedSoFar(answer.value.count) }, null)
  }

  /** Finishes it; of a count that lacks something only when it is meant (`isAsking`). */
  async finish(): Promise<void> {
    const { count } = this
    if (!count || !this.isOn || this.isBusy) return
    if (this.missing > 0 && !this.isAsking) {
      this.isAsking = true
      return
    }
    this.isBusy = true
    const answer = await this.#parts.client.call('receiving.finishCount', { countId: count.id })
    this.isBusy = false
    this.isAsking = false
    this.error = answer.ok ? null : answer.error
    if (answer.ok) await this.show(answer.value)
  }

  /** Shows what differed in a finished count. */
  async show(count: CountView): Promise<void> {
    this.count = count
    this.last = null
    this.differences = new Differences(this.#parts.client, count)
    await this.differences.load()
  }

  /** Leaves a finished count. */
  close(): void {
    this.count = null
    this.#begin()
    void this.loadEarlier()
  }

  /** Ctrl+Enter, or the action code: begins to count, or finishes. */
  async primary(): Promise<Primary> {
    const { count } = this
    if (!count) {
      if (this.#parts.subject().isReading) return told({ tone: 'attention', what: { key: 'count.reading' } })
      await this.start(null)
      return told(this.error ? refusal(this.error) : { tone: 'good', what: { key: 'count.started' } })
    }
    if (!this.isOn) return { kind: 'nothing' }
    await this.finish()
    if (this.error) return told(refusal(this.error))
    if (!this.isAsking) return told({ tone: 'good', what: { key: 'count.finished' }, detail: countedSoFar(count) })
    const detail = { key: 'count.ask.again' } as const
    return told({ tone: 'attention', what: { key: 'count.ask.title', values: { count: this.missing } }, detail })
  }
}

/** The count with one of its cases as it stands now. */
const withCase = (count: CountView, changed: CountedCase | null): CountView =>
  changed ? { ...count, cases: count.cases.map((one) => (one.caseId === changed.caseId ? changed : one)) } : count

const told = (outcome: Outcome): Primary => ({ kind: 'told', outcome })
