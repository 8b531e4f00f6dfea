import { textOf } from './cells'
import { plainWord, wordsIn, wordsOf } from './columns'
import { readDay } from './days'
import type { Table } from './table'

/** What a word in the columns of the status says about its line. */
export type StatusMeaning = 'sold' | 'returned' | 'voided' | 'left-out'

/** The columns that say whether a line was sold. */
export const statusColumns = ['status', 'voided', 'returned'] as const
export type StatusColumn = (typeof statusColumns)[number]

const words: Record<StatusMeaning, string[]> = {
  sold: wordsOf(`
    complete completed closed paid sale sales sold finalized finished done ok active fulfilled pickedup delivered settled
    posted purchase retail payment saleline reported waiting sending laybyclosed onaccountclosed
    venta vendido vendida completado completada pagado pagada cerrado cerrada finalizado
    finalizada entregado entregada informado enespera enviando
  `),
  returned: wordsOf(`
    return returns returned refund refunds refunded salereturn returnsale devolucion devoluciones devuelto devuelta reembolso
    reembolsado reembolsada
  `),
  voided: wordsOf(`
    void voided voids cancel canceled cancelled annulled anulado anulada anulacion cancelado cancelada cancelacion
  `),
  'left-out': wordsOf(
    'reconciliation transfer inprogress hold onhold refused rejected enproceso transferencia rechazado',
  ),
}
/** A flag says yes or no. */
const no = new Set(wordsOf('no n false f 0 notvoided'))
const yes = new Set(wordsOf('yes y true t x 1 si s verdadero'))

const meanings = new Map<string, StatusMeaning>()
for (const meaning of ['sold', 'returned', 'voided', 'left-out'] as const) {
  for (const word of words[meaning]) meanings.set(word, meaning)
}

/** Beside lines of items, a line of the whole sale and one of its payment. */
const itemLine = 'saleline'
const ofWholeSale = new Set(['sale', 'payment'])

/** How the words of a file are read. */
export interface StatusWords {
  /** What a person said that words mean, by word, as `plainWord` gives it. */
  meanings: Readonly<Record<string, StatusMeaning>>
  /** The file has lines of items and, beside them, lines of the whole sale. */
  isLedger: boolean
  /** The column of returns holds amounts of sales as well: only one below zero is a return. */
  hasTotals?: boolean
}

/** So many lines tell whether a file is a ledger: every sale has a line of an item. */
const toTell = 1_000

const isLedger = ({ rows }: Pick<Table, 'rows'>, status: number | null): boolean =>
  status !== null && rows.slice(0, toTell).some((line) => plainWord(textOf(line, status)) === itemLine)

/**
 * What a cell of a status column says; undefined if that isn't known. Yes, or the time at which it was, says what the column is
 * for. An empty cell says nothing: the line was sold.
 */
export function meaningOf(
  text: string,
  column: StatusColumn,
  { meanings: choices, isLedger, hasTotals = false }: StatusWords,
): StatusMeaning | undefined {
  const word = plainWord(text)
  if (word === '') return 'sold'
  if (isLedger && column === 'status' && ofWholeSale.has(word)) return 'left-out'
  if (hasTotals && column === 'returned' && isNumber(text)) return isBelowZero(text) ? 'returned' : 'sold'
  const known = meanings.get(word) ?? (column === 'status' ? undefined : flagged(word, text, column))
  return known ?? (Object.hasOwn(choices, word) ? choices[word] : undefined)
}

/** With the code of its currency, if it has one. */
const isNumber = (text: string) => /\d/.test(text) && !/\p{L}/u.test(text.replace(/\b(?:USD|US(?=\$))/gi, ''))
const isZero = (text: string) => isNumber(text) && !/[1-9]/.test(text)
/** Money: what was paid back. A number alone may be one of items, of which a part came back. */
const isAmount = (text: string) => isNumber(text) && /[$€]|\d[.,]\d{2}(?!\d)/.test(text)

const isBelowZero = (text: string) => /^[^\d]*[(\u2212-]|-$/.test(text.trim()) && !isZero(text)

/** How the words of a file with this mapping are read. `meanings`: what a person said that words mean. */
export const statusWordsOf = (
  table: Table,
  mapping: Readonly<Record<StatusColumn, number | null>>,
  choices: StatusWords['meanings'],
): StatusWords => ({
  meanings: choices,
  isLedger: isLedger(table, mapping.status),
  hasTotals: hasTotals(table, mapping.returned),
})

/** An amount of returns under its own name means a return under either sign. */
const hasTotals = ({ header, rows }: Table, returned: number | null): boolean =>
  returned !== null &&
  columnOfName(header?.cells[returned] ?? '') !== 'returned' &&
  rows.some((line) => isMoneyBack(textOf(line, returned), null))

function flagged(word: string, text: string, column: 'voided' | 'returned'): StatusMeaning | undefined {
  if (no.has(word) || isZero(text)) return 'sold'
  return yes.has(word) || isAmount(text) || readDay(text) !== null ? column : undefined
}

type NoSale = 'voided' | 'returned'
const noSaleOf = (word: string): NoSale | null => {
  const meaning = meanings.get(word)
  return meaning === 'returned' || meaning === 'voided' ? meaning : null
}

/** A cell of more words or characters is no status, but a note. */
const mostWordsOfCell = 4
const longestStatus = 40
/** Columns of goods and people: in their names, a word says nothing of the sale. */
const ofGoods = /^(?:products?|items?|names?|descriptions?|titles?|productos?|articulos?|nombres?|descripcion)$/
const ofPeople = /^(?:customers?|patients?|members?|buyers?|brands?|vendors?|suppliers?|clientes?|pacientes?|marcas?)$/
const ofStatus = /^(?:status|type|state|kind|event|class|estado|tipo|clase)$/
/** Amounts that are below zero on a sale as well. */
const deducted =
  /^(?:discounts?|loyalty|promos?|promotions?|coupons?|rewards?|points?|change|cash|adjust|rounding|tips?|fees?|balance|cost|margin|profit|deposit|descuentos?|cambio|redondeo|puntos)/
const ofMoney =
  /^(?:sub)?total$|^(?:amounts?|prices?|sales|gross|net|paid|revenue|extended|importe|monto|precio|ventas?|pagado|neto|bruto)$/

/** Money that was paid back. `name`: of its column, null if the file has none. */
function isMoneyBack(text: string, name: string | null): boolean {
  if (!isNumber(text) || !isBelowZero(text)) return false
  const said = wordsIn(name ?? '')
  return !said.some((word) => deducted.test(word)) && (isAmount(text) || said.some((word) => ofMoney.test(word)))
}

/**
 * Reads cells of an unmatched column (`name`: its header, null if the file has none). The returned function says whether a cell
 * marks its line as returned or voided, by a word or, with `isMoney`, by money that was paid back; null if it doesn't.
 */
export function noSaleIn(name: string | null): (text: string) => { means: NoSale; isMoney: boolean } | null {
  const said = wordsIn(name ?? '')
  const isOfNames =
    said.some((word) => ofPeople.test(word)) ||
    (said.some((word) => ofGoods.test(word)) && !said.some((word) => ofStatus.test(word)))
  return (text) => {
    const word = plainWord(text)
    const whole = text.length <= longestStatus ? noSaleOf(word) : null
    if (whole !== null) return { means: whole, isMoney: false }
    if (isMoneyBack(text, name)) return { means: 'returned', isMoney: true }
    if (isOfNames || text.length > longestStatus || no.has(word) || meanings.has(word)) return null
    const parts = wordsIn(text)
    if (parts.length > mostWordsOfCell) return null
    const means = parts.map(noSaleOf).find((one) => one !== null) ?? null
    return means && { means, isMoney: false }
  }
}

const ofReturns = /^(?:returns?|returned|refunds?|refunded|devoluci(?:on|ones)|devuelt[oa]s?|reembols(?:o|os|ado|ada))$/
const ofVoids =
  /^(?:voids?|voided|cancel|canceled|cancelled|cancellation|anulad[oa]|anulacion|cancelad[oa]|cancelacion)$/

/** The column that the name of a column is about; null if it is about neither. */
export function columnOfName(name: string): 'voided' | 'returned' | null {
  const said = wordsIn(name)
  if (said.some((word) => ofReturns.test(word))) return 'returned'
  return said.some((word) => ofVoids.test(word)) ? 'voided' : null
}

const nothing = new Set(wordsOf('none na null nil ninguno ninguna'))

/** Whether a cell of such a column says anything: neither empty, nor no, nor an amount of zero. */
export function saysSomething(text: string): boolean {
  const word = plainWord(text)
  return word !== '' && !no.has(word) && !nothing.has(word) && !isZero(text)
}
