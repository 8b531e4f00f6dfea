import type { ShortUuid } from '../../src-shared/ids'
import type { EventPayload } from '../../src-shared/ipc/contract'
import type { Client } from '../../src-shared/ipc/client'
import type { DeliveryCase } from '../../src-shared/ipc/delivery-view'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import type { PackagedProductView } from '../../src-shared/ipc/receiving-view'
import { createBatch } from './batch'
import { BlindImport } from './blind-import.svelte'
import type { CaseRow } from './case-row.svelte'
import { ChosenProducts } from './chosen-products'
import { Counting } from './count/counting.svelte'
import { Delivery } from './delivery.svelte'
import { listOf, rowIdOf } from './delivery-list'
import { DeliverySteps } from './delivery-steps.svelte'
import { Finding, type Found, type Target } from './finding.svelte'
import { type Following, createFollowing } from './following'
import type { ImportFormState } from './import-form.svelte'
import { ImportForms } from './import-forms'
import { ImportMany } from './import-many.svelte'
import { planOf } from './import-plan'
import { isImportable } from './import-state'
import { Importing, type Primary, nothing } from './importing'
import { Panes } from './panes.svelte'
import { type RowId, Selection } from './selection.svelte'
import { Undoing } from './undoing.svelte'

export type { Found, Primary, Target }

/** Receiving: the delivery under way, what of it is selected, and what a person does with it. */
export class Receiving {
  readonly panes = new Panes()
  readonly #chosen = new ChosenProducts()
  readonly delivery: Delivery = new Delivery(() => this.#forget())
  readonly forms: ImportForms
  readonly many: ImportMany
  readonly blind: BlindImport
  readonly finding: Finding
  readonly undoing: Undoing
  readonly steps: DeliverySteps
  readonly counting: Counting

  items = $derived(listOf(this.delivery))
  readonly selection = new Selection(() => this.items.flatMap((item) => rowIdOf(item) ?? []))
  selected = $derived(this.selection.id === null ? null : (this.delivery.row(this.selection.id) ?? null))
  selectedBlind = $derived(this.selection.id === null ? null : (this.delivery.blindOf(this.selection.id) ?? null))
  product = $derived(this.selected && this.#chosen.of(this.selected))
  form = $derived(this.selected && this.product ? this.#formOf(this.selected, this.product) : null)

  /** Nobody counts yet: what has to be filled in of a case that nobody has seen goes before. */
  isCountShown = $derived.by(() => this.panes.isCountOpen && (this.counting.isOn || this.blind.current === null))

  /** Not kept: it would hold the rows of a delivery that is over until the next one. */
  get plan() {
    return planOf(this.delivery.rows, this.selection.ticked, (row, product) => this.#formOf(row, product))
  }

  readonly #client: Client
  readonly importing: Importing
  readonly #following: Following
  #loads = 0

  /** `schedule`: see `createBatch`. */
  constructor(client: Client, schedule?: (run: () => void) => void) {
    const { delivery, selection } = this
    const onChanged = (operation: OperationView) => this.#following.changed(operation)
    this.#client = client
    this.forms = new ImportForms(client, delivery)
    this.many = new ImportMany(client)
    this.blind = new BlindImport(client, () => delivery.onlyPackage)
    this.finding = new Finding({
      client,
      delivery,
      blind: this.blind,
      put: (cases) => this.#put(cases),
      show: (found) => this.#showFound(found),
    })
    this.counting = new Counting({
      client,
      panes: this.panes,
      subject: () => ({
        deliveryId: delivery.head?.id ?? null,
        isReading: delivery.rows.some(({ isReading, view }) => isReading && !view),
      }),
    })
    this.undoing = new Undoing(client, onChanged)
    this.steps = new DeliverySteps({ client, delivery, reload: () => this.load(), onChanged })
    this.importing = new Importing({
      client,
      delivery,
      blind: this.blind,
      forms: this.forms,
      many: this.many,
      selection,
      chosen: this.#chosen,
      lead: ({ caseId }) => {
        this.blind.isShown = false
        this.panes.isCountOpen = false
        selection.show(caseId)
      },
      reload: () => this.load(),
      onChanged,
    })
    this.#following = createFollowing({
      client,
      delivery,
      forms: this.forms,
      many: this.many,
      steps: this.steps,
      batch: createBatch(schedule),
      put: (cases) => this.#put(cases),
      took: (rows) => this.#took(rows),
      reload: () => this.load(),
    })
  }

  /** Shows the delivery that main keeps: at the start, and after main was away. The newest answer counts. */
  async load(): Promise<void> {
    const load = ++this.#loads
    const { added } = this.finding
    const answer = await this.#client.call('receiving.delivery', undefined)
    if (!answer.ok || load !== this.#loads) return
    // What a scan has added meanwhile may not be in it yet.
    if (added !== this.finding.added) return this.load()
    this.delivery.show(answer.value)
    this.#took(this.delivery.rows)
  }

  /** Asks again about everything in the delivery, without clearing the screen. */
  async refresh(): Promise<void> {
    if (this.delivery.head) await this.#client.call('receiving.refresh', undefined)
  }

  /** The rows have something new: what is remembered of their products is asked for. */
  #took(rows: CaseRow[]): void {
    this.selection.settle()
    void this.forms.need(rows)
  }

  #put(cases: DeliveryCase[]): void {
    this.delivery.put(cases)
    this.#took(cases.flatMap(({ caseId }) => this.delivery.row(caseId) ?? []))
  }

  #forget(): void {
    this.forms.forget()
    this.#chosen.forget()
  }

  add(target: Target): ReturnType<Finding['add']> {
    return this.finding.add(target)
  }

  #showFound(found: Found): void {
    const id = found.kind === 'case' ? found.case.caseId : found.cases[0]?.caseId
    this.blind.isShown = false
    this.panes.isHistoryOpen = false
    if (id !== undefined) this.selection.show(id)
  }

  readonly casesRead = (read: EventPayload<'receiving.cases'>) => this.#following.casesRead(read)
  readonly operationChanged = (operation: OperationView) => this.#following.operationChanged(operation)

  #formOf(row: CaseRow, product: PackagedProductView): ImportFormState {
    return this.forms.of(row, product)
  }

  select(id: RowId): void {
    this.blind.isShown = false
    this.selection.select(id)
  }

  /** Which of several products of the selected case is looked at. */
  choose(packagedProductId: ShortUuid): void {
    if (this.selected) this.#chosen.choose(this.selected, packagedProductId)
  }

  /** What Ctrl+Enter does: saves the blind import in front, imports what is ready, leads to what is missing, or finishes. */
  async primary(): Promise<Primary> {
    if (this.isCountShown && !this.panes.isHistoryOpen) return this.counting.primary()
    if (this.blind.current) return this.importing.blind()
    if (this.panes.isHistoryOpen || !this.delivery.head) return nothing
    // Ctrl+Enter comes from inside a field as well, which is not left then.
    if (this.form && this.product) void this.forms.usePackage(this.form, this.product)
    const primary = await this.importing.all(this.plan)
    if (primary?.kind === 'importing') this.steps.undone = null
    if (primary) return primary
    if (this.many.isRunning) return nothing
    this.panes.dialog = 'finish'
    return { kind: 'finishing' }
  }

  /** Imports the chosen product of the selected case. True when it was saved, whatever the service says to it. */
  async import(): Promise<boolean> {
    const { selected: row, product, form } = this
    if (!row || !product || !form || !isImportable(product.importState)) return false
    return (await this.importing.one({ row, product, form })).kind === 'saved'
  }
}
