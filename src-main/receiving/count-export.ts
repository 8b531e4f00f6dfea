import type { CountView, Difference } from '../../src-shared/ipc/count-view'
import type { ExportFile } from '../../src-shared/ipc/receiving-history-view'
import type { CaseId, TagId } from '../../src-shared/ids'
import { type Cell, toCsv } from '../../src-shared/csv/write'
import { iso } from '../clock'

const header = ['Case', 'CaseID', 'Product', 'TagID', 'Result', 'Scanned at', 'Resolution']

export interface CountExport {
  count: CountView
  expected: ReadonlyMap<TagId, CaseId>
  /** When, in ms since 1970. */
  scanned: ReadonlyMap<TagId, number>
  differences: Difference[]
  productOf: (tagId: TagId) => string | null
}

/** Everything that was expected or scanned, a line each: case by case, then what belongs to none of them. */
export function countCsv({ count, expected, scanned, differences, productOf }: CountExport): ExportFile {
  const differing = new Map(differences.map((one) => [one.tagId, one]))
  const cases = new Map(count.cases.map((one) => [one.caseId, one.identifier]))
  const places = new Map(count.cases.map((one, place) => [one.caseId, place]))
  const line = (tagId: TagId, caseId: CaseId | null): Cell[] => {
    const difference = differing.get(tagId)
    const at = scanned.get(tagId)
    const identifier = difference?.identifier ?? (caseId === null ? null : (cases.get(caseId) ?? null))
    return [
      identifier,
      difference?.caseId ?? caseId,
      productOf(tagId),
      tagId,
      difference?.kind ?? 'counted',
      at === undefined ? null : iso(at),
      difference?.resolution ?? null,
    ]
  }
  const known = [...expected].toSorted(([, a], [, b]) => (places.get(a) ?? 0) - (places.get(b) ?? 0))
  const strangers = [...scanned.keys()].filter((tagId) => !expected.has(tagId))
  const rows = [...known.map(([tagId, caseId]) => line(tagId, caseId)), ...strangers.map((tagId) => line(tagId, null))]
  const only = count.caseId === null ? undefined : count.cases[0]?.identifier
  const name = ['count', only, count.startedAt.slice(0, 16)].filter((part) => part !== undefined).join('-')
  return { fileName: `${name.replace(/[^\p{L}\p{N}._-]+/gu, '-')}.csv`, text: toCsv(header, rows) }
}
