import { type ManifestColumn, knownInManifest, proposeManifest } from '../../../src-shared/csv/manifest-columns'
import { type ManifestFault, type MappedManifest, mapManifest } from '../../../src-shared/csv/manifest-rows'
import { parseTable } from '../../../src-shared/csv/read'
import type { Client } from '../../../src-shared/ipc/client'
import { type ManifestRow, mostManifestLines } from '../../../src-shared/ipc/contract/manifest'
import { FileImport } from '../../csv/file-import.svelte'
import { cellFaultText } from '../../csv/fault-text'
import { shortened } from '../../text/errors'
import type { Text } from '../../text/text.svelte'

/** A few more than are accepted: titles and the header are lines too. */
const mostRead = mostManifestLines + 20

/** Why a file that was read can't be loaded. */
type ManifestObstacle = 'no-lines' | 'no-package' | 'too-many' | 'no-usable-line'

/** Choosing a manifest and loading it. */
export class ManifestLoading extends FileImport<ManifestColumn, ManifestRow, MappedManifest, ManifestObstacle> {
  constructor(client: Client) {
    super({
      parse: (text, delimiter) => parseTable(text, { knownIn: knownInManifest, mostLines: mostRead, delimiter }),
      propose: proposeManifest,
      map: mapManifest,
      obstacle: (table, mapping, { rows }) => {
        if (table.rows.length === 0) return 'no-lines'
        if (table.rows.length > mostManifestLines) return 'too-many'
        if (mapping.packageUid === null) return 'no-package'
        return rows.length === 0 ? 'no-usable-line' : null
      },
      send: (part, { leftOut }) => client.call('receiving.loadManifest', { ...part, leftOut }),
    })
  }
}

/** What is wrong with a line of the file. */
function manifestFaultText({ column, code, value }: ManifestFault): Text {
  switch (code) {
    case 'not-a-package':
    case 'count-zero':
    case 'count-ambiguous':
    case 'count-not-whole':
    case 'count-out-of-range':
      return { key: `manifest.fault.${code}`, values: { value: shortened(value, 40) } }
    case 'missing':
    case 'not-text':
    case 'too-long':
    case 'uneven':
    case 'broken-quotes':
      return cellFaultText(code, column, value)
  }
}

/** What is wrong with a line of the file, and that it is left out if it is. */
export function faultTextOf(fault: ManifestFault, leftOutLines: number[]): Text {
  const text = manifestFaultText(fault)
  return leftOutLines.includes(fault.line) ? { key: 'manifest.fault.left-out', values: { fault: text } } : text
}

/** More lines than these are counted: the faults below name them all. */
const mostNamed = 8

/** Which lines are left out: "Line 4 is left out". */
export const leftOutTitle = (lines: number[]): Text => ({
  key: lines.length > mostNamed ? 'manifest.left-out.many' : 'manifest.left-out',
  values: { count: lines.length, lines: lines.slice(0, mostNamed).map(String) },
})
