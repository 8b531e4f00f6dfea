import { SvelteMap } from 'svelte/reactivity'
import type { CaseId, OperationId } from '../../src-shared/ids'
import type { AppError } from '../../src-shared/errors'
import type { Client } from '../../src-shared/ipc/client'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import { type Importable, requestOf } from './import-plan'

/** So many are saved at once: few enough that the progress is seen to move. */
const mostAtOnce = 100

type Fate = 'open' | 'imported' | 'refused' | 'withdrawn'

/** Imports many cases and counts what becomes of them; the result stays until it is put away. */
export class ImportMany {
  total = $state(0)
  imported = $state(0)
  refused = $state(0)
  withdrawn = $state(0)
  isSaving = $state(false)
  /** Why nothing more could be saved, where that was so. */
  error = $state.raw<AppError | null>(null)
  refusedCases = $state.raw<CaseId[]>([])
  isShown = $derived(this.total > 0)
  settled = $derived(this.imported + this.refused + this.withdrawn)
  isRunning = $derived(this.isShown && (this.isSaving || this.settled < this.total))

  readonly #client: Client
  readonly #fates = new SvelteMap<OperationId, Fate>()
  /** What came before the answer that names its operation. */
  readonly #early = new SvelteMap<OperationId, OperationView>()

  constructor(client: Client) {
    this.#client = client
  }

  /**
   * Saves them all, part by part; null while others are being saved. `onSaved` gets each operation, `onRefused` what main
   * did not take.
   */
  start(
    imports: Importable[],
    onSaved: (operation: OperationView) => void,
    onRefused: (one: Importable, error: AppError) => void,
  ): Promise<void> | null {
    if (this.isSaving) return null
    this.clear()
    this.total = imports.length
    this.isSaving = true
    return this.#save(imports, onSaved, onRefused)
  }

  async #save(...[imports, onSaved, onRefused]: Parameters<ImportMany['start']>): Promise<void> {
    for (let start = 0; start < imports.length; start += mostAtOnce) {
      const part = imports.slice(start, start + mostAtOnce)
      const answer = await this.#client.call('receiving.importMany', { imports: part.map(requestOf) })
      if (!answer.ok) {
        this.error = answer.error
        for (const one of part) this.#refuse(one.row.caseId)
        for (const one of part) onRefused(one, answer.error)
        continue
      }
      for (const operation of answer.value.saved) {
        this.#fates.set(operation.id, 'open')
        const newest = this.#early.get(operation.id) ?? operation
        onSaved(newest)
        this.note(newest)
      }
      for (const { caseId, productName, error } of answer.value.refused) {
        const one = part.find(
          ({ row, product }) => row.caseId === caseId && (productName === null || product.productName === productName),
        )
        this.#refuse(caseId)
        if (one) onRefused(one, error)
      }
    }
    this.#early.clear()
    this.isSaving = false
  }

  /** An operation got further; one of others changes nothing here. */
  note(operation: OperationView): void {
    const before = this.#fates.get(operation.id)
    if (before === undefined) {
      if (this.isSaving && operation.kind === 'import') this.#early.set(operation.id, operation)
      return
    }
    const fate = fateOf(operation)
    if (fate === before) return
    this.#fates.set(operation.id, fate)
    this.#count(before, -1)
    this.#count(fate, 1)
    if (fate === 'refused' && operation.caseId !== null) this.refusedCases = [...this.refusedCases, operation.caseId]
    else if (before === 'refused') this.refusedCases = this.refusedCases.filter((id) => id !== operation.caseId)
  }

  #refuse(caseId: CaseId | null): void {
    this.refused++
    if (caseId !== null) this.refusedCases = [...this.refusedCases, caseId]
  }

  #count(fate: Fate, by: number): void {
    if (fate !== 'open') this[fate] += by
  }

  /** Puts the result away. */
  clear(): void {
    this.total = 0
    this.imported = 0
    this.refused = 0
    this.withdrawn = 0
    this.error = null
    this.refusedCases = []
    this.#fates.clear()
    this.#early.clear()
  }
}

function fateOf({ state }: OperationView): Fate {
  if (state === 'accepted') return 'imported'
  if (state === 'rejected') return 'refused'
  return state === 'cancelled' ? 'withdrawn' : 'open'
}
