import {
  type ManifestColumn,
  type ManifestMapping,
  knownInManifest,
  mapManifestHeader,
  proposeManifest,
} from '../../../src-shared/csv/manifest-columns'
import { type ManifestFault, mapManifest } from '../../../src-shared/csv/manifest-rows'
import { type FileColumn, previewOf } from '../../../src-shared/csv/preview'
import { type Encoding, parseTable } from '../../../src-shared/csv/read'
import type { Table } from '../../../src-shared/csv/table'
import type { AppError } from '../../../src-shared/errors'
import type { Client } from '../../../src-shared/ipc/client'
import { mostManifestLines } from '../../../src-shared/ipc/contract/manifest'
import { type ChosenFile, type CsvProblem, openFile } from '../../csv/open-file'
import { shortened } from '../../text/errors'
import type { Text } from '../../text/text.svelte'

/** Rows in one part; main accepts no more. */
const rowsAtOnce = 300
/** A few more than are accepted: titles and the header are lines too. */
const mostRead = mostManifestLines + 20

/** Why a file that was read can't be loaded. */
export type ManifestObstacle = 'no-lines' | 'no-package' | 'too-many' | 'no-usable-line'

/** A chosen manifest: its lines, and the mapping of its columns. */
export class ManifestFile {
  readonly name: string
  readonly encoding: Encoding
  readonly table: Table
  readonly columns: FileColumn[]
  /** The first lines. */
  readonly preview: string[][]
  mapping = $state.raw<ManifestMapping>(mapManifestHeader([]))
  mapped = $derived.by(() => mapManifest(this.table, this.mapping))
  obstacle = $derived.by((): ManifestObstacle | null => {
    if (this.table.rows.length === 0) return 'no-lines'
    if (this.table.rows.length > mostManifestLines) return 'too-many'
    if (this.mapping.packageUid === null) return 'no-package'
    return this.mapped.rows.length === 0 ? 'no-usable-line' : null
  })

  constructor(name: string, encoding: Encoding, table: Table) {
    this.name = name
    this.encoding = encoding
    this.table = table
    this.mapping = proposeManifest(table)
    const { columns, preview } = previewOf(table)
    this.columns = columns
    this.preview = preview
  }

  map(column: ManifestColumn, at: number | null): void {
    this.mapping = { ...this.mapping, [column]: at }
  }
}

/** Choosing a manifest and loading it. */
export class ManifestLoading {
  file = $state.raw<ManifestFile | null>(null)
  problem = $state.raw<{ name: string; problem: CsvProblem } | null>(null)
  isReading = $state(false)
  isSending = $state(false)
  error = $state.raw<AppError | null>(null)
  readonly #client: Client
  #reads = 0

  constructor(client: Client) {
    this.#client = client
  }

  /** Reads a file. Of two files chosen in a row, the second one is shown. */
  async choose(file: ChosenFile): Promise<void> {
    if (this.isSending) return
    const read = ++this.#reads
    this.isReading = true
    this.error = null
    this.problem = null
    const opened = await openFile(file)
    if (read !== this.#reads) return
    this.isReading = false
    this.problem = opened.ok ? null : { name: file.name, problem: opened.error }
    this.file = null
    if (!opened.ok) return
    const { text, encoding } = opened.value
    const table = parseTable(text, { knownIn: knownInManifest, mostLines: mostRead })
    this.file = new ManifestFile(file.name, encoding, table)
  }

  /** Discards the chosen file. */
  discard(): void {
    this.#reads++
    this.file = null
    this.problem = null
    this.error = null
  }

  /** Sends the file to main in parts; the last one puts it in force. True if it is. */
  async load(): Promise<boolean> {
    const { file } = this
    if (!file || file.obstacle !== null || this.isSending) return false
    const { rows, leftOut } = file.mapped
    const fileName = file.name.trim().slice(0, 300) || 'csv'
    this.isSending = true
    this.error = null
    for (let start = 0; start < rows.length && this.error === null; start += rowsAtOnce) {
      const part = { fileName, start, rows: rows.slice(start, start + rowsAtOnce), leftOut }
      const isLast = start + rowsAtOnce >= rows.length
      const answer = await this.#client.call('receiving.loadManifest', { ...part, isLast })
      if (!answer.ok) this.error = answer.error
    }
    this.isSending = false
    return this.error === null
  }
}

/** What is wrong with a line of the file. */
export function manifestFaultText({ column, code, value }: ManifestFault): Text {
  const short = { value: shortened(value, 40) }
  const where = { column: column === null ? '' : ({ key: `manifest.column.${column}` } as const) }
  switch (code) {
    case 'missing':
    case 'not-text':
      return { key: `catalogue.fault.${code}`, values: where }
    case 'too-long':
      return { key: 'catalogue.fault.too-long', values: { ...where, ...short } }
    case 'uneven':
      return { key: 'catalogue.fault.uneven', values: { count: Number(value) } }
    case 'broken-quotes':
      return { key: 'catalogue.fault.broken-quotes', values: short }
    case 'not-a-package':
    case 'count-zero':
    case 'count-ambiguous':
    case 'count-not-whole':
    case 'count-out-of-range':
      return { key: `manifest.fault.${code}`, values: short }
  }
}
