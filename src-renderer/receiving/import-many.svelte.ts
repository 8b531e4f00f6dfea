import { SvelteMap } from 'svelte/reactivity'
import type { AppError } from '../../src-shared/errors'
import type { CaseId, OperationId } from '../../src-shared/ids'
import type { CallInput, CallOutput } from '../../src-shared/ipc/contract'
import type { Client } from '../../src-shared/ipc/client'
import type { OperationState, OperationView } from '../../src-shared/ipc/contract/outbox'
import type { PackagedProductView } from '../../src-shared/ipc/contract/receiving'
import type { Result } from '../../src-shared/result'
import type { CaseRow, Delivery } from './delivery.svelte'
import { isLeft } from '../ui/gate.svelte'
import type { ImportFormState, Missing } from './import-form.svelte'

/** A packaged product of a case that can be imported, and what is entered for it. */
export interface Importable {
  row: CaseRow
  product: PackagedProductView
  form: ImportFormState
}

/** As the contract wants it. */
export const requestOf = ({ row, product, form }: Importable): CallInput<'receiving.import'> => ({
  caseId: row.caseId,
  packagedProductId: product.packagedProductId,
  ...form.values,
})

/** Imports saved in one call: as many as main takes, because a person is asked about the imports of a call at once. */
const mostAtOnce = 500

type Outcome = 'waiting' | 'imported' | 'refused' | 'withdrawn'

const outcomes: Record<OperationState, Outcome> = {
  queued: 'waiting',
  sending: 'waiting',
  unknown: 'waiting',
  accepted: 'imported',
  rejected: 'refused',
  cancelled: 'withdrawn',
}

/** One import of a bulk import. */
interface ManyImport {
  caseId: CaseId
  outcome: Outcome
  /** The operation that main saved; null until that is known. */
  operationId: OperationId | null
  /** Main refused to save it. */
  isUnsaved: boolean
}

type OutcomeCounts = Readonly<Record<Outcome, number>>
const noneYet: OutcomeCounts = { waiting: 0, imported: 0, refused: 0, withdrawn: 0 }

/** A case of several products is one case: what needs waiting for, or a person, comes first. */
const gravest = ['waiting', 'refused', 'imported', 'withdrawn'] as const

/** The cases of some imports by what became of them, as the button counted them. */
export function countedByCase(imports: Iterable<Pick<ManyImport, 'caseId' | 'outcome'>>): OutcomeCounts {
  const counts = { ...noneYet }
  for (const ofCase of Map.groupBy(imports, ({ caseId }) => caseId).values()) {
    const outcome = gravest.find((one) => ofCase.some((it) => it.outcome === one))
    if (outcome) counts[outcome]++
  }
  return counts
}

/** An import of many cases at once: saved together, then followed by what main says of each operation. */
export class ImportMany {
  /** Why main did not save some of them. */
  error = $state.raw<AppError | null>(null)
  isSaving = $state(false)
  /** What is missing of each case that was left out. */
  leftOut = $state.raw<Missing[]>([])
  /** Counts of cases as shown: after the last change of the delivery, so that hundreds of events redraw the progress a few times. */
  #counts = $state.raw(noneYet)
  /** By case and packaged product. */
  #imports = new SvelteMap<string, ManyImport>()

  imported = $derived(this.#counts.imported)
  refused = $derived(this.#counts.refused)
  withdrawn = $derived(this.#counts.withdrawn)
  settled = $derived(this.imported + this.refused + this.withdrawn)
  /** How many cases were asked for. */
  total = $derived(this.#counts.waiting + this.settled)
  isShown = $derived(this.total > 0)
  isRunning = $derived(this.isShown && (this.isSaving || this.settled < this.total))

  readonly #client: Client
  readonly #delivery: Delivery

  constructor(client: Client, delivery: Delivery) {
    this.#client = client
    this.#delivery = delivery
  }

  get refusedCases(): CaseId[] {
    return [...this.#imports.values()].flatMap(({ outcome, caseId }) => (outcome === 'refused' ? caseId : []))
  }

  /** Saves them all, in one call unless they are more than main takes. Does nothing while others are being saved. */
  async save(importables: Importable[], leftOut: Missing[] = []): Promise<void> {
    if (this.isSaving) return
    this.clear()
    this.leftOut = leftOut
    for (const one of importables) {
      const { caseId } = one.row
      this.#imports.set(keyOfProduct(one), { caseId, outcome: 'waiting', operationId: null, isUnsaved: false })
    }
    this.#show()
    this.isSaving = true
    const imports = this.#imports
    for (let start = 0; start < importables.length; start += mostAtOnce) {
      const part = importables.slice(start, start + mostAtOnce)
      const answer = await this.#client.call('receiving.importMany', { imports: part.map(requestOf) })
      // Otherwise the result was closed meanwhile: the delivery is over.
      if (this.#imports !== imports) continue
      if (!answer.ok && isLeft(answer.error)) {
        this.#forget(importables.slice(start))
        break
      }
      this.#answered(part, answer)
      this.#show()
    }
    this.isSaving = false
  }

  #answered(part: Importable[], answer: Result<CallOutput<'receiving.importMany'>, AppError>): void {
    if (!answer.ok) {
      this.error = answer.error
      // What main has not said to be saved counts as refused, until main says otherwise.
      for (const importable of part) {
        const one = this.#imports.get(keyOfProduct(importable))
        if (one?.operationId !== null) continue
        one.outcome = 'refused'
        importable.form.refuse(answer.error)
      }
      return
    }
    for (const operation of answer.value.saved) {
      const one = this.#imports.get(keyOf(operation))
      // What main said of the operation before this answer is newer.
      if (!one || one.operationId === operation.id) continue
      one.operationId = operation.id
      one.outcome = outcomes[operation.state]
    }
    for (const refused of answer.value.refused) {
      const one = this.#imports.get(keyOf(refused))
      if (!one) continue
      one.isUnsaved = true
      one.outcome = 'refused'
      part.find((importable) => keyOfProduct(importable) === keyOf(refused))?.form.refuse(refused.error)
    }
  }

  /** A person left the question about them: nothing was saved. */
  #forget(importables: Importable[]): void {
    for (const one of importables) this.#imports.delete(keyOfProduct(one))
    this.#show()
  }

  #show(): void {
    this.#counts = countedByCase(this.#imports.values())
  }

  /** What main says of an operation now. The change of its case follows, and shows it. */
  operationChanged(operation: OperationView): void {
    const { kind, state } = operation
    const one = this.#imports.get(keyOf(operation))
    if (one && kind === 'import-removal' && one.outcome !== 'refused' && one.outcome !== 'waiting') {
      // Taken back since; a removal that was given up leaves the import in place.
      one.outcome = state === 'cancelled' || state === 'rejected' ? 'imported' : 'withdrawn'
      return
    }
    if (!one || kind !== 'import' || one.isUnsaved) return
    one.operationId ??= operation.id
    if (one.operationId === operation.id) one.outcome = outcomes[state]
  }

  /** Another import was saved, of a case that was never read: closes a result that needs nothing more. */
  anotherBlind(): void {
    if (this.isShown && !this.isRunning && this.refused === 0) this.clear()
  }

  /**
   * Another import was saved. A result that needs nothing more is closed, because it counts one too few; one that does
   * counts it.
   */
  another({ row, product }: Importable, operation: OperationView): void {
    this.anotherBlind()
    if (!this.isShown) return
    const key = keyOf({ caseId: row.caseId, packagedProductId: product.packagedProductId })
    const known = this.#imports.get(key)
    const one = known ?? { caseId: row.caseId, outcome: 'waiting', operationId: null, isUnsaved: false }
    if (!known) this.#imports.set(key, one)
    one.operationId = operation.id
    one.isUnsaved = false
    one.outcome = outcomes[operation.state]
    this.#show()
  }

  /** Cases changed. An unsettled import whose case was taken off the list no longer counts. */
  casesChanged(rows: CaseRow[]): void {
    if (!this.isShown) return
    for (const operation of rows.flatMap(operationsOf)) this.operationChanged(operation)
    for (const [key, { outcome, caseId }] of this.#imports) {
      if (outcome !== 'waiting' || this.#delivery.row(caseId)) continue
      this.#imports.delete(key)
    }
    this.#show()
  }

  /** Events may have been missed: asks about each unsettled operation that its case does not show any more. */
  async catchUp(): Promise<void> {
    const shown = this.#delivery.rows.flatMap(operationsOf).map(({ id }) => id)
    const imports = this.#imports
    for (const [key, one] of imports) {
      const { operationId } = one
      if (operationId === null || one.outcome !== 'waiting' || shown.includes(operationId)) continue
      const answer = await this.#client.call('outbox.journal', { operationId })
      const last = answer.ok ? answer.value.at(-1) : undefined
      const now = this.#imports.get(key)
      if (last && now?.operationId === operationId && now.outcome === 'waiting') now.outcome = outcomes[last.to]
    }
    if (this.#imports === imports) this.#show()
  }

  /** Closes the result. */
  clear(): void {
    this.error = null
    this.leftOut = []
    this.#counts = noneYet
    this.#imports = new SvelteMap()
  }
}

const keyOf = ({ caseId, packagedProductId }: { caseId: string | null; packagedProductId: string | null }) =>
  `${caseId ?? ''} ${packagedProductId ?? ''}`

const keyOfProduct = ({ row, product }: Importable) =>
  keyOf({ caseId: row.caseId, packagedProductId: product.packagedProductId })

/** The operations that a case shows. */
const operationsOf = ({ view }: CaseRow): OperationView[] =>
  (view?.packagedProducts ?? []).flatMap(({ importState }) =>
    'operation' in importState ? (importState.operation ?? []) : [],
  )
