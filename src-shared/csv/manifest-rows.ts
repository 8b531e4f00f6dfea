import { PackageUid } from '../ids'
import type { ManifestRow } from '../ipc/contract/manifest'
import { packageUidOf, readLikePackage, readPackageTag } from '../scan/packages'
import { comparable } from '../text'
import { type CellFault, type LineFault, type Width, neededCells, quoted, readCells } from './cells'
import { type DecimalMark, decimalMarkOf, readCount } from './count-cell'
import { type ManifestColumn, type ManifestMapping, manifestColumns } from './manifest-columns'
import type { FileLine, Table } from './table'
import { countsItems, otherUnitIn } from './units'

/** What is wrong with a line. `value`: the cell in question, shortened. */
export interface ManifestFault {
  line: number
  /** Null if the whole line is affected. */
  column: ManifestColumn | null
  code:
    | LineFault
    | CellFault
    /** The line names no package. */
    | 'missing'
    /** Not in a form that a package tag has. */
    | 'not-a-package'
    /** No items: the package doesn't come, and the line is left out. */
    | 'count-zero'
    /** The count can't be read, or is in grams or cases: the line is loaded without one. */
    | 'count-ambiguous'
    | 'count-not-whole'
    | 'count-out-of-range'
  value: string
}

export interface MappedManifest {
  rows: ManifestRow[]
  faults: ManifestFault[]
  /** Lines that can't be loaded, and those of no items. */
  leftOut: number
  /** Their numbers in the file. */
  leftOutLines: number[]
  /** Lines that were added to an earlier one about the same package and product. */
  addedUp: number
}

const ofCount = {
  ambiguous: 'count-ambiguous',
  'not-whole': 'count-not-whole',
  'out-of-range': 'count-out-of-range',
} as const

/** Reads the lines of a manifest by a mapping. Pure. */
export function mapManifest(table: Table, mapping: ManifestMapping): MappedManifest {
  const { packageUid, count } = mapping
  if (packageUid === null) return { rows: [], faults: [], leftOut: table.rows.length, leftOutLines: [], addedUp: 0 }
  const mark = count === null ? 'unsaid' : decimalMarkOf(table.rows.map(({ cells }) => cells[count] ?? ''))
  const how = {
    ...{ columns: table.columnCount, needed: neededCells(mapping), mapping, mark },
    unit: count === null ? '' : otherUnitIn(table.header?.cells[count] ?? ''),
  }
  const read = table.rows.map((line) => readLine(line, how))
  const rows = read.flatMap((one) => one.row ?? [])
  const summed = addUp(rows)
  return {
    rows: summed,
    faults: read.flatMap((one) => one.fault ?? []),
    leftOut: read.length - rows.length,
    leftOutLines: table.rows.flatMap(({ line }, at) => (read[at]?.row ? [] : line)),
    addedUp: rows.length - summed.length,
  }
}

interface ReadLine {
  row?: ManifestRow
  fault?: ManifestFault
}

interface How extends Width {
  mapping: ManifestMapping
  mark: DecimalMark
  /** The unit of all counts, if it isn't one of items. */
  unit: string
}

function readLine(line: FileLine, how: How): ReadLine {
  const fault = (code: ManifestFault['code'], value: string, column: ManifestColumn | null): ManifestFault => ({
    line: line.line,
    column,
    code,
    value: quoted(value),
  })
  const cells = readCells(line, how, how.mapping, manifestColumns, ['productName', 'count', 'unit'])
  if (cells.kind === 'fault') return { fault: fault(cells.code, cells.value, cells.column) }
  const text = cells.textIn
  const uid = text('packageUid')
  const packageUid = packageIn(uid)
  if (packageUid === undefined) return { fault: fault(uid === '' ? 'missing' : 'not-a-package', uid, 'packageUid') }
  const said = (column: ManifestColumn) => (text(column) === '' ? null : text(column))
  const count = said('count')
  const read = count === null ? undefined : readCount(count, how.mark)
  if (read?.kind === 'zero') return { fault: fault('count-zero', count ?? '', 'count') }
  const unit = text('unit') || how.unit
  const isOfItems = read === undefined || countsItems(unit)
  const counted = isOfItems ? read : ({ kind: 'not-whole' } as const)
  return {
    row: {
      line: line.line,
      packageUid,
      productName: said('productName'),
      sku: said('sku'),
      posProductId: said('posProductId'),
      count: counted?.kind === 'count' ? counted.count : null,
      lines: 1,
    },
    ...(counted &&
      counted.kind !== 'count' && {
        fault: fault(ofCount[counted.kind], isOfItems ? (count ?? '') : `${count} ${unit}`, 'count'),
      }),
  }
}

/** A package tag as a scan of it is written; undefined for anything else. */
function packageIn(cell: string): PackageUid | undefined {
  const uid = packageUidOf(cell)
  return readPackageTag(uid) || readLikePackage(uid) ? PackageUid.parse(uid) : undefined
}

/** What a line says of its product, to be compared; the same for lines that say the same. */
export const saidProduct = ({ sku, posProductId, productName }: Omit<ManifestRow, 'line' | 'packageUid'>): string =>
  JSON.stringify([sku, posProductId, productName].map((one) => (one === null ? null : comparable(one))))

/** Adds up lines about the same package and product, in the place of the first. An unread count makes the sum unknown. */
export function addUp(rows: ManifestRow[]): ManifestRow[] {
  const sums = new Map<string, ManifestRow>()
  for (const row of rows) {
    const key = `${row.packageUid} ${saidProduct(row)}`
    const sum = sums.get(key)
    const count = sum?.count == null || row.count === null ? null : sum.count + row.count
    sums.set(key, sum ? { ...sum, count, lines: sum.lines + row.lines } : row)
  }
  return [...sums.values()]
}
