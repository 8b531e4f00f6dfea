import { SvelteMap } from 'svelte/reactivity'
import type { AppError } from '../../src-shared/errors'
import type { CaseId, ShortUuid } from '../../src-shared/ids'
import type { Client } from '../../src-shared/ipc/client'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import type {
  CaseView,
  ImportState,
  Knowledge,
  PackageView,
  PackagedProductView,
} from '../../src-shared/ipc/receiving-view'
import { type Result, assertNever } from '../../src-shared/result'
import type { ImportFormState } from './import-form.svelte'
import { ImportForms } from './import-forms'
import { firstProduct, isImportable, operationOf, stateAfter } from './import-state'

/** What a scan or an entry asks to see. */
export type Target = { kind: 'package'; packageUid: string } | { kind: 'case'; identifier: string }

/** What the list is of: the cases of one package, or the cases that were scanned one by one. */
export type Subject = { kind: 'package'; packageUid: string; knowledge: Knowledge } | { kind: 'cases' }

export interface CaseRow {
  caseId: CaseId
  importState: ImportState
  view: CaseView | null
  error: AppError | null
}

/** What a look-up found, for whoever announces it. */
export type Found = { kind: 'package'; view: PackageView } | { kind: 'case'; row: CaseRow }

/** Receiving: a package or single cases, the selected case, and the form of each packaged product. */
export class Receiving {
  subject = $state.raw<Subject | null>(null)
  rows = $state.raw<CaseRow[]>([])
  selectedId = $state<CaseId | null>(null)
  /** The look-up under way; null when there is none. */
  loading = $state.raw<Target | null>(null)
  failure = $state.raw<{ target: Target; error: AppError } | null>(null)
  /** What the last undo was refused with, beside its case. */
  undoError = $state.raw<{ caseId: CaseId; error: AppError } | null>(null)

  selected = $derived(this.rows.find(({ caseId }) => caseId === this.selectedId) ?? null)
  product = $derived.by(() => (this.selected?.view ? this.#chosenProduct(this.selected.view) : null))
  form = $derived.by(() => (this.selected && this.product ? this.#formOf(this.selected, this.product) : null))

  readonly #client: Client
  readonly #forms = new ImportForms()
  readonly #chosen = new SvelteMap<CaseId, ShortUuid>()
  #lookUps = 0

  constructor(client: Client) {
    this.#client = client
  }

  /**
   * Looks a package or a case up and shows it. A newer look-up overtakes a slower older one, which then shows nothing.
   * What was on screen stays until the answer is there, and also when there is none.
   */
  async open(target: Target): Promise<Result<Found, AppError>> {
    const lookUp = ++this.#lookUps
    this.loading = target
    this.failure = null
    const found = target.kind === 'package' ? await this.#askPackage(target) : await this.#askCase(target)
    if (lookUp !== this.#lookUps) return found
    this.loading = null
    if (found.ok) this.#show(found.value)
    else this.failure = { target, error: found.error }
    return found
  }

  async #askPackage({ packageUid }: { packageUid: string }): Promise<Result<Found, AppError>> {
    const answer = await this.#client.call('receiving.package', { packageUid })
    return answer.ok ? { ok: true, value: { kind: 'package', view: answer.value } } : answer
  }

  async #askCase({ identifier }: { identifier: string }): Promise<Result<Found, AppError>> {
    const answer = await this.#client.call('receiving.case', { identifier })
    return answer.ok ? { ok: true, value: { kind: 'case', row: rowOf(answer.value) } } : answer
  }

  #show(found: Found): void {
    switch (found.kind) {
      case 'package': {
        const { packageUid, knowledge, cases } = found.view
        this.subject = { kind: 'package', packageUid, knowledge }
        this.rows = cases.map(({ case: view, ...row }) => ({ ...row, view }))
        const stays = this.rows.some(({ caseId }) => caseId === this.selectedId)
        if (!stays) this.selectedId = this.rows[0]?.caseId ?? null
        return
      }
      case 'case': {
        const isListed = this.rows.some(({ caseId }) => caseId === found.row.caseId)
        if (isListed) this.#replace(found.row)
        else {
          this.rows = this.subject?.kind === 'cases' ? [found.row, ...this.rows] : [found.row]
          this.subject = { kind: 'cases' }
        }
        this.selectedId = found.row.caseId
        return
      }
      default:
        assertNever(found)
    }
  }

  /** Asks again what is on screen, without clearing it: after a reconnect, or when a person wants to know. */
  async refresh(): Promise<void> {
    if (this.subject?.kind === 'package') {
      await this.open({ kind: 'package', packageUid: this.subject.packageUid })
    } else {
      await Promise.all(this.rows.map((row) => this.#refreshCase(row.caseId)))
    }
  }

  async #refreshCase(caseId: CaseId): Promise<void> {
    const answer = await this.#client.call('receiving.case', { identifier: caseId })
    if (answer.ok && this.rows.some((row) => row.caseId === caseId)) this.#replace(rowOf(answer.value))
  }

  #replace(row: CaseRow): void {
    this.rows = this.rows.map((old) => (old.caseId === row.caseId ? row : old))
  }

  select(caseId: CaseId): void {
    this.selectedId = caseId
  }

  choose(packagedProductId: ShortUuid): void {
    if (this.selectedId !== null) this.#chosen.set(this.selectedId, packagedProductId)
  }

  #chosenProduct(view: CaseView): PackagedProductView | null {
    const chosen = this.#chosen.get(view.caseId)
    return (
      view.packagedProducts.find(({ packagedProductId }) => packagedProductId === chosen) ?? firstProduct(view) ?? null
    )
  }

  #formOf(row: CaseRow, product: PackagedProductView): ImportFormState {
    return this.#forms.of(row, product, this.subject?.kind === 'package' ? this.subject.packageUid : null)
  }

  /** Imports the chosen product of the selected case. True when it was saved, whatever the service says to it. */
  async import(): Promise<boolean> {
    const { selected, product, form } = this
    if (!selected || !product || !form || form.isBusy || !isImportable(product.importState)) return false
    if (!form.check()) return false
    const { caseId } = selected
    form.isBusy = true
    const answer = await this.#client.call('receiving.import', {
      caseId,
      packagedProductId: product.packagedProductId,
      packageUid: form.packageUid,
      posProductId: form.posProductId,
      posInventoryId: form.posInventoryId,
      ...(form.sku.trim() === '' ? {} : { sku: form.sku }),
    })
    form.isBusy = false
    if (!answer.ok) {
      form.refuse(answer.error)
      form.refusals++
      return false
    }
    this.#patch(caseId, product.packagedProductId, answer.value)
    if (answer.value.state === 'rejected' && answer.value.reason) form.refuse(answer.value.reason)
    return true
  }

  /** Takes an import back: unsent it is withdrawn, otherwise its removal is queued. */
  async undo(row: CaseRow, product: PackagedProductView): Promise<void> {
    const operation = operationOf(product.importState)
    if (!operation) return
    this.undoError = null
    const answer = await this.#client.call('receiving.undo', { operationId: operation.id })
    if (answer.ok) this.#patch(row.caseId, product.packagedProductId, answer.value)
    else this.undoError = { caseId: row.caseId, error: answer.error }
  }

  /** An operation got further, perhaps without anybody at this screen having done anything. */
  operationChanged(operation: OperationView): void {
    const row = this.rows.find(({ caseId }) => caseId === operation.caseId)
    if (!row || (operation.kind !== 'import' && operation.kind !== 'import-removal')) return
    const product = row.view?.packagedProducts.find(({ importState }) => operationOf(importState)?.id === operation.id)
    if (!product) return void this.#refreshCase(row.caseId)
    this.#patch(row.caseId, product.packagedProductId, operation)
    if (operation.state === 'rejected' && operation.reason) this.#formOf(row, product).refuse(operation.reason)
  }

  #patch(caseId: CaseId, packagedProductId: ShortUuid, operation: OperationView): void {
    const row = this.rows.find((candidate) => candidate.caseId === caseId)
    if (!row?.view) return
    const packagedProducts = row.view.packagedProducts.map((product) =>
      product.packagedProductId === packagedProductId
        ? { ...product, importState: stateAfter(operation, product.importState) }
        : product,
    )
    this.#replace(rowOf({ ...row.view, packagedProducts }))
  }
}

function rowOf(view: CaseView): CaseRow {
  const importState = view.packagedProducts[0]?.importState ?? { kind: 'unknown' }
  return { caseId: view.caseId, importState, view, error: null }
}
