import type { ScannerProblem, ScannersView } from '../../src-shared/ipc/contract/scanner'
import type { Clock } from '../core/clock'
import { settleWithin } from '../core/async'
import type { Log } from '../core/log'
import type { DecodedScan } from './decode'
import { type ScannerEvents, openScanner } from './hid-scanner'
import type { ScannerLayer } from './layer'
import { Lookout } from './lookout'
import { type Candidate, type RosterEntry, Roster, candidatesAmong, isLost } from './roster'
import { remedies } from './problems'

/** The id distinguishes scanners of the same model. */
export interface ScannerDevice {
  id: string
  name: string
}

/** A code as a scanner gave it. */
export interface SourceScan {
  /** The text without its AIM id. */
  text: string
  /** AIM id, e.g. `]Q1`; null if not reported. */
  symbology: string | null
  device: ScannerDevice
}

/** All in ms. */
interface HidTiming {
  /** Reports that arrive so soon after opening are old: they were queued before. */
  flush: number
  /** From a plug to listing the devices: drivers and rights need a moment. */
  settle: number
  /**
   * Time between two listings while no scanner is connected. With a connected scanner there is no polling, because
   * listing is costly.
   */
  poll: number
  /** Timeout of a call to a device. */
  longestCall: number
}

export const defaultTiming: HidTiming = { flush: 250, settle: 500, poll: 5_000, longestCall: 5_000 }

/** Tries to open a scanner beside one that works. */
const mostFailures = 3

/** Whether the next poll makes sense: one failed scanner is tried a few times beside one that works, else at every poll. */
export function isPollWanted(entries: readonly Pick<RosterEntry, 'state' | 'failures'>[]): boolean {
  const isConnected = entries.some((entry) => entry.state !== 'failed')
  return !isConnected || entries.some((entry) => entry.state === 'failed' && entry.failures < mostFailures)
}

/** What is shown while the devices can't be listed (`problem`), or while plugging one in is not reported (`hasNews`). */
export function libraryView(
  problem: ScannerProblem | null,
  hasNews: boolean,
): Pick<ScannersView, 'library' | 'problem'> {
  if (problem === 'scanner/missing-library') return { library: 'missing', problem }
  return hasNews ? { library: 'ok', problem } : { library: 'no-usb', problem: problem ?? 'scanner/no-usb' }
}

interface ScannerSourceParts {
  layer: ScannerLayer
  clock: Clock
  log: Log
  onScan: (scan: SourceScan) => void
  /** Called after every change of the view. */
  onChange?: (view: ScannersView) => void
  timing?: HidTiming
}

/** Finds HID POS scanners, opens them, and hands over their scans. Guarantees: scanner.md. */
export class ScannerSource {
  readonly #layer: ScannerLayer
  readonly #clock: Clock
  readonly #log: Log
  readonly #onScan: (scan: SourceScan) => void
  readonly #onChange: (view: ScannersView) => void
  readonly #timing: HidTiming
  readonly #stopping = new AbortController()
  readonly #roster = new Roster()
  readonly #lookout: Lookout
  /** Why the devices could not be listed. */
  #problem: ScannerProblem | null = null
  /** Whether the system reports that a device was plugged in. */
  #hasNews = true
  #stopNews: (() => void) | undefined
  #announced = ''

  constructor({ layer, clock, log, onScan, onChange = () => undefined, timing = defaultTiming }: ScannerSourceParts) {
    this.#layer = layer
    this.#clock = clock
    this.#log = log
    this.#onScan = onScan
    this.#onChange = onChange
    this.#timing = timing
    this.#lookout = new Lookout({
      look: () => this.#find(),
      isWanted: () => isPollWanted(this.#roster.entries()),
      settle: timing.settle,
      poll: timing.poll,
      onError: (cause) => log.error('a scanner job failed', { cause }),
    })
  }

  /** Returns at once; scanners are found and opened in the background. */
  start(): void {
    this.#lookout.now()
    this.#layer.usb
      .watch(() => {
        this.#onNews()
      })
      .then(
        (stop) => {
          if (this.#isStopped()) stop()
          else this.#stopNews = stop
        },
        (cause: unknown) => {
          if (this.#isStopped()) return
          this.#log.info('no news of USB devices', { cause })
          this.#hasNews = false
          this.#announce()
        },
      )
  }

  /** Looks for scanners now and forgets the lost ones, when a person asks. */
  look(): void {
    for (const entry of this.#roster.entries()) {
      if (isLost(entry)) this.#roster.remove(entry)
      else entry.failures = 0
    }
    this.#announce()
    this.#lookout.now()
  }

  view(): ScannersView {
    return { ...libraryView(this.#problem, this.#hasNews), devices: this.#roster.view() }
  }

  /** Closes every scanner. Resolves when that is done; no events afterwards. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#lookout.stop()
    this.#stopNews?.()
    this.#stopNews = undefined
    await this.#lookout.queue(async () => {
      // Side by side, so that ten hanging scanners take no longer than one.
      await Promise.all(this.#roster.entries().map((entry) => close(entry)))
    })
  }

  #isStopped(): boolean {
    return this.#stopping.signal.aborted
  }

  #onNews(): void {
    for (const entry of this.#roster.entries()) entry.failures = 0
    this.#lookout.soon()
  }

  async #find(): Promise<void> {
    const { longestCall } = this.#timing
    const listed = await settleWithin(this.#layer.hid.devices(), longestCall, this.#stopping.signal)
    if (this.#isStopped()) return
    if (listed.status !== 'fulfilled') {
      // Without devices the list is empty, so a rejection means that the library could not be loaded.
      const problem = listed.status === 'rejected' ? 'scanner/missing-library' : 'scanner/cannot-list'
      if (problem !== this.#problem)
        this.#log.warn(problem, { remedy: remedies[problem], cause: listed.status === 'rejected' && listed.reason })
      this.#problem = problem
      this.#announce()
      return
    }
    this.#problem = null
    const candidates = candidatesAmong(listed.value)
    for (const entry of this.#roster.missingFrom(candidates)) await this.#leave(entry)
    for (const candidate of candidates) await this.#attach(candidate, candidates)
    this.#announce()
  }

  async #attach(candidate: Candidate, listed: readonly Candidate[]): Promise<void> {
    if (this.#isStopped()) return
    const entry = this.#roster.entryFor(candidate, listed)
    if (entry.open) return
    // A failed scanner keeps showing its problem until it opens, instead of flickering at each try.
    if (isLost(entry)) this.#show(entry, 'opening')
    else this.#announce()
    const opening = ++entry.opening
    const opened = await openScanner({
      ...{ hid: this.#layer.hid, candidate, clock: this.#clock, signal: this.#stopping.signal },
      ...{ flush: this.#timing.flush, longestCall: this.#timing.longestCall },
      events: this.#eventsOf(entry, opening),
    })
    if (!opened.ok) {
      entry.failures++
      this.#show(entry, 'failed', opened.error.problem, opened.error.cause)
      return
    }
    if (this.#isStopped() || entry.opening !== opening) {
      await opened.value.close()
      return
    }
    entry.open = opened.value
    this.#show(entry, 'opening')
  }

  /** Those of an earlier opening are not heard. */
  #eventsOf(entry: RosterEntry, opening: number): ScannerEvents {
    const isHeard = () => entry.opening === opening && !this.#isStopped()
    return {
      onReady: () => {
        if (isHeard()) this.#noteReady(entry)
      },
      onScan: (scan) => {
        if (isHeard()) this.#take(entry, scan)
      },
      onTrouble: (trouble) => {
        if (isHeard()) this.#show(entry, 'ready', trouble)
      },
      onLost: (problem, cause) => {
        if (isHeard()) this.#lose(entry, problem, cause)
      },
    }
  }

  #noteReady(entry: RosterEntry): void {
    entry.readyAt = this.#clock.now()
    entry.hasWorked = true
    this.#log.info('scanner ready', { scanner: entry.candidate.name })
    this.#show(entry, 'ready')
  }

  #take(entry: RosterEntry, { text, symbology }: DecodedScan): void {
    entry.scans++
    entry.lastScanAt = this.#clock.now()
    entry.failures = 0
    this.#show(entry, 'ready')
    try {
      this.#onScan({ text, symbology, device: { id: entry.id, name: entry.candidate.name } })
    } catch (cause) {
      // node-hid would report it as an error of the device.
      this.#log.error('a scan was not taken', { cause })
    }
  }

  #lose(entry: RosterEntry, problem: ScannerProblem, cause: unknown): void {
    entry.opening++
    // A scanner that fails right after opening must not be reopened in a loop.
    const isSudden = entry.readyAt === null || this.#clock.now() - entry.readyAt < this.#timing.poll
    entry.failures = isSudden ? entry.failures + 1 : 0
    this.#show(entry, 'failed', problem, cause)
    void this.#lookout.queue(() => close(entry))
    if (isSudden) this.#lookout.later()
    else this.#lookout.soon()
  }

  /** A scanner is no longer listed. If it has worked, it stays in the view, so that people see that it is gone. */
  async #leave(entry: RosterEntry): Promise<void> {
    entry.opening++
    entry.failures++
    await close(entry)
    if (entry.hasWorked) this.#show(entry, 'failed', 'scanner/lost')
    else this.#roster.remove(entry)
  }

  #show(entry: RosterEntry, state: RosterEntry['state'], problem: ScannerProblem | null = null, cause?: unknown): void {
    if (this.#isStopped()) return
    if (problem && problem !== entry.problem) {
      this.#log.warn(problem, { scanner: entry.candidate.name, remedy: remedies[problem], cause })
    }
    entry.state = state
    entry.problem = problem
    this.#announce()
  }

  #announce(): void {
    const next = this.view()
    const text = JSON.stringify(next)
    if (this.#isStopped() || text === this.#announced) return
    this.#announced = text
    this.#onChange(next)
  }
}

async function close(entry: RosterEntry): Promise<void> {
  const { open } = entry
  entry.open = undefined
  entry.readyAt = null
  await open?.close()
}
