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
}

/** So many lines tell whether a file is a ledger: every sale has a line of an item. */
const toTell = 1_000

export const isLedger = ({ rows }: Pick<Table, 'rows'>, status: number | null): boolean =>
  status !== null && rows.slice(0, toTell).some((line) => plainWord(textOf(line, status)) === itemLine)

/**
 * What a cell of a status column says; undefined if that isn't known. Yes, or the time at which it was, says what the column is
 * for. An empty cell says nothing: the line was sold.
 */
export function meaningOf(
  text: string,
  column: StatusColumn,
  { meanings: choices, isLedger }: StatusWords,
): StatusMeaning | undefined {
  const word = plainWord(text)
  if (word === '') return 'sold'
  if (isLedger && column === 'status' && ofWholeSale.has(word)) return 'left-out'
  const known = meanings.get(word) ?? (column === 'status' ? undefined : flagged(word, text, column))
  return known ?? (Object.hasOwn(choices, word) ? choices[word] : undefined)
}

const isNumber = (text: string) => /\d/.test(text) && !/\p{L}/u.test(text)
const isZero = (text: string) => isNumber(text) && !/[1-9]/.test(text)
/** Money: what was paid back. A number alone may be one of items, of which a part came back. */
const isAmount = (text: string) => isNumber(text) && /[$€]|\d[.,]\d{2}(?!\d)/.test(text)

function flagged(word: string, text: string, column: 'voided' | 'returned'): StatusMeaning | undefined {
  if (no.has(word) || isZero(text)) return 'sold'
  return yes.has(word) || isAmount(text) || readDay(text) !== null ? column : undefined
}

/** A cell that may be a word of a status. */
const oneWord = /^\s*\p{L}[\p{L} _-]{0,20}\s*$/u

/** The column for which a cell would be matched: it says that the line was returned or voided, by a word; null if it doesn't. */
export function namesNoSale(text: string): 'voided' | 'returned' | null {
  const meaning = oneWord.test(text) ? meanings.get(plainWord(text)) : undefined
  return meaning === 'returned' || meaning === 'voided' ? meaning : null
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
