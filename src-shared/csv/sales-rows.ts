import type { PosLineInput } from '../ipc/contract/pos-day'
import {
  type CellFault,
  type LineFault,
  type Width,
  cellFaultOf,
  lineFaultOf,
  neededCells,
  identifierOf,
  quoted,
  textOf,
} from './cells'
import { plainWord } from './columns'
import { type DateReading, dayUnder, findDateOrder, isZoned, readDay } from './days'
import { readQuantity, thousandth } from './quantity'
import type { FileLine, Table } from './table'
import { type SalesColumn, type SalesMapping, salesColumns } from './sales-columns'
import {
  type StatusColumn,
  type StatusMeaning,
  type StatusWords,
  columnOfName,
  meaningOf,
  noSaleIn,
  saysSomething,
  statusColumns,
  statusWordsOf,
} from './sales-status'
import { countsItems, otherUnitIn } from './units'
import { zoneInHeader } from './zones'

/** Why a line of the sales is left out. `value`: the cell in question, shortened; never of a column that isn't matched. */
export interface SalesFault {
  line: number
  column: SalesColumn | null
  code: LineFault | CellFault | 'missing' | 'no-product' | 'not-a-date' | 'unknown-zone' | 'not-a-quantity'
  value: string
}

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
  wordyColumn: StatusColumn | null
  /**
   * The first column that isn't matched or ignored and says of a line that it was returned or voided, by its name, a word, or money
   * paid back, with its cell, and as what it would be matched: such a line must not count as a sale. Null if there is none.
   */
  unmatchedStatus: { at: number; text: string; column: StatusColumn } | null
}

export interface SalesOfDay {
  rows: PosLineInput[]
  /** Lines of the day that count, and those that a status leaves out. */
  lines: number
  skipped: number
  /** The first faults, in the order of the file. */
  faults: SalesFault[]
  faultCount: number
  /** How many lines each day has, the newest first. Without a column of dates, all but returns of other days are of the chosen day. */
  days: { day: string; lines: number }[]
}

/** So many lines are read; a file with more is refused. */
export const mostSalesLines = 250_000
const mostFaults = 500
/** A column with more different words that aren't known is no status. */
export const mostWords = 12
/** Lines between two reports of the progress. */
const betweenReports = 5_000

/**
 * What a file leaves open under a mapping. `ignored`: columns of which a person said that they say nothing of the sale. Pure.
 */
export function surveySales(table: Table, mapping: SalesMapping, ignored: readonly number[] = []): SalesSurvey {
  const width = { columns: table.columnCount, needed: neededCells(mapping) }
  const lines = table.rows.filter((line) => lineFaultOf(line, width) === null)
  const dates = function* () {
    for (const line of lines) yield* [textOf(line, mapping.date), textOf(line, mapping.returned)]
  }
  const found = findDateOrder(dates())
  const how = statusWordsOf(table, mapping, {})
  return {
    dateOrder: found.order,
    dateExample: found.example,
    ...unknownWordsIn(lines, mapping, how),
    unmatchedStatus: unmatchedStatusOf(lines, table, mapping, { ...how, ignored }),
  }
}

function unknownWordsIn(
  lines: FileLine[],
  mapping: SalesMapping,
  how: StatusWords,
): Pick<SalesSurvey, 'unknownWords' | 'wordyColumn'> {
  const words = new Map<string, { word: string; text: string; lines: number }>()
  const ofColumn = new Map(statusColumns.map((column) => [column, new Set<string>()]))
  for (const line of lines) {
    for (const [column, own] of ofColumn) {
      const text = textOf(line, mapping[column])
      if (text === '' || meaningOf(text, column, how) !== undefined) continue
      const word = plainWord(text)
      if (own.size <= mostWords) own.add(word)
      const noted = words.get(word)
      if (noted) noted.lines++
      else if (words.size <= ofColumn.size * mostWords) words.set(word, { word, text: quoted(text), lines: 1 })
    }
  }
  const wordyColumn = statusColumns.find((column) => (ofColumn.get(column)?.size ?? 0) > mostWords) ?? null
  return { unknownWords: wordyColumn === null ? [...words.values()] : [], wordyColumn }
}

function unmatchedStatusOf(
  lines: FileLine[],
  { header, columnCount }: Table,
  mapping: SalesMapping,
  { ignored, ...how }: StatusWords & { ignored: readonly number[] },
): SalesSurvey['unmatchedStatus'] {
  const known = new Set([...salesColumns.map((column) => mapping[column]), ...ignored])
  const nameOf = (at: number) => header && (header.cells[at] ?? '')
  const others = Array.from({ length: columnCount }, (_, at) => ({ at, about: columnOfName(nameOf(at) ?? '') }))
    .filter(({ at }) => !known.has(at))
    .map((other) => ({ ...other, says: remembered(noSaleIn(nameOf(other.at))) }))
  const countOf = (line: FileLine) =>
    mapping.quantity === null ? 1 : (readQuantity(textOf(line, mapping.quantity)) ?? 0)
  const isSold = (line: FileLine) =>
    statusColumns.every((column) => (meaningOf(textOf(line, mapping[column]), column, how) ?? 'sold') === 'sold')
  for (const line of lines) {
    for (const { at, about, says } of others) {
      const text = textOf(line, at)
      const found = says(text) ?? (about !== null && saysSomething(text) ? { means: about, isMoney: false } : null)
      if (found === null || countOf(line) < (found.isMoney ? 1 : 0) || !isSold(line)) continue
      // Money has a sign only as a return.
      if (found.isMoney) return { at, text: quoted(text), column: 'returned' }
      const wanted = [...(about === null ? (['status', found.means] as const) : [about]), ...statusColumns]
      const column = wanted.find((one) => mapping[one] === null) ?? found.means
      return { at, text: quoted(text), column }
    }
  }
  return null
}

/** Most cells of such a column are the same few words. */
function remembered<Value>(valueOf: (text: string) => Value): (text: string) => Value {
  const values = new Map<string, Value>()
  return (text) => {
    const known = values.get(text)
    if (known !== undefined) return known
    const value = valueOf(text)
    if (values.size < 1_000) values.set(text, value)
    return value
  }
}

type SalesLine =
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
    ...{ columns: table.columnCount, needed: neededCells(mapping), mapping, choices, day },
    words: statusWordsOf(table, mapping, choices.meanings),
    zone: mapping.date === null ? '' : zoneInHeader(table.header?.cells[mapping.date] ?? ''),
    unit: mapping.quantity === null ? '' : otherUnitIn(table.header?.cells[mapping.quantity] ?? ''),
  }
  let above: OrderCells | null = null
  for (const [at, line] of table.rows.entries()) {
    if (at % betweenReports === 0) onProgress(at)
    const ofOrder: OrderCells = carriedDown(ofOrderIn(line, mapping), above)
    const reads = readLine(line, ofOrder, how)
    above = ofOrder
    for (const read of reads) {
      if (read.day !== null) days.set(read.day, (days.get(read.day) ?? 0) + 1)
      if (read.day !== null && read.day !== day) continue
      if (read.kind === 'fault') {
        faultCount++
        if (faults.length < mostFaults) faults.push(read.fault)
      } else if (read.kind === 'skipped') skipped++
      else {
        lines++
        add(rows, read.row)
      }
    }
  }
  onProgress(table.rows.length)
  return {
    rows: [...rows.values()],
    ...{ lines, skipped, faults, faultCount },
    days: [...(mapping.date === null ? days.set(day, lines + skipped) : days)]
      .map(([one, count]) => ({ day: one, lines: count }))
      .sort((one, other) => (one.day < other.day ? 1 : -1)),
  }
}

function add(rows: Map<string, PosLineInput>, row: PosLineInput): void {
  const key = JSON.stringify([row.orderId, row.posProductId, row.sku, row.productName, row.isVoided])
  const known = rows.get(key)
  if (known) known.count += row.count
  else rows.set(key, row)
}

interface How extends Width {
  mapping: SalesMapping
  choices: SalesChoices
  /** The day that is read: of lines without a date. */
  day: string
  words: StatusWords
  /** The zone in the name of the column: of times that have none. */
  zone: string
  /** The unit of all quantities, if it isn't one of items. */
  unit: string
}

/** What a line says of its whole order. */
interface OrderCells {
  orderId: string
  /** With its time, if that is in a column of its own. */
  date: string
  zone: string
  status: string
  voided: string
  returned: string
}

const ofOrderIn = (line: FileLine, mapping: SalesMapping): OrderCells => ({
  orderId: identifierOf(textOf(line, mapping.orderId)),
  date: momentOf(textOf(line, mapping.date), textOf(line, mapping.time)),
  zone: textOf(line, mapping.zone),
  status: textOf(line, mapping.status),
  voided: textOf(line, mapping.voided),
  returned: textOf(line, mapping.returned),
})

const hasTime = /\d{1,2}:\d{2}/
const momentOf = (date: string, time: string): string =>
  date === '' || hasTime.test(date) || !hasTime.test(time) ? date : `${date} ${time}`

/** Some registers write what belongs to the whole order only on its first line. */
const carriedDown = (own: OrderCells, above: OrderCells | null): OrderCells =>
  above === null || own.orderId === '' || own.orderId !== above.orderId || own.date !== ''
    ? own
    : {
        ...{ orderId: own.orderId, date: above.date, zone: own.zone || above.zone },
        status: own.status || above.status,
        voided: own.voided || above.voided,
        returned: own.returned || above.returned,
      }

/** A line that says nothing of a single order: it has no product, although others have. */
function isSummary(line: FileLine, mapping: SalesMapping): boolean {
  const products = [mapping.productName, mapping.posProductId, mapping.sku].filter((at) => at !== null)
  return products.length > 0 && products.every((at) => textOf(line, at) === '')
}

/** The day of a date; `fault` if it isn't one, or in a zone that isn't known. Undefined if the cell is empty. */
type Dated = { day: string } | { fault: 'not-a-date' | 'unknown-zone'; value: string } | undefined

function dayIn(text: string, zone: string, { choices }: How): Dated {
  if (text === '') return undefined
  const read = readDay(text, zone)
  if (read && isZoned(read)) return { fault: 'unknown-zone', value: read.zone }
  const day = read && dayUnder(read, choices.dateOrder ?? 'month-first')
  return day === null ? { fault: 'not-a-date', value: text } : { day }
}

/** The day on which a line was returned, if its column has a date. */
function returnedOn({ returned, zone }: OrderCells, how: How): Dated {
  const isDate = !how.words.hasTotals && readDay(returned) !== null
  return isDate ? dayIn(returned, zone || how.zone, how) : undefined
}

/**
 * What a line says of each day that it is about: its sale, and its return if that was on another day. What can't be read is listed on
 * both.
 */
function readLine(line: FileLine, ofOrder: OrderCells, how: How): SalesLine[] {
  const { mapping } = how
  const fault = (
    code: SalesFault['code'],
    value: string,
    column: SalesColumn | null = null,
    day: string | null = null,
  ): SalesLine => ({ kind: 'fault', day, fault: { line: line.line, column, code, value: quoted(value) } })
  const ofLine = lineFaultOf(line, how)
  // The cells may be those of a customer.
  if (ofLine !== null) return [fault(ofLine, ofLine === 'uneven' ? String(line.cells.length) : '')]
  const said = saidOf(ofOrder, how)
  const sold = mapping.date === null ? { day: how.day } : dayIn(ofOrder.date, ofOrder.zone || how.zone, how)
  if (sold && 'fault' in sold)
    return [fault(sold.fault, sold.value, sold.value === ofOrder.zone && ofOrder.zone !== '' ? 'zone' : 'date')]
  const returned = returnedOn(ofOrder, how)
  if (returned && 'fault' in returned) return [fault(returned.fault, returned.value, 'returned')]
  if (sold === undefined && returned === undefined) {
    // An order that was voided before it was paid has no date; nothing was sold. Nor do the totals at the end of a report.
    if (said.includes('voided') || isSummary(line, mapping)) return [{ kind: 'skipped', day: null }]
    return [fault('missing', '', 'date')]
  }
  const days = { sold: sold?.day ?? null, returned: returned?.day ?? null }
  const all = [...new Set([days.sold ?? days.returned, days.returned ?? days.sold])]
  // A word without a meaning is asked about first.
  if (said.includes(undefined) || said.includes('left-out')) return all.map((day) => ({ kind: 'skipped', day }))
  const read = readCellsOf(line, ofOrder, how)
  if ('code' in read) return all.map((day) => fault(read.code, read.value, read.column, day))
  return counted(read.row, read.count, days, said)
}

type Texts = Record<'orderId' | 'productName' | 'posProductId' | 'sku', string>

/** What a line says was sold, its count in thousandths; or why that can't be read. */
function readCellsOf(
  line: FileLine,
  { orderId }: OrderCells,
  { mapping, unit: ofAll }: How,
): { row: Texts & { line: number }; count: number } | Pick<SalesFault, 'code' | 'value' | 'column'> {
  const texts: Texts = {
    orderId,
    productName: textOf(line, mapping.productName),
    posProductId: identifierOf(textOf(line, mapping.posProductId)),
    sku: identifierOf(textOf(line, mapping.sku)),
  }
  for (const column of ['orderId', 'productName', 'posProductId', 'sku'] as const) {
    const code = cellFaultOf(texts[column])
    if (code !== null) return { code, value: texts[column], column }
  }
  if (orderId === '') return { code: 'missing', value: '', column: 'orderId' }
  const hasProducts = mapping.productName !== null || mapping.posProductId !== null || mapping.sku !== null
  const { productName, posProductId, sku } = texts
  if (hasProducts && productName + posProductId + sku === '')
    return { code: 'no-product', value: orderId, column: null }
  const quantity = textOf(line, mapping.quantity)
  const unit = textOf(line, mapping.unit) || ofAll
  const count = mapping.quantity === null ? thousandth : readQuantity(quantity)
  const column = mapping.quantity === null ? 'unit' : 'quantity'
  if (quantity === '' && count === null) return { code: 'missing', value: '', column }
  if (count === null) return { code: 'not-a-quantity', value: quantity, column }
  // Grams or cases: no number of items.
  if (!countsItems(unit)) return { code: 'not-a-quantity', value: `${quantity} ${unit}`.trim(), column }
  return { row: { line: line.line, ...texts }, count }
}

/** What the columns of the status say of a line. */
const saidOf = (ofOrder: OrderCells, { words }: How) =>
  statusColumns.map((column) => meaningOf(ofOrder[column], column, words))

/**
 * What the words of a status make of a line that can be read. `count`: in thousandths. `days`: of the sale and of the return, null if the
 * line doesn't say.
 */
function counted(
  { productName, posProductId, sku, ...row }: Texts & { line: number },
  count: number,
  days: Record<'sold' | 'returned', string | null>,
  said: (StatusMeaning | undefined)[],
): SalesLine[] {
  const [isVoided, isReturned] = [said.includes('voided'), said.includes('returned')]
  const lineOf = (day: string | null, of: number): SalesLine => ({
    kind: 'line',
    day,
    row: {
      ...row,
      productName: productName || null,
      posProductId: posProductId || null,
      sku: sku || null,
      isVoided,
      count: of,
    },
  })
  // A return that was voided: nothing came back.
  if (isReturned && isVoided) return [{ kind: 'skipped', day: days.sold ?? days.returned }]
  if (!isReturned) return [lineOf(days.sold, count)]
  const back = -Math.abs(count)
  if (days.returned === null || days.returned === days.sold) return [lineOf(days.sold, back)]
  // A line of nothing but the return.
  const isAlone = count < 0 || days.sold === null
  return isAlone ? [lineOf(days.returned, back)] : [lineOf(days.sold, count), lineOf(days.returned, back)]
}
