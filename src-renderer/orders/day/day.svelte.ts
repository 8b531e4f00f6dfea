import type { AppError } from '../../../src-shared/errors'
import type { DayReport } from '../../../src-shared/ipc/checkout-view'
import type { Client } from '../../../src-shared/ipc/client'
import type { ExportFile } from '../../../src-shared/ipc/receiving-history-view'
import { createPace } from '../../outbox/pace'
import { type When, dayMeant } from '../day-choice'
import { Verification } from './verification.svelte'

/** Closing a day: what was done, what the service has of it, and what is not done yet. */
export class Day {
  when = $state<When>('today')
  date = $state('')
  /** What "today" means here, YYYY-MM-DD: as it was when the report was opened, until a new day is noticed. */
  today = $state('')
  /** Midnight passed over the report that is shown; nobody has chosen a day since. */
  isOfDayBefore = $state(false)
  report = $state.raw<DayReport | null>(null)
  error = $state.raw<AppError | null>(null)
  /** What is shown is older than what happened since. */
  isOutdated = $state(false)
  isSaving = $state(false)
  readonly verification: Verification

  readonly #client: Client
  readonly #pace: ReturnType<typeof createPace>
  #loads = 0

  constructor(client: Client, today: string, now: () => number = () => performance.now()) {
    this.#client = client
    this.verification = new Verification(client)
    this.today = today
    this.#pace = createPace(() => void this.load(), now)
  }

  get day(): string {
    return dayMeant(this.when, this.date, this.today) ?? this.today
  }

  /** A person chose a day. */
  async choose(): Promise<void> {
    this.isOfDayBefore = false
    await this.load()
  }

  /** Which day it is: when that changes, the report stays that of the day it was opened for, and says so. */
  noticeDay(today: string): void {
    if (today === this.today) return
    const { day } = this
    // A date that somebody picked means the same tomorrow.
    if (this.when !== 'day') this.isOfDayBefore = true
    this.when = 'day'
    this.date = day
    this.today = today
  }

  /** Of two days the one that was asked for last counts. */
  async load(): Promise<void> {
    const load = ++this.#loads
    this.#pace.done()
    const answer = await this.#client.call('checkout.day', { day: this.day })
    if (load !== this.#loads) return
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    this.report = answer.value
    this.verification.show(answer.value.verification)
    this.isOutdated = false
  }

  /** A report got further: what stands there is not true any more, until it is looked up again. */
  changed(): void {
    this.isOutdated = true
    this.#pace.changed()
  }

  /** Everything of the day that is shown as a file; null when it could not be had. */
  async export(): Promise<ExportFile | null> {
    if (this.isSaving || !this.report) return null
    this.isSaving = true
    const answer = await this.#client.call('checkout.exportDay', { day: this.report.day })
    this.isSaving = false
    this.error = answer.ok ? null : answer.error
    return answer.ok ? answer.value : null
  }
}
