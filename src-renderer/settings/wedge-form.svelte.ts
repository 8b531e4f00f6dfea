import type { AppError } from '../../src-shared/errors'
import { isPrintable } from '../../src-shared/scan/classify'
import { WedgePrefix, type WedgeSettings } from '../../src-shared/scan/timing'
import type { Text } from '../messages/text.svelte'
import type { Scanners } from '../scan/scanners.svelte'

/** What a person sets of the scanners that type. Every change is kept at once, but for the prefix, which is typed first. */
export class WedgeForm {
  fault = $state.raw<Text | null>(null)
  error = $state.raw<AppError | null>(null)
  /** What was kept last. */
  saved = $state<'prefix' | 'reading' | 'timing' | null>(null)

  readonly #scanners: Scanners
  #typed = $state<string | null>(null)

  constructor(scanners: Scanners) {
    this.#scanners = scanners
  }

  /** What a person typed and did not save yet, else what is kept. */
  get prefix(): string {
    return this.#typed ?? this.#scanners.settings.wedge.prefix
  }

  set prefix(prefix: string) {
    this.#typed = prefix
  }

  typed(): void {
    this.saved = null
    this.fault = null
  }

  async savePrefix(): Promise<void> {
    const prefix = this.prefix.trim()
    this.saved = null
    this.fault = faultOf(prefix)
    if (this.fault) return
    await this.#keep('prefix', (wedge) => ({ ...wedge, prefix }))
    if (!this.error) this.#typed = null
  }

  async choose(reading: WedgeSettings['reading']): Promise<void> {
    await this.#keep('reading', (wedge) => ({ ...wedge, reading }))
  }

  async resetTiming(): Promise<void> {
    this.saved = null
    this.error = await this.#scanners.resetTiming()
    if (!this.error) this.saved = 'timing'
  }

  async #keep(what: 'prefix' | 'reading', change: (wedge: WedgeSettings) => WedgeSettings): Promise<void> {
    this.saved = null
    this.error = await this.#scanners.save((settings) => ({ ...settings, wedge: change(settings.wedge) }))
    if (!this.error) this.saved = what
  }
}

/** Taking off what codes begin with would change them. */
function faultOf(prefix: string): Text | null {
  if (prefix === '') return null
  if (!WedgePrefix.safeParse(prefix).success) return { key: 'wedge.prefix.too-long' }
  if (!isPrintable(prefix)) return { key: 'wedge.prefix.unprintable' }
  return /^(?:ct|https?|1a4?|0?1)(?:$|:)|^]/i.test(prefix) ? { key: 'wedge.prefix.code' } : null
}
