import type { AppError } from '../../src-shared/errors'
import type { Client } from '../../src-shared/ipc/client'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import type { PackagedProductView } from '../../src-shared/ipc/contract/receiving'
import type { ScanOutcome } from '../scan/strip.svelte'
import type { BlindImport } from './blind-import.svelte'
import type { CaseRow, Delivery, RowId } from './delivery.svelte'
import type { ImportFormState, Missing } from './import-form.svelte'
import type { ImportForms } from './import-forms'
import { type Importable, type ImportMany, requestOf } from './import-many.svelte'
import { explain } from '../text/errors'
import { isLeft } from '../ui/gate.svelte'
import type { ChosenProducts, Selection } from './selection.svelte'

/** What the primary action does: it imports the ticked cases, and no other. */
interface ImportPlan {
  /** How many cases are ticked. */
  ticked: number
  /** An import of one of them is being saved. */
  isBusy: boolean
  /** Ticked cases for which everything is entered, and their products. */
  ready: CaseRow[]
  imports: Importable[]
  /** Cases whose ids or package are missing, ticked ones first; `lacksPackage`: the package of at least one of them. */
  incomplete: CaseRow[]
  lacksPackage: boolean
  /** Other cases that could be imported, and why they aren't. */
  leftOut: LeftOut[]
}

interface LeftOut {
  row: CaseRow
  why: 'coa' | 'refused' | 'undone' | 'not-selected'
}

/** Whether a case needs a person: something of it can be imported, or it could not be read. */
export const needsPerson = ({ view, error }: Pick<CaseRow, 'view' | 'error'>): boolean =>
  view ? view.packagedProducts.some(({ canImport }) => canImport) : error !== null

type FormOf = (row: CaseRow, product: PackagedProductView) => ImportFormState

/**
 * What of a case can be imported, and whether its row is ticked: by a person, or because nothing is missing or against it. What a
 * person took back needs to be changed before.
 */
export function tickOf(
  row: CaseRow,
  selection: Pick<Selection, 'tickOf'>,
  formOf: FormOf,
): { open: Importable[]; isTicked: boolean } {
  const open = (row.view?.packagedProducts ?? [])
    .filter(({ canImport }) => canImport)
    .map((product) => ({ row, product, form: formOf(row, product) }))
  const isReady = open.every(
    ({ product: { heldBack }, form }) =>
      (heldBack === null || (heldBack === 'undone' && form.isChanged)) && form.isComplete,
  )
  return { open, isTicked: open.length > 0 && (selection.tickOf(row.caseId) ?? isReady) }
}

/** Sorts the cases by what is still missing. What main holds back is imported only if a person ticks it. */
export function planOf(rows: CaseRow[], selection: Pick<Selection, 'tickOf'>, formOf: FormOf): ImportPlan {
  const plan: ImportPlan = {
    ticked: 0,
    isBusy: false,
    ready: [],
    imports: [],
    incomplete: [],
    lacksPackage: false,
    leftOut: [],
  }
  let tickedIncomplete = 0
  for (const row of rows) {
    const { open, isTicked } = tickOf(row, selection, formOf)
    const heldBack = open.map(({ product }) => product.heldBack)
    if (isTicked) plan.ticked++
    if (open.some(({ form }) => form.isBusy)) plan.isBusy = true
    else if (isTicked && open.every(({ form }) => form.isComplete)) {
      plan.ready.push(row)
      plan.imports.push(...open)
    } else if (!isTicked && heldBack.includes('refused')) plan.leftOut.push({ row, why: 'refused' })
    else if (!isTicked && heldBack.includes('coa')) plan.leftOut.push({ row, why: 'coa' })
    else if (!isTicked && selection.tickOf(row.caseId) === undefined && heldBack.includes('undone'))
      plan.leftOut.push({ row, why: 'undone' })
    else if (isTicked || (selection.tickOf(row.caseId) === undefined && heldBack.some((one) => one === null))) {
      // A person is led to a case that they ticked first.
      if (isTicked) plan.incomplete.splice(tickedIncomplete++, 0, row)
      else plan.incomplete.push(row)
      plan.lacksPackage ||= open.some(({ form }) => form.packageUid.trim() === '')
    } else if (open.length > 0) plan.leftOut.push({ row, why: 'not-selected' })
  }
  return plan
}

/** What each of some cases still needs, before anything of it can be imported. */
export const missingOf = (rows: CaseRow[], formOf: FormOf): Missing[] =>
  rows.flatMap((row) => {
    const products = (row.view?.packagedProducts ?? []).filter(({ canImport }) => canImport)
    return products.map((product) => formOf(row, product).missing).find((one) => one !== null) ?? []
  })

/** What the primary action came to. `product`: the name of what was imported; null for a case that was never read. */
export type Primary =
  | { kind: 'importing'; count: number }
  | { kind: 'saved'; operation: OperationView; product: string | null }
  | { kind: 'refused'; error: AppError | null }
  /** `product` needs its ids. `left`: the product of the case that was shown before and isn't any more. */
  | { kind: 'incomplete'; product: string; left: string | null }
  | { kind: 'finishing' }
  /** The outcome is shown as it is. */
  | { kind: 'shown'; outcome: ScanOutcome }
  | { kind: 'nothing' }

export const nothing: Primary = { kind: 'nothing' }
const saving: Primary = { kind: 'shown', outcome: { tone: 'attention', what: { key: 'action.saving' } } }

export const finished: Primary = {
  kind: 'shown',
  outcome: { tone: 'good', what: { key: 'delivery.finished' } },
}
export const printing: Primary = {
  kind: 'shown',
  outcome: { tone: 'good', what: { key: 'delivery.finished.print' } },
}

interface ImportingParts {
  client: Client
  delivery: Delivery
  blind: BlindImport
  forms: ImportForms
  many: ImportMany
  selection: Selection
  chosen: ChosenProducts
  plan: () => ImportPlan
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
    const { forms, many, selection } = this.#parts
    const { ready, imports, incomplete, isBusy } = plan
    if (many.isSaving) return saving
    const [first, ...others] = imports
    if (first && others.length === 0) return this.one(first)
    if (first) {
      const shown = selection.id
      void many
        .save(
          imports,
          missingOf(incomplete, (row, product) => forms.of(row, product)),
        )
        .then(() => {
          // Meanwhile a person may have gone elsewhere.
          if (selection.id === shown) this.#toNext()
        })
      for (const { row, form } of imports) {
        selection.untouch(row.caseId)
        form.isChanged = false
      }
      return { kind: 'importing', count: ready.length }
    }
    if (isBusy) return saving
    return incomplete.length === 0 ? null : this.toIncomplete(plan)
  }

  /** An import counts as saved whatever the service answers to it. */
  async one(importable: Importable): Promise<Primary> {
    const { row, product, form } = importable
    const { client, forms, many, selection } = this.#parts
    if (form.isBusy) return saving
    void forms.usePackage(form, product)
    if (!form.check()) return { kind: 'incomplete', product: product.productName, left: null }
    form.isBusy = true
    const answer = await client.call('receiving.import', requestOf(importable))
    form.isBusy = false
    if (!answer.ok && isLeft(answer.error))
      return { kind: 'shown', outcome: { tone: 'attention', what: explain(answer.error).what } }
    if (!answer.ok) {
      form.refuse(answer.error)
      form.wantsFocus = true
      return { kind: 'refused', error: answer.error }
    }
    selection.untouch(row.caseId)
    form.isChanged = false
    many.another(importable, answer.value)
    this.#toNext()
    return { kind: 'saved', operation: answer.value, product: product.productName }
  }

  /** After an import: stays with a case that needs more, otherwise goes to the one that the button names, or the next that needs a person. */
  #toNext(): void {
    const { delivery, selection, chosen } = this.#parts
    const rowOf = (id: RowId) => delivery.row(id)
    const shown = selection.id === null ? undefined : rowOf(selection.id)
    if (shown && needsPerson(shown)) {
      const open = shown.view?.packagedProducts.find(({ canImport }) => canImport)
      if (open && chosen.of(shown)?.canImport === false) chosen.choose(shown, open.packagedProductId)
      return
    }
    const named = this.named(this.#parts.plan())
    const next = selection.next((id) => {
      const row = rowOf(id)
      return row !== undefined && needsPerson(row)
    })
    if (named) selection.show(named.caseId)
    else if (next !== undefined) selection.show(next)
  }

  /** Saves the import of the unseen case in front. */
  async blind(): Promise<Primary> {
    const { blind, many } = this.#parts
    const operation = await blind.save()
    if (!operation) return { kind: 'refused', error: blind.current?.form.placed.rest ?? null }
    many.anotherBlind()
    return { kind: 'saved', operation, product: null }
  }

  /** The case that the primary action names, and the pane shows after an import: null if it names none. */
  named(plan: ImportPlan): CaseRow | null {
    const [only, ...others] = plan.ready
    if (only) return others.length === 0 ? only : null
    return this.nextIncomplete(plan)?.row ?? null
  }

  /** The product to which `toIncomplete` leads: of the case in view, of one that a person ticked, or of the next one down. */
  nextIncomplete({ incomplete }: ImportPlan): Importable | null {
    const { forms, selection } = this.#parts
    const [first] = incomplete
    const ticked = first && selection.tickOf(first.caseId) === true ? first : undefined
    const inView = incomplete.find(({ caseId }) => caseId === selection.id)
    const nextId = selection.next((id) => incomplete.some(({ caseId }) => caseId === id))
    const row = inView ?? ticked ?? incomplete.find(({ caseId }) => caseId === nextId)
    const product = row?.view?.packagedProducts.find((one) => one.canImport && !forms.of(row, one).isComplete)
    return row && product ? { row, product, form: forms.of(row, product) } : null
  }

  /** Leads to a case of which something is missing, and marks what. */
  toIncomplete(plan: ImportPlan): Primary {
    const { delivery, selection, chosen, lead } = this.#parts
    const next = this.nextIncomplete(plan)
    if (!next) return nothing
    const { row, product, form } = next
    const shown = selection.id !== null && selection.id !== row.caseId ? delivery.row(selection.id) : undefined
    const left = shown ? (chosen.of(shown)?.productName ?? shown.caseId) : null
    lead(row)
    chosen.choose(row, product.packagedProductId)
    form.check()
    return { kind: 'incomplete', product: product.productName, left }
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
