import type { AppError } from '../../../src-shared/errors'
import type { DayReport, DayVerification } from '../../../src-shared/ipc/contract/checkout'
import type { Client } from '../../../src-shared/ipc/client'
import type { ExportFile } from '../../../src-shared/ipc/contract/call'
import { Ask } from '../../ui/ask.svelte'
import { Saving } from '../../ui/form.svelte'
import { type Throttled, throttle } from '../../ui/throttle'
import { dayFile } from './day-csv'
import { type When, dayMeant } from '../listing'

export type DayScope = 'station' | 'store'

/** The closing report of a day: what was done, what the service has, and what is still open. */
export class Day {
  when = $state<When>('today')
  date = $state('')
  /** YYYY-MM-DD: the day on which the report was opened, until a new day is noticed. */
  today = $state('')
  /** Midnight passed over the report that is shown, and no day has been chosen since. */
  isOfDayBefore = $state(false)
  /** Something happened since the report was read. */
  isOutdated = $state(false)
  isSaving = $state(false)
  /** The reports of this station, or those of the whole store. */
  scope = $state<DayScope>('station')
  isClosing = $state(false)
  /** Why the figures on the screen were not signed; it stays while they are read again. */
  signError = $state.raw<AppError | null>(null)
  readonly verification: Verification

  readonly #ask = new Ask<DayReport>()
  readonly #client: Client
  readonly #reload: Throttled

  constructor(client: Client, today: string, now?: () => number) {
    this.#client = client
    this.verification = new Verification(client)
    this.today = today
    this.#reload = throttle(() => void this.load(), now)
  }

  get report(): DayReport | null {
    return this.#ask.value
  }

  get error(): AppError | null {
    return this.#ask.error
  }

  get day(): string {
    return dayMeant(this.when, this.date, this.today)
  }

  /** A person chose a day. */
  async choose(): Promise<void> {
    this.isOfDayBefore = false
    await this.load()
  }

  /** Takes note of the date. When it changes, the report stays that of the day it was opened for, and says so. */
  noticeDay(today: string): void {
    if (today === this.today) return
    const { day } = this
    // A date that a person picked means the same tomorrow.
    if (this.when !== 'day') this.isOfDayBefore = true
    this.when = 'day'
    this.date = day
    this.today = today
  }

  async load(): Promise<void> {
    this.#reload.reset()
    await this.#ask.ask(
      () => this.#client.call(this.scope === 'store' ? 'checkout.storeDay' : 'checkout.day', { day: this.day }),
      (report) => {
        this.verification.show(report.verification)
        this.isOutdated = false
      },
    )
  }

  async chooseScope(scope: DayScope): Promise<void> {
    if (scope === this.scope) return
    this.scope = scope
    // The figures of one must not stand under the name of the other.
    this.#ask.clear()
    await this.load()
  }

  /** Signs the day as it is shown; that of a store is closed with it. False without `signError`: the figures changed. */
  async sign(name: string): Promise<boolean> {
    const { report } = this
    if (!report || this.isClosing) return false
    this.isClosing = true
    this.signError = null
    const { day, mark, store } = report
    const call = store ? 'checkout.closeStoreDay' : 'checkout.signDay'
    const answer = await this.#ask.ask(() => this.#client.call(call, { day, mark, name }))
    this.isClosing = false
    if (answer.ok) return true
    if (answer.error.code !== 'hub/day-changed') {
      this.signError = answer.error
      return false
    }
    await this.load()
    // Why it was not signed stays above the new figures.
    this.#ask.showError(answer.error)
    return false
  }

  /** A report of any station changed. */
  storeChanged(): void {
    if (this.scope === 'store') this.changed()
  }

  /** A report changed: the day that is shown is out of date until it is read again. */
  changed(): void {
    this.isOutdated = true
    this.#reload()
  }

  /** The day that is shown as a file; null if it can't be made. */
  async export(): Promise<ExportFile | null> {
    if (this.isSaving || !this.report) return null
    this.isSaving = true
    const { day, store } = this.report
    const answer = await this.#client.call(store ? 'checkout.exportStoreDay' : 'checkout.exportDay', { day })
    this.isSaving = false
    this.#ask.showError(answer.ok ? null : answer.error)
    return answer.ok ? dayFile(answer.value) : null
  }
}

/** Reads the day in front back from the service: main reports the progress, a person starts and pauses it. */
export class Verification extends Saving {
  /** The verification of the report that is shown; null while there is none. */
  view = $state.raw<DayVerification | null>(null)
  readonly #client: Client

  constructor(client: Client) {
    super()
    this.#client = client
  }

  /** The report of a day came. */
  show(view: DayVerification | null): void {
    if (view?.day !== this.view?.day) this.error = null
    this.view = view
  }

  /** Main reports progress; that of another day is ignored. */
  changed(view: DayVerification): void {
    if (view.day === this.view?.day) this.view = view
  }

  /** Starts, resumes, or repeats a finished verification. */
  async start(): Promise<void> {
    const day = this.view?.day
    if (day === undefined || this.isSaving) return
    await this.run(async () => {
      const answer = await this.#client.call('checkout.verifyDay', { day })
      if (answer.ok) this.changed(answer.value)
      return answer.ok ? null : answer.error
    })
  }

  async pause(): Promise<void> {
    if (this.isSaving) return
    await this.run(async () => {
      const answer = await this.#client.call('checkout.stopVerifying', undefined)
      return answer.ok ? null : answer.error
    })
  }
}
