import { type CatalogueColumn, type Mapping, catalogueColumns, mapHeader } from '../../../src-shared/csv/columns'
import { mapRows } from '../../../src-shared/csv/catalogue-rows'
import { type Encoding, type FileProblem, type Table, parseTable, readText } from '../../../src-shared/csv/read'
import { mostCatalogueRows } from '../../../src-shared/ipc/pos-view'
import { type Result, err, ok } from '../../../src-shared/result'

/** What of a file is read at most; more than `readText` takes is not worth reading. */
const mostBytes = 51 * 1024 * 1024
const previewed = 4

/** A file as a person chooses or drops it. */
export type ChosenFile = Pick<File, 'name' | 'slice'>

/** Why a file can't be loaded as it is. */
export type CatalogueProblem = FileProblem | { code: 'file/unreadable' }

/** What keeps a file from being loaded once it is read. */
export type Obstacle = 'no-lines' | 'no-product-id' | 'nothing-to-match' | 'too-many' | 'no-usable-line'

/** A catalogue that was chosen: its lines, and which column is which. */
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
  /** Why it can't be loaded yet; null when it can. */
  obstacle = $derived.by(() => this.#obstacle())
  /** The columns of the file, by their names or the first of their cells. */
  readonly columns: { at: number; name: string | null; example: string }[]
  readonly preview: string[][]

  constructor(name: string, encoding: Encoding, table: Table) {
    this.name = name
    this.encoding = encoding
    this.table = table
    this.mapping = mapHeader(table.header?.cells ?? [])
    this.columns = Array.from({ length: table.columnCount }, (_, at) => ({
      at,
      name: table.header?.cells[at]?.trim() || null,
      example: table.rows.find(({ cells }) => (cells[at] ?? '').trim() !== '')?.cells[at]?.trim() ?? '',
    }))
    this.preview = table.rows.slice(0, previewed).map(({ cells }) => cells.slice(0, table.columnCount))
  }

  map(column: CatalogueColumn, at: number | null): void {
    this.mapping = { ...this.mapping, [column]: at }
  }

  /** What a column of the file is used for. */
  useOf(at: number): CatalogueColumn | null {
    return catalogueColumns.find((column) => this.mapping[column] === at) ?? null
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

/** Reads what a person chose. */
export async function openCatalogue(file: ChosenFile): Promise<Result<CatalogueFile, CatalogueProblem>> {
  let bytes: Uint8Array
  try {
    bytes = new Uint8Array(await file.slice(0, mostBytes).arrayBuffer())
  } catch {
    // Taken away, or a folder.
    return err({ code: 'file/unreadable' })
  }
  const read = readText(bytes)
  if (!read.ok) return read
  return ok(new CatalogueFile(file.name, read.value.encoding, parseTable(read.value.text)))
}
