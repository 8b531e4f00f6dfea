import { SvelteMap } from 'svelte/reactivity'
import type { AppError } from '../../src-shared/errors'
import type { CaseId, OperationId } from '../../src-shared/ids'
import type { Client } from '../../src-shared/ipc/client'
import type { OperationState, OperationView } from '../../src-shared/ipc/contract/outbox'
import type { ScanOutcome } from '../scan/strip.svelte'
import type { BlindImport } from './blind-import.svelte'
import type { CaseRow, Delivery } from './delivery.svelte'
import type { ImportForms } from './import-forms'
import { type Importable, type ImportPlan, requestOf } from './import-plan'
import type { ChosenProducts, Selection } from './selection.svelte'

/** What the primary action came to. */
export type Primary =
  | { kind: 'importing'; count: number }
  | { kind: 'saved'; operation: OperationView }
  | { kind: 'refused'; error: AppError | null }
  | { kind: 'incomplete'; count: number }
  | { kind: 'finishing' }
  /** It says itself what became of it. */
  | { kind: 'told'; outcome: ScanOutcome }
  | { kind: 'nothing' }

export const nothing: Primary = { kind: 'nothing' }
const saving: Primary = { kind: 'told', outcome: { tone: 'attention', what: { key: 'action.saving' } } }

export interface ImportingParts {
  client: Client
  delivery: Delivery
  blind: BlindImport
  forms: ImportForms
  many: ImportMany
  selection: Selection
  chosen: ChosenProducts
  /** Brings a case into sight. */
  lead: (row: CaseRow) => void
}

/** Imports what is ready: one case with its answer, many with their progress. */
export class Importing {
  readonly #parts: ImportingParts

  constructor(parts: ImportingParts) {
    this.#parts = parts
  }

  /** Imports what is ready, or leads to what is missing; null if nothing is open. */
  async all(plan: ImportPlan): Promise<Primary | null> {
    const { many, selection } = this.#parts
    const { ready, imports, incomplete, isBusy } = plan
    if (many.isSaving) return saving
    const [first, ...others] = imports
    if (first && others.length === 0) return this.one(first)
    if (first) {
      void many.save(imports)
      for (const { row } of imports) selection.ticked.delete(row.caseId)
      return { kind: 'importing', count: ready.length }
    }
    if (isBusy) return saving
    if (incomplete.length === 0) return null
    this.toIncomplete(plan)
    return { kind: 'incomplete', count: incomplete.length }
  }

  /** An import counts as saved whatever the service answers to it. */
  async one(importable: Importable): Promise<Primary> {
    const { row, product, form } = importable
    const { client, forms, selection } = this.#parts
    if (form.isBusy) return saving
    void forms.usePackage(form, product)
    if (!form.check()) return { kind: 'incomplete', count: 1 }
    form.isBusy = true
    const answer = await client.call('receiving.import', requestOf(importable))
    form.isBusy = false
    if (!answer.ok) {
      form.refuse(answer.error)
      form.wantsFocus = true
      return { kind: 'refused', error: answer.error }
    }
    selection.ticked.delete(row.caseId)
    return { kind: 'saved', operation: answer.value }
  }

  /** Saves the import of the unseen case in front. */
  async blind(): Promise<Primary> {
    const { blind } = this.#parts
    const operation = await blind.save()
    if (!operation) return { kind: 'refused', error: blind.current?.form.placed.rest ?? null }
    return { kind: 'saved', operation }
  }

  /** Leads to the first case of which something is missing, and marks what. */
  toIncomplete({ incomplete: [row] }: ImportPlan): void {
    const { forms, chosen, lead } = this.#parts
    const open = row?.view?.packagedProducts.find((product) => product.canImport && !forms.of(row, product).isComplete)
    if (!row || !open) return
    lead(row)
    chosen.choose(row, open.packagedProductId)
    forms.of(row, open).check()
  }

  /** Leads to the next case that was refused in the last import of many. */
  toRefused(): void {
    const { many, selection, delivery, lead } = this.#parts
    const at = many.refusedCases.findIndex((caseId) => caseId === selection.id)
    const next = many.refusedCases[(at + 1) % many.refusedCases.length]
    const row = next && delivery.row(next)
    if (row) lead(row)
  }
}

/** Imports saved in one call: few enough that the progress is seen to move. */
const mostAtOnce = 100

/** The counter of an import in this state; none while it is on its way. */
const counters: Partial<Record<OperationState, 'imported' | 'refused' | 'withdrawn'>> = {
  accepted: 'imported',
  rejected: 'refused',
  cancelled: 'withdrawn',
}

/** Imports many cases and counts what becomes of them; the result stays until it is closed. */
export class ImportMany {
  total = $state(0)
  isSaving = $state(false)
  /** Why nothing more could be saved. */
  error = $state.raw<AppError | null>(null)
  imported = $state(0)
  refused = $state(0)
  withdrawn = $state(0)
  refusedCases = $state.raw<CaseId[]>([])
  isShown = $derived(this.total > 0)
  settled = $derived(this.imported + this.refused + this.withdrawn)
  isRunning = $derived(this.isShown && (this.isSaving || this.settled < this.total))

  readonly #client: Client
  /** The newest state of each saved import. */
  readonly #states = new SvelteMap<OperationId, OperationState>()
  /** Events about imports that the call under way may be about. */
  readonly #early = new SvelteMap<OperationId, OperationView>()

  constructor(client: Client) {
    this.#client = client
  }

  /** Saves them all, part by part. Does nothing while others are being saved. */
  async save(imports: Importable[]): Promise<void> {
    if (this.isSaving) return
    this.clear()
    this.total = imports.length
    this.isSaving = true
    for (let start = 0; start < imports.length; start += mostAtOnce) {
      const part = imports.slice(start, start + mostAtOnce)
      const answer = await this.#client.call('receiving.importMany', { imports: part.map(requestOf) })
      if (!answer.ok) {
        this.error = answer.error
        for (const one of part) this.#refuse(one, answer.error)
        continue
      }
      for (const operation of answer.value.saved) {
        this.#states.set(operation.id, 'queued')
        this.note(this.#early.get(operation.id) ?? operation)
      }
      for (const { caseId, packagedProductId, error } of answer.value.refused) {
        const one = part.find(
          ({ row, product }) => row.caseId === caseId && product.packagedProductId === packagedProductId,
        )
        if (one) this.#refuse(one, error)
      }
    }
    this.#early.clear()
    this.isSaving = false
  }

  #refuse({ row, form }: Importable, error: AppError): void {
    this.refused++
    this.refusedCases = [...this.refusedCases, row.caseId]
    form.refuse(error)
  }

  /** An operation got further. Hundreds do in a row, so each is counted without looking at the others. */
  note(operation: OperationView): void {
    const { id, state, caseId } = operation
    const before = this.#states.get(id)
    if (before === undefined) {
      if (this.isSaving && operation.kind === 'import') this.#early.set(id, operation)
      return
    }
    if (state === before) return
    this.#states.set(id, state)
    this.#count(before, -1)
    this.#count(state, 1)
    if (state === 'rejected' && caseId !== null) this.refusedCases = [...this.refusedCases, caseId]
    else if (before === 'rejected') this.refusedCases = this.refusedCases.filter((one) => one !== caseId)
  }

  #count(state: OperationState, by: number): void {
    const counter = counters[state]
    if (counter) this[counter] += by
  }

  /** Closes the result. */
  clear(): void {
    this.total = 0
    this.error = null
    this.imported = 0
    this.refused = 0
    this.withdrawn = 0
    this.refusedCases = []
    this.#states.clear()
    this.#early.clear()
  }
}
