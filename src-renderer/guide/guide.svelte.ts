import { untrack } from 'svelte'
import { type GuideProgress, type GuideStep, GuideStep as AnyStep, notBegun } from '../../src-shared/ipc/contract/app'
import type { Client } from '../../src-shared/ipc/client'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import type { Practice } from '../practice/practice.svelte'
import type { SectionName } from '../settings/pages.svelte'
import type { ScreenName } from '../shell/screens'
import { type ChapterName, type Looks, nextStep, seenOf, seenOnScreens, withSeen } from './steps'

interface GuideParts extends Omit<Looks, 'fault'> {
  client: Client
  practice: Practice
  go: (screen: ScreenName, section?: SectionName) => void
  /** Closes the drawers that take its place. */
  closeDrawers: () => void
}

/** The first start: choosing what this station will be, and a guided first delivery and sale in practice. */
export class Guide {
  /** The choice between practice and a connection is still open. A scan closes it. */
  isWelcoming = $state(false)
  /** Settings opens the form of a new connection once. */
  isConnecting = $state(false)
  progress = $state.raw<GuideProgress>(notBegun)
  /** On a small window: shows all steps instead of only the next one. */
  isExpanded = $state(false)
  /** Just opened by a person: it takes the focus. */
  isJustOpened = $state(false)
  chosen = $state<ChapterName | null>(null)

  isOpen = $derived(this.progress.isOpen)
  done = $derived(this.progress.done)
  current = $derived(nextStep(this.done, this.chosen))

  readonly #parts: GuideParts
  readonly #looks: Looks
  #hasScanned = false

  constructor(parts: GuideParts) {
    this.#parts = parts
    this.#looks = { ...parts, fault: () => parts.practice.faultInForce }
  }

  get isUnderWay(): boolean {
    return this.progress.startedAt !== null && this.done.length < AnyStep.options.length
  }

  /** Loads the progress; what was done while no page was open counts. */
  async load(): Promise<void> {
    const { client, practice } = this.#parts
    const [welcome, progress] = await Promise.all([
      client.call('station.welcome', undefined),
      client.call('practice.guide', undefined),
    ])
    this.isWelcoming = welcome.ok && welcome.value.isNew
    if (this.#hasScanned) this.scanned()
    if (!progress.ok) return
    this.progress = progress.value
    if (!this.isUnderWay) return
    const [recent] = await Promise.all([client.call('outbox.list', { show: 'recent' }), practice.load()])
    if (recent.ok) for (const operation of recent.value.operations) this.operationChanged(operation)
  }

  /** A scan closes the welcome. */
  scanned(): void {
    this.#hasScanned = true
    if (this.isWelcoming) this.dismiss()
  }

  dismiss(): void {
    this.isWelcoming = false
    void this.#parts.client.call('station.welcomed', undefined)
  }

  practise(): void {
    this.dismiss()
    this.open()
  }

  connect(): void {
    this.dismiss()
    this.isConnecting = true
    this.#parts.go('settings', 'connection')
  }

  /** Opens the guide where it was left, or starts it. */
  open(): void {
    this.#parts.closeDrawers()
    this.isJustOpened = true
    this.#change({ startedAt: this.progress.startedAt ?? thisMoment(), isOpen: true })
    void this.#parts.practice.load()
  }

  putAway(): void {
    this.isExpanded = false
    this.#change({ isOpen: false })
  }

  beginAgain(): void {
    this.chosen = null
    this.#change({ startedAt: thisMoment(), done: [] })
  }

  /** Notes what the screens show: called again whenever that changes. */
  look(): void {
    if (!this.isUnderWay) return
    const seen = seenOnScreens(this.#looks, this.done)
    untrack(() => this.#note(seen))
  }

  operationChanged(operation: OperationView): void {
    const { startedAt } = this.progress
    if (startedAt === null || wholeSecond(operation.performedAt) < wholeSecond(startedAt)) return
    this.#note(seenOf(operation, this.#looks.fault()))
  }

  #note(seen: GuideStep[]): void {
    const done = withSeen(this.done, seen)
    if (done.length > this.done.length) this.#change({ done })
  }

  #change(change: Partial<GuideProgress>): void {
    this.progress = { ...this.progress, ...change }
    // A failure to save is ignored: the guide goes on.
    void this.#parts.client.call('practice.setGuide', this.progress)
  }
}

/** In seconds: the service's clock has no smaller unit. */
const wholeSecond = (at: string) => Math.floor(Date.parse(at) / 1_000)

/** The start of the guide, ISO 8601: what was done before does not count. */
const thisMoment = (): string => new Date().toISOString()
