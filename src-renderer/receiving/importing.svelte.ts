import type { AppError } from '../../src-shared/errors'
import type { CaseId, OperationId, ShortUuid } from '../../src-shared/ids'
import type { Client } from '../../src-shared/ipc/client'
import type { CallInput } from '../../src-shared/ipc/contract'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import type { ImportState, PackagedProductView } from '../../src-shared/ipc/contract/receiving'
import type { ScanOutcome } from '../scan/strip.svelte'
import type { BlindImport } from './blind-import.svelte'
import type { CaseRow, Delivery } from './delivery.svelte'
import type { ImportFormState } from './import-form.svelte'
import type { ImportForms } from './import-forms'
import type { ChosenProducts, Selection } from './selection.svelte'

/** A packaged product of a case that can be imported, and what is entered for it. */
interface Importable {
  row: CaseRow
  product: PackagedProductView
  form: ImportFormState
}

/** What the primary action does with the ticked cases, or with all cases if none is ticked. */
interface ImportPlan {
  isTicked: boolean
  /** An import of one of them is being saved. */
  isBusy: boolean
  /** Cases for which everything is entered, and their products. */
  ready: CaseRow[]
  imports: Importable[]
  /** Cases whose ids or package are missing; `lacksPackage`: the package of at least one of them. */
  incomplete: CaseRow[]
  lacksPackage: boolean
  /** Ticked cases that are imported, on their way, or not read yet. */
  skipped: CaseRow[]
  /** Cases with a failed or expired certificate: imported only if they are ticked. */
  leftOut: CaseRow[]
}

/** Sorts the cases by what is still missing. What main holds back is imported only if its case is ticked. */
export function planOf(
  rows: CaseRow[],
  ticked: ReadonlySet<CaseId>,
  formOf: (row: CaseRow, product: PackagedProductView) => ImportFormState,
): ImportPlan {
  const isTicked = ticked.size > 0
  const plan: ImportPlan = {
    isTicked,
    isBusy: false,
    ready: [],
    imports: [],
    incomplete: [],
    lacksPackage: false,
    skipped: [],
    leftOut: [],
  }
  for (const row of rows) {
    if (isTicked && !ticked.has(row.caseId)) continue
    const open = (row.view?.packagedProducts ?? [])
      .filter(({ canImport, heldBack }) => canImport && (isTicked || heldBack !== 'refused'))
      .map((product) => ({ row, product, form: formOf(row, product) }))
    if (open.some(({ form }) => form.isBusy)) plan.isBusy = true
    else if (open.length === 0) {
      if (isTicked) plan.skipped.push(row)
    } else if (!isTicked && open.some(({ product }) => product.heldBack === 'coa')) plan.leftOut.push(row)
    else if (open.every(({ form }) => form.isComplete)) {
      plan.ready.push(row)
      plan.imports.push(...open)
    } else {
      plan.incomplete.push(row)
      plan.lacksPackage ||= open.some(({ form }) => form.packageUid.trim() === '')
    }
  }
  return plan
}

/** As the contract wants it. */
const requestOf = ({ row, product, form }: Importable): CallInput<'receiving.import'> => ({
  caseId: row.caseId,
  packagedProductId: product.packagedProductId,
  ...form.values,
})

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

interface ImportingParts {
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

type Outcome = 'waiting' | 'imported' | 'refused' | 'withdrawn'

/** An import of a bulk import that main saved. */
interface Followed {
  operationId: OperationId
  caseId: CaseId
  packagedProductId: ShortUuid
  outcome: Outcome
}

/** An import of many cases at once: saved together, then followed by what main tells of the cases. */
export class ImportMany {
  /** How many imports were asked for. */
  total = $state(0)
  /** Why main did not save some of them. */
  error = $state.raw<AppError | null>(null)
  isSaving = $state(false)
  #followed = $state.raw<Followed[]>([])
  /** The cases of imports that were not saved. */
  #unsaved = $state.raw<CaseId[]>([])

  imported = $derived(this.#count('imported'))
  refused = $derived(this.#count('refused') + this.#unsaved.length)
  withdrawn = $derived(this.#count('withdrawn'))
  refusedCases = $derived([
    ...this.#unsaved,
    ...this.#followed.flatMap(({ outcome, caseId }) => (outcome === 'refused' ? caseId : [])),
  ])
  isShown = $derived(this.total > 0)
  settled = $derived(this.imported + this.refused + this.withdrawn)
  isRunning = $derived(this.isShown && (this.isSaving || this.settled < this.total))

  readonly #client: Client
  readonly #delivery: Delivery

  constructor(client: Client, delivery: Delivery) {
    this.#client = client
    this.#delivery = delivery
  }

  #count(wanted: Outcome): number {
    return this.#followed.filter(({ outcome }) => outcome === wanted).length
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
      const { saved, refused } = answer.value
      this.#followed = [...this.#followed, ...saved.flatMap((one) => this.#followedOf(one))]
      for (const { caseId, packagedProductId, error } of refused) {
        const one = part.find(
          ({ row, product }) => row.caseId === caseId && product.packagedProductId === packagedProductId,
        )
        if (one) this.#refuse(one, error)
      }
    }
    this.isSaving = false
  }

  #followedOf({ id, caseId, packagedProductId, state }: OperationView): Followed[] {
    if (caseId === null || packagedProductId === null) return []
    const outcome = state === 'accepted' ? 'imported' : 'waiting'
    const one: Followed = { operationId: id, caseId, packagedProductId, outcome }
    // What became of it may have arrived before this answer.
    const importState = this.#stateOf(one)
    return [importState && operationIn(importState)?.id === id ? { ...one, outcome: outcomeOf(one, importState) } : one]
  }

  #stateOf({ caseId, packagedProductId }: Followed): ImportState | undefined {
    const products = this.#delivery.row(caseId)?.view?.packagedProducts ?? []
    return products.find((one) => one.packagedProductId === packagedProductId)?.importState
  }

  #refuse({ row, form }: Importable, error: AppError): void {
    this.#unsaved = [...this.#unsaved, row.caseId]
    form.refuse(error)
  }

  /** The delivery changed. An unsettled import whose case was taken off the list no longer counts. */
  follow(): void {
    if (this.#followed.length === 0) return
    const listed = this.#followed.filter(({ outcome, caseId }) => outcome !== 'waiting' || this.#delivery.row(caseId))
    this.total -= this.#followed.length - listed.length
    this.#followed = listed.map((one) => {
      const importState = this.#stateOf(one)
      return importState ? { ...one, outcome: outcomeOf(one, importState) } : one
    })
  }

  /** Closes the result. */
  clear(): void {
    this.total = 0
    this.error = null
    this.#followed = []
    this.#unsaved = []
  }
}

const operationIn = (state: ImportState) => ('operation' in state ? state.operation : null)

/** What became of an import, judging by the state of its product. */
function outcomeOf({ operationId, outcome }: Followed, importState: ImportState): Outcome {
  const operation = operationIn(importState)
  if (operation?.id === operationId) {
    if (importState.kind === 'pending') return 'waiting'
    return importState.kind === 'refused' ? 'refused' : 'imported'
  }
  // The state is no longer that of the import: it was settled before, or it is settled by now.
  if (outcome === 'imported' || outcome === 'withdrawn') return outcome
  return importState.kind === 'to-import' || operation?.kind === 'import' ? 'withdrawn' : 'imported'
}
