import { assertNever } from '../../src-shared/result'
import type { Meaning, Scan } from '../../src-shared/scan/meaning'
import type { Text } from '../messages/text.svelte'
import { readBy } from './strip.svelte'

/** What a scanned text means, in words and whole: for the test panel. */
export function meaningText(meaning: Meaning): Text {
  switch (meaning.kind) {
    case 'tag':
      return { key: meaning.certain ? 'meaning.tag' : 'meaning.tag.bare', values: { id: meaning.tagId } }
    case 'case':
      return { key: 'meaning.case', values: { id: meaning.identifier } }
    case 'package':
      return { key: 'meaning.package', values: { id: meaning.packageUid } }
    case 'order':
      return { key: 'meaning.order', values: { id: meaning.orderId } }
    case 'badge':
      return { key: 'meaning.badge', values: { id: meaning.badge } }
    case 'action':
      return { key: 'meaning.action', values: { action: { key: `meaning.action.${meaning.action}` } } }
    case 'gs1': {
      const { gtin, batch, serial } = meaning
      return { key: 'meaning.gs1', values: { gtin: gtin ?? '–', batch: batch ?? '–', serial: serial ?? '–' } }
    }
    case 'unknown':
      return { key: `meaning.unknown.${meaning.reason ?? 'other'}` }
    default:
      return assertNever(meaning)
  }
}

/** What read a scan, in words and whole. */
export const scannerText = (scan: Pick<Scan, 'source' | 'device'>): Text =>
  readBy(scan) ?? { key: scan.source === 'hid' ? 'test.by.hid' : 'test.by.wedge' }
