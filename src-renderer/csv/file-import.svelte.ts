import { type FileColumn, previewOf } from '../../src-shared/csv/preview'
import type { Encoding } from '../../src-shared/csv/read'
import type { Delimiter, Recognized, Table } from '../../src-shared/csv/table'
import type { AppError } from '../../src-shared/errors'
import type { Result } from '../../src-shared/result'
import { type ChosenFile, type CsvProblem, type ReadAs, openFile } from './open-file'

/** A file that was read, as a person sees it. */
export interface FileView<Column extends string> {
  encoding: Recognized<Encoding>
  delimiter: Recognized<Delimiter>
  hasHeader: boolean
  lines: number
  columns: FileColumn[]
  /** The first lines. */
  preview: string[][]
  mapping: Places<Column>
}

/** What the wizard shows of an import, and asks of it. */
export interface ImportSource<Column extends string> {
  /** Of the chosen file; null if none is, or if it can't be read. */
  readonly name: string | null
  /** Null until it is read. */
  readonly view: FileView<Column> | null
  readonly isReading: boolean
  /** Lines that were read so far, of a file that takes its time. */
  readonly progress?: { done: number; total: number } | null
  /** Rows that main has received while the file is loading; else null. */
  readonly sent: number | null
  /** Rows that there are to send. */
  readonly total: number
  readonly error: AppError | null
  /** Nothing keeps it from being loaded. */
  readonly isReady: boolean
  map: (column: Column, at: number | null) => void
  /** Reads the file again, as a person says. */
  readAs: (as: ReadAs) => void
}

/** What a person matched is kept where the columns are the same in another reading of the file; else they are matched anew. */
export function keptMapping<Column extends string>(
  before: Pick<FileView<Column>, 'columns' | 'mapping'> | null,
  after: Pick<FileView<Column>, 'columns' | 'mapping'>,
): Places<Column> {
  const namesOf = ({ columns }: { columns: FileColumn[] }) => JSON.stringify(columns.map(({ name }) => name))
  return before && namesOf(before) === namesOf(after) ? before.mapping : after.mapping
}

/** Rows in one part; main accepts no more. */
const rowsAtOnce = 300

type Places<Column extends string> = Record<Column, number | null>

/** Rows of a file on their way to main. The last part puts all of them in force. */
export interface FilePart<Row> {
  fileName: string
  start: number
  rows: Row[]
  isLast: boolean
}

/** What the files of one kind hold, and where their rows go. */
export interface FileKind<Column extends string, Row, Mapped extends { rows: Row[] }, Obstacle extends string> {
  parse: (text: string, delimiter: Delimiter | undefined) => Table
  propose: (table: Table) => Places<Column>
  map: (table: Table, mapping: Places<Column>) => Mapped
  /** Why a file that was read can't be loaded. */
  obstacle: (table: Table, mapping: Places<Column>, mapped: Mapped) => Obstacle | null
  send: (part: FilePart<Row>, mapped: Mapped) => Promise<Result<unknown, AppError>>
}

/** A chosen file: its lines, and the mapping of its columns. */
class MappedFile<Column extends string, Row, Mapped extends { rows: Row[] }, Obstacle extends string> {
  readonly name: string
  readonly encoding: Recognized<Encoding>
  readonly delimiter: Recognized<Delimiter>
  readonly table: Table
  readonly hasHeader: boolean
  readonly lines: number
  readonly columns: FileColumn[]
  readonly preview: string[][]
  mapping: Places<Column>
  readonly mapped: Mapped
  readonly obstacle: Obstacle | null

  constructor(
    kind: FileKind<Column, Row, Mapped, Obstacle>,
    { name, encoding, table }: { name: string; encoding: Recognized<Encoding>; table: Table },
  ) {
    this.name = name
    this.encoding = encoding
    this.delimiter = table.delimiter
    this.table = table
    this.hasHeader = table.header !== null
    this.lines = table.rows.length
    const { columns, preview } = previewOf(table)
    this.columns = columns
    this.preview = preview
    this.mapping = $state.raw(kind.propose(table))
    this.mapped = $derived(kind.map(table, this.mapping))
    this.obstacle = $derived(kind.obstacle(table, this.mapping, this.mapped))
  }

  map(column: Column, at: number | null): void {
    this.mapping = { ...this.mapping, [column]: at }
  }
}

/** Choosing a file, matching its columns, and loading it. */
export class FileImport<
  Column extends string,
  Row,
  Mapped extends { rows: Row[] },
  Obstacle extends string,
> implements ImportSource<Column> {
  file = $state.raw<MappedFile<Column, Row, Mapped, Obstacle> | null>(null)
  problem = $state.raw<{ name: string; problem: CsvProblem } | null>(null)
  isReading = $state(false)
  sent = $state<number | null>(null)
  error = $state.raw<AppError | null>(null)
  readonly #kind: FileKind<Column, Row, Mapped, Obstacle>
  /** The chosen file, and how a person said to read it. */
  #chosen: ChosenFile | null = null
  #as: ReadAs = {}
  #reads = 0
  #isClosed = false

  constructor(kind: FileKind<Column, Row, Mapped, Obstacle>) {
    this.#kind = kind
  }

  get name(): string | null {
    return this.file?.name ?? null
  }

  get view(): FileView<Column> | null {
    return this.file
  }

  get total(): number {
    return this.file?.mapped.rows.length ?? 0
  }

  get isReady(): boolean {
    return this.file?.obstacle === null && !this.isReading
  }

  map(column: Column, at: number | null): void {
    this.file?.map(column, at)
  }

  /** Reads a file. Of two files chosen in a row, the second one is shown. */
  async choose(file: ChosenFile): Promise<void> {
    if (this.sent !== null) return
    this.#chosen = file
    this.#as = {}
    await this.#read(file, null)
  }

  readAs(as: ReadAs): void {
    void this.readAgain(as)
  }

  /** Reads the chosen file again; what is shown stays until then. */
  async readAgain(as: ReadAs): Promise<void> {
    if (!this.#chosen || this.sent !== null) return
    this.#as = { ...this.#as, ...as }
    await this.#read(this.#chosen, this.file)
  }

  async #read(chosen: ChosenFile, before: MappedFile<Column, Row, Mapped, Obstacle> | null): Promise<void> {
    const read = ++this.#reads
    this.isReading = true
    this.error = null
    this.problem = null
    const opened = await openFile(chosen, this.#as)
    if (read !== this.#reads) return
    this.isReading = false
    this.file = null
    if (!opened.ok) {
      this.problem = { name: chosen.name, problem: opened.error }
      return
    }
    const { encoding, text } = opened.value
    const table = this.#kind.parse(text, this.#as.delimiter)
    const file = new MappedFile(this.#kind, { name: chosen.name, encoding, table })
    file.mapping = keptMapping(before, file)
    this.file = file
  }

  /** Discards the chosen file. */
  discard(): void {
    this.#reads++
    this.isReading = false
    this.file = null
    this.problem = null
    this.error = null
  }

  /** Sends the file to main in parts. What was loaded before stays in force until the last part has arrived. True if it has. */
  async load(): Promise<boolean> {
    const { file } = this
    if (!file || !this.isReady || this.sent !== null) return false
    const { mapped } = file
    const { rows } = mapped
    const fileName = file.name.trim().slice(0, 300) || 'csv'
    this.error = null
    let isLoaded = false
    for (let start = 0; start < rows.length && !this.#isClosed && this.error === null; start += rowsAtOnce) {
      this.sent = start
      const isLast = start + rowsAtOnce >= rows.length
      const part = { fileName, start, rows: rows.slice(start, start + rowsAtOnce), isLast }
      const answer = await this.#kind.send(part, mapped)
      if (answer.ok) isLoaded = isLast
      else this.error = answer.error
    }
    this.sent = null
    return isLoaded
  }

  /** Stops reading and loading. */
  close(): void {
    this.#isClosed = true
    this.#reads++
  }
}
