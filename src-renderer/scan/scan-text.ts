import { assertNever } from '../../src-shared/result'
import type { Meaning, Scan } from '../../src-shared/scan/meaning'
import { shortened } from '../text/errors'
import type { Text } from '../text/text.svelte'

/** What was read, while it is looked up: for the strip. */
export function readText(meaning: Meaning): Text {
  switch (meaning.kind) {
    case 'package':
      return { key: 'scan.read.package', values: { packageUid: meaning.packageUid } }
    case 'case':
      return { key: 'scan.read.case', values: { identifier: shortened(meaning.identifier) } }
    case 'tag':
      return { key: 'scan.read.tag' }
    case 'order':
      return { key: 'scan.used-as-order', values: { orderId: meaning.orderId } }
    case 'gs1':
      return { key: 'scan.gs1' }
    case 'badge':
      return { key: 'scan.badge' }
    case 'action':
      return { key: 'scan.action' }
    case 'join':
      return { key: 'label.join-code' }
    case 'unknown':
      return { key: 'scan.read.unknown', values: { text: shortened(meaning.text) } }
    default:
      return assertNever(meaning)
  }
}

/** What a scanned text means, in full: for the test panel and the recent scans. */
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
      return meaning.badge === '' ? { key: 'scan.badge' } : { key: 'meaning.badge', values: { id: meaning.badge } }
    case 'action':
      return { key: 'meaning.action', values: { action: { key: `meaning.action.${meaning.action}` } } }
    case 'join':
      return { key: 'meaning.join' }
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

/** The device that read a scan, in full: for the test panel and the recent scans. */
export const scannerText = (scan: Pick<Scan, 'source' | 'device'>): Text =>
  readBy(scan) ?? { key: scan.source === 'hid' ? 'test.by.hid' : 'test.by.wedge' }

/** The device that read a scan, for the strip; null for a scanner that types, the usual one. */
export function readBy({ source, device }: Partial<Pick<Scan, 'source' | 'device'>>): Text | null {
  if (source === undefined || source === 'wedge') return null
  if (source === 'hid') return device == null ? null : { key: 'scan.by.device', values: { device } }
  return { key: `scan.by.${source}` }
}

/** A piece of a scanned text: as scanned, or the name of an invisible character. */
interface RawPart {
  text: string
  isUnseen: boolean
}

/** Control characters and invisible marks; some reverse the direction of the text after them. */
const unseen = /([\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}])/u

const controls =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(
    ' ',
  )

/** A scanned text in pieces that show every character: controls as GS or CR, other invisible ones as U+202E. */
export const rawParts = (text: string): RawPart[] =>
  text
    .split(unseen)
    .map((piece, place) => ({ text: place % 2 === 1 ? nameOf(piece) : piece, isUnseen: place % 2 === 1 }))
    .filter((part) => part.text !== '')

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return controls[code] ?? (code === 0x7f ? 'DEL' : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`)
}
