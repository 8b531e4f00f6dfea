import { assertNever } from '../../src-shared/result'
import type { Meaning } from '../../src-shared/scan/meaning'
import type { Text } from '../messages/text.svelte'

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

/** A scanned text in which every character can be seen: GS as ␝, a line end as ␍. */
export const visible = (text: string): string =>
  Array.from(text, (character) => {
    if (character === '\u007f') return '␡'
    return character < ' ' ? String.fromCharCode(0x2400 + character.charCodeAt(0)) : character
  }).join('')
