import type { AppError } from '../../src-shared/errors'
import type { CaseId, DeliveryId, ShortUuid } from '../../src-shared/ids'
import type { Client } from '../../src-shared/ipc/client'
import type { DeliveryChange, DeliveryNotice } from '../../src-shared/ipc/contract/delivery'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import { BlindImport } from './blind-import.svelte'
import { Counting } from './count/counting.svelte'
import { DeliverySteps } from './delivery-steps.svelte'
import { type CaseRow, Delivery, listOf, type RowChange, type RowId, rowIdOf } from './delivery.svelte'
import type { ImportFormState } from './import-form.svelte'
import { ImportForms } from './import-forms'
import { ImportMany } from './import-many.svelte'
import { finished, Importing, nothing, planOf, printing, type Primary, tickOf } from './importing.svelte'
import { Manifest } from './manifest/manifest.svelte'
import { FinishForm } from './record/finish-form.svelte'
import { type RowStatus, statusOf } from './row-status'
import { type ScanAddition, ScanTarget, type Target } from './scan-target.svelte'
import { ChosenProducts, Selection } from './selection.svelte'
import type { ScanOutcome } from '../scan/strip.svelte'
import { outcomeOf } from './primary-text'
import { explain } from '../text/errors'
import { StoreDeliveries } from './store-deliveries.svelte'

/** What lies over or beside the delivery, one at a time. */
export class Panes {
  dialog = $state<'undo' | 'catalogue' | 'manifest' | 'report' | 'photos' | null>(null)
  /** What of the history is shown first: null while it is closed. */
  history = $state<'reports' | 'deliveries' | null>(null)
  isCountOpen = $state(false)
  isManifestOpen = $state(false)
  isMenuOpen = $state(false)
  /** The list of what the primary action imports and leaves out. */
  isPlanOpen = $state(false)
  /** What waits and who received is shown, before the delivery is finished. */
  isFinishing = $state(false)
  /** The delivery that was just finished here, until the next one begins, and what of its record is open. */
  finished = $state<{ id: DeliveryId; record: 'closed' | 'open' | 'print' } | null>(null)

  get isHistoryOpen(): boolean {
    return this.history !== null
  }

  set isHistoryOpen(isOpen: boolean) {
    this.history = isOpen ? 'reports' : null
  }

  /** Esc: closes what lies on top. False when nothing does. */
  back(): boolean {
    if (this.isMenuOpen) this.isMenuOpen = false
    else if (this.isPlanOpen) this.isPlanOpen = false
    else if (this.isHistoryOpen) this.isHistoryOpen = false
    else if (this.finished) this.finished = null
    else if (this.isFinishing) this.isFinishing = false
    else if (this.isManifestOpen) this.isManifestOpen = false
    else if (this.isCountOpen) this.isCountOpen = false
    else return false
    return true
  }
}

export type { ScanAddition, Primary, Target }

/** Receiving: the delivery under way, what of it is selected, and what a person does with it. */
export class Receiving {
  readonly panes = new Panes()
  readonly #chosen = new ChosenProducts()
  readonly delivery: Delivery = new Delivery(() => this.#forget())
  readonly forms: ImportForms
  readonly many: ImportMany
  readonly blind: BlindImport
  readonly scanned: ScanTarget
  readonly steps: DeliverySteps
  readonly importing: Importing
  readonly counting: Counting
  readonly elsewhere: StoreDeliveries
  readonly manifest: Manifest

  items = $derived(listOf(this.delivery))
  readonly selection = new Selection(() => this.items.flatMap((item) => rowIdOf(item) ?? []))
  selected = $derived(this.selection.id === null ? null : (this.delivery.row(this.selection.id) ?? null))
  selectedBlind = $derived(this.selection.id === null ? null : (this.delivery.blindOf(this.selection.id) ?? null))
  product = $derived(this.selected && this.#chosen.of(this.selected))
  form = $derived.by(() => (this.selected && this.product ? this.forms.of(this.selected, this.product) : null))

  /** What is entered when the delivery is finished. */
  finishForm = $state.raw<FinishForm | null>(null)

  /** A case that was never read has to be filled in before a count begins. */
  isCountShown = $derived.by(() => this.panes.isCountOpen && (this.counting.isOn || this.blind.current === null))

  /** The lines of the manifest are shown in place of the selected case. */
  isManifestShown = $derived.by(
    () => this.panes.isManifestOpen && this.manifest.head !== null && !this.isCountShown && this.blind.current === null,
  )

  /** Not kept: it would hold the rows of a finished delivery until the next one. */
  get plan() {
    return planOf(this.delivery.rows, this.selection, (row, product) => this.forms.of(row, product))
  }

  readonly #client: Client
  readonly #tell: (outcome: ScanOutcome) => void
  /** The changes since the delivery was asked for, while the answer is awaited. */
  #sinceAsked: DeliveryChange[] | null = null

  /** `tell` shows what a button or a key came to in the scan strip. */
  constructor(client: Client, tell: (outcome: ScanOutcome) => void) {
    const { delivery, selection, panes } = this
    this.#client = client
    this.#tell = tell
    this.forms = new ImportForms(client, delivery)
    this.many = new ImportMany(client, delivery)
    this.blind = new BlindImport(client, () => delivery.onlyPackage)
    this.scanned = new ScanTarget(
      client,
      this.blind,
      (found) => this.#showFound(found),
      (caseId, typed) => this.#keepTyped(caseId, typed),
    )
    this.steps = new DeliverySteps(client, delivery)
    this.importing = new Importing({
      client,
      delivery,
      blind: this.blind,
      forms: this.forms,
      many: this.many,
      selection,
      chosen: this.#chosen,
      plan: () => this.plan,
      lead: ({ caseId }) => {
        this.blind.isShown = false
        panes.isCountOpen = false
        panes.isManifestOpen = false
        selection.show(caseId)
      },
    })
    this.elsewhere = new StoreDeliveries(client)
    this.manifest = new Manifest(client)
    this.counting = new Counting({
      client,
      panes,
      subject: () => ({
        deliveryId: delivery.head?.id ?? null,
        isReading: delivery.rows.some(({ isReading, view }) => isReading && !view),
      }),
    })
  }

  /** Shows the history, where the record of a delivery is that another station finished or added to. */
  showRecord({ id }: DeliveryNotice): void {
    void this.elsewhere.see(id)
    this.panes.history = 'deliveries'
  }

  /** Shows the delivery that main keeps: at the start, and after main was away. */
  async load(): Promise<void> {
    const since: DeliveryChange[] = []
    this.#sinceAsked = since
    void this.scanned.restore()
    const answer = await this.#client.call('receiving.delivery', undefined)
    if (this.#sinceAsked === since) this.#sinceAsked = null
    if (!answer.ok) return
    this.#took(this.delivery.show(answer.value))
    // An event can overtake the answer, which doesn't hold its change then.
    const newer = since.filter(({ revision }) => revision > (answer.value?.revision ?? -1))
    for (const change of newer) this.#took(this.delivery.change(change))
    await this.many.catchUp()
  }

  /** The delivery changed. */
  changed(change: DeliveryChange): void {
    this.#sinceAsked?.push(change)
    this.#took(this.delivery.change(change))
  }

  operationChanged(operation: OperationView): void {
    this.many.operationChanged(operation)
  }

  /** Asks again about everything in the delivery, without clearing the screen. */
  async refresh(): Promise<void> {
    if (this.delivery.head) await this.#client.call('receiving.refresh', undefined)
  }

  /** Puts refusals beside the fields they are about, and asks for what the POS calls the products. */
  #took(changes: RowChange[]): void {
    for (const { row, refused } of changes) {
      for (const product of refused) {
        const { importState } = product
        const reason = importState.kind === 'refused' ? importState.operation.reason : null
        if (reason) this.forms.of(row, product).refuse(reason)
      }
    }
    if (this.delivery.head) this.panes.finished = null
    const rows = changes.map(({ row }) => row)
    this.many.casesChanged(rows)
    this.selection.settle()
    void this.forms.need(rows)
  }

  /** The delivery that was shown is over: so are its results. */
  #forget(): void {
    this.forms.forget()
    this.#chosen.forget()
    this.many.clear()
    this.steps.forget()
    this.counting.forget()
    this.panes.isCountOpen = false
    this.panes.isManifestOpen = false
    this.panes.isFinishing = false
    this.finishForm = null
  }

  add(...[target, isInStrip]: Parameters<ScanTarget['add']>): ReturnType<ScanTarget['add']> {
    // Now, not with the answer: a person may have opened the history by then.
    this.panes.isHistoryOpen = false
    this.panes.finished = null
    this.panes.isFinishing = false
    return this.scanned.add(target, isInStrip)
  }

  /** Adds cases that another screen leads to, the first one in front; of several, the strip says how many are listed. */
  async list(caseIds: CaseId[]): Promise<void> {
    let [listed, error]: [CaseId[], AppError | null] = [[], null]
    for (const identifier of caseIds) {
      const found = await this.add({ kind: 'case', identifier }, caseIds.length > 1)
      if (found.ok) listed = [...listed, identifier]
      else error = found.error
    }
    if (caseIds.length < 2) return
    const [first] = listed
    if (first !== undefined && this.delivery.row(first)) this.select(first)
    const what = { key: 'receiving.listed', values: { count: listed.length, total: caseIds.length } } as const
    this.#tell(
      error
        ? { tone: 'attention', what, detail: explain(error).what }
        : { tone: 'good', what, detail: { key: 'receiving.listed.next' } },
    )
  }

  /** What was typed for a case before the service answered is for its only product that can be imported. */
  #keepTyped(caseId: CaseId, typed: ImportFormState): void {
    const row = this.delivery.row(caseId)
    const [product, ...others] = row?.view?.packagedProducts.filter(({ canImport }) => canImport) ?? []
    if (!row || !product || others.length > 0) return
    const form = this.forms.of(row, product)
    if (typed.packageUid.trim() !== '' && !typed.isPackageSuggested) form.usePackage(typed.packageUid)
    form.ids.adopt(typed.ids)
  }

  #showFound(found: ScanAddition): void {
    const id = found.kind === 'case' ? found.caseId : found.caseIds[0]
    this.blind.isShown = false
    if (id !== undefined) this.selection.show(id)
    // Its own code was scanned again: it is meant.
    const row = found.kind === 'case' ? this.delivery.row(found.caseId) : undefined
    if (row?.view?.packagedProducts.some(({ heldBack }) => heldBack === 'undone')) this.selection.tick(row.caseId, true)
  }

  /** The one status of a case that matters most. */
  statusOf(row: CaseRow): RowStatus {
    const { importState, view, error, isReading } = row
    const { open, isTicked } = tickOf(row, this.selection, (of, product) => this.forms.of(of, product))
    const missing = open.find(({ form }) => !form.isComplete)
    const lacks = missing ? (missing.form.packageUid.trim() === '' ? 'package' : 'ids') : null
    return statusOf({ importState, view, error, isReading, lacks, isTicked })
  }

  /** Whether the primary action imports a case; null if there is nothing to import. */
  isTicked(row: CaseRow): boolean | null {
    const { open, isTicked } = tickOf(row, this.selection, (of, product) => this.forms.of(of, product))
    return open.length === 0 ? null : isTicked
  }

  /** Ticks or unticks a case that can be imported. */
  tick(row: CaseRow): void {
    const isTicked = this.isTicked(row)
    if (isTicked !== null) this.selection.tick(row.caseId, !isTicked)
  }

  /** The cases among some that can be ticked together: nothing is against them but that a person took them back. */
  tickable(rows: CaseRow[]): CaseRow[] {
    return rows.filter(({ view }) => {
      const open = (view?.packagedProducts ?? []).filter(({ canImport }) => canImport)
      return open.length > 0 && open.every(({ heldBack }) => heldBack === null || heldBack === 'undone')
    })
  }

  /** Asks before every import of the delivery is taken back: main does, unless nothing of them was sent. */
  askToUndo(): void {
    const states = this.delivery.rows.flatMap(({ view }) => view?.packagedProducts ?? [])
    const isSent = states.some(
      ({ importState }) => 'operation' in importState && importState.operation?.undo === 'inverse',
    )
    if (isSent) this.undoAll()
    else this.panes.dialog = 'undo'
  }

  undoAll(): void {
    this.many.clear()
    void this.steps.undoAll()
  }

  /** Shows or hides the lines of the manifest; a count or a case in their place is put aside. */
  showManifest(isShown: boolean): void {
    this.panes.isManifestOpen = isShown
    if (!isShown) return
    this.panes.isCountOpen = false
    this.blind.isShown = false
  }

  /** Takes the manifest away; it can be put in force again. */
  async removeManifest(): Promise<void> {
    if (await this.manifest.remove()) this.panes.isManifestOpen = false
  }

  /** Shows what waits before the delivery is finished, and asks who received it. */
  beginFinish(): void {
    this.finishForm ??= new FinishForm(this.#client, this)
    void this.finishForm.offer()
    this.panes.isFinishing = true
  }

  /** Finishes the delivery and shows what it held. */
  async finish(): Promise<void> {
    const { finishForm } = this
    const { head } = this.delivery
    if (finishForm && head && (await finishForm.save())) this.panes.finished = { id: head.id, record: 'closed' }
  }

  select(id: RowId): void {
    this.blind.isShown = false
    this.panes.isManifestOpen = false
    this.selection.select(id)
  }

  /** Chooses which of several products of the selected case is shown. */
  choose(packagedProductId: ShortUuid): void {
    if (this.selected) this.#chosen.choose(this.selected, packagedProductId)
  }

  /** Ctrl+Enter and the button: the primary action, confirmed in the scan strip unless a dialog or a form shows it. */
  async act(): Promise<void> {
    const primary = await this.primary()
    const isTold = primary.kind === 'saved' || primary.kind === 'incomplete'
    if (isTold || (primary.kind === 'shown' && primary.outcome.tone === 'good')) this.#tell(outcomeOf(primary))
  }

  /** Imports the product in view and no other. Returns true if it was saved, whatever the service answers to it. */
  async importThis(): Promise<boolean> {
    const { selected: row, product, form } = this
    if (!row || !product?.canImport || !form) return false
    const primary = await this.importing.one({ row, product, form })
    if (primary.kind === 'saved') this.#tell(outcomeOf(primary))
    return primary.kind === 'saved'
  }

  /** Saves the blind import in front, imports what is ready, leads to what is missing, or finishes: what the button says. */
  async primary(): Promise<Primary> {
    const isFinishing = this.panes.isFinishing || this.panes.finished !== null
    if (this.isCountShown && !this.panes.isHistoryOpen && !isFinishing) return this.counting.primary()
    if (this.blind.current && !isFinishing) return this.importing.blind()
    if (this.panes.finished && !this.panes.isHistoryOpen) {
      this.panes.finished.record = 'print'
      return printing
    }
    if (this.panes.isHistoryOpen || !this.delivery.head) return nothing
    if (this.panes.isFinishing) {
      await this.finish()
      return this.panes.finished ? finished : { kind: 'refused', error: this.finishForm?.error ?? null }
    }
    // The lines of the manifest stand where the button is that names what is imported.
    if (this.isManifestShown) {
      this.panes.isManifestOpen = false
      return nothing
    }
    // Ctrl+Enter may be pressed inside a field that has not lost the focus.
    if (this.form && this.product) void this.forms.usePackage(this.form, this.product)
    const primary = await this.importing.all(this.plan)
    if (primary?.kind === 'importing') this.steps.undone = null
    if (primary) return primary
    this.beginFinish()
    return { kind: 'finishing' }
  }
}
