import { describe, expect, it } from 'vitest'
import { sharedNames } from '../../../../src-shared/csv/columns'
import { readQuantity } from '../../../../src-shared/csv/quantity'
import { parseTable, readText } from '../../../../src-shared/csv/read'
import { type SalesMapping, knownInSales, mapSalesHeader, proposeSales } from '../../../../src-shared/csv/sales-columns'
import { type SalesChoices, mostWords, readSales, surveySales } from '../../../../src-shared/csv/sales-rows'

const day = '2026-11-21'
const noChoices: SalesChoices = { dateOrder: null, meanings: {} }

function tableOf(content: string | Uint8Array) {
  const read = readText(typeof content === 'string' ? new TextEncoder().encode(content) : content)
  if (!read.ok) throw new Error(read.error.code)
  return parseTable(read.value.text, { knownIn: knownInSales })
}

function opened(content: string | Uint8Array, mapping: Partial<SalesMapping> = {}) {
  const table = tableOf(content)
  const full = { ...proposeSales(table), ...mapping }
  return {
    table,
    mapping: full,
    survey: () => surveySales(table, full),
    read: (choices: Partial<SalesChoices> = {}, of = day) => readSales(table, full, { ...noChoices, ...choices }, of),
  }
}

/** Order, product and count of each row. */
const brief = ({ rows }: ReturnType<ReturnType<typeof opened>['read']>) =>
  rows.map(({ orderId, productName, posProductId, sku, count, isVoided }) =>
    [orderId, productName ?? posProductId ?? sku, count / 1_000, ...(isVoided ? ['voided'] : [])].join(' '),
  )

describe('the columns of sales', () => {
  it.each([
    ['English', 'Order #,Date,Item Name,SKU,Qty,Status,Voided,Customer Name,Total'],
    [
      'another POS',
      'Receipt Number,Transaction Date,Product,Product SKU,Quantity Sold,Transaction Type,Is Voided,Patient,Tax',
    ],
    ['Spanish', 'Número de pedido;Fecha y hora;Nombre del producto;SKU;Cantidad;Estado;Anulado;Cliente;Total'],
  ])('are found by their names in %s; the customer is not', (_name, header) => {
    const { mapping } = opened(`${header}\n`)
    expect(mapping).toEqual({
      ...{ orderId: 0, date: 1, productName: 2, sku: 3, quantity: 4, status: 5, voided: 6 },
      ...{ time: null, zone: null, posProductId: null, unit: null, returned: null },
    })
  })

  it('of two columns with the same name none is proposed, and titles above the header are passed over', () => {
    const { mapping, table } = opened('Sales report\n\nOrder ID,order id,Product,Qty\n1,x,A,2\n')
    expect([mapping.orderId, mapping.productName, table.rows.length]).toEqual([null, 2, 1])
    // That line is still taken for the header.
    expect(opened('Order ID,Order ID\n1,x\n').table).toMatchObject({ header: { line: 1 }, rows: [{ line: 2 }] })
  })

  it('says which columns stay unmatched because several have the name, and no others', () => {
    const header = ['Order ID', 'Note', 'Quantity', 'order id', 'Note', '', '', 'ORDER-ID', 'Product']
    expect(sharedNames(header, mapSalesHeader)).toEqual(new Map([['orderId', 'Order ID']]))
    expect(sharedNames(['Order ID', 'Product'], mapSalesHeader)).toEqual(new Map())
    // A more specific name is matched.
    expect(sharedNames(['Order ID', 'Product Name', 'Name', 'Name'], mapSalesHeader)).toEqual(new Map())
  })
})

describe('quantities', () => {
  it.each([
    ['2', 2],
    ['2.00', 2],
    ['2,00', 2],
    ['1.5', 1.5],
    ['0,125', 0.125],
    ['1,000', 1],
    ['1,234.50', 1234.5],
    ['1.234,50', 1234.5],
    ['1,000,000', 1_000_000],
    ['-1', -1],
    ['−1', -1],
    ['1-', -1],
    ['(2)', -2],
    ['+3', 3],
    [' 4 ', 4],
    ['1 ea', 1],
    ['3 each', 3],
    ['2 Units', 2],
    ['-1 pc.', -1],
    ['(2) ea', -2],
    ['5 unidades', 5],
    ['0', 0],
    ['-0', 0],
  ])('%s is %d', (text, count) => {
    expect(readQuantity(text)).toBe(count * 1_000)
  })

  it.each([
    '',
    'two',
    '1 g',
    '2 cases',
    '3.5 grams',
    'ea',
    '2 ea ea',
    '1e3',
    '--1',
    '1..2x',
    '$3',
    '99999999',
    '(1',
    'NaN',
    '1'.repeat(30),
  ])('"%s" is none', (text) => {
    expect(readQuantity(text)).toBeNull()
  })
})

describe('the lines of a day', () => {
  it('are added up by order and product; other days are counted only', () => {
    const { read } = opened(
      [
        'Order,Date,Product,Qty',
        '1001,2026-11-21 09:00,Blue Dune,2',
        '1001,2026-11-21 09:00,Blue Dune,1.00',
        '1001,2026-11-21 09:00,Dune 2,1',
        '1002,2026-11-20 22:00,Blue Dune,5',
        '1003,2026-11-22,Blue Dune,5',
      ].join('\n'),
    )
    const found = read()
    expect(brief(found)).toEqual(['1001 Blue Dune 3', '1001 Dune 2 1'])
    expect([found.lines, found.faultCount]).toEqual([3, 0])
    expect(found.days).toEqual([
      { day: '2026-11-22', lines: 1 },
      { day, lines: 3 },
      { day: '2026-11-20', lines: 1 },
    ])
  })

  it('of a file of another day are none, and the file says which days it has', () => {
    const found = opened('Order,Date,Product\n1,2026-11-12,A\n').read()
    expect([found.rows, found.days]).toEqual([[], [{ day: '2026-11-12', lines: 1 }]])
  })

  it('without a column of dates all count; without a quantity each line is one item', () => {
    const found = opened('Order,Product\n1,A\n1,A\n').read()
    expect(brief(found)).toEqual(['1 A 2'])
    expect(found.days).toEqual([{ day, lines: 2 }])
  })

  it('keep the number of an order as the POS writes it, leading zeros included', () => {
    const found = opened('Order;Product\n="00123";A\n#00123;A\n 123 ;A\nA-1;A\na-1;A\n').read()
    expect(found.rows.map(({ orderId }) => orderId)).toEqual(['00123', '#00123', '123', 'A-1', 'a-1'])
  })

  it('say voided and returned by flags and words, in English and Spanish, in any case', () => {
    const { read, survey } = opened(
      [
        'Order,Product,Qty,Type,Voided',
        '1,A,1,Sale,N',
        '2,A,1,SALE,Yes',
        '3,A,1,Return,',
        '4,A,-1,Refund,false',
        '5,A,1,Anulado,0',
        '6,A,1,Devolución,no',
        '7,A,1,,1',
        '8,A,1,canceled,',
      ].join('\n'),
    )
    expect(survey().unknownWords).toEqual([])
    expect(brief(read())).toEqual([
      '1 A 1',
      '2 A 1 voided',
      '3 A -1',
      '4 A -1',
      '5 A 1 voided',
      '6 A -1',
      '7 A 1 voided',
      '8 A 1 voided',
    ])
  })

  it('say that a return was voided: nothing came back', () => {
    const found = opened('Order,Product,Qty,Type,Voided\n1,A,2,Sale,No\n1,A,2,Return,Yes\n2,A,1,Return,No\n').read()
    expect([brief(found), found.skipped]).toEqual([['1 A 2', '2 A -1'], 1])
  })

  describe('with a day of the return', () => {
    const file = (...lines: string[]) => opened(['Order,Date,Product,Qty,Return Date', ...lines].join('\n'))
    const [before, after] = ['2026-11-20', '2026-11-22']

    it('count the return on its own day, and the sale on that of the sale', () => {
      const { read } = file(`1,${day} 10:00,A,2,${after} 09:00`, `2,${before},B,1,${day}`)
      expect([brief(read()), brief(read({}, after)), brief(read({}, before))]).toEqual([
        ['1 A 2', '2 B -1'],
        ['1 A -2'],
        ['2 B 1'],
      ])
      expect(read().days).toEqual([
        { day: after, lines: 1 },
        { day, lines: 2 },
        { day: before, lines: 1 },
      ])
    })

    it('are returns alone if that is the same day, the number is negative, or there is no day of the sale', () => {
      const { read } = file(`1,${day},A,2,${day}`, `2,${before},B,-1,${day}`, `3,,C,1,${day}`)
      expect([brief(read()), brief(read({}, before))]).toEqual([['1 A -2', '2 B -1', '3 C -1'], []])
    })

    it('go by the zone and the order of the dates of the sales', () => {
      const { read, survey } = file('1,21/11/2026,A,1,22/11/2026', '2,11/12/2026,B,1,')
      expect(survey().dateOrder).toBe('day-first')
      expect(brief(read({ dateOrder: 'day-first' }, after))).toEqual(['1 A -1'])
    })

    it('are listed on both days if something else of the line is not readable, or if the day is not', () => {
      const { read } = file(`1,${day},A,many,${after}`, `2,${day},A,1,${after} 10:00 XYZT`)
      expect(read().faults).toMatchObject([
        { line: 2, code: 'not-a-quantity' },
        { line: 3, code: 'unknown-zone', column: 'returned' },
      ])
      expect(read({}, after).faults.map(({ line }) => line)).toEqual([2, 3])
    })

    it('count the sale on the chosen day if no column has the day of sales', () => {
      const { read } = opened(`Order,Product,Qty,Return Date\n1,A,2,${after}\n2,B,1,${day}\n`)
      expect(brief(read())).toEqual(['1 A 2', '2 B -1'])
      expect(read().days).toEqual([
        { day: after, lines: 1 },
        { day, lines: 2 },
      ])
    })
  })

  describe('with a unit', () => {
    it.each(['Grams', 'g', 'Cases', 'oz', 'Bundle'])('of %s are no number of items, and are listed', (unit) => {
      const { read, mapping } = opened(`Order,Product,Quantity,Unit of Measure\n1,A,2,Each\n2,A,3,${unit}\n3,A,1,\n`)
      expect(mapping).toMatchObject({ quantity: 2, unit: 3 })
      expect(brief(read())).toEqual(['1 A 2', '3 A 1'])
      expect(read().faults).toMatchObject([{ line: 3, code: 'not-a-quantity', column: 'quantity', value: `3 ${unit}` }])
    })

    it('in the name of the column are no numbers of items, if it is one of weight', () => {
      const { read } = opened('Order,Product,Quantity (g)\n1,A,3.5\n')
      expect([read().rows, read().faults]).toMatchObject([[], [{ code: 'not-a-quantity', value: '3.5 g' }]])
    })

    it('in their cells are read if it counts items', () => {
      const { read } = opened('Order,Product,Qty\n1,A,1 ea\n2,A,3 each\n3,A,2 cases\n4,A,3.5 g\n')
      expect(brief(read())).toEqual(['1 A 1', '2 A 3'])
      expect(read().faults.map(({ value }) => value)).toEqual(['2 cases', '3.5 g'])
    })

    it('of which no cell is one have no unit', () => {
      expect(opened('Order,Product,Qty,Unit\n1,A,1,$35.00\n').mapping.unit).toBeNull()
    })
  })

  it('have their number of items in a column headed Items, if its cells are numbers', () => {
    expect(opened('Order,Product,Items\n1,A,2\n').mapping).toMatchObject({ productName: 1, quantity: 2 })
    expect(opened('Order,Items\n1,Blue Dune\n').mapping.quantity).toBeNull()
  })

  it('of totals are of no order', () => {
    const found = opened(`Order,Date,Product,Qty\n1,${day},A,2\nTotal,,,2\n,,B,1\n`).read()
    expect([brief(found), found.skipped, found.faultCount]).toEqual([['1 A 2'], 1, 1])
  })

  it('with unknown words ask what these mean, and take the answer', () => {
    const { read, survey } = opened('Order,Product,Status\n1,A,Parked\n2,A,Bounced\n3,A,parked\n4,A,Paid\n')
    expect(survey().unknownWords).toEqual([
      { word: 'parked', text: 'Parked', lines: 2 },
      { word: 'bounced', text: 'Bounced', lines: 1 },
    ])
    const found = read({ meanings: { parked: 'left-out', bounced: 'returned' } })
    expect([brief(found), found.skipped]).toEqual([['2 A -1', '4 A 1'], 2])
    // A word of an object's own is none of the answers.
    expect(opened('Order,Product,Status\n1,A,constructor\n').survey().unknownWords).toHaveLength(1)
  })

  it('with too many different words have no status', () => {
    const lines = Array.from({ length: mostWords + 1 }, (_, n) => `${n},A,note ${n}`)
    const found = opened(['Order,Product,Status', ...lines].join('\n')).survey()
    expect([found.wordyColumn, found.unknownWords]).toEqual(['status', []])
    const few = Array.from({ length: mostWords - 1 }, (_, n) => `${n},A,note ${n},flag ${n}`)
    const both = opened(['Order,Product,Status,Voided', ...few].join('\n')).survey()
    expect([both.wordyColumn, both.unknownWords.length]).toEqual([null, 2 * (mostWords - 1)])
    const voided = Array.from(
      { length: mostWords + 1 },
      (_, n) => `${n},A,${n % 2 === 0 ? 'Sale' : 'Parked'},note ${n}`,
    )
    expect(opened(['Order,Product,Status,Voided', ...voided].join('\n')).survey().wordyColumn).toBe('voided')
    expect(opened('Order,Product,Status\n1,A,Parked\n').survey().wordyColumn).toBeNull()
  })

  it('with dates of two meanings ask for the order, and are read by the answer', () => {
    const { survey, read } = opened('Order,Date,Product\n1,11/12/2026,A\n2,12/11/2026,A\n')
    expect(survey()).toMatchObject({ dateOrder: null, dateExample: '11/12/2026' })
    expect(brief(read({ dateOrder: 'day-first' }, '2026-12-11'))).toEqual(['1 A 1'])
    expect(brief(read({ dateOrder: 'month-first' }, '2026-12-11'))).toEqual(['2 A 1'])
  })

  it('with dates that contradict each other are read by the only order each can have', () => {
    const { survey, read } = opened('Order,Date,Product\n1,11/21/2026,A\n2,21/11/2026,A\n3,20/11/2026,A\n')
    const { dateOrder } = survey()
    expect(dateOrder).toBe('own')
    expect(brief(read({ dateOrder }))).toEqual(['1 A 1', '2 A 1'])
  })

  it('that can’t be read are left out, each with its line and reason; a customer is never quoted', () => {
    const long = 'x'.repeat(101)
    const found = opened(
      [
        'Order,Date,Product,Qty,Customer',
        ',2026-11-21,A,1,Jane Roe',
        '2,someday,A,1,Jane Roe',
        '3,2026-11-21,,1,Jane Roe',
        '4,2026-11-21,A,many,Jane Roe',
        `5,2026-11-21,${long},1,Jane Roe`,
        '7,2026-11-21',
        '8,2026-11-20,,many,Jane Roe',
        '9,2026-11-21,A,1,Jane Roe',
        '10,2026-11-21,A,1,"Jane Roe',
      ].join('\n'),
    ).read()
    expect(brief(found)).toEqual(['9 A 1'])
    expect(found.faults.map(({ line, column, code }) => [line, column, code])).toEqual([
      [2, 'orderId', 'missing'],
      [3, 'date', 'not-a-date'],
      [4, null, 'no-product'],
      [5, 'quantity', 'not-a-quantity'],
      [6, 'productName', 'too-long'],
      [7, null, 'uneven'],
      [10, null, 'broken-quotes'],
    ])
    expect(JSON.stringify(found)).not.toContain('Jane')
  })

  it('may lack empty cells at their end, but none of a matched column', () => {
    const found = opened('Order,Product,Qty,Customer,Note\n1,A,2\n2,A,2,Jane Roe\n3,A\n4,A,2,,,more\n5,A,2,,,\n').read()
    expect(brief(found)).toEqual(['1 A 2', '2 A 2', '5 A 2'])
    expect(found.faults.map(({ line, code, value }) => [line, code, value])).toEqual([
      [4, 'uneven', '2'],
      [5, 'uneven', '6'],
    ])
    // Also what is asked before looks at such lines.
    const { survey } = opened('Order,Date,Product,Status,Note\n1,2026-11-21,A,Parked\n2,21/11/2026,A,Parked\n')
    expect(survey()).toMatchObject({ dateOrder: 'day-first', unknownWords: [{ word: 'parked', lines: 2 }] })
  })

  it('list 500 faults at most, and count all', () => {
    const found = opened(`Order,Product\n${',A\n'.repeat(700)}`).read()
    expect([found.faults.length, found.faultCount]).toEqual([500, 700])
  })

  it.each([
    ['tabs', 'Order\tProduct\tQty\n1\tA\t1,50\n'],
    ['semicolons and decimal commas', 'Order;Product;Qty\n1;A;1,50\n'],
    ['quotes and Windows line ends', '"Order","Product","Qty"\r\n"1","A","1.50"\r\n'],
    ['empty columns at the end', 'Order,Product,Qty,,\n1,A,1.5,,\n'],
    ['a line that names the separator', 'sep=;\nOrder;Product;Qty\n1;A;1.5\n'],
  ])('are read with %s', (_name, content) => {
    expect(brief(opened(content).read())).toEqual(['1 A 1.5'])
  })

  it('are read in UTF-16 with its mark, and in Windows-1252', () => {
    const content = 'Pedido;Producto\n1;Jalapeño\n'
    const utf16 = new Uint8Array([0xff, 0xfe, ...Array.from(content).flatMap((one) => [one.charCodeAt(0), 0])])
    const latin = Uint8Array.from(content, (one) => one.charCodeAt(0))
    for (const bytes of [utf16, latin]) expect(brief(opened(bytes).read())).toEqual(['1 Jalapeño 1'])
  })

  it('are no more than were asked for: of a longer file, the rest is not read', () => {
    const text = `Order,Product\n${'1,A\n'.repeat(50)}`
    const cut = parseTable(text, { knownIn: knownInSales, mostLines: 10 })
    expect([cut.isCut, cut.rows.length]).toEqual([true, 9])
    expect(parseTable(text, { knownIn: knownInSales, mostLines: 51 })).toMatchObject({ isCut: false })
  })
})

describe('sales as registers and spreadsheets write them', () => {
  it('carries date and status of an order down to its further lines', () => {
    const { read } = opened(
      'Name,Financial Status,Paid at,Lineitem quantity,Lineitem name,Lineitem sku\n' +
        `#1001,refunded,${day} 18:02:11 -0700,2,Blue Dune,BD\n` +
        '#1001,,,1,Palisades,PP\n' +
        '#1002,,,1,Palisades,PP\n',
    )
    const all = read({}, new Date(`${day}T18:02:11-07:00`).toLocaleDateString('sv-SE'))
    expect(brief(all)).toEqual(['#1001 Blue Dune -2', '#1001 Palisades -1'])
    // The first line of another order has no date.
    expect(all.faultCount + all.skipped).toBe(1)
  })

  it.each([
    ["'00701", '00701'],
    ['="00701"', '00701'],
    ['701.0', '701'],
    ['701.00', '701'],
    ['0701.0', '701'],
    ['"701,00"', '701'],
    ['1.000', '1.000'],
    ['0701', '0701'],
    ['\u200b701\ufeff', '701'],
    ['"=HYPERLINK(""https://pos.example/701"",""701"")"', '701'],
  ])('reads the order number %s as %s', (cell, orderId) => {
    expect(opened(`Order ID,Product,Qty\n${cell},Blue Dune,1\n`).read().rows).toMatchObject([{ orderId }])
  })

  it('leaves an apostrophe that belongs to a name', () => {
    expect(brief(opened("Order ID,Product,Qty\n1,'Til Dawn,1\n").read())).toEqual(["1 'Til Dawn 1"])
  })

  it('finds columns with a unit or a zone in brackets', () => {
    const { mapping } = opened('Order ID,Date (MST),Product Name,Qty (ea)\n')
    expect(mapping).toMatchObject({ orderId: 0, date: 1, productName: 2, quantity: 3 })
  })

  it('lists a line whose zone is not known', () => {
    const { faults, rows } = opened(`Order ID,Date,Product\n1,${day} 10:00 XYZT,A\n2,${day} 10:00,A\n`).read()
    expect(faults).toMatchObject([{ line: 2, code: 'unknown-zone', column: 'date' }])
    expect(rows).toHaveLength(1)
  })

  it('finds the column that names refunds and voids and is not matched', () => {
    const found = (content: string, mapping: Partial<SalesMapping> = {}) =>
      opened(content, mapping).survey().unmatchedStatus
    expect(found('Order ID,Product,Kind\n1,A,Sale\n2,A,Refund\n')).toEqual({ at: 2, text: 'Refund', column: 'status' })
    expect(found('Order ID,Product,Kind\n1,A,Sale\n2,A,VOID\n')).toEqual({ at: 2, text: 'VOID', column: 'status' })
    expect(found('Order ID,Product,Kind\n1,A,Sale\n2,A,Refund\n', { status: 2 })).toBeNull()
    expect(found('Order ID,Product,Note\n1,A,asked for a refund of the tax last week\n')).toBeNull()
  })

  it('matches both the type and the status of a transaction', () => {
    const { mapping, read } = opened(
      'Trans Num,Trans Type,Trans Status,Product Name,Quantity Sold\n1,Sale,Completed,A,1\n2,Refund,Completed,A,1\n3,Sale,Void,A,1\n',
    )
    expect(mapping).toMatchObject({ status: 1, voided: 2 })
    expect(brief(read())).toEqual(['1 A 1', '2 A -1', '3 A 1 voided'])
  })

  it('reads UTF-16 without a byte order mark', () => {
    const wide = Buffer.from('Order ID,Product,Qty\n1,Blue Dune,2\n', 'utf16le')
    expect(brief(opened(wide).read())).toEqual(['1 Blue Dune 2'])
    expect(brief(opened(Buffer.from(wide).swap16()).read())).toEqual(['1 Blue Dune 2'])
  })
})
