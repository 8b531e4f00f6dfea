import type { AppError } from '../../src-shared/errors'
import { ScanPrefixes } from '../../src-shared/scan/known'
import { isPrintable } from '../../src-shared/scan/classify'
import type { Text } from '../messages/text.svelte'
import type { Scanners } from '../scan/scanners.svelte'

type Name = keyof ScanPrefixes
type Faults = Record<Name, Text | null>

const none: Faults = { order: null, badge: null }

/** The form for what this station's own barcodes begin with. */
export class PrefixesForm {
  order = $state('')
  badge = $state('')
  isSaving = $state(false)
  /** What stands in the form is what main keeps, since it was saved here. */
  isSaved = $state(false)
  faults = $state.raw<Faults>(none)
  error = $state.raw<AppError | null>(null)

  readonly #scanners: Scanners
  #isTouched = false

  constructor(scanners: Scanners) {
    this.#scanners = scanners
  }

  /** Shows what is kept; what a person typed and did not save stays. */
  show(): void {
    this.isSaved = false
    if (this.#isTouched) return
    this.order = this.#scanners.settings.prefixes.order
    this.badge = this.#scanners.settings.prefixes.badge
  }

  typed(name: Name): void {
    this.#isTouched = true
    this.isSaved = false
    this.faults = { ...this.faults, [name]: null }
  }

  async save(): Promise<void> {
    if (this.isSaving) return
    const typed = { order: this.order, badge: this.badge }
    const prefixes = { order: typed.order.trim(), badge: typed.badge.trim() }
    this.isSaved = false
    this.faults = { order: faultOf(prefixes.order), badge: faultOf(prefixes.badge) ?? clashOf(prefixes) }
    if (this.faults.order || this.faults.badge) return
    this.isSaving = true
    this.error = await this.#scanners.save((settings) => ({ ...settings, prefixes }))
    this.isSaving = false
    if (this.error || typed.order !== this.order || typed.badge !== this.badge) return
    this.#isTouched = false
    Object.assign(this, prefixes)
    this.isSaved = true
  }
}

/** Why a beginning can't be used: it would claim codes that are something else. */
function faultOf(prefix: string): Text | null {
  if (prefix === '') return null
  if (!ScanPrefixes.shape.order.safeParse(prefix).success) return { key: 'prefixes.too-long' }
  if (!isPrintable(prefix)) return { key: 'prefixes.unprintable' }
  if (/^ct(:|$)/i.test(prefix)) return { key: 'prefixes.action' }
  return /^https?(:|$)/i.test(prefix) ? { key: 'prefixes.address' } : null
}

const clashOf = ({ order, badge }: ScanPrefixes): Text | null =>
  badge !== '' && order.toUpperCase() === badge.toUpperCase() ? { key: 'prefixes.same' } : null
