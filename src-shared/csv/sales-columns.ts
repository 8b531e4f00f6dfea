import { columnFinder, countKnown, productWords, wordsOf } from './columns'

/** The columns read from a POS's sales. Others, such as the customer's name, are never read. */
export const salesColumns = [
  'orderId',
  'date',
  'productName',
  'posProductId',
  'sku',
  'quantity',
  'status',
  'voided',
] as const
export type SalesColumn = (typeof salesColumns)[number]

/** The index of each column in the file, from 0; null if the file doesn't have it. */
export type SalesMapping = Record<SalesColumn, number | null>

/** Column names in known systems, in English and Spanish, most specific first. */
const words: Record<SalesColumn, string[]> = {
  ...productWords,
  orderId: wordsOf(`
    ordernumber orderid orderno posorderid externalorderid receiptnumber receiptid receiptno transactionid
    transactionnumber transactionno ticketnumber ticketid salenumber saleid saleno invoicenumber invoiceid
    invoiceno transnum transno order receipt ticket transaction invoice numerodepedido numerodeorden numerodelaorden iddepedido
    iddelpedido idpedido iddeorden idorden numeroderecibo numerodefactura numerodeventa iddeventa idventa pedido orden
    recibo factura name
  `),
  date: wordsOf(`
    orderdate saledate transactiondate orderdatetime saledatetime transactiondatetime solddate soldat soldon
    completedat completedon completeddate closedat closeddate paidat paidon processedon processedat datetime timestamp
    date createdat createddate
    fechadeventa fechadelaventa fechadelpedido fechadepedido fechayhora fechahora fecha
  `),
  quantity: wordsOf(`
    quantitysold qtysold unitssold itemssold totalinventorysold inventorysold lineitemquantity itemquantity quantity qty units count cantidadvendida unidadesvendidas
    cantidad cant unidades
  `),
  status: wordsOf(`
    transactiontype transtype saletype eventtype orderstatus transactionstatus transstatus salestatus financialstatus
    ordertype status type estadodelpedido estadodelaventa tipodetransaccion tipodeventa estado tipo
  `),
  voided: wordsOf(`
    isvoided isvoid voided void iscanceled iscancelled canceled cancelled anulado anulada cancelado cancelada
  `),
}

/** Names of columns that say both whether a sale was returned and whether it was voided. */
const statusLike = wordsOf(`
  transactiontype transtype saletype eventtype orderstatus transactionstatus transstatus salestatus financialstatus status
`)

/** Proposes a mapping from the words of the header. Doubtful columns stay null; a person chooses. */
export function mapSalesHeader(header: string[]): SalesMapping {
  const ofWords = columnFinder(header)
  const find = (column: SalesColumn) => ofWords(words[column])
  const [orderId, productName, status] = [find('orderId'), find('productName'), find('status')]
  // A file may have a type ("Refund") and a status ("Void"): both count.
  const otherStatus = columnFinder(header.map((name, at) => (at === status ? '' : name)))(statusLike)
  return {
    // "Name" is the number of an order only beside another name of the product.
    orderId: orderId === productName ? null : orderId,
    date: find('date'),
    productName,
    posProductId: find('posProductId'),
    sku: find('sku'),
    quantity: find('quantity'),
    status,
    voided: find('voided') ?? otherStatus,
  }
}

/** How many columns of sales are known by their names. */
export const knownInSales = (cells: string[]): number => countKnown(cells, mapSalesHeader)
