import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseTable, readText } from '../../../../src-shared/csv/read'
import { knownInSales, proposeSales } from '../../../../src-shared/csv/sales-columns'
import { readSales, surveySales } from '../../../../src-shared/csv/sales-rows'

const day = '2026-11-26'

/** What a register's file says of the day; its columns and sources are in the README beside it. */
function salesOf(register: string) {
  const read = readText(readFileSync(`test/fixtures/registers/${register}.csv`))
  if (!read.ok) throw new Error(read.error.code)
  const table = parseTable(read.value.text, { knownIn: knownInSales })
  const mapping = proposeSales(table)
  const survey = surveySales(table, mapping)
  const { rows, faultCount, skipped, days } = readSales(
    table,
    mapping,
    { dateOrder: survey.dateOrder, meanings: {} },
    day,
  )
  return {
    sales: rows.map(({ orderId, productName, count, isVoided }) =>
      [orderId, count / 1_000, productName, ...(isVoided ? ['voided'] : [])].join(' '),
    ),
    asked: [survey.unmatchedStatus, ...survey.unknownWords],
    left: [skipped, faultCount, days.length],
    columns: Object.values(mapping).flatMap((at) => (at === null ? [] : (table.header?.cells[at] ?? ''))),
  }
}

const flower = 'Blue Dune, 3.5 g'
const preRoll = 'Palisades Pre-Roll, 1 g'

describe('the export of a register', () => {
  const usual = process.env['TZ']
  beforeAll(() => {
    process.env['TZ'] = 'America/Phoenix'
  })
  afterAll(() => {
    if (usual === undefined) delete process.env['TZ']
    else process.env['TZ'] = usual
  })

  it.each([
    [
      'square',
      [`tx7KxA1 2 ${flower}`, `tx7KxA1 1 ${preRoll}`, `tx7KxB2 1 ${flower}`, `tx7KxC3 -1 ${preRoll}`],
      [0, 0, 1],
    ],
    ['shopify', [`#1001 2 ${flower}`, `#1001 1 ${preRoll}`, `#1002 1 ${flower}`, `#1003 -1 ${preRoll}`], [1, 0, 1]],
    [
      'lightspeed-x',
      [`701 2 ${flower}`, `701 1 ${preRoll}`, `702 -1 ${preRoll}`, `703 1 ${preRoll} voided`],
      [5, 0, 1],
    ],
    ['blaze', [`60012 2 ${flower}`, `60012 1 ${preRoll}`, `60013 -1 ${preRoll}`], [2, 0, 1]],
    ['cova', [`S-00701 2 ${flower}`, `S-00701 1 ${preRoll}`, `S-00702 -1 ${preRoll}`], [0, 0, 1]],
    ['dutchie', [`81200701 2 ${flower}`, `81200701 1 ${preRoll}`, `81200702 -1 ${preRoll}`], [0, 0, 1]],
    ['treez', [`NDLZEB 2 ${flower}`, `NDLZEB 1 ${preRoll}`, `NDLZEC 1 ${flower}`, `NDLZED -1 ${preRoll}`], [0, 0, 1]],
    [
      'flowhub',
      [`5f1c0701 2 ${flower}`, `5f1c0701 1 ${preRoll}`, `5f1c0702 -1 ${preRoll}`, `5f1c0703 1 ${preRoll} voided`],
      [0, 0, 1],
    ],
  ])('%s is read with its sales, returns and voids', (register, sales, left) => {
    const found = salesOf(register)
    expect(found.sales).toEqual(sales)
    expect(found.asked).toEqual([null])
    // Lines that the status leaves out, faults, days. An order that was voided before it was paid has no date.
    expect(found.left).toEqual(left)
    expect(found.columns.filter((name) => /customer|email|buyer|age/i.test(name))).toEqual([])
  })
})
