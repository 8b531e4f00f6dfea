import type { AppError } from '../../src-shared/errors'
import type { Client } from '../../src-shared/ipc/client'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import type { Outcome } from '../scan/strip.svelte'
import type { BlindImport } from './blind-import.svelte'
import type { CaseRow } from './case-row.svelte'
import type { ChosenProducts } from './chosen-products'
import type { Delivery } from './delivery.svelte'
import type { ImportForms } from './import-forms'
import type { ImportMany } from './import-many.svelte'
import { type Importable, type ImportPlan, requestOf } from './import-plan'
import { isImportable } from './import-state'
import type { Selection } from './selection.svelte'

/** What the primary action came to. */
export type Primary =
  | { kind: 'importing'; count: number }
  | { kind: 'saved'; operation: OperationView }
  | { kind: 'refused'; error: AppError | null }
  | { kind: 'incomplete'; count: number }
  | { kind: 'finishing' }
  /** It says itself what became of it. */
  | { kind: 'told'; outcome: Outcome }
  | { kind: 'nothing' }

export const nothing: Primary = { kind: 'nothing' }
const saving: Primary = { kind: 'told', outcome: { tone: 'attention', what: { key: 'receiving.saving' } } }

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
  /** Shows what main keeps now. */
  reload: () => Promise<void>
  onChanged: (operation: OperationView) => void
}

/** Imports what is ready, one case with its answer, many with their progress. */
export class Importing {
  readonly #parts: ImportingParts

  constructor(parts: ImportingParts) {
    this.#parts = parts
  }

  /** Imports what is ready, or leads to what is missing; null when nothing is open. */
  async all(plan: ImportPlan): Promise<Primary | null> {
    const { ready, imports, incomplete, isBusy } = plan
    if (this.#parts.many.isSaving) return saving
    const [first, ...others] = imports
    if (first && others.length === 0) return this.one(first)
    if (first) return this.#several(imports) ? { kind: 'importing', count: ready.length } : saving
    if (isBusy) return saving
    if (incomplete.length === 0) return null
    this.toIncomplete(plan)
    return { kind: 'incomplete', count: incomplete.length }
  }

  /** Saved is an import whatever the service says to it. */
  async one(importable: Importable): Promise<Primary> {
    const { row, product, form } = importable
    const { client, forms, selection, onChanged } = this.#parts
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
    onChanged(answer.value)
    return { kind: 'saved', operation: answer.value }
  }

  /** True when it has begun; how far it is shows in `many`. */
  #several(imports: Importable[]): boolean {
    const { many, selection, onChanged } = this.#parts
    const begun = many.start(imports, onChanged, ({ form }, error) => form.refuse(error))
    if (!begun) return false
    for (const { row } of imports) selection.ticked.delete(row.caseId)
    return true
  }

  /** Saves the import of the unseen case in front. */
  async blind(): Promise<Primary> {
    const { blind, reload } = this.#parts
    const operation = await blind.save()
    if (!operation) return { kind: 'refused', error: blind.current?.form.placed.rest ?? null }
    await reload()
    return { kind: 'saved', operation }
  }

  /** Leads to the first case of which something is missing, and says what. */
  toIncomplete({ incomplete: [row] }: ImportPlan): void {
    const { forms, chosen, lead } = this.#parts
    const open = row?.view?.packagedProducts.find(
      (product) => isImportable(product.importState) && !forms.of(row, product).isComplete,
    )
    if (!row || !open) return
    lead(row)
    chosen.choose(row, open.packagedProductId)
    forms.of(row, open).check()
  }

  /** Leads to the next of the cases that the last import of many was refused for. */
  toRefused(): void {
    const { many, selection, delivery, lead } = this.#parts
    const at = many.refusedCases.findIndex((caseId) => caseId === selection.id)
    const next = many.refusedCases[(at + 1) % many.refusedCases.length]
    const row = next && delivery.row(next)
    if (row) lead(row)
  }
}
