import type { AppError } from '../../../src-shared/errors'
import type { Client } from '../../../src-shared/ipc/client'
import type { CatalogueView } from '../../../src-shared/ipc/pos-view'
import { type CatalogueFile, type CatalogueProblem, type ChosenFile, openCatalogue } from './catalogue-file.svelte'

/** Rows in one part; main takes no more. */
const rowsAtOnce = 300

/** The POS's catalogue: what is loaded, and loading another one. */
export class Catalogue {
  /** Undefined until main has said what is loaded. */
  loaded = $state.raw<CatalogueView | null | undefined>(undefined)
  file = $state.raw<CatalogueFile | null>(null)
  problem = $state.raw<{ name: string; problem: CatalogueProblem } | null>(null)
  isReading = $state(false)
  /** Rows that main has, while it gets them; null otherwise. */
  sent = $state<number | null>(null)
  /** It was loaded just now. */
  isDone = $state(false)
  error = $state.raw<AppError | null>(null)
  isForgetting = $state(false)

  readonly #client: Client
  readonly #onChanged: () => void
  #reads = 0
  #isClosed = false

  /** `onChanged`: another catalogue may be in force now, or none; also when nobody looks any more. */
  constructor(client: Client, onChanged: () => void = () => undefined) {
    this.#client = client
    this.#onChanged = onChanged
  }

  async look(): Promise<void> {
    const answer = await this.#client.call('receiving.catalogue', undefined)
    this.error = answer.ok ? null : answer.error
    if (answer.ok) this.loaded = answer.value
  }

  /** Reads a file; of two that are chosen one after the other the second counts. */
  async choose(file: ChosenFile): Promise<void> {
    if (this.sent !== null) return
    const read = ++this.#reads
    this.isReading = true
    this.isDone = false
    this.error = null
    this.problem = null
    const found = await openCatalogue(file)
    if (read !== this.#reads) return
    this.isReading = false
    this.file = found.ok ? found.value : null
    this.problem = found.ok ? null : { name: file.name, problem: found.error }
  }

  /** Puts the chosen file away. */
  discard(): void {
    this.#reads++
    this.file = null
    this.problem = null
    this.error = null
  }

  /** Sends it to main part by part: the one before stays in force until the last part is there. */
  async load(): Promise<void> {
    const { file } = this
    if (!file || file.obstacle !== null || this.sent !== null) return
    const { rows } = file.mapped
    const fileName = file.name.trim().slice(0, 300) || 'csv'
    this.error = null
    for (let start = 0; start < rows.length && !this.#isClosed; start += rowsAtOnce) {
      this.sent = start
      const part = rows.slice(start, start + rowsAtOnce)
      const isLast = start + rowsAtOnce >= rows.length
      const answer = await this.#client.call('receiving.loadCatalogue', { fileName, start, rows: part, isLast })
      // Of the last part a failure may be that of its answer alone.
      if (isLast) this.#onChanged()
      if (!answer.ok) {
        this.error = answer.error
        break
      }
      if (!isLast) continue
      this.loaded = answer.value
      this.isDone = true
      this.file = null
    }
    this.sent = null
  }

  async forget(): Promise<void> {
    if (this.isForgetting) return
    this.isForgetting = true
    const answer = await this.#client.call('receiving.forgetCatalogue', undefined)
    this.#onChanged()
    this.isForgetting = false
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    this.loaded = null
    this.isDone = false
  }

  /** Nobody looks any more: what is not loaded is not loaded. */
  close(): void {
    this.#isClosed = true
    this.#reads++
  }
}
