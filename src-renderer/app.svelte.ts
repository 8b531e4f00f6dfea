import type { AppError } from '../src-shared/errors'
import type { CaseId, OperationId } from '../src-shared/ids'
import { type AppStatus, type Locale, isAnswering } from '../src-shared/ipc/contract/app'
import { type Client, createClient } from '../src-shared/ipc/client'
import type { CartStep } from '../src-shared/ipc/contract/checkout'
import type { EntityRef } from '../src-shared/ipc/contract/find'
import type { OperationView } from '../src-shared/ipc/contract/outbox'
import { may } from '../src-shared/people'
import type { Scan } from '../src-shared/scan/meaning'
import type { WedgeScan } from '../src-shared/scan/wedge'
import { Checkout } from './checkout/checkout.svelte'
import { Gate, gating } from './ui/gate.svelte'
import { throttle } from './ui/throttle'
import { Guide } from './guide/guide.svelte'
import { Find } from './find/find.svelte'
import { Orders } from './orders/orders.svelte'
import { OutboxLists } from './outbox/outbox.svelte'
import { People, isPersonBadge, naming } from './people/people.svelte'
import { Practice } from './practice/practice.svelte'
import { saveFile } from './receiving/save-file'
import { Receiving } from './receiving/receiving.svelte'
import { type SubmitSource, ScanReader } from './scan/scan-reader'
import { clearing } from './scan/clearing'
import { Scanners } from './scan/scanners.svelte'
import { type Play, Speaker } from './scan/sounds'
import { type ScanOutcome, ScanStrip } from './scan/strip.svelte'
import { Security, unlocking } from './security/security.svelte'
import { Till, createLimitsForm, createPrefixesForm } from './settings/forms.svelte'
import { Joining } from './settings/store/joining.svelte'
import { Hosting } from './settings/store/hosting.svelte'
import { Look } from './settings/look.svelte'
import { type SectionName, SettingsPages } from './settings/pages.svelte'
import { ScanTest } from './settings/scan-test.svelte'
import { type ScreenName, isScreen, screenNames, screens } from './shell/screens'
import { Stock } from './stock/stock.svelte'
import { Store } from './store/store.svelte'
import { Support } from './support/support.svelte'
import { Update } from './update/update.svelte'
import { Warnings } from './warnings/warnings.svelte'
import type { Host, Reach } from './host'

type ScreenMemory = Pick<Storage, 'getItem' | 'setItem'>
const screenKey = 'screen'
const screenOf = (name: string | null | undefined) => (name != null && isScreen(name) ? name : undefined)

/** An import turns items that could not be sold into ones that can. */
const isImportDone = ({ kind, state }: OperationView) => kind === 'import' && state === 'accepted'

/** Connects the screens with main: passes on its events and scans, and knows which screen is in front. */
export class App {
  reach = $state<Reach>('starting')
  status = $state.raw<AppStatus | null>(null)
  screen = $state<ScreenName>('receiving')
  isHelpOpen = $state(false)
  /** The buttons show their keys: Alt or ? is held. */
  hasKeyHints = $state(false)
  /** The code of the key that types ?, while it is down. */
  heldForHelp: string | null = null
  /** The field for a code that no scanner can read is open. */
  isTyping = $state(false)
  /** Since the last scan, something was typed into a field: Ctrl+Z is then the field's. */
  hasTypedSinceScan = false

  /** Without other stations there is no screen of the store. */
  screenNames = $derived(screenNames.filter((name) => name !== 'store' || this.store.isShared))

  connection = $derived(this.status?.connection.state ?? 'unknown')

  /** Main answers and knows the screen in front: scans are read. */
  isReady = $derived(this.reach === 'open' && this.status !== null)

  readonly client: Client
  readonly scanners: Scanners
  readonly speaker: Speaker
  readonly scanTest: ScanTest
  readonly prefixes: ReturnType<typeof createPrefixesForm>
  readonly strip: ScanStrip
  readonly receiving: Receiving
  readonly checkout: Checkout
  readonly orders: Orders
  readonly find: Find
  readonly outbox: OutboxLists
  readonly limits: ReturnType<typeof createLimitsForm>
  readonly till: Till
  readonly pages: SettingsPages
  readonly practice: Practice
  readonly guide: Guide
  readonly warnings: Warnings
  readonly security: Security
  readonly people: People
  readonly gate: Gate
  readonly support: Support
  readonly update: Update
  readonly stock: Stock
  readonly store: Store
  readonly look: Look
  readonly joining: Joining
  readonly hosting: Hosting
  readonly #scans: ScanReader
  readonly #host: Host
  readonly #memory: ScreenMemory | undefined
  /** Not after each of hundreds of imports. */
  readonly #reloadPractice = throttle(() => {
    if (this.practice.isOpen) void this.practice.load()
  })
  #earlier: ScreenName[] = []

  /**
   * `memory` keeps the screen in front for a page that is loaded again, e.g. after a crash; `lasting` keeps the theme for
   * the first paint of the next start.
   */
  constructor(host: Host, playAt: Play, memory?: ScreenMemory, lasting?: ScreenMemory) {
    this.#host = host
    this.#memory = memory
    this.screen = screenOf(memory?.getItem(screenKey)) ?? 'receiving'
    this.pages = new SettingsPages(memory)
    const client = createClient(host.wire)
    this.security = new Security(client)
    this.people = new People(client, ({ role }) => {
      if (may(role, 'approve')) this.security.tryAgain()
    })
    const unlocked = naming(
      unlocking(client, (isAgain) => this.security.ask(isAgain)),
      () => this.people.ask(),
    )
    this.scanners = new Scanners(unlocked)
    this.speaker = new Speaker(this.scanners, playAt, (error) => this.#scans.announce(error))
    const { play } = this.speaker
    this.scanTest = new ScanTest(this.scanners, play)
    this.prefixes = createPrefixesForm(this.scanners)
    this.strip = new ScanStrip(play)
    this.gate = new Gate(clearing(unlocked, this.strip), {
      canApprove: () => this.people.canApprove,
      hasStorePin: () => this.security.view?.hasPin === true,
      signedIn: () => this.people.signedIn?.name ?? null,
    })
    this.client = clearing(gating(unlocked, this.gate), this.strip)
    this.receiving = new Receiving(this.client, (outcome) => this.strip.tell(outcome))
    this.checkout = new Checkout({
      client: this.client,
      gate: this.gate,
      strip: this.strip,
      play,
      modeChanged: () => this.tellPlace(),
      isInFront: () => this.screen === 'checkout',
      openBudtenders: () => this.go('settings', 'people'),
      openReport: (id) => this.openReport(id),
      openCase: (caseId) => this.#openInReceiving([caseId]),
    })
    this.orders = new Orders({
      client: this.client,
      isInFront: () => this.screen === 'orders',
      serviceTime: () => Date.now() + (this.status?.clockOffset ?? 0),
    })
    this.find = new Find({
      client: this.client,
      isInFront: () => this.screen === 'find',
      openOrder: (orderId) => this.openOrder(orderId),
      showOperation: (id) => this.showOperation(id),
      connection: () => this.connection,
    })
    this.outbox = new OutboxLists({
      client: this.client,
      isInFront: () => this.screen === 'outbox',
      serviceTime: () => Date.now() + (this.status?.clockOffset ?? 0),
      onImport: (caseIds) => this.#openInReceiving(caseIds),
      onReopened: ({ mode, note }) => {
        this.checkout[mode].note = note
        this.checkout.openTab(mode)
        this.go('checkout')
      },
    })
    this.limits = createLimitsForm(this.client)
    this.till = new Till(this.client)
    this.practice = new Practice(this.client)
    this.guide = new Guide({
      client: this.client,
      practice: this.practice,
      receiving: this.receiving,
      checkout: this.checkout,
      screen: () => this.screen,
      status: () => this.status,
      go: (screen, section) => this.go(screen, section),
      closeDrawers: () => {
        this.practice.isOpen = false
        this.warnings.isOpen = false
      },
    })
    this.warnings = new Warnings(this.client)
    this.support = new Support(this.client, saveFile)
    this.update = new Update(this.client)
    this.stock = new Stock(this.client, () => this.strip.clear())
    this.store = new Store(this.client)
    this.look = new Look(this.client, lasting)
    this.joining = new Joining(this.client)
    this.hosting = new Hosting(this.client, this.joining)
    this.#scans = new ScanReader({
      client: this.client,
      strip: this.strip,
      receiving: this.receiving,
      checkout: this.checkout,
      orders: this.orders,
      find: this.find,
      joining: this.joining,
      stock: this.stock,
      people: this.people,
      screen: () => this.screen,
      go: (screen, section) => this.go(screen, section),
    })
  }

  /** Listens to main until the returned function is called. */
  start(): () => void {
    const stops = [
      this.security.start(),
      this.people.start(),
      this.update.start(),
      this.stock.start(),
      this.store.start(),
      this.look.start(),
      // What the page shows is of the earlier profile, so the browser host's page reloads. In Electron, main reloads it.
      this.client.on('app.reopened', ({ isOther }) => {
        if (isOther) location.reload()
        else void this.#refresh()
      }),
      this.client.on('app.status', (status) => this.#showStatus(status)),
      this.client.on('hosting.changed', (view) => this.hosting.changed(view)),
      this.client.on('scanner.scanned', (scan) => {
        this.hasTypedSinceScan = false
        this.guide.scanned()
        this.gate.forgetUndoError()
        if (this.scanTest.isOpen) this.scanTest.show(scan)
        else if (this.gate.asked) this.#scannedAtGate(scan)
        else void this.#scans.read(scan)
      }),
      this.client.on('scanner.changed', (view) => this.scanners.changed(view)),
      this.client.on('receiving.changed', (change) => this.receiving.changed(change)),
      this.client.on('receiving.manifestChanged', (view) => this.receiving.manifest.changed(view)),
      this.client.on('receiving.count', (count) => {
        const { counting } = this.receiving
        // Finished, here or on another page: a scan of it can't be taken back any more.
        if (counting.isOn && counting.count?.id === count.id && count.finishedAt !== null) this.strip.clear()
        void counting.changed(count)
      }),
      this.client.on('receiving.storeDeliveries', (list) => (this.receiving.elsewhere.list = list)),
      this.client.on('receiving.deliveryNotices', (notices) => (this.receiving.elsewhere.notices = notices)),
      this.client.on('receiving.storeCounts', (list) => (this.receiving.counting.elsewhere = list)),
      this.client.on('receiving.counted', (change) => this.receiving.counting.counted(change)),
      this.client.on('scanner.known', (known) => this.scanners.learnt(known)),
      this.client.on('checkout.cart', (cart) => {
        this.checkout.cartChanged(cart)
        this.find.cartChanged(cart)
      }),
      this.client.on('checkout.cartStep', (step) => void this.#cartStepped(step)),
      this.client.on('checkout.flags', (changes) => this.checkout.flagsChanged(changes)),
      this.client.on('checkout.reports', (view) => this.checkout.reports.show(view)),
      this.client.on('hub.notices', (notices) => {
        // The banner says it.
        if (this.screen !== 'checkout')
          this.strip.itemsGone(notices.flatMap(({ what, tagId }) => (what === 'collided' ? tagId : [])))
      }),
      this.client.on('checkout.held', (held) => this.checkout.held.show(held)),
      this.client.on('checkout.settings', (settings) => {
        this.checkout.settings = settings
        this.find.settingsChanged()
      }),
      this.client.on('outbox.changed', (operation) => {
        this.gate.operationChanged(operation)
        this.receiving.operationChanged(operation)
        this.checkout.operationChanged(operation)
        this.orders.operationChanged(operation)
        this.outbox.operationChanged(operation)
        this.guide.operationChanged(operation)
        this.find.operationChanged(operation)
        if (this.practice.isOpen && isImportDone(operation)) this.#reloadPractice()
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
    this.tellPlace()
    void this.update.load()
    void this.look.load()
    void this.store.load()
    void this.#loadPeople()
    const answer = await this.client.call('app.status', undefined)
    if (answer.ok) this.#showStatus(answer.value)
    await Promise.all([
      this.scanners.loadSettings(),
      this.receiving.load().then(() => this.receiving.refresh()),
      this.receiving.counting.load(),
      this.receiving.manifest.load(),
      this.receiving.counting.loadElsewhere(),
      this.receiving.elsewhere.load(),
      this.scanners.loadKnown(),
      this.checkout.refresh(),
      this.#loadScreen(),
      this.practice.isOpen ? this.practice.load() : null,
    ])
  }

  async #loadPeople(): Promise<void> {
    await this.people.load()
    // The question for an approval says whether the manager's PIN is one, too.
    if (this.people.isOn) await this.security.load()
  }

  async #cartStepped(step: CartStep): Promise<void> {
    await this.checkout.cartStepped(step)
    const { view } = this.checkout[step.mode]
    if (view) this.find.cartChanged(view)
  }

  #showStatus(status: AppStatus): void {
    this.status = status
    this.receiving.scanned.answers(isAnswering(status.connection.state))
    void this.look.speak(status.locale)
    if (status.profile.kind !== 'practice') this.practice.close()
  }

  async setLocale(locale: Locale): Promise<void> {
    void this.look.speak(locale)
    await this.client.call('app.setLocale', { locale })
  }

  /** Shows a screen, and of Settings a section. */
  go(screen: ScreenName, section?: SectionName): void {
    if (section) this.pages.open(section)
    if (screen === this.screen) return
    this.#earlier = [...this.#earlier.slice(-9), this.screen]
    this.#show(screen)
  }

  #show(screen: ScreenName): void {
    if (this.screen === 'checkout') this.checkout.left()
    // Those that came while it was in front.
    if (this.outbox.section === 'reports') void this.#seeRefusals()
    this.screen = screen
    this.#memory?.setItem(screenKey, screen)
    this.strip.leave()
    this.tellPlace()
    void this.#loadScreen().then(() => this.#seeRefusals())
  }

  /** A person who opens the Outbox sees the refusals in it. */
  async #seeRefusals(): Promise<void> {
    const { reports } = this.checkout
    if (this.screen !== 'outbox' || !this.outbox.isLoaded || reports.view.unseenCount === 0) return
    const { groups } = this.outbox.overview
    const shown = groups.flatMap(({ operations, canDismiss }) => [...operations.map(({ id }) => id), ...canDismiss])
    await reports.see(shown.filter((id, at) => shown.indexOf(id) === at).slice(0, 500))
  }

  /** Shows a refused report in the Outbox. */
  openReport(id: OperationId): void {
    void this.checkout.reports.see([id])
    this.showOperation(id)
  }

  /** Loads what a screen shows only while it is in front. */
  async #loadScreen(): Promise<void> {
    if (this.screen === 'orders') await this.orders.load()
    if (this.screen === 'find') await this.find.load()
    if (this.screen === 'outbox') await this.outbox.load()
    if (this.screen === 'stock') await this.stock.load()
    if (this.screen === 'store') await this.store.loadPresence()
    if (this.screen === 'settings') {
      await Promise.all([
        this.prefixes.load(),
        this.limits.load(),
        this.till.load(),
        this.scanners.loadView(),
        this.security.load(),
      ])
    }
  }

  #openInReceiving(caseIds: CaseId[]): void {
    this.go('receiving')
    void this.receiving.list(caseIds)
  }

  /** Shows a thing on the Find screen. */
  async openInFind(ref: EntityRef): Promise<void> {
    this.go('find')
    await this.find.open(ref)
  }

  /** Shows an order on the Orders screen. */
  openOrder(orderId: string): Promise<ScanOutcome> {
    this.go('orders')
    return this.orders.scan(orderId)
  }

  /** Shows the times without the service on the Outbox screen; of a day (YYYY-MM-DD) or of the last 24 hours. */
  showOutages(day: string | null = null): void {
    const { outages } = this.outbox
    if (day !== null) {
      outages.firstDay = day
      outages.lastDay = day
    }
    outages.range = day === null ? 'last-24' : 'days'
    this.outbox.section = 'outages'
    this.go('outbox')
  }

  /** Shows an operation on the Outbox screen. */
  showOperation(id: OperationId): void {
    this.outbox.section = 'reports'
    this.outbox.wanted = id
    this.go('outbox')
  }

  /** Opens or closes the practice drawer. Only one drawer is open at a time. */
  async togglePractice(): Promise<void> {
    this.warnings.isOpen = false
    this.guide.isExpanded = false
    await this.practice.toggle()
  }

  toggleWarnings(): void {
    this.practice.isOpen = false
    this.guide.isExpanded = false
    this.warnings.isOpen = !this.warnings.isOpen
  }

  /**
   * Tells main on which screen scans happen. Called again when a scan begins to do something else there, so that the same
   * code is not a repeat, and when the page gets the focus: scans go to the page that had it last.
   */
  tellPlace(): void {
    void this.client.call('scanner.setPlace', { place: screens[this.screen].place })
  }

  /** Shows the screen before, if there was one. */
  goBack(): void {
    const earlier = this.#earlier.pop()
    if (earlier) this.#show(earlier)
  }

  /** Submits a scan that a scanner typed, and learns how it types. */
  async wedgeScan(scan: WedgeScan): Promise<void> {
    const { text, troubles, timing } = scan
    if (this.scanTest.isOpen) {
      if (!this.scanTest.keys(scan)) return
      const answer = await this.client.call('scanner.submit', { text, source: 'wedge', troubles })
      if (!answer.ok) this.scanTest.refuse(answer.error)
      return
    }
    this.scanners.learn(timing)
    await this.#scans.submit(text, 'wedge', troubles)
  }

  /** A question is open: a badge approves or signs in; another scan must not do anything behind it, and the person must know. */
  #scannedAtGate({ meaning }: Scan): void {
    if (!isPersonBadge(meaning)) {
      this.gate.hasMissedScan = true
      this.speaker.play('bad')
    } else if (meaning.proof !== null && this.gate.wantsLead) {
      this.gate.show(meaning.proof, this.people.nameOf(meaning.badge))
    } else {
      void this.people.scan(meaning).then(({ tone }) => this.speaker.play(tone))
    }
  }

  /** Hands in what a person entered or a click in the practice codes stands for. Gives the reason when it is refused. */
  submit(text: string, source: SubmitSource): Promise<AppError | null> {
    return this.#scans.submit(text, source)
  }
}
