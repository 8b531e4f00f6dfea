import type { AppError } from '../../src-shared/errors'
import type { Client } from '../../src-shared/ipc/client'
import { ScannerSettings, type ScannersView } from '../../src-shared/ipc/contract/scanner'
import { type KnownPrefixes, nothingKnown } from '../../src-shared/scan/known'
import { type KeyTiming, type WedgeTiming, adapt, defaultSettings } from '../../src-shared/scan/timing'

/** In ms: what is learnt of a scanner changes often and is not worth more writes. */
const savedAtMostEvery = 60_000

/** The scanners of this station: those that main reads, the settings, and what was learnt of those that type. */
export class Scanners {
  view = $state.raw<ScannersView | null>(null)
  settings = $state.raw<ScannerSettings>(ScannerSettings.parse({}))
  isLoaded = $state(false)
  /** Why the scanners or their settings are not known. */
  error = $state.raw<AppError | null>(null)
  isLooking = $state(false)

  /** As it stands after the last scan; saved now and then. */
  #timing = $state.raw<WedgeTiming>(this.settings.wedge.timing)
  wedge = $derived({ ...this.settings.wedge, timing: this.#timing })
  /** What main has learnt of codes: without it, addresses of another form mean nothing to the wedge. */
  #learnt = $state.raw<KnownPrefixes>(nothingKnown)
  known = $derived<KnownPrefixes>({ ...this.#learnt, scanPrefixes: this.settings.prefixes })

  readonly #client: Client
  readonly #now: () => number
  #learntAt = Number.NEGATIVE_INFINITY
  #lastSave: Promise<AppError | null> = Promise.resolve(null)

  /** `now`: milliseconds, monotonic. */
  constructor(client: Client, now: () => number = () => performance.now()) {
    this.#client = client
    this.#now = now
  }

  /** Loads the settings. Without them, scans are read as on a new station. */
  async loadSettings(): Promise<void> {
    const answer = await this.#client.call('scanner.settings', undefined)
    this.error = answer.ok ? null : answer.error
    if (answer.ok) this.#use(answer.value)
  }

  async loadKnown(): Promise<void> {
    const answer = await this.#client.call('scanner.known', undefined)
    // Without it, scans are read as on a new station.
    if (answer.ok) this.learnt(answer.value)
  }

  learnt(known: KnownPrefixes): void {
    this.#learnt = known
  }

  #use(settings: ScannerSettings): void {
    this.settings = settings
    this.#timing = settings.wedge.timing
    this.isLoaded = true
  }

  async loadView(): Promise<void> {
    const answer = await this.#client.call('scanner.scanners', undefined)
    this.error = answer.ok ? null : answer.error
    if (answer.ok) this.view = answer.value
  }

  changed(view: ScannersView): void {
    this.view = view
  }

  async look(): Promise<void> {
    if (this.isLooking) return
    this.isLooking = true
    const answer = await this.#client.call('scanner.look', undefined)
    if (answer.ok) await this.loadView()
    else this.error = answer.error
    this.isLooking = false
  }

  /** Changes and saves settings, one change after the other, so that none undoes another. Gives the error, or null. */
  save(change: (settings: ScannerSettings) => ScannerSettings): Promise<AppError | null> {
    const saved = this.#lastSave.then(() => this.#save(change))
    this.#lastSave = saved
    return saved
  }

  async #save(change: (settings: ScannerSettings) => ScannerSettings): Promise<AppError | null> {
    // The defaults of a new station must not overwrite the saved settings.
    if (!this.isLoaded) await this.loadSettings()
    if (!this.isLoaded) return this.error
    const next = change({ ...this.settings, wedge: this.wedge })
    const answer = await this.#client.call('scanner.setSettings', next)
    if (!answer.ok) return answer.error
    this.#use(next)
    return null
  }

  /** Resets how scanners type here to the defaults. Resolves to the error, or null. */
  resetTiming(): Promise<AppError | null> {
    return this.save((settings) => ({ ...settings, wedge: { ...settings.wedge, timing: defaultSettings.timing } }))
  }

  /** False if there is something to reset. */
  isTimingUsual = $derived(isSame(this.#timing, defaultSettings.timing))

  /** Learns from an accepted scan how this station's scanner types. */
  learn(scan: KeyTiming): void {
    const timing = adapt(this.#timing, scan)
    if (!isSame(timing, this.#timing)) this.#timing = timing
    const isSaved = isSame(this.#timing, this.settings.wedge.timing)
    if (isSaved || !this.isLoaded || this.#now() - this.#learntAt < savedAtMostEvery) return
    this.#learntAt = this.#now()
    // A failure is not shown: the next scans teach the same again.
    void this.save((settings) => settings)
  }
}

/** Whether two timings are the same in everything. */
export const isSame = (one: WedgeTiming, other: WedgeTiming): boolean =>
  one.longestGap === other.longestGap &&
  one.device?.gap === other.device?.gap &&
  one.device?.touch === other.device?.touch
