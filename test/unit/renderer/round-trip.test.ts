import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dayFile } from '../../../src-renderer/orders/day/day-csv'
import { historyFile } from '../../../src-renderer/outbox/report-file'
import { differencesFile } from '../../../src-renderer/receiving/manifest/manifest-csv'
import { language } from '../../../src-renderer/text/text.svelte'
import { mapRows } from '../../../src-shared/csv/catalogue-rows'
import { proposeCatalogue } from '../../../src-shared/csv/columns'
import { knownInManifest, proposeManifest } from '../../../src-shared/csv/manifest-columns'
import { mapManifest } from '../../../src-shared/csv/manifest-rows'
import { parseTable, readText } from '../../../src-shared/csv/read'
import { knownInSales, proposeSales } from '../../../src-shared/csv/sales-columns'
import { readSales, surveySales } from '../../../src-shared/csv/sales-rows'
import { PackageUid } from '../../../src-shared/ids'
import type { DayExport } from '../../../src-shared/ipc/contract/checkout'
import type { ManifestLine } from '../../../src-shared/ipc/contract/manifest'
import { caseOf, order, tag } from '../../fakes/ids'

/** The text of a file as its import reads it, with its bytes. */
function textOf({ text }: { text: string }): string {
  const read = readText(new TextEncoder().encode(text))
  if (!read.ok) throw new Error(read.error.code)
  return read.value.text
}

const day = '2026-11-21'
const sale: DayExport['lines'][number] = {
  ...{ station: 'TILL-3', kind: 'complete', orderId: order('00701'), state: 'accepted', budtender: 'Rosa' },
  // In the evening, when the day is another one in UTC.
  performedAt: '2026-11-22T03:30:00.000Z',
  ...{ reason: null, note: null, unsettled: null, dismissedBecause: null, remark: null },
  items: [
    { tagId: tag(1), product: 'Blue Dune, 3.5 g' },
    { tagId: tag(2), product: 'Blue Dune, 3.5 g' },
    { tagId: tag(3), product: '=Night; Tide' },
  ],
}

describe.each(['en', 'es'] as const)('what an export writes in %s, its own import reads:', (locale) => {
  beforeEach(() => {
    vi.stubEnv('TZ', 'America/Phoenix')
    language.locale = locale
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    language.locale = 'en'
  })

  it('the day, as sales', () => {
    const returned = { ...sale, kind: 'return' as const, orderId: order('3-4'), items: sale.items.slice(0, 1) }
    const voided = { ...sale, kind: 'void' as const, orderId: order('1E5'), items: sale.items.slice(1, 2) }
    const refused = {
      ...{ ...sale, orderId: order('9'), state: 'rejected' as const },
      reason: { code: 'service/items-missing' as const },
    }
    const lines = [sale, returned, voided, refused]
    const none = { pos: [], posLeft: 0, isPosMissing: false, posFaulty: 0, posUnknown: 0, posStore: null }
    const text = textOf(dayFile({ fileName: 'a.csv', lines, ...none }))
    // Wherever it is read.
    vi.stubEnv('TZ', 'America/New_York')
    const table = parseTable(text, { knownIn: knownInSales })
    const mapping = proposeSales(table)
    const survey = surveySales(table, mapping)
    expect([survey.unknownWords, survey.unmatchedStatus]).toEqual([[], null])
    const found = readSales(table, mapping, { dateOrder: survey.dateOrder, meanings: {} }, day)
    expect(found.rows.map((row) => [row.orderId, row.productName, row.count / 1_000, row.isVoided])).toEqual([
      ['00701', 'Blue Dune, 3.5 g', 2, false],
      ['00701', '=Night; Tide', 1, false],
      ['3-4', 'Blue Dune, 3.5 g', -1, false],
      ['1E5', 'Blue Dune, 3.5 g', 1, true],
    ])
    expect([found.faultCount, found.skipped]).toEqual([0, 3])
  })

  it('the differences of a manifest, as a manifest', () => {
    const line = (number: number, values: Partial<ManifestLine>): ManifestLine => ({
      ...{ line: number, lines: 1, productName: `Product ${number}`, sku: null, posProductId: null, count: 24 },
      ...{ state: { kind: 'missing' }, found: null, isCounted: false, matched: null },
      ...values,
    })
    const packages = [
      line(2, { sku: '007', posProductId: '123456789012' }),
      line(3, { productName: "'Til Dawn", count: 1_200 }),
      line(4, { productName: '=1+1', state: { kind: 'short', by: 2 }, found: 22 }),
    ].map((own) => ({
      packageUid: PackageUid.parse(own.line === 3 ? '0123456789012345' : `1A40E0300000B2F00000000${own.line}`),
      ...{ state: own.state, lines: [own] },
    }))
    const text = textOf(differencesFile({ loadedAt: sale.performedAt, packages, extras: [] }))
    const table = parseTable(text, { knownIn: knownInManifest })
    const { rows, faults } = mapManifest(table, proposeManifest(table))
    expect(faults).toEqual([])
    expect(rows.map((row) => [row.packageUid, row.productName, row.sku, row.posProductId, row.count])).toEqual(
      packages.map(({ packageUid, lines: [own] }) => [
        packageUid,
        own?.productName === '=1+1' ? '=1+1' : own?.productName,
        own?.sku,
        own?.posProductId,
        own?.count,
      ]),
    )
  })

  it('the history of receiving, as a catalog', () => {
    const lines = ['0012', '1E5', '=2', '12MAY'].map((posProductId, at) => ({
      ...{ kind: 'import' as const, state: 'accepted' as const, performedAt: sale.performedAt },
      ...{ reason: null, note: null, unsettled: null, dismissedBecause: null, itemCount: 24 },
      ...{ caseId: caseOf(at + 1), packageUid: `1A40E0300000B2F00000000${at}`, identifier: `00${at}` },
      ...{ productName: `Product ${at}`, posProductId, posInventoryId: '1-2', sku: '007' },
    }))
    const table = parseTable(textOf(historyFile({ fileName: 'receiving.csv', lines })))
    const { rows, errors } = mapRows(table, proposeCatalogue(table))
    expect(errors).toEqual([])
    expect(rows.map(({ line: _, ...row }) => row)).toEqual(
      lines.map(({ packageUid, productName, posProductId, posInventoryId, sku }) => ({
        ...{ packageUid, productName, posProductId, posInventoryId, sku },
      })),
    )
  })
})
