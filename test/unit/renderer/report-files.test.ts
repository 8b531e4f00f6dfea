import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { outboxFile, historyFile } from '../../../src-renderer/outbox/report-file'
import { countFile } from '../../../src-renderer/receiving/count/count-csv'
import { language } from '../../../src-renderer/text/text.svelte'
import type { CountLine } from '../../../src-shared/ipc/contract/count'
import type { OutboxExport, ReportLine } from '../../../src-shared/ipc/contract/outbox'
import { caseOf, tag } from '../../fakes/ids'
import { operationId } from './examples'

const performedAt = '2026-11-21T14:00:00.000Z'
const report: ReportLine = {
  kind: 'import',
  state: 'accepted',
  performedAt,
  reason: null,
  note: null,
  unsettled: null,
  dismissedBecause: null,
  caseId: caseOf(1),
  packageUid: '1A4000000000000000000001',
}
const linesIn = ({ text }: { text: string }) => text.slice(1).trim().split('\r\n')

describe('files of reports and counts', () => {
  beforeEach(() => {
    vi.stubEnv('TZ', 'America/New_York')
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    language.locale = 'en'
  })

  it('of every report have the time of the store and words instead of codes', () => {
    const of = { seq: 1, id: operationId(1), orderId: null, budtenderId: null, collection: null, attempts: 1 }
    const lines: OutboxExport['lines'] = [
      { ...report, ...of, tagIds: [] },
      {
        ...report,
        ...of,
        ...({ kind: 'remove-item', state: 'rejected', packageUid: null, tagIds: [tag(1), tag(2)] } as const),
        reason: { code: 'receiving/no-case-changes' } as const,
      },
    ]
    expect(linesIn(outboxFile({ fileName: 'reports.csv', lines }))).toEqual([
      'Number,Report ID,Report,Status,Time (America/New_York),Order,Case ID,Package,Collection,Budtender ID,TagID,Attempts,Reason for refusal',
      `1,${operationId(1)},Import,Reported,2026-11-21 09:00:00,,${caseOf(1)},1A4000000000000000000001,,,,1,`,
      ...[tag(1), tag(2)].map(
        (tagId) =>
          `1,${operationId(1)},Item removed from a case,Not reported,2026-11-21 09:00:00,,${caseOf(1)},,,,${tagId},1,We can’t change this case or collection.`,
      ),
    ])
  })

  it('of the history of receiving are in the language of the screen', () => {
    language.locale = 'es'
    const ofCase = { identifier: 'HF/1', productName: 'Blue Dune', itemCount: 24 }
    const ofPos = { posProductId: '=HYPERLINK("x")', posInventoryId: 'INV-1', sku: null }
    const lines = [{ ...report, ...ofCase, ...ofPos, state: 'cancelled' as const, dismissedBecause: 'dos veces' }]
    expect(linesIn(historyFile({ fileName: 'receiving.csv', lines }))).toEqual([
      'Hora (America/New_York),Informe,Estado,Paquete,ID de la caja,Caja,Producto,Artículos,ID de producto del POS,ID de inventario del POS,SKU del POS,Motivo del rechazo',
      `2026-11-21 09:00:00,Importación,Descartado: dos veces,1A4000000000000000000001,${caseOf(1)},HF/1,Blue Dune,24,"'=HYPERLINK(""x"")",INV-1,,`,
    ])
  })

  it('of a count say when each item was scanned, and why a difference is ignored', () => {
    const item: CountLine = {
      identifier: 'HF/1',
      caseId: caseOf(1),
      productName: 'Blue Dune',
      tagId: tag(1),
      result: 'counted',
      scannedAt: performedAt,
      resolution: null,
      because: null,
    }
    const missing = { result: 'missing', scannedAt: null, resolution: 'ignored', because: 'a sample' } as const
    expect(
      linesIn(countFile({ fileName: 'count.csv', lines: [item, { ...item, ...missing, tagId: tag(2) }] })),
    ).toEqual([
      'Case,Case ID,Product,TagID,Result,Scanned at (America/New_York),Settled by,Reason',
      `HF/1,${caseOf(1)},Blue Dune,${tag(1)},Counted,2026-11-21 09:00:00,,`,
      `HF/1,${caseOf(1)},Blue Dune,${tag(2)},Missing,,Ignored,a sample`,
    ])
  })
})
