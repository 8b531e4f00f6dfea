import type { DateOrder, DateReading } from '../../../src-shared/csv/days'
import type { SalesColumn, SalesMapping } from '../../../src-shared/csv/sales-columns'
import type { SalesFault, SalesSurvey } from '../../../src-shared/csv/sales-rows'
import type { StatusMeaning } from '../../../src-shared/csv/sales-status'
import type { AppError } from '../../../src-shared/errors'
import type { Client } from '../../../src-shared/ipc/client'
import { type PosFile, type PosLineInput, mostPosLines } from '../../../src-shared/ipc/contract/pos-day'
import { cellFaultText } from '../../csv/fault-text'
import { type FileView, type ImportSource, keptMapping } from '../../csv/file-import.svelte'
import type { ChosenFile, ReadAs } from '../../csv/open-file'
import { shortened } from '../../text/errors'
import type { Text } from '../../text/text.svelte'
import { type OpenReader, type ReaderPort, openWorker } from './reader-port'
import type { FromReader, OpenedSales, SalesProblem, SalesSummary } from './sales-reader'

/** Why a file that was read can't be compared yet. `date-order`, `words`: a person must say what is meant. */
export type SalesObstacle =
  | 'no-lines'
  | 'no-order'
  | 'not-a-status'
  | 'not-voided'
  | 'not-returned'
  | 'unmatched-status'
  | 'date-order'
  | 'words'
  | 'other-days'
  | 'no-usable-line'

interface SalesParts {
  client: Client
  /** YYYY-MM-DD: the day that is compared. */
  day: string
  /** Called once main has the file. */
  onLoaded: (day: string) => void
  open?: OpenReader
}

/** Characters in one part: a message to main is at most 256 kB. */
const mostCharacters = 100_000

/** A file of the POS's sales from the choice to the comparison: which column is which, what its words mean, loading. */
export class PosSales implements ImportSource<SalesColumn> {
  readonly fileName: string
  isReading = $state(true)
  problem = $state.raw<SalesProblem | { code: 'file/broken' } | null>(null)
  opened = $state.raw<OpenedSales | null>(null)
  mapping = $state.raw<SalesMapping | null>(null)
  survey = $state.raw<SalesSurvey | null>(null)
  dateOrder = $state.raw<DateReading | null>(null)
  meanings = $state.raw<Record<string, StatusMeaning>>({})
  /** Columns that name a refund or void, of which a person said that they say nothing of the sale. */
  ignored = $state.raw<readonly number[]>([])
  /** YYYY-MM-DD. */
  day = $state('')
  summary = $state.raw<SalesSummary | null>(null)
  /** Lines that were read, of all; null while nothing is read. */
  progress = $state.raw<{ done: number; total: number } | null>(null)
  /** Rows that main has received while the file is loading; else null. */
  sent = $state<number | null>(null)
  error = $state.raw<AppError | null>(null)
  obstacle = $derived.by(() => this.#obstacle())

  readonly #client: Client
  readonly #onLoaded: (day: string) => void
  readonly #port: ReaderPort
  readonly #chosen: ChosenFile
  /** How a person said to read the file. */
  #as: ReadAs = {}
  /** It is being opened: what is chosen meanwhile counts once it is. */
  #isOpening = false
  #number = 0
  #isClosed = false
  #rowsCame: ((rows: PosLineInput[] | null) => void) | null = null

  constructor(file: ChosenFile, { client, day, onLoaded, open = openWorker }: SalesParts) {
    this.#client = client
    this.#onLoaded = onLoaded
    this.fileName = file.name
    this.#chosen = file
    this.day = day
    this.#port = open(
      (message) => this.#answered(message),
      () => {
        this.problem = { code: 'file/broken' }
        this.close()
      },
    )
    this.readAs({})
  }

  get name(): string | null {
    return this.problem ? null : this.fileName
  }

  get view(): FileView<SalesColumn> | null {
    return this.opened && this.mapping ? { ...this.opened, mapping: this.mapping } : null
  }

  get total(): number {
    return this.summary?.rowCount ?? 0
  }

  get isReady(): boolean {
    return this.summary !== null && this.obstacle === null
  }

  readAs(as: ReadAs): void {
    if (this.sent !== null) return
    this.#as = { ...this.#as, ...as }
    this.summary = null
    this.survey = null
    this.isReading = true
    this.#isOpening = true
    this.#port.ask({ kind: 'open', number: ++this.#number, file: this.#chosen, as: this.#as })
  }

  map(column: SalesColumn, at: number | null): void {
    if (!this.mapping || this.sent !== null) return
    this.mapping = { ...this.mapping, [column]: at }
    this.dateOrder = null
    this.ignored = this.ignored.filter((one) => one !== at)
    this.#ask()
  }

  /** Matches the column that says of a line that it was returned or voided. */
  matchOther(): void {
    const found = this.survey?.unmatchedStatus
    if (found) this.map(found.column, found.at)
  }

  /** Passes over that column; the next one is asked about. */
  ignoreOther(): void {
    const found = this.survey?.unmatchedStatus
    if (!found || this.sent !== null) return
    this.ignored = [...this.ignored, found.at]
    this.#ask()
  }

  // What is being sent is of one reading: no choice counts meanwhile.
  chooseOrder(order: DateOrder): void {
    if (this.sent !== null) return
    this.dateOrder = order
    this.#read()
  }

  mean(word: string, meaning: StatusMeaning): void {
    if (this.sent !== null) return
    this.meanings = { ...this.meanings, [word]: meaning }
    this.#read()
  }

  /** Compares another day of the file. */
  chooseDay(day: string): void {
    if (this.sent !== null) return
    this.day = day
    this.#read()
  }

  /** Sends the day's rows to main in parts. The day's earlier file stays in force until the last part has arrived. */
  async load(): Promise<void> {
    const { summary, day } = this
    if (!summary || this.obstacle !== null || this.sent !== null) return
    this.error = null
    const file = this.#file(summary)
    for (let start = 0; ;) {
      this.sent = start
      const rows = await this.#rows(start)
      // It was closed meanwhile.
      if (rows === null) break
      // The reader has fewer rows than it said: what was sent is no file.
      if (rows.length === 0) {
        this.error = { code: 'pos-day/broken' }
        break
      }
      const isLast = start + rows.length >= summary.rowCount
      const answer = await this.#client.call('posDay.load', { day, file, start, rows, isLast })
      if (!answer.ok) {
        this.error = answer.error
        break
      }
      start += rows.length
      if (!isLast) continue
      this.#onLoaded(day)
      break
    }
    this.sent = null
  }

  /** Stops reading and loading. */
  close(): void {
    this.#isClosed = true
    this.isReading = false
    this.progress = null
    this.#rowsCame?.(null)
    this.#port.close()
  }

  /** The next rows, as many as one message holds; null if the file was closed. */
  async #rows(from: number): Promise<PosLineInput[] | null> {
    const rows = await new Promise<PosLineInput[] | null>((came) => {
      this.#rowsCame = came
      if (this.#isClosed) came(null)
      else this.#port.ask({ kind: 'rows', from, most: mostPosLines })
    })
    this.#rowsCame = null
    if (!rows) return null
    let characters = 0
    const end = rows.findIndex((row) => {
      characters += row.orderId.length + (row.productName ?? '').length
      characters += (row.posProductId ?? '').length + (row.sku ?? '').length
      return characters > mostCharacters
    })
    return end > 0 ? rows.slice(0, end) : rows
  }

  #file({ lines, skipped, faultCount, days }: SalesSummary): PosFile {
    const { productName = null, posProductId = null, sku = null } = this.mapping ?? {}
    return {
      fileName: this.fileName.trim().slice(0, 300) || 'csv',
      ...{ lines, skipped, faulty: faultCount },
      otherDays: days.reduce((sum, one) => sum + (one.day === this.day ? 0 : one.lines), 0),
      hasProducts: productName !== null || posProductId !== null || sku !== null,
    }
  }

  #answered(message: FromReader): void {
    if (this.#isClosed) return
    switch (message.kind) {
      case 'problem':
        this.isReading = false
        this.problem = message.problem
        return
      case 'opened':
        if (message.number !== this.#number) return
        this.#isOpening = false
        this.mapping = keptMapping(this.view, message.opened)
        // What was said of its dates and columns was said of other columns.
        if (this.mapping === message.opened.mapping) [this.dateOrder, this.ignored] = [null, []]
        this.opened = message.opened
        if (message.opened.lines === 0) this.isReading = false
        else this.#ask()
        return
      case 'surveyed':
        if (message.number !== this.#number) return
        this.survey = message.survey
        this.dateOrder ??= message.survey.dateOrder
        this.#read()
        return
      case 'progress':
        if (message.number === this.#number) this.progress = { done: message.done, total: message.total }
        return
      case 'read':
        if (message.number !== this.#number) return
        this.isReading = false
        this.progress = null
        this.summary = message.summary
        return
      case 'rows':
        this.#rowsCame?.(message.rows)
    }
  }

  /** Looks at the file under the present mapping, then reads the day. */
  #ask(): void {
    const { mapping, ignored } = this
    if (!mapping || this.#isOpening) return
    this.summary = null
    this.survey = null
    this.isReading = true
    this.#port.ask({ kind: 'survey', number: ++this.#number, mapping: { ...mapping }, ignored: [...ignored] })
  }

  #read(): void {
    const { mapping, dateOrder, meanings, day } = this
    if (!mapping || this.#isOpening || !this.survey) return
    this.summary = null
    if (this.obstacle !== null) {
      this.isReading = false
      this.#number++
      return
    }
    this.isReading = true
    const choices = { dateOrder, meanings: { ...meanings } }
    this.#port.ask({ kind: 'read', number: ++this.#number, mapping: { ...mapping }, choices, day })
  }

  #obstacle(): SalesObstacle | null {
    const { opened, mapping, survey, summary } = this
    if (!opened || !mapping) return null
    if (opened.lines === 0) return 'no-lines'
    if (mapping.orderId === null) return 'no-order'
    if (survey && survey.wordyColumn !== null) {
      return survey.wordyColumn === 'status' ? 'not-a-status' : `not-${survey.wordyColumn}`
    }
    if (survey && survey.unmatchedStatus !== null) return 'unmatched-status'
    if (survey && survey.dateOrder === null && this.dateOrder === null) return 'date-order'
    if (survey?.unknownWords.some(({ word }) => this.meanings[word] === undefined) === true) return 'words'
    if (!summary || summary.rowCount > 0) return null
    const { days } = summary
    return days.length > 0 && days.every((one) => one.day !== this.day) ? 'other-days' : 'no-usable-line'
  }
}

/** Why a line of the file is left out. */
export function salesFaultText({ column, code, value }: SalesFault): Text {
  switch (code) {
    case 'no-product':
    case 'not-a-date':
    case 'unknown-zone':
    case 'not-a-quantity':
      return { key: `pos-day.fault.${code}`, values: { value: shortened(value, 40) } }
    case 'missing':
    case 'not-text':
    case 'too-long':
    case 'uneven':
    case 'broken-quotes':
      return cellFaultText(code, column, value)
  }
}
