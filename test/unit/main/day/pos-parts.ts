import { parseTable, readText } from '../../../../src-shared/csv/read'
import { knownInSales, proposeSales } from '../../../../src-shared/csv/sales-columns'
import { readSales, surveySales } from '../../../../src-shared/csv/sales-rows'
import { PosDayPart, mostPosLines } from '../../../../src-shared/ipc/contract/pos-day'

export const day = '2026-11-21'

/** From the text of a file to the parts that the page sends. */
export function partsOf(csv: string, of = day, fileName = 'sales.csv', size = mostPosLines): PosDayPart[] {
  const text = readText(new TextEncoder().encode(csv))
  if (!text.ok) throw new Error(text.error.code)
  const table = parseTable(text.value.text, { knownIn: knownInSales })
  const mapping = proposeSales(table)
  const { dateOrder, unknownWords } = surveySales(table, mapping)
  if (unknownWords.length > 0) throw new Error(`unknown words: ${JSON.stringify(unknownWords)}`)
  const { rows, lines, skipped, faultCount, days } = readSales(table, mapping, { dateOrder, meanings: {} }, of)
  const { productName, posProductId, sku } = mapping
  const file = {
    fileName,
    ...{ lines, skipped, faulty: faultCount },
    otherDays: days.reduce((sum, one) => sum + (one.day === of ? 0 : one.lines), 0),
    hasProducts: productName !== null || posProductId !== null || sku !== null,
  }
  const starts = Array.from({ length: Math.max(1, Math.ceil(rows.length / size)) }, (_, n) => n * size)
  return starts.map((start) =>
    PosDayPart.parse({
      ...{ day: of, file, start, rows: rows.slice(start, start + size) },
      isLast: start + size >= rows.length,
    }),
  )
}
