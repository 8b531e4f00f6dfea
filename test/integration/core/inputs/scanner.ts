import { type Walk, id } from './walk'

/** Scanners and searches. */
export const scannerInputs: Walk<'app' | 'scanner' | 'media' | 'find'> = {
  'app.status': { good: [undefined], bad: [{}, 1] },
  'app.setLocale': { good: [{ locale: 'es' }, { locale: 'en' }], bad: [{ locale: 'xx' }, { locale: 1 }, undefined] },
  'scanner.setPlace': { good: [{ place: 'checkout' }], bad: [{ place: 'kitchen' }, {}] },
  'scanner.submit': {
    good: [
      { text: id, source: 'typed' },
      { text: '', source: 'wedge' },
    ],
    bad: [
      { text: 'x'.repeat(4_301), source: 'wedge' },
      { text: 1, source: 'wedge' },
      { text: id, source: 'radio' },
    ],
  },
  'scanner.scanners': { good: [undefined], bad: [{}] },
  'scanner.look': { good: [undefined], bad: [1] },
  'scanner.recent': {
    good: [{}, { before: 1 }, { before: Number.MAX_SAFE_INTEGER }],
    bad: [{ before: 0 }, { before: 1.5 }, { before: '7' }, { before: null }, undefined],
  },
  'scanner.settings': { good: [undefined], bad: ['all'] },
  'scanner.known': { good: [undefined], bad: ['all'] },
  'scanner.setSettings': {
    good: [
      {},
      {
        prefixes: { order: 'O-' },
        wedge: { timing: { longestGap: 300, device: { gap: 80, touch: 40 } } },
        sound: { isMuted: true },
      },
    ],
    bad: [
      { wedge: { timing: { longestGap: 5 } } },
      { prefixes: { order: 'x'.repeat(21) } },
      { sound: { volume: 101 } },
      undefined,
    ],
  },
  'media.picture': { good: [{ url: 'https://example.invalid/x.png' }], bad: [{ url: 'x'.repeat(2_001) }, {}] },
  'find.search': {
    good: [{ text: 'blue dune' }, { text: id }],
    bad: [{ text: ' ' }, { text: 'x'.repeat(501) }, {}, undefined],
  },
  'find.entity': {
    good: [{ kind: 'collection', id: 'HF 2026/0417' }],
    bad: [{ kind: 'order', id }, { kind: 'tag', id: ' ' }, { kind: 'tag', id: 'x'.repeat(501) }, { id }],
  },
  'find.recent': { good: [undefined], bad: [{}] },
  'find.known': { good: [{ tagId: id }], bad: [{ tagId: 'x' }, {}] },
  'find.removed': { good: [{ type: null }, { type: 'case' }], bad: [{ type: '' }, { type: 'x'.repeat(51) }, {}] },
}
