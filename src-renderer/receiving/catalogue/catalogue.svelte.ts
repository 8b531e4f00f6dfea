import { type RowError, mapRows } from '../../../src-shared/csv/catalogue-rows'
import { type CatalogueColumn, type Mapping, proposeCatalogue } from '../../../src-shared/csv/columns'
import { type FileColumn, previewOf } from '../../../src-shared/csv/preview'
import { type Encoding, parseTable } from '../../../src-shared/csv/read'
import type { Table } from '../../../src-shared/csv/table'
import type { AppError } from '../../../src-shared/errors'
import type { Client } from '../../../src-shared/ipc/client'
import { type CatalogueView, mostCatalogueRows } from '../../../src-shared/ipc/contract/receiving'
import { type Result, ok } from '../../../src-shared/result'
import { type ChosenFile, type CsvProblem, openFile } from '../../csv/open-file'
import { shortened } from '../../text/errors'
import type { Text } from '../../text/text.svelte'

/** Rows in one part; main accepts no more. */
const rowsAtOnce = 300

/** The POS catalogue: which one is loaded, and loading another one. */
export class Catalogue {
  /** Null if none is loaded; undefined until main has answered. */
  loaded = $state.raw<CatalogueView | null | undefined>(undefined)
  file = $state.raw<CatalogueFile | null>(null)
  problem = $state.raw<{ name: string; problem: CsvProblem } | null>(null)
  isReading = $state(false)
  /** Rows that main has received while a file is loading; else null. */
  sent = $state<number | null>(null)
  /** The catalogue was loaded in this dialog. */
  isDone = $state(false)
  error = $state.raw<AppError | null>(null)
  isForgetting = $state(false)

  readonly #client: Client
  readonly #onChanged: () => void
  #reads = 0
  #isClosed = false

  /** `onChanged`: the loaded catalogue may have changed. Called even if the dialog is closed. */
  constructor(client: Client, onChanged: () => void) {
    this.#client = client
    this.#onChanged = onChanged
  }

  async look(): Promise<void> {
    const answer = await this.#client.call('receiving.catalogue', undefined)
    this.error = answer.ok ? null : answer.error
    if (answer.ok) this.loaded = answer.value
  }

  /** Reads a file. Of two files chosen in a row, the second one is shown. */
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

  /** Discards the chosen file. */
  discard(): void {
    this.#reads++
    this.file = null
    this.problem = null
    this.error = null
  }

  /** Sends the file to main in parts. The previous catalogue stays in force until the last part has arrived. */
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
      // If the last part fails, main may have it nevertheless.
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

  /** The dialog is closed: stops loading. */
  close(): void {
    this.#isClosed = true
    this.#reads++
  }
}

/** Why a file that was read can't be loaded. */
export type Obstacle = 'no-lines' | 'no-product-id' | 'nothing-to-match' | 'too-many' | 'no-usable-line'

/** A chosen file: its lines, and the mapping of its columns. */
export class CatalogueFile {
  readonly name: string
  readonly encoding: Encoding
  readonly table: Table
  mapping = $state.raw<Mapping>({
    packageUid: null,
    productName: null,
    posProductId: null,
    posInventoryId: null,
    sku: null,
  })
  mapped = $derived.by(() => mapRows(this.table, this.mapping))
  obstacle = $derived.by(() => this.#obstacle())
  readonly columns: FileColumn[]
  /** The first lines. */
  readonly preview: string[][]

  constructor(name: string, encoding: Encoding, table: Table) {
    this.name = name
    this.encoding = encoding
    this.table = table
    this.mapping = proposeCatalogue(table)
    const { columns, preview } = previewOf(table)
    this.columns = columns
    this.preview = preview
  }

  map(column: CatalogueColumn, at: number | null): void {
    this.mapping = { ...this.mapping, [column]: at }
  }

  #obstacle(): Obstacle | null {
    const { posProductId, packageUid, productName, sku } = this.mapping
    if (this.table.rows.length === 0) return 'no-lines'
    if (posProductId === null) return 'no-product-id'
    if (packageUid === null && productName === null && sku === null) return 'nothing-to-match'
    if (this.table.rows.length > mostCatalogueRows) return 'too-many'
    return this.mapped.rows.length === 0 ? 'no-usable-line' : null
  }
}

/** Reads a chosen file. */
export async function openCatalogue(file: ChosenFile): Promise<Result<CatalogueFile, CsvProblem>> {
  const read = await openFile(file)
  if (!read.ok) return read
  return ok(new CatalogueFile(file.name, read.value.encoding, parseTable(read.value.text)))
}

/** Why a line of the file is left out. */
export function faultText({ column, code, value, otherLine }: RowError): Text {
  const quoted = { value: shortened(value, 40) }
  const where = { column: column === null ? '' : { key: `catalogue.column.${column}` as const } }
  switch (code) {
    case 'no-column':
      return { key: 'catalogue.obstacle.no-product-id' }
    case 'missing':
    case 'not-text':
      return { key: `catalogue.fault.${code}`, values: where }
    case 'too-long':
      return { key: 'catalogue.fault.too-long', values: { ...where, ...quoted } }
    case 'duplicate':
      return { key: 'catalogue.fault.duplicate', values: { line: otherLine ?? 0, ...quoted } }
    case 'uneven':
      return { key: 'catalogue.fault.uneven', values: { count: Number(value) } }
    case 'broken-quotes':
      return { key: 'catalogue.fault.broken-quotes', values: quoted }
  }
}
