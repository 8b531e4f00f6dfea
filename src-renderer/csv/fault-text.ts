import type { CellFault, LineFault } from '../../src-shared/csv/cells'
import type { CatalogueColumn } from '../../src-shared/csv/columns'
import type { ManifestColumn } from '../../src-shared/csv/manifest-columns'
import type { SalesColumn } from '../../src-shared/csv/sales-columns'
import type { MessageKey } from '../text/en'
import { shortened } from '../text/errors'
import type { Text } from '../text/text.svelte'

type Column = CatalogueColumn | ManifestColumn | SalesColumn

/** The name of a column that a file may have. */
export function columnKey(column: Column): MessageKey {
  if (column === 'count') return 'label.items'
  return column === 'time' || column === 'zone' || column === 'status' ? `pos-day.column.${column}` : `label.${column}`
}

/** What is wrong with a line in any file. `column`: the one in question. */
export function cellFaultText(code: LineFault | CellFault | 'missing', column: Column | null, value: string): Text {
  const where = { column: column === null ? '' : { key: columnKey(column) } }
  switch (code) {
    case 'missing':
    case 'not-text':
      return { key: `csv.fault.${code}`, values: where }
    case 'too-long':
      return { key: 'csv.fault.too-long', values: { ...where, value: shortened(value, 40) } }
    case 'uneven':
      return { key: 'csv.fault.uneven', values: { count: Number(value) } }
    case 'broken-quotes':
      return { key: 'csv.fault.broken-quotes', values: { value: shortened(value, 40) } }
  }
}
