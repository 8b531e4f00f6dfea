import type { RowError } from '../../../src-shared/csv/catalogue-rows'
import { shortened } from '../../messages/errors'
import type { Text } from '../../messages/text.svelte'

/** What is wrong with a line of the file, and where. */
export function faultText({ column, code, value, otherLine }: RowError): Text {
  const quoted = { value: shortened(value, 40) }
  const where = { column: column === null ? '' : { key: `catalogue.column.${column}` as const } }
  switch (code) {
    case 'no-column':
      return { key: 'catalogue.obstacle.no-product-id' }
    case 'missing':
    case 'not-text':
      return { key: `catalogue.fault.${code}`, values: where }
    case 'too-long':
      return { key: 'catalogue.fault.too-long', values: { ...where, ...quoted } }
    case 'duplicate':
      return { key: 'catalogue.fault.duplicate', values: { line: otherLine ?? 0, ...quoted } }
    case 'uneven':
      return { key: 'catalogue.fault.uneven', values: { count: Number(value) } }
    case 'broken-quotes':
      return { key: 'catalogue.fault.broken-quotes', values: quoted }
  }
}
