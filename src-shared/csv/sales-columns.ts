import { type ColumnRule, countKnown, headerAlone, productWords, proposeColumns, wordsIn, wordsOf } from './columns'
import { readDay } from './days'
import { readQuantity } from './quantity'
import type { Columns } from './table'
import { doubtfulUnitWords, isUnit, unitWords } from './units'
import { offsetOf } from './zones'

/** The columns read from a POS's sales. Others, such as the customer's name, are never read. */
export const salesColumns = [
  'orderId',
  'date',
  'time',
  'zone',
  'productName',
  'posProductId',
  'sku',
  'quantity',
  'unit',
  'status',
  'voided',
  'returned',
] as const
export type SalesColumn = (typeof salesColumns)[number]

/** The index of each column in the file, from 0; null if the file doesn't have it. */
export type SalesMapping = Record<SalesColumn, number | null>

const isOrderNumber = (cell: string) => /\d/.test(cell) && !/\p{L}{2} \p{L}{2}/u.test(cell)
const isTime = (cell: string) => /^\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s*[ap]\.?\s?m\.?)?$/i.test(cell)
const isMoment = (cell: string) => !isTime(cell) && readDay(cell) !== null
const isZone = (cell: string) => offsetOf(cell) !== null
const isQuantity = (cell: string) => readQuantity(cell) !== null

/** Moments that are not those of the sale. */
const otherMoment = /^(?:return|refund|void|cancel|expir|birth|dob|due|deposit|update|modif|devol|anul|venc|nac)/
/** Names of quantities that stand in a longer name, and what makes it the name of something else. */
const ofQuantity = /^(?:qty|quantity|units?|count|sold|pcs|pieces|cantidad|unidades)$/
const notQuantity =
  /^(?:weight|grams?|price|cost|amount|sales|gross|net|tax|hand|stock|remaining|available|customers?|return|refund|discount)/

/** Counts of a counter are small and repeat; numbers of orders don't. */
function areSmallCounts(cells: string[]): boolean {
  const isSmall = cells.every((cell) => /^-?\d{1,2}$/.test(cell) && !/^-?0\d/.test(cell))
  return isSmall && (cells.length < 4 || new Set(cells).size <= cells.length / 2)
}

function isNamedQuantity(name: string | null, cells: string[]): boolean {
  if (name === null) return areSmallCounts(cells)
  const said = wordsIn(name)
  return said.some((word) => ofQuantity.test(word)) && !said.some((word) => notQuantity.test(word))
}

/** Column names in known systems, in English and Spanish, most specific first. */
const rules: Record<SalesColumn, ColumnRule> = {
  productName: {
    words: productWords.productName,
    doubtful: { words: ['details'], looksLike: (cell) => /\p{L}/u.test(cell) },
  },
  posProductId: { words: productWords.posProductId },
  sku: { words: productWords.sku },
  orderId: {
    words: wordsOf(`
      ordernumber orderid orderno posorderid externalorderid receiptnumber receiptid receiptno transactionid
      transactionnumber transactionno ticketnumber ticketid salenumber saleid saleno invoicenumber invoiceid
      invoiceno transnum transno order receipt ticket transaction invoice numerodepedido numerodeorden numerodelaorden iddepedido
      iddelpedido idpedido iddeorden idorden numeroderecibo numerodefactura numerodeventa iddeventa idventa pedido orden
      recibo factura
    `),
    doubtful: { words: ['name'], looksLike: isOrderNumber },
  },
  date: {
    words: wordsOf(`
      orderdate saledate transactiondate orderdatetime saledatetime transactiondatetime solddate soldat soldon
      completedat completedon completeddate closedat closeddate dateclosed dateclose paidat paidon processedon processedat
      datetime timestamp date createdat createddate
      fechadeventa fechadelaventa fechadelpedido fechadepedido fechayhora fechahora fecha
    `),
    doubtful: { words: wordsOf('ordertime saletime transactiontime time hora'), looksLike: isMoment },
    looksLike: isMoment,
    isFoundByLooks: (name) => name === null || !wordsIn(name).some((word) => otherMoment.test(word)),
  },
  time: {
    words: [],
    doubtful: {
      words: wordsOf('ordertime saletime transactiontime timeofsale time horadeventa horadelaventa hora'),
      looksLike: isTime,
    },
  },
  zone: {
    words: wordsOf('timezone storetimezone zonahoraria husohorario'),
    doubtful: { words: ['zone'], looksLike: isZone },
    looksLike: isZone,
  },
  quantity: {
    words: wordsOf(`
      quantitysold qtysold unitssold itemssold totalinventorysold inventorysold lineitemquantity itemquantity quantity qty units count
      cantidadvendida unidadesvendidas cantidad cant unidades
    `),
    doubtful: { words: wordsOf('items pieces each articulos piezas'), looksLike: isQuantity },
    looksLike: isQuantity,
    isFoundByLooks: isNamedQuantity,
  },
  unit: { words: unitWords, doubtful: { words: doubtfulUnitWords, looksLike: isUnit }, looksLike: isUnit },
  status: {
    words: wordsOf(`
      linetype transactiontype transtype saletype eventtype orderstatus transactionstatus transstatus salestatus financialstatus
      report ordertype status type estadodelpedido estadodelaventa tipodetransaccion tipodeventa informe estado tipo
    `),
  },
  voided: {
    words: wordsOf(`
      isvoided isvoid voided void voidedat voideddate voiddate iscanceled iscancelled canceled cancelled canceledat cancelledat
      canceleddate cancelleddate anulado anulada cancelado cancelada fechadeanulacion
    `),
  },
  returned: {
    words: wordsOf(`
      isreturn isreturned isrefund isrefunded returned refunded returndate returneddate returnedat refunddate refundeddate refundedat
      devuelto devuelta esdevolucion fechadedevolucion
    `),
  },
}

/** Names of columns that say both whether a sale was returned and whether it was voided. */
const statusLike: Record<'other', ColumnRule> = {
  other: {
    words: wordsOf(`
      transactiontype transtype saletype eventtype orderstatus transactionstatus transstatus salestatus financialstatus status estado
    `),
  },
}

/** Proposes a mapping by the names of the columns and what their cells look like. Doubtful columns stay null; a person chooses. */
export function proposeSales(table: Columns): SalesMapping {
  const of = proposeColumns(rules, table)
  const [orderId, productName, status, time] = [of('orderId'), of('productName'), of('status'), of('time')]
  return {
    // "Name" is the number of an order only beside another name of the product.
    orderId: orderId === productName ? null : orderId,
    date: of('date'),
    time: time === of('date') ? null : time,
    zone: of('zone'),
    productName,
    posProductId: of('posProductId'),
    sku: of('sku'),
    quantity: of('quantity'),
    unit: of('unit'),
    status,
    voided: of('voided') ?? otherStatus(table, status),
    returned: of('returned'),
  }
}

/** A file may have a type ("Refund") and a status ("Void"): both count. */
function otherStatus({ header, ...table }: Columns, status: number | null): number | null {
  if (header === null) return null
  const cells = header.cells.map((name, at) => (at === status ? '' : name))
  return proposeColumns(statusLike, { ...table, header: { ...header, cells } })('other')
}

/** By the names alone. */
export const mapSalesHeader = (header: string[]): SalesMapping => proposeSales(headerAlone(header))

/** How many columns of sales are known by their names. */
export const knownInSales = (cells: string[]): number => countKnown(cells, mapSalesHeader)
