import type { CellFault, LineFault } from '../../src-shared/csv/cells'
import { shortened } from '../text/errors'
import type { Text } from '../text/text.svelte'

/** What is wrong with a line in any file. `column`: the name of the one in question. */
export function cellFaultText(
  code: LineFault | CellFault | 'missing',
  column: Text['key'] | null,
  value: string,
): Text {
  const where = { column: column === null ? '' : { key: column } }
  switch (code) {
    case 'missing':
    case 'not-text':
      return { key: `catalogue.fault.${code}`, values: where }
    case 'too-long':
      return { key: 'catalogue.fault.too-long', values: { ...where, value: shortened(value, 40) } }
    case 'uneven':
      return { key: 'catalogue.fault.uneven', values: { count: Number(value) } }
    case 'broken-quotes':
      return { key: 'catalogue.fault.broken-quotes', values: { value: shortened(value, 40) } }
  }
}
