import type { PosLineInput } from '../../../src-shared/ipc/contract/pos-day'
import { previewOf } from '../../../src-shared/csv/preview'
import { parseTable } from '../../../src-shared/csv/read'
import type { Table } from '../../../src-shared/csv/table'
import { type SalesColumn, type SalesMapping, knownInSales, proposeSales } from '../../../src-shared/csv/sales-columns'
import {
  type SalesChoices,
  type SalesOfDay,
  type SalesSurvey,
  mostSalesLines,
  readSales,
  surveySales,
} from '../../../src-shared/csv/sales-rows'
import type { FileView } from '../../csv/file-import.svelte'
import { type ChosenFile, type CsvProblem, type ReadAs, openFile } from '../../csv/open-file'

/** Why a file of sales can't be read. */
export type SalesProblem = CsvProblem | { code: 'csv/too-many-lines' }

/** A file as the page knows it: never all its lines. */
export type OpenedSales = FileView<SalesColumn>

/** What was read of a day, without its rows. */
export type SalesSummary = Omit<SalesOfDay, 'rows'> & { rowCount: number }

/** What the page asks of the reader. `number` comes back with the answer: only the newest counts. */
export type ToReader =
  | { kind: 'open'; number: number; file: ChosenFile; as: ReadAs }
  | { kind: 'survey'; number: number; mapping: SalesMapping; ignored: number[] }
  | { kind: 'read'; number: number; mapping: SalesMapping; choices: SalesChoices; day: string }
  | { kind: 'rows'; from: number; most: number }

export type FromReader =
  | { kind: 'problem'; problem: SalesProblem }
  | { kind: 'opened'; number: number; opened: OpenedSales }
  | { kind: 'surveyed'; number: number; survey: SalesSurvey }
  | { kind: 'progress'; number: number; done: number; total: number }
  | { kind: 'read'; number: number; summary: SalesSummary }
  | { kind: 'rows'; from: number; rows: PosLineInput[] }

/**
 * Reads a file of sales apart from the page, in a worker: text, lines and rows stay here, and the page gets what it shows
 * and the rows of one part at a time.
 */
export function createSalesReader(answer: (message: FromReader) => void) {
  let table: Table | null = null
  let rows: PosLineInput[] = []
  let newest = 0

  async function open({ number, file, as }: ToReader & { kind: 'open' }): Promise<void> {
    newest = number
    const read = await openFile(file, as)
    if (number !== newest) return
    if (!read.ok) {
      answer({ kind: 'problem', problem: read.error })
      return
    }
    const { text, encoding } = read.value
    const parsed = parseTable(text, { knownIn: knownInSales, mostLines: mostSalesLines, delimiter: as.delimiter })
    if (parsed.isCut) {
      answer({ kind: 'problem', problem: { code: 'csv/too-many-lines' } })
      return
    }
    table = parsed
    answer({
      ...{ kind: 'opened', number },
      opened: {
        ...{ encoding, delimiter: parsed.delimiter, hasHeader: parsed.header !== null, lines: parsed.rows.length },
        ...previewOf(parsed),
        mapping: proposeSales(parsed),
      },
    })
  }

  return async (message: ToReader): Promise<void> => {
    if (message.kind === 'open') {
      await open(message)
      return
    }
    if (!table) return
    switch (message.kind) {
      case 'survey': {
        const { number, mapping, ignored } = message
        answer({ kind: 'surveyed', number, survey: surveySales(table, mapping, ignored) })
        return
      }
      case 'read': {
        const { number, mapping, choices, day } = message
        const total = table.rows.length
        const { rows: found, ...rest } = readSales(table, mapping, choices, day, (done) => {
          answer({ kind: 'progress', number, done, total })
        })
        rows = found
        answer({ kind: 'read', number, summary: { ...rest, rowCount: rows.length } })
        return
      }
      case 'rows': {
        const { from, most } = message
        answer({ kind: 'rows', from, rows: rows.slice(from, from + most) })
      }
    }
  }
}
