import type { PosLineInput } from '../ipc/contract/pos-day'
import {
  type CellFault,
  type LineFault,
  cellFaultOf,
  lineFaultOf,
  neededCells,
  identifierOf,
  quoted,
  textOf,
} from './cells'
import { plainWord, wordsOf } from './columns'
import { type DateReading, dayUnder, findDateOrder, readDay } from './days'
import type { Line, Table } from './read'
import { type SalesColumn, type SalesMapping, salesColumns } from './sales-columns'
import { zoneInHeader } from './zones'

/** Why a line of the sales is left out. `value`: the cell in question, shortened; never of a column that isn't matched. */
export interface SalesFault {
  line: number
  column: SalesColumn | null
  code: LineFault | CellFault | 'missing' | 'no-product' | 'not-a-date' | 'unknown-zone' | 'not-a-quantity'
  value: string
}

/** What a word in the columns of the status says about its line. */
export type StatusMeaning = 'sold' | 'returned' | 'voided' | 'left-out'

/** What a file leaves open, and a person answers. */
export interface SalesChoices {
  dateOrder: DateReading | null
  /** By word, as `plainWord` gives it. */
  meanings: Readonly<Record<string, StatusMeaning>>
}

/** What has to be asked before a file can be read. */
export interface SalesSurvey {
  /** Null if the dates leave open whether the month or the day comes first. */
  dateOrder: DateReading | null
  /** A date with two meanings. */
  dateExample: string | null
  /** Words of the status that aren't known, with how many lines have them. */
  unknownWords: { word: string; text: string; lines: number }[]
  /** A column with more different words than a status has: another one must be matched. Null if there is none. */
  wordyColumn: 'status' | 'voided' | null
  /**
   * The first column that isn't matched and says of a line that it was returned or voided, with that word: such a line must not
   * count as a sale. Null if there is none.
   */
  unmatchedStatus: { at: number; text: string } | null
}

export interface SalesOfDay {
  rows: PosLineInput[]
  /** Lines of the day that count, and those that a status leaves out. */
  lines: number
  skipped: number
  /** The first faults, in the order of the file. */
  faults: SalesFault[]
  faultCount: number
  /** How many lines each day has, the newest first. One entry with the chosen day if there is no column of dates. */
  days: { day: string; lines: number }[]
}

/** So many lines are read; a file with more is refused. */
export const mostSalesLines = 250_000
const mostFaults = 500
/** A column with more different words that aren't known is no status. */
export const mostWords = 12
/** Lines between two reports of the progress. */
const betweenReports = 5_000

const statusWords: Record<Exclude<StatusMeaning, 'left-out'>, string[]> = {
  sold: wordsOf(`
    complete completed closed paid sale sales sold finalized finished done ok active fulfilled pickedup delivered settled
    posted purchase retail venta vendido vendida completado completada pagado pagada cerrado cerrada finalizado
    finalizada entregado entregada
  `),
  returned: wordsOf(`
    return returns returned refund refunds refunded salereturn returnsale devolucion devoluciones devuelto devuelta reembolso
    reembolsado reembolsada
  `),
  voided: wordsOf(`
    void voided voids cancel canceled cancelled annulled anulado anulada anulacion cancelado cancelada cancelacion
  `),
}
/** A flag says yes or no. */
const flagWords: Record<'sold' | 'voided', string[]> = {
  sold: wordsOf('no n false f 0 notvoided'),
  voided: wordsOf('yes y true t x 1 si s verdadero'),
}

const statusMeanings = meaningsOf(statusWords)
const flagMeanings = new Map<string, StatusMeaning>([...meaningsOf(statusWords), ...meaningsOf(flagWords)])

function meaningsOf(table: Partial<Record<StatusMeaning, string[]>>): Map<string, StatusMeaning> {
  const meanings = new Map<string, StatusMeaning>()
  for (const meaning of ['sold', 'returned', 'voided'] as const) {
    for (const word of table[meaning] ?? []) meanings.set(word, meaning)
  }
  return meanings
}

/** An empty cell says nothing: the line was sold. */
function meaningOf(text: string, known: ReadonlyMap<string, StatusMeaning>, choices: SalesChoices['meanings']) {
  const word = plainWord(text)
  if (word === '') return 'sold'
  return known.get(word) ?? (Object.hasOwn(choices, word) ? choices[word] : undefined)
}

/** What a file leaves open under a mapping. Pure. */
export function surveySales(table: Table, mapping: SalesMapping): SalesSurvey {
  const { date } = mapping
  const needed = neededCells(mapping)
  const dates = function* () {
    for (const line of table.rows) if (lineFaultOf(line, table.columnCount, needed) === null) yield textOf(line, date)
  }
  const found = date === null ? { order: 'month-first' as const, example: null } : findDateOrder(dates())
  const words = new Map<string, { word: string; text: string; lines: number }>()
  const ofColumn = { status: new Set<string>(), voided: new Set<string>() }
  for (const line of table.rows) {
    if (lineFaultOf(line, table.columnCount, needed) !== null) continue
    for (const [column, known] of [
      ['status', statusMeanings],
      ['voided', flagMeanings],
    ] as const) {
      const text = textOf(line, mapping[column])
      if (text === '' || meaningOf(text, known, {}) !== undefined) continue
      const word = plainWord(text)
      if (ofColumn[column].size <= mostWords) ofColumn[column].add(word)
      const noted = words.get(word)
      if (noted) noted.lines++
      else if (words.size <= 2 * mostWords) words.set(word, { word, text: quoted(text), lines: 1 })
    }
  }
  const wordyColumn = (['status', 'voided'] as const).find((column) => ofColumn[column].size > mostWords) ?? null
  return {
    dateOrder: found.order,
    dateExample: found.example,
    unknownWords: wordyColumn === null ? [...words.values()] : [],
    wordyColumn,
    unmatchedStatus: unmatchedStatusOf(table, mapping),
  }
}

/** A cell that may be a word of a status. */
const oneWord = /^\s*\p{L}[\p{L} _-]{0,20}\s*$/u

function unmatchedStatusOf({ rows, columnCount }: Table, mapping: SalesMapping): SalesSurvey['unmatchedStatus'] {
  const matched = new Set(salesColumns.map((column) => mapping[column]))
  const others = Array.from({ length: columnCount }, (_, at) => at).filter((at) => !matched.has(at))
  // Most cells of such a column are the same few words.
  const isNoSale = new Map<string, boolean>()
  const says = (text: string) => {
    const known = isNoSale.get(text)
    if (known !== undefined) return known
    const meaning = oneWord.test(text) ? statusMeanings.get(plainWord(text)) : undefined
    const found = meaning === 'returned' || meaning === 'voided'
    if (isNoSale.size < 1_000) isNoSale.set(text, found)
    return found
  }
  for (const { cells } of rows) {
    const at = others.find((one) => says(cells[one] ?? ''))
    if (at !== undefined) return { at, text: quoted((cells[at] ?? '').trim()) }
  }
  return null
}

const thousandth = 1_000
const largest = 1_000_000

/**
 * A quantity in thousandths: 2, 2.00, 2,00, 1.5, -1, (1), 1-. One separator is decimal: the sale of a thousand items of one
 * product isn't one of a counter. Null for anything else.
 */
export function readQuantity(cell: string): number | null {
  const text = cell.trim().replaceAll('\u2212', '-').replaceAll(/\s/g, '')
  const matched = /^(?:\((\d[\d.,]*)\)|([+-]?)(\d[\d.,]*)(-?))$/.exec(text)
  if (!matched || text.length > 20) return null
  const digits = matched[1] ?? matched[3] ?? ''
  const isNegative = matched[1] !== undefined || matched[2] === '-' || matched[4] === '-'
  const separators = digits.replaceAll(/\d/g, '')
  const decimal = separators.length === 1 || new Set(separators).size > 1 ? separators.at(-1) : undefined
  const plain = Array.from(digits)
    .filter((one, at) => /\d/.test(one) || (one === decimal && at === digits.lastIndexOf(decimal)))
    .join('')
    .replace(',', '.')
  const value = Math.round(Number(plain) * thousandth)
  if (!Number.isFinite(value) || value > largest * thousandth) return null
  return isNegative && value !== 0 ? -value : value
}

type Read =
  | { kind: 'line'; day: string | null; row: PosLineInput }
  | { kind: 'skipped'; day: string | null }
  | { kind: 'fault'; day: string | null; fault: SalesFault }

/** Reads the lines of one day by a mapping, and adds up those of one order and product. `onProgress`: lines done. Pure. */
export function readSales(
  table: Table,
  mapping: SalesMapping,
  choices: SalesChoices,
  day: string,
  onProgress: (done: number) => void = () => undefined,
): SalesOfDay {
  const rows = new Map<string, PosLineInput>()
  const days = new Map<string, number>()
  const faults: SalesFault[] = []
  let [faultCount, lines, skipped] = [0, 0, 0]
  const how = {
    ...{ columns: table.columnCount, needed: neededCells(mapping), mapping, choices },
    zone: mapping.date === null ? '' : zoneInHeader(table.header?.cells[mapping.date] ?? ''),
  }
  let above: OfOrder | null = null
  for (const [at, line] of table.rows.entries()) {
    if (at % betweenReports === 0) onProgress(at)
    const ofOrder: OfOrder = carriedDown(ofOrderIn(line, mapping), above)
    const read = readLine(line, ofOrder, how)
    above = ofOrder
    if (read.day !== null) days.set(read.day, (days.get(read.day) ?? 0) + 1)
    if (read.day !== null && read.day !== day && mapping.date !== null) continue
    if (read.kind === 'fault') {
      faultCount++
      if (faults.length < mostFaults) faults.push(read.fault)
    } else if (read.kind === 'skipped') skipped++
    else {
      lines++
      add(rows, read.row)
    }
  }
  onProgress(table.rows.length)
  return {
    rows: [...rows.values()],
    ...{ lines, skipped, faults, faultCount },
    days:
      mapping.date === null
        ? [{ day, lines: lines + skipped }]
        : [...days].map(([one, count]) => ({ day: one, lines: count })).sort((a, b) => (a.day < b.day ? 1 : -1)),
  }
}

function add(rows: Map<string, PosLineInput>, row: PosLineInput): void {
  const key = JSON.stringify([row.orderId, row.posProductId, row.sku, row.productName, row.isVoided])
  const known = rows.get(key)
  if (known) known.count += row.count
  else rows.set(key, row)
}

interface How {
  columns: number
  needed: number
  mapping: SalesMapping
  choices: SalesChoices
  /** Of times that have none. */
  zone: string
}

/** What a line says of its whole order. */
interface OfOrder {
  orderId: string
  date: string
  status: string
  voided: string
}

const ofOrderIn = (line: Line, { orderId, date, status, voided }: SalesMapping): OfOrder => ({
  orderId: identifierOf(textOf(line, orderId)),
  date: textOf(line, date),
  status: textOf(line, status),
  voided: textOf(line, voided),
})

/** Some registers write what belongs to the whole order only on its first line. */
const carriedDown = (own: OfOrder, above: OfOrder | null): OfOrder =>
  above === null || own.orderId === '' || own.orderId !== above.orderId || own.date !== ''
    ? own
    : { ...own, date: above.date, status: own.status || above.status, voided: own.voided || above.voided }

/** A line that says nothing of a single order: it has no product, although others have. */
function isSummary(line: Line, mapping: SalesMapping): boolean {
  const products = [mapping.productName, mapping.posProductId, mapping.sku].filter((at) => at !== null)
  return products.length > 0 && products.every((at) => textOf(line, at) === '')
}

function readLine(line: Line, ofOrder: OfOrder, { columns, needed, mapping, choices, zone }: How): Read {
  let day: string | null = null
  const fault = (code: SalesFault['code'], value: string, column: SalesColumn | null = null): Read => ({
    kind: 'fault',
    day,
    fault: { line: line.line, column, code, value: quoted(value) },
  })
  const ofLine = lineFaultOf(line, columns, needed)
  // The cells may be those of a customer.
  if (ofLine !== null) return fault(ofLine, ofLine === 'uneven' ? String(line.cells.length) : '')
  if (mapping.date !== null) {
    const text = ofOrder.date
    const read = readDay(text, zone)
    if (read && 'zone' in read) return fault('unknown-zone', text, 'date')
    day = read && dayUnder(read, choices.dateOrder ?? 'month-first')
    // Such as the totals at the end of a report.
    if (text === '' && isSummary(line, mapping)) return { kind: 'skipped', day }
    if (day === null) return text === '' ? fault('missing', '', 'date') : fault('not-a-date', text, 'date')
  }
  const texts = {
    orderId: ofOrder.orderId,
    productName: textOf(line, mapping.productName),
    posProductId: identifierOf(textOf(line, mapping.posProductId)),
    sku: identifierOf(textOf(line, mapping.sku)),
  }
  for (const column of ['orderId', 'productName', 'posProductId', 'sku'] as const) {
    const ofCell = cellFaultOf(texts[column])
    if (ofCell !== null) return fault(ofCell, texts[column], column)
  }
  if (texts.orderId === '') return fault('missing', '', 'orderId')
  const hasProducts = mapping.productName !== null || mapping.posProductId !== null || mapping.sku !== null
  const { productName, posProductId, sku } = texts
  if (hasProducts && productName + posProductId + sku === '') return fault('no-product', texts.orderId)
  const quantity = textOf(line, mapping.quantity)
  const count = mapping.quantity === null ? thousandth : readQuantity(quantity)
  if (count === null) return fault(quantity === '' ? 'missing' : 'not-a-quantity', quantity, 'quantity')
  return counted({ line: line.line, ...texts }, count, day, ofOrder, choices)
}

/** What the words of a status make of a line that can be read. `count`: in thousandths. */
function counted(
  {
    productName,
    posProductId,
    sku,
    ...row
  }: Record<'orderId' | 'productName' | 'posProductId' | 'sku', string> & { line: number },
  count: number,
  day: string | null,
  ofOrder: OfOrder,
  { meanings }: SalesChoices,
): Read {
  const status = meaningOf(ofOrder.status, statusMeanings, meanings)
  const flag = meaningOf(ofOrder.voided, flagMeanings, meanings)
  const said = [status, flag]
  // A word without a meaning is asked about first.
  if (said.includes(undefined) || said.includes('left-out')) return { kind: 'skipped', day }
  // A return that was voided: nothing came back.
  if (said.includes('returned') && said.includes('voided')) return { kind: 'skipped', day }
  return {
    kind: 'line',
    day,
    row: {
      ...row,
      productName: productName || null,
      posProductId: posProductId || null,
      sku: sku || null,
      isVoided: said.includes('voided'),
      count: said.includes('returned') ? -Math.abs(count) : count,
    },
  }
}
