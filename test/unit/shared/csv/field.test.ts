import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { knownInManifest, proposeManifest } from '../../../../src-shared/csv/manifest-columns'
import { mapManifest } from '../../../../src-shared/csv/manifest-rows'
import { parseTable } from '../../../../src-shared/csv/read'
import { knownInSales, proposeSales } from '../../../../src-shared/csv/sales-columns'
import { readSales, surveySales } from '../../../../src-shared/csv/sales-rows'
import fixture from '../../../fixtures/field/files.json'

/** Order, product and count of each line on each day of a file. */
function salesIn(text: string) {
  const table = parseTable(text, { knownIn: knownInSales })
  const mapping = proposeSales(table)
  const choices = { dateOrder: surveySales(table, mapping).dateOrder, meanings: {} }
  const { days } = readSales(table, mapping, choices, '')
  return days.map(({ day }) => {
    const { rows, faultCount } = readSales(table, mapping, choices, day)
    return [
      day,
      ...rows.map(({ orderId, productName, count }) => `${orderId}: ${count / 1_000} ${productName}`),
      faultCount,
    ]
  })
}

const preRoll = 'Palisades Pre-Roll, 1 g'

/** What the files of sales say, in the order of the fixture. */
const sales = [
  [['2026-11-26', `702: 1 ${preRoll}`, 0]],
  [['2026-11-26', `702: 1 ${preRoll}`, 0]],
  [['2026-11-26', `702: 1 ${preRoll}`, 0]],
  [['2026-11-26', `701: 2 ${preRoll}`, 0]],
  [['2026-11-26', `701: 1 ${preRoll}`, 0]],
  [['2026-11-26', '#1001: 2 Blue Dune, 3.5 g', `#1001: 1 ${preRoll}`, 0]],
]

describe('files from the field', () => {
  const usual = process.env['TZ']
  beforeAll(() => {
    process.env['TZ'] = 'America/Phoenix'
  })
  afterAll(() => {
    if (usual === undefined) delete process.env['TZ']
    else process.env['TZ'] = usual
  })

  const files = fixture.filter(({ reader }) => reader === 'POS sales')
  it.each(files.map(({ kind, text }, at) => ({ kind, text, said: sales[at] })))(
    'of sales: $kind, $text',
    ({ text, said }) => {
      expect(salesIn(text)).toEqual(said)
    },
  )

  it('of a manifest: a package behind an apostrophe', () => {
    const text = fixture.find(({ reader, text: one }) => reader === 'manifest' && one.includes("'1A4"))?.text ?? ''
    const table = parseTable(text, { knownIn: knownInManifest })
    expect(mapManifest(table, proposeManifest(table))).toMatchObject({
      rows: [{ packageUid: '1A40E0300000B2F000000001', count: 24 }],
      faults: [],
    })
  })
})
