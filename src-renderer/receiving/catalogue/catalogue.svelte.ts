import { type RowError, mapRows } from '../../../src-shared/csv/catalogue-rows'
import { type CatalogueColumn, type Mapping, proposeCatalogue } from '../../../src-shared/csv/columns'
import { parseTable } from '../../../src-shared/csv/read'
import type { Table } from '../../../src-shared/csv/table'
import type { Client } from '../../../src-shared/ipc/client'
import { type CatalogueRow, type CatalogueView, mostCatalogueRows } from '../../../src-shared/ipc/contract/receiving'
import { type FilePart, FileImport } from '../../csv/file-import.svelte'
import { cellFaultText } from '../../csv/fault-text'
import type { ChosenFile } from '../../csv/open-file'
import { shortened } from '../../text/errors'
import type { Text } from '../../text/text.svelte'

type Mapped = ReturnType<typeof mapRows>
/** Why a file that was read can't be loaded. */
type Obstacle = 'no-lines' | 'no-product-id' | 'nothing-to-match' | 'too-many' | 'no-usable-line'

function obstacleOf({ rows }: Table, mapping: Mapping, mapped: Mapped): Obstacle | null {
  const { posProductId, packageUid, productName, sku } = mapping
  if (rows.length === 0) return 'no-lines'
  if (posProductId === null) return 'no-product-id'
  if (packageUid === null && productName === null && sku === null) return 'nothing-to-match'
  if (rows.length > mostCatalogueRows) return 'too-many'
  return mapped.rows.length === 0 ? 'no-usable-line' : null
}

/** The POS catalogue: which one is loaded, and loading another one. */
export class Catalogue extends FileImport<CatalogueColumn, CatalogueRow, Mapped, Obstacle> {
  /** Null if none is loaded; undefined until main has answered. */
  loaded = $state.raw<CatalogueView | null | undefined>(undefined)
  /** The catalogue was loaded in this dialog. */
  isDone = $state(false)
  isForgetting = $state(false)

  readonly #client: Client
  readonly #onChanged: () => void

  /** `onChanged`: the loaded catalogue may have changed. Called even if the dialog is closed. */
  constructor(client: Client, onChanged: () => void) {
    super({
      ...{
        parse: (text, delimiter) => parseTable(text, { delimiter }),
        propose: proposeCatalogue,
        map: mapRows,
        obstacle: obstacleOf,
      },
      send: (part) => this.#send(part),
    })
    this.#client = client
    this.#onChanged = onChanged
  }

  async look(): Promise<void> {
    const answer = await this.#client.call('receiving.catalogue', undefined)
    this.error = answer.ok ? null : answer.error
    if (answer.ok) this.loaded = answer.value
  }

  override choose(file: ChosenFile): Promise<void> {
    this.isDone = false
    return super.choose(file)
  }

  async #send(part: FilePart<CatalogueRow>) {
    const answer = await this.#client.call('receiving.loadCatalogue', part)
    if (!part.isLast) return answer
    // If the last part fails, main may have it nevertheless.
    this.#onChanged()
    if (answer.ok) {
      this.loaded = answer.value
      this.isDone = true
      this.file = null
    }
    return answer
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
}

/** Why a line of the file is left out. */
export function faultText({ column, code, value, otherLine }: RowError): Text {
  if (code === 'no-column') return { key: 'catalogue.obstacle.no-product-id' }
  if (code === 'duplicate') {
    return { key: 'catalogue.fault.duplicate', values: { line: otherLine ?? 0, value: shortened(value, 40) } }
  }
  return cellFaultText(code, column, value)
}
