import { describe, expect, it } from 'vitest'
import { proposeCatalogue } from '../../../../src-shared/csv/columns'
import { knownInManifest, proposeManifest } from '../../../../src-shared/csv/manifest-columns'
import { parseTable } from '../../../../src-shared/csv/read'
import { type SalesMapping, knownInSales, proposeSales } from '../../../../src-shared/csv/sales-columns'
import { meaningOf } from '../../../../src-shared/csv/sales-status'
import { readSales, surveySales } from '../../../../src-shared/csv/sales-rows'

const tableOf = (text: string) => parseTable(text, { knownIn: knownInSales })
const tag = (n: number) => `1A40E0300000B2F00000000${n}`

describe('columns of sales, by their names and by what their cells look like', () => {
  it.each<[string, string, Partial<SalesMapping>]>([
    ['a time of day beside its date', 'Order,Date,Order Time\n1,11/26/2026,18:02', { date: 1, time: 2 }],
    ['a moment under the name of a time', 'Order,Order Time\n1,11/26/2026 6:02 PM', { date: 1, time: null }],
    ['a zone of its own', 'Order,Date,Time,Time Zone\n1,2026-11-26,18:02,Arizona', { date: 1, time: 2, zone: 3 }],
    ['a delivery zone is none', 'Order,Date,Zone\n1,2026-11-26,North side', { zone: null }],
    ['a moment under any name', 'Order,Rung up\n1,2026-11-26 18:02\n2,2026-11-26 18:04', { date: 1 }],
    ['a moment of a return is not that of the sale', 'Order,Return Time\n1,2026-11-26 18:02', { date: null }],
    [
      'two moments are a person’s choice',
      'Order,Rung up,Handed over\n1,2026-11-26 18:02,2026-11-26 18:04',
      { date: null },
    ],
    ['counts under a longer name', 'Order,Product,Net qty. sold ea\n1,A,2', { quantity: null }],
    ['counts under a name with more words', 'Order,Product,Item Qty Rung\n1,A,2\n2,A,1', { quantity: 2 }],
    ['weights sold are no counts', 'Order,Product,Unit Weight Sold\n1,A,3.5', { quantity: null }],
    ['an age is no count', 'Order,Product,Age\n1,A,34\n2,A,34\n3,A,34\n4,A,34', { quantity: null }],
    ['of two names the one with counts', 'Order,Quantity,Qty\n1,each,2\n2,each,1', { quantity: 2 }],
    ['of one name twice the one with counts', 'Order,Units,Units\n1,each,2\n2,each,1', { quantity: 2 }],
    ['of one name twice, both with counts, none', 'Order,Units,Units\n1,1,2\n2,1,1', { quantity: null }],
    ['a name without a fitting cell: its lines are faults', 'Order,Quantity\n1,two\n2,one', { quantity: 1 }],
    ['a customer’s name is no order', 'Name,Product,Qty\nJane Roe,A,1', { orderId: null, productName: 1 }],
    ['an order under Name', 'Name,Product,Qty\n#1001,A,1', { orderId: 0, productName: 1 }],
    ['small counts without a header', '2026-11-26 18:02,7001,2\n2026-11-26 18:03,7002,1', { date: 0, quantity: 2 }],
    [
      'numbers of orders without a header are no counts',
      '2026-11-26,1\n2026-11-26,2\n2026-11-26,3\n2026-11-26,4',
      { quantity: null },
    ],
  ])('%s', (_name, text, expected) => {
    expect(proposeSales(tableOf(`${text}\n`))).toMatchObject(expected)
  })
})

describe('a column that says that a line was returned or voided', () => {
  const survey = (text: string) => {
    const table = tableOf(`${text}\n`)
    return surveySales(table, proposeSales(table))
  }

  it.each([
    ['a word', 'Order,Product,Kind\n1,A,Sale\n2,A,Refund', { at: 2, text: 'Refund', column: 'status' }],
    ['an amount', 'Order,Product,Refund Amount\n1,A,$0.00\n2,A,$9.00', { at: 2, text: '$9.00', column: 'returned' }],
    [
      'a reason',
      'Order,Product,VoidReason\n1,A,\n2,A,Rung up twice',
      { at: 2, text: 'Rung up twice', column: 'voided' },
    ],
    ['a quantity', 'Order,Product,Qty,Qty Returned\n1,A,2,0\n2,A,1,1', { at: 3, text: '1', column: 'returned' }],
    [
      'one of several words',
      'Order,Product,Payment Status\n1,A,Paid\n2,A,Fully refunded',
      { at: 2, text: 'Fully refunded', column: 'status' },
    ],
    [
      'a kind of document',
      'Order,Product,Doc Type\n1,A,Receipt\n2,A,Return receipt',
      { at: 2, text: 'Return receipt', column: 'status' },
    ],
    ['a kind of line', 'Order,Product,Record Type\n1,A,Return Line', { at: 2, text: 'Return Line', column: 'status' }],
    ['a word in Spanish', 'Pedido,Producto,Clase\n1,A,Devolución parcial', { text: 'Devolución parcial' }],
    [
      'a third column of a status',
      'Order,Product,Order Status,Trans Type,Payment Status\n1,A,Completed,Sale,paid\n2,A,Completed,Sale,partially_refunded',
      { at: 4, text: 'partially_refunded', column: 'returned' },
    ],
    [
      'money paid back',
      'Order,Product,Qty,Total\n1,A,1,$9.00\n2,A,1,-$35.00',
      { at: 3, text: '-$35.00', column: 'returned' },
    ],
    ['money in brackets', 'Order,Product,Qty,Total\n1,A,1,($35.00)', { at: 3, text: '($35.00)', column: 'returned' }],
    ['money without cents', 'Order,Product,Qty,Net Sales\n1,A,1,-35', { at: 3, text: '-35', column: 'returned' }],
  ])('is asked about: %s', (_name, text, expected) => {
    expect(survey(text).unmatchedStatus).toMatchObject(expected)
  })

  it.each([
    ['nothing', 'Order,Product,Refund Amount\n1,A,0.00\n2,A,\n3,A,N/A\n4,A,-'],
    ['what is matched already', 'Order,Product,Status,Refund Amount\n1,A,Refunded,$9.00'],
    ['a negative quantity', 'Order,Product,Qty,Refund Reason\n1,A,-1,Wrong item'],
    ['the name of a product', 'Order,Product,Product Description\n1,A,No Return Kush'],
    ['what a customer is', 'Order,Product,Customer Type\n1,A,Return customer'],
    ['that it was not voided', 'Order,Product,Record\n1,A,Not voided'],
    ['a discount', 'Order,Product,Qty,Discount\n1,A,1,-$5.00'],
    ['money of a return', 'Order,Product,Qty,Total\n1,A,-1,-$35.00'],
  ])('is not asked about if it says %s', (_name, text) => {
    expect(survey(text).unmatchedStatus).toBeNull()
  })

  it('one after the other: a column that was ignored is passed over', () => {
    const table = tableOf('Order,Product,Comment,Kind\n1,A,refund slip,Sale\n2,A,,Refund\n')
    const at = (ignored: number[]) => surveySales(table, proposeSales(table), ignored).unmatchedStatus?.at
    expect([at([]), at([2]), at([2, 3])]).toEqual([2, 3, undefined])
  })

  it('by the sign of its totals: only what is below zero was returned', () => {
    const table = tableOf('Order,Product,Qty,Total\n1,A,1,$35.00\n2,A,1,-$35.00\n3,A,1,9\n')
    const mapping = { ...proposeSales(table), returned: 3 }
    const { rows } = readSales(table, mapping, { dateOrder: null, meanings: {} }, '2026-11-26')
    expect(rows.map(({ count }) => count)).toEqual([1_000, -1_000, 1_000])
    expect(surveySales(table, mapping)).toMatchObject({ unknownWords: [], unmatchedStatus: null })
  })

  it.each([
    ['$0.00', 'sold'],
    ['0', 'sold'],
    ['($9.00)', 'returned'],
    ['-9,00', 'returned'],
    ['9.00', 'returned'],
    ['1', 'returned'],
    ['No', 'sold'],
    ['2026-11-26 18:02', 'returned'],
    ['VOID', 'voided'],
    ['2', undefined],
    ['some', undefined],
  ])('matched as one of returns, %s means %s', (text, meaning) => {
    expect(meaningOf(text, 'returned', { meanings: {}, isLedger: false })).toBe(meaning)
  })

  it('says so by yes, or by the time at which it was; what it says otherwise is asked', () => {
    const found = survey(
      'Order,Product,Voided At,Returned\n1,A,,No\n2,A,2026-11-26 18:02,No\n3,A,,11/26/2026 6:02 PM\n4,A,,partly',
    )
    expect(found.unknownWords).toEqual([{ word: 'partly', text: 'partly', lines: 1 }])
  })
})

describe('the column of packages', () => {
  it.each([
    ['under any name', `Ref,Item,Shipped\n${tag(1)},A,24`, 0],
    ['without a header', `24,A,${tag(1)}\n12,B,${tag(2)}`, 2],
    ['not under the number of a package', `Package ID,Metrc,Item\n55021,${tag(1)},A`, 1],
    ['of two that look alike, by its name', `Source,Package,Item\n${tag(1)},${tag(2)},A`, 1],
    ['of two that look alike, neither', `Source,Target,Item\n${tag(1)},${tag(2)},A`, null],
  ])('is found %s', (_name, text, at) => {
    expect(proposeManifest(parseTable(`${text}\n`, { knownIn: knownInManifest })).packageUid).toBe(at)
    expect(proposeCatalogue(parseTable(`${text}\n`)).packageUid).toBe(at)
  })
})
