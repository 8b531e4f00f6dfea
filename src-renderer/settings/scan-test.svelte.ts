import type { AppError } from '../../src-shared/errors'
import type { Scan } from '../../src-shared/scan/meaning'
import { tuneTo } from '../../src-shared/scan/timing'
import type { WedgeScan } from '../../src-shared/scan/wedge'
import { type Scanners, isSame } from '../scan/scanners.svelte'
import type { Sound } from '../scan/sounds'

/** Fewer keys are a person's key presses, not a code. */
const fewestKeys = 4

/** The test panel: shows what a scanner sends, and sets the station to its timing. While it is open, scans only show here. */
export class ScanTest {
  isOpen = $state(false)
  scan = $state.raw<Scan | null>(null)
  /** How the last scan was typed; null if a USB HID scanner read it. */
  typed = $state.raw<WedgeScan | null>(null)
  isTuned = $state(false)
  error = $state.raw<AppError | null>(null)

  /** The timing for the scanner of the last scan; null if there is nothing to set. */
  tuned = $derived.by(() => {
    if (!this.typed) return null
    const { timing } = this.#scanners.wedge
    const wanted = tuneTo(timing, this.typed.timing)
    return isSame(timing, wanted) ? null : wanted
  })

  readonly #scanners: Scanners
  readonly #play: (sound: Sound) => void

  constructor(scanners: Scanners, play: (sound: Sound) => void) {
    this.#scanners = scanners
    this.#play = play
  }

  open(): void {
    this.scan = null
    this.typed = null
    this.#begin()
    this.isOpen = true
  }

  close(): void {
    this.isOpen = false
  }

  #begin(): void {
    this.isTuned = false
    this.error = null
  }

  /** Takes a burst of keys. False if it is too short to be a code. */
  keys(typed: WedgeScan): boolean {
    if (typed.timing.characters < fewestKeys) return false
    this.#begin()
    this.typed = typed
    return true
  }

  show(scan: Scan): void {
    this.#begin()
    this.scan = scan
    if (scan.source !== 'wedge') this.typed = null
    this.#play('good')
  }

  refuse(error: AppError): void {
    this.error = error
    this.#play('bad')
  }

  /** Sets the station to the scanner that typed the last scan, and saves that. */
  async tune(): Promise<void> {
    const timing = this.tuned
    if (!timing) return
    const error = await this.#scanners.save((settings) => ({ ...settings, wedge: { ...settings.wedge, timing } }))
    this.error = error
    this.isTuned = error === null
  }
}
