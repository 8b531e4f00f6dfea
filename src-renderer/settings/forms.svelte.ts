import type { AppError } from '../../src-shared/errors'
import type { Client } from '../../src-shared/ipc/client'
import { UnsentLimits } from '../../src-shared/ipc/contract/outbox'
import type { ScannerSettings } from '../../src-shared/ipc/contract/scanner'
import type { TillView } from '../../src-shared/ipc/contract/station'
import { type Result, err, ok } from '../../src-shared/result'
import { ScanPrefixes } from '../../src-shared/scan/known'
import { isPrintable } from '../../src-shared/scan/classify'
import { WedgePrefix } from '../../src-shared/scan/timing'
import { Form, Saving } from '../ui/form.svelte'
import type { Text } from '../text/text.svelte'
import type { Scanners } from '../scan/scanners.svelte'

/** When unsent reports become a warning: numbers, typed as text. */
export function createLimitsForm(client: Client) {
  return new Form({
    empty: { count: '', hours: '' },
    load: async () => {
      const answer = await client.call('outbox.limits', undefined)
      if (!answer.ok) return answer
      return ok({ count: String(answer.value.count), hours: String(answer.value.hours) })
    },
    check: ({ count, hours }) => ({ count: limitFault('count', count), hours: limitFault('hours', hours) }),
    save: async ({ count, hours }) => {
      const answer = await client.call('outbox.setLimits', { count: Number(count), hours: Number(hours) })
      return answer.ok ? null : answer.error
    },
  })
}

function limitFault(name: keyof UnsentLimits, text: string): Text | undefined {
  if (text === '') return { key: 'settings.limits.missing' }
  if (!/^-?\d+$/.test(text)) return { key: 'settings.limits.not-whole' }
  const field = UnsentLimits.shape[name]
  if (field.safeParse(Number(text)).success) return undefined
  return { key: 'settings.limits.range', values: { least: field.minValue ?? 0, most: field.maxValue ?? 0 } }
}

/** Prefixes of this station's own barcodes. */
export function createPrefixesForm(scanners: Scanners) {
  return new Form({
    empty: { order: '', badge: '' },
    load: async () => {
      const settings = await storedSettings(scanners)
      return settings.ok ? ok({ ...settings.value.prefixes }) : settings
    },
    check: (prefixes) => ({
      order: prefixFault(prefixes.order),
      badge: prefixFault(prefixes.badge) ?? clash(prefixes),
    }),
    save: (prefixes) => scanners.save((settings) => ({ ...settings, prefixes })),
  })
}

/** A prefix must not claim codes that are something else. */
function prefixFault(prefix: string): Text | undefined {
  if (prefix === '') return undefined
  if (!ScanPrefixes.shape.order.safeParse(prefix).success) return { key: 'prefixes.too-long' }
  if (!isPrintable(prefix)) return { key: 'wedge.prefix.unprintable' }
  if (/^ct(:|$)/i.test(prefix)) return { key: 'prefixes.action' }
  return /^https?(:|$)/i.test(prefix) ? { key: 'prefixes.address' } : undefined
}

const clash = ({ order, badge }: ScanPrefixes): Text | undefined =>
  badge !== '' && order.toUpperCase() === badge.toUpperCase() ? { key: 'prefixes.same' } : undefined

/** What keyboard-mode scanners send before each code. */
export function createScannerPrefixForm(scanners: Scanners) {
  return new Form({
    empty: { prefix: '' },
    load: async () => {
      const settings = await storedSettings(scanners)
      return settings.ok ? ok({ prefix: settings.value.wedge.prefix }) : settings
    },
    check: ({ prefix }) => ({ prefix: scannerPrefixFault(prefix) }),
    save: ({ prefix }) => scanners.save((settings) => ({ ...settings, wedge: { ...settings.wedge, prefix } })),
  })
}

/** What codes begin with can't be the prefix: codes would lose their own first characters. */
function scannerPrefixFault(prefix: string): Text | undefined {
  if (prefix === '') return undefined
  if (!WedgePrefix.safeParse(prefix).success) return { key: 'wedge.prefix.too-long' }
  if (!isPrintable(prefix)) return { key: 'wedge.prefix.unprintable' }
  return /^(?:ct|https?|1a4?|0?1)(?:$|:)|^]/i.test(prefix) ? { key: 'wedge.prefix.code' } : undefined
}

/** The scanners' settings; main is asked first if they are not known yet. */
async function storedSettings(scanners: Scanners): Promise<Result<ScannerSettings, AppError>> {
  if (!scanners.isLoaded) await scanners.loadSettings()
  return !scanners.isLoaded && scanners.error ? err(scanners.error) : ok(scanners.settings)
}

/** How this computer is used as a till. Each change is saved at once. */
export class Till extends Saving {
  /** Null until it is known, and in a browser, which has a window of its own. */
  view = $state.raw<TillView | null>(null)
  readonly #client: Client

  constructor(client: Client) {
    super()
    this.#client = client
  }

  async load(): Promise<void> {
    const answer = await this.#client.call('till.view', undefined)
    this.error = answer.ok ? null : answer.error
    if (answer.ok) this.view = answer.value
  }

  async change(wanted: { isKiosk?: boolean; startsWithComputer?: boolean }): Promise<void> {
    await this.run(async () => {
      const answer = await this.#client.call('till.change', wanted)
      if (answer.ok) this.view = answer.value
      else await this.load()
      return answer.ok ? null : answer.error
    })
  }
}
