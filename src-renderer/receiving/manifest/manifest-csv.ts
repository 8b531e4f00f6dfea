import { localTime } from '../../../src-shared/csv/local-time'
import { type Cell, idCell, toCsv } from '../../../src-shared/csv/write'
import type { ExportFile } from '../../../src-shared/ipc/contract/call'
import type { ManifestExtra, ManifestLine, ManifestResult } from '../../../src-shared/ipc/contract/manifest'
import { say, t } from '../../text/text.svelte'
import { stateChip } from './manifest-text'

/** The columns of the file, in their order. */
const columns = [
  'manifest.file.column.line',
  'label.package',
  'label.product',
  'label.sku',
  'label.posProductId',
  'manifest.file.column.expected',
  'manifest.file.column.found',
  'manifest.file.column.counted',
  'label.difference',
  'label.state',
  'manifest.file.column.in-delivery',
] as const

/** What differs from the manifest, one line for each, in the words of the screen. */
export function differencesFile(
  { loadedAt, packages, extras }: Pick<ManifestResult, 'loadedAt' | 'packages' | 'extras'>,
  isOver = false,
): ExportFile {
  const open = packages.flatMap(({ packageUid, lines }) =>
    lines.filter(({ state }) => state.kind !== 'here').map((line) => rowOf(packageUid, line, isOver)),
  )
  return {
    fileName: `manifest-${localTime(loadedAt).slice(0, 10)}.csv`,
    text: toCsv(
      columns.map((column) => t(column)),
      [...open, ...extras.map(rowOfExtra)],
    ),
  }
}

function rowOf(packageUid: string, line: ManifestLine, isOver: boolean): Cell[] {
  const { state, found, count, matched } = line
  const instead = state.kind === 'other-product' ? state.instead.map((one) => `${one.productName} (${one.count})`) : []
  return [
    ...[line.line, idCell(packageUid), line.productName, idCell(line.sku), idCell(line.posProductId), count, found],
    found === null ? null : t(line.isCounted ? 'label.yes' : 'label.no'),
    differenceOf(line),
    say(stateChip(state, isOver, line.proposal !== undefined && !isOver).text),
    instead.length > 0 ? instead.join('; ') : (matched?.productName ?? null),
  ]
}

/** Items too few (negative) or too many; null if that is not known. */
function differenceOf({ state, count }: ManifestLine): number | null {
  if (state.kind === 'short') return -state.by
  if (state.kind === 'over') return state.by
  return state.kind === 'missing' && count !== null ? -count : null
}

function rowOfExtra(extra: ManifestExtra): Cell[] {
  const uid = extra.kind === 'case' ? null : extra.packageUid
  const name = extra.kind === 'package' ? null : extra.productName
  const where = extra.kind === 'case' ? t('fact.case', { identifier: extra.identifier }) : null
  return [
    null,
    idCell(uid),
    name,
    null,
    null,
    null,
    extra.count,
    null,
    extra.count,
    t(`manifest.extra.${extra.kind}`),
    where,
  ]
}
