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
import { type DateReading, dayUnder, findDateOrder, readDay } from './days'
import { readQuantity, thousandth } from './quantity'
import type { Line, Table } from './table'
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

/**
 * What a file leaves open under a mapping. `ignored`: columns of which a person said that they say nothing of the sale. Pure.
 */
export function surveySales(table: Table, mapping: SalesMapping, ignored: readonly number[] = []): SalesSurvey {
  const { date } = mapping
  const width = { columns: table.columnCount, needed: neededCells(mapping) }
  const lines = table.rows.filter((line) => lineFaultOf(line, width) === null)
  const dates = function* () {
    for (const line of lines) yield textOf(line, date)
  }
  const found = date === null ? { order: 'month-first' as const, example: null } : findDateOrder(dates())
  const how = statusWordsOf(table, mapping, {})
  return {
    dateOrder: found.order,
    dateExample: found.example,
    ...unknownWordsIn(lines, mapping, how),
    unmatchedStatus: unmatchedStatusOf(lines, table, mapping, { ...how, ignored }),
  }
}

function unknownWordsIn(
  lines: Line[],
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
  lines: Line[],
  { header, columnCount }: Table,
  mapping: SalesMapping,
  { ignored, ...how }: StatusWords & { ignored: readonly number[] },
): SalesSurvey['unmatchedStatus'] {
  const known = new Set([...salesColumns.map((column) => mapping[column]), ...ignored])
  const nameOf = (at: number) => header && (header.cells[at] ?? '')
  const others = Array.from({ length: columnCount }, (_, at) => ({ at, about: columnOfName(nameOf(at) ?? '') }))
    .filter(({ at }) => !known.has(at))
    .map((other) => ({ ...other, says: remembered(noSaleIn(nameOf(other.at))) }))
  const countOf = (line: Line) => (mapping.quantity === null ? 1 : (readQuantity(textOf(line, mapping.quantity)) ?? 0))
  const isSold = (line: Line) =>
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
    words: statusWordsOf(table, mapping, choices.meanings),
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

interface How extends Width {
  mapping: SalesMapping
  choices: SalesChoices
  words: StatusWords
  /** The zone in the name of the column: of times that have none. */
  zone: string
}

/** What a line says of its whole order. */
interface OfOrder {
  orderId: string
  /** With its time, if that is in a column of its own. */
  date: string
  zone: string
  status: string
  voided: string
  returned: string
}

const ofOrderIn = (line: Line, mapping: SalesMapping): OfOrder => ({
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
const carriedDown = (own: OfOrder, above: OfOrder | null): OfOrder =>
  above === null || own.orderId === '' || own.orderId !== above.orderId || own.date !== ''
    ? own
    : {
        ...{ orderId: own.orderId, date: above.date, zone: own.zone || above.zone },
        status: own.status || above.status,
        voided: own.voided || above.voided,
        returned: own.returned || above.returned,
      }

/** A line that says nothing of a single order: it has no product, although others have. */
function isSummary(line: Line, mapping: SalesMapping): boolean {
  const products = [mapping.productName, mapping.posProductId, mapping.sku].filter((at) => at !== null)
  return products.length > 0 && products.every((at) => textOf(line, at) === '')
}

function readLine(line: Line, ofOrder: OfOrder, how: How): Read {
  const { mapping, choices, zone } = how
  let day: string | null = null
  const fault = (code: SalesFault['code'], value: string, column: SalesColumn | null = null): Read => ({
    kind: 'fault',
    day,
    fault: { line: line.line, column, code, value: quoted(value) },
  })
  const ofLine = lineFaultOf(line, how)
  // The cells may be those of a customer.
  if (ofLine !== null) return fault(ofLine, ofLine === 'uneven' ? String(line.cells.length) : '')
  const said = saidOf(ofOrder, how)
  if (mapping.date !== null) {
    const text = ofOrder.date
    // An order that was voided before it was paid has no date; nothing was sold.
    if (text === '' && said.includes('voided')) return { kind: 'skipped', day }
    const read = readDay(text, ofOrder.zone || zone)
    if (read && 'zone' in read) return fault('unknown-zone', read.zone, ofOrder.zone === read.zone ? 'zone' : 'date')
    day = read && dayUnder(read, choices.dateOrder ?? 'month-first')
    // Such as the totals at the end of a report.
    if (text === '' && isSummary(line, mapping)) return { kind: 'skipped', day }
    if (day === null) return text === '' ? fault('missing', '', 'date') : fault('not-a-date', text, 'date')
  }
  // A word without a meaning is asked about first.
  if (said.includes(undefined) || said.includes('left-out')) return { kind: 'skipped', day }
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
  return counted({ line: line.line, ...texts }, count, day, said)
}

/** What the columns of the status say of a line. */
const saidOf = (ofOrder: OfOrder, { words }: How) =>
  statusColumns.map((column) => meaningOf(ofOrder[column], column, words))

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
  said: (StatusMeaning | undefined)[],
): Read {
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
