import type { AppError } from '../src-shared/errors'
import type { AppStatus, Locale } from '../src-shared/ipc/app-view'
import { type Client, createClient } from '../src-shared/ipc/client'
import type { OperationView } from '../src-shared/ipc/operation-view'
import type { WedgeScan } from '../src-shared/scan/wedge'
import type { Place } from '../src-shared/scan/meaning'
import { Checkout } from './checkout/checkout.svelte'
import { language } from './messages/text.svelte'
import { Outbox } from './outbox/outbox.svelte'
import { Practice } from './practice/practice.svelte'
import { Receiving } from './receiving/receiving.svelte'
import { type ScreenName, type SubmitSource, createScanReader } from './scan/scan-reader'
import { Scanners } from './scan/scanners.svelte'
import type { Play, Sound } from './scan/sounds'
import { ScanStrip } from './scan/strip.svelte'
import { LimitsForm } from './settings/limits-form.svelte'
import { PrefixesForm } from './settings/prefixes-form.svelte'
import { ScanTest } from './settings/scan-test.svelte'
import { Warnings } from './warnings/warnings.svelte'
import type { Host, Reach } from './wire/host'

const places: Record<ScreenName, Place> = {
  receiving: 'receiving',
  checkout: 'checkout',
  outbox: 'other',
  settings: 'other',
}

/** An import turns items that could not be sold into ones that can. */
const isImportDone = ({ kind, state }: OperationView) => kind === 'import' && state === 'accepted'

/** Joins the screens to the core: what it reports, which screen is in front, and who hears a scan. */
export class App {
  reach = $state<Reach>('starting')
  status = $state.raw<AppStatus | null>(null)
  screen = $state<ScreenName>('receiving')
  isHelpOpen = $state(false)
  isTyping = $state(false)
  /** Since the last scan, something was typed into a field: Ctrl+Z is then the field's. */
  hasTypedSinceScan = false
  /** What the last entry by hand was refused with before it became a scan. */
  typingError = $state.raw<AppError | null>(null)

  /** Main answers and knows where scans happen: what is scanned now is taken. */
  isReady = $derived(this.reach === 'open' && this.status !== null)

  readonly client: Client
  readonly scanners: Scanners
  readonly scanTest: ScanTest
  readonly prefixes: PrefixesForm
  readonly strip: ScanStrip
  readonly receiving: Receiving
  readonly checkout: Checkout
  readonly outbox: Outbox
  readonly limits: LimitsForm
  readonly practice: Practice
  readonly warnings: Warnings
  readonly #scans: ReturnType<typeof createScanReader>
  readonly #host: Host
  readonly #play: Play
  #earlier: ScreenName[] = []

  constructor(host: Host, playAt: Play) {
    this.#host = host
    this.#play = playAt
    this.client = createClient(host.wire)
    this.scanners = new Scanners(this.client)
    const play = (sound: Sound) => {
      if (!this.scanners.settings.sound.isMuted) this.hear(sound)
    }
    this.scanTest = new ScanTest(this.scanners, play)
    this.prefixes = new PrefixesForm(this.scanners)
    this.strip = new ScanStrip(play)
    this.receiving = new Receiving(this.client)
    this.checkout = new Checkout(this.client, this.strip, play)
    this.outbox = new Outbox({
      client: this.client,
      isInFront: () => this.screen === 'outbox',
      onReopened: (mode) => {
        this.checkout.openTab(mode)
        void this.checkout[mode].load()
        this.go('checkout')
      },
    })
    this.limits = new LimitsForm(this.client)
    this.practice = new Practice(this.client)
    this.warnings = new Warnings(this.client)
    this.#scans = createScanReader({
      client: this.client,
      strip: this.strip,
      receiving: this.receiving,
      checkout: this.checkout,
      screen: () => this.screen,
      go: (screen) => this.go(screen),
    })
  }

  /** Listens to the core until the returned function is called. */
  start(): () => void {
    const stops = [
      this.client.on('app.status', (status) => this.#showStatus(status)),
      this.client.on('scanner.scanned', (scan) => {
        this.hasTypedSinceScan = false
        if (this.scanTest.isOpen) this.scanTest.show(scan)
        else void this.#scans.read(scan)
      }),
      this.client.on('scanner.changed', (view) => this.scanners.changed(view)),
      this.client.on('checkout.cart', (cart) => this.checkout.cartChanged(cart)),
      this.client.on('outbox.changed', (operation) => {
        this.receiving.operationChanged(operation)
        this.checkout.operationChanged(operation)
        this.outbox.operationChanged(operation)
        if (this.practice.isOpen && isImportDone(operation)) void this.practice.load()
      }),
      this.#host.onReach((reach) => {
        this.reach = reach
        if (reach === 'open') void this.#refresh()
      }),
    ]
    return () => {
      for (const stop of stops.reverse()) stop()
    }
  }

  async #refresh(): Promise<void> {
    this.#tellPlace()
    const answer = await this.client.call('app.status', undefined)
    if (answer.ok) this.#showStatus(answer.value)
    await Promise.all([
      this.scanners.loadSettings(),
      this.receiving.refresh(),
      this.checkout.refresh(),
      this.#loadScreen(),
      this.practice.isOpen ? this.practice.load() : null,
    ])
  }

  #showStatus(status: AppStatus): void {
    this.status = status
    language.locale = status.locale
    if (status.profile.kind !== 'practice') this.practice.isOpen = false
  }

  async setLocale(locale: Locale): Promise<void> {
    language.locale = locale
    await this.client.call('app.setLocale', { locale })
  }

  go(screen: ScreenName): void {
    if (screen === this.screen) return
    this.#earlier = [...this.#earlier.slice(-9), this.screen]
    this.#show(screen)
  }

  #show(screen: ScreenName): void {
    this.screen = screen
    this.strip.recount()
    this.#tellPlace()
    void this.#loadScreen()
  }

  /** What a screen shows only while it is in front. */
  async #loadScreen(): Promise<void> {
    if (this.screen === 'outbox') await this.outbox.load()
    if (this.screen === 'settings') {
      this.prefixes.show()
      await Promise.all([this.limits.load(), this.scanners.loadView()])
    }
  }

  /** One drawer at a time: there is one place for them. */
  async togglePractice(): Promise<void> {
    this.warnings.isOpen = false
    await this.practice.toggle()
  }

  toggleWarnings(): void {
    this.practice.isOpen = false
    this.warnings.isOpen = !this.warnings.isOpen
  }

  #tellPlace(): void {
    void this.client.call('scanner.setPlace', { place: places[this.screen] })
  }

  /** Esc: closes what lies on top, leaves a mode, and otherwise goes to the screen before. */
  back(): void {
    const { cart, banner } = this.checkout
    if (this.isTyping) this.isTyping = false
    else if (this.warnings.isOpen) this.warnings.isOpen = false
    else if (this.screen === 'checkout' && banner.operation) banner.close()
    else if (this.screen === 'checkout' && cart?.isRemoving) cart.isRemoving = false
    else if (this.practice.isOpen) this.practice.isOpen = false
    else {
      const earlier = this.#earlier.pop()
      if (earlier) this.#show(earlier)
    }
  }

  /** Ctrl+Enter: the primary action of the screen in front. */
  primary(): void {
    if (this.screen === 'receiving') void this.receiving.import()
    if (this.screen === 'checkout') void this.checkout.primary()
    if (this.screen === 'outbox') void this.outbox.sendNow()
    if (this.screen === 'settings') void this.limits.save()
  }

  /** Opens the field for a code that no scanner can read. */
  type(): void {
    this.typingError = null
    this.isTyping = true
  }

  /** A scanner typed: hands the scan in, and learns how it types. */
  async wedgeScan(scan: WedgeScan): Promise<void> {
    const { text, troubles, pace } = scan
    if (this.scanTest.isOpen) {
      if (!this.scanTest.keys(scan)) return
      const answer = await this.client.call('scanner.submit', { text, source: 'wedge', troubles })
      if (!answer.ok) this.scanTest.refuse(answer.error)
      return
    }
    this.scanners.learn(pace)
    await this.#scans.submit(text, 'wedge', troubles)
  }

  /** Plays a sound, also while they are muted: for whoever asks to hear it. */
  hear(sound: Sound): void {
    const { volume } = this.scanners.settings.sound
    if (volume > 0) this.#play(sound, volume)
  }

  setVolume(volume: number): Promise<AppError | null> {
    return this.scanners.save((settings) => ({ ...settings, sound: { ...settings.sound, volume } }))
  }

  setMuted(isMuted: boolean): Promise<AppError | null> {
    return this.scanners.save((settings) => ({ ...settings, sound: { ...settings.sound, isMuted } }))
  }

  /** The mute button beside the strip; what keeps it from working is said there. */
  async toggleMuted(): Promise<void> {
    const error = await this.setMuted(!this.scanners.settings.sound.isMuted)
    if (error) this.#scans.announce(error)
  }

  /** Hands in what a person entered or a click in the practice codes stands for. */
  async submit(text: string, source: SubmitSource): Promise<void> {
    this.typingError = await this.#scans.submit(text, source)
  }
}
