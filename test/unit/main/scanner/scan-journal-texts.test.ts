import { describe, expect, it } from 'vitest'
import { journalDesk, voyager } from './journal-desk'

const id = 'a6YvvLF5tXSydNkLnHDXG5'
const desk = journalDesk()

describe('the journal of scans', () => {
  describe('stores only the kind of a badge or of a code that may identify a person', () => {
    const licence = '@\n\u001e\rANSI 636014080102DL00410277DLDAQY1234562\nDCSPUBLIC\nDACJANE\nDBB01151980\n'
    it.each([
      ['a badge', 'EMP-90210', 'badge'],
      ['a join code', `CTJOIN1${'PUBLIC'.repeat(300)}`, 'join'],
      ['a part of a join code', 'PUBLIC7'.repeat(50), 'join'],
      ['a badge in lowercase, with an AIM id and a line end', ']C0emp-90210\r', 'badge'],
      ["a driver's license", licence, 'unknown'],
      ["a longer driver's license", licence + 'ZVA01'.repeat(200), 'unknown'],
      ['the license lines of a keyboard-mode scanner: the number', 'DAQY1234562', 'unknown'],
      ['a license line with the name', 'DCSPUBLIC', 'unknown'],
      ['a license line with the birthday, after the header', 'DLDBB01151980', 'unknown'],
      ['a passport', 'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'unknown'],
      ['a bank card', '%B4111111111111111^PUBLIC/JANE Q^29121011000?;4111111111111111=29121011000?', 'unknown'],
      ['the second track of a bank card alone', ';4111111111111111=29121011000?', 'unknown'],
      ['a bank card number of the same length as a package UID', '4111111111111111', 'package'],
      ['another bank card number', '5555555555554444', 'package'],
      ['a bank card number of 15 digits', '341111111111111', 'unknown'],
      ['a license number of the same length as a package UID', 'DAQY123456200000000000XX', 'package'],
      ['a name of the same length as a package UID', 'DCSPUBLICPUBLICPUBLICPUB', 'package'],
      ['a name with non-ASCII letters', 'DCSPUBLICÑÚ-ÖZ', 'unknown'],
      ['a name that begins with a non-ASCII letter', 'DACÑPUBLIC', 'unknown'],
      ['a name with misread letters', 'DCSPUBLICÃ\u2018O', 'unknown'],
    ])('%s', (_what, text, kind) => {
      desk.scan(text)
      expect(desk.journal.recent().scans).toMatchObject([{ kind, meaning: null, raw: null }])
      const stored = JSON.stringify(desk.db.prepare('SELECT * FROM scan').all())
      expect(stored).not.toMatch(/90210|PUBLIC|1234562|0115|4111|4444|ERIKSSON/i)
    })

    it.each([
      'DABS-1',
      'Dacron',
      'DATE-2026',
      'B4111',
      'ANSI 7',
      'A<B',
      'DAQ',
      'DAQ-1',
      id,
      '8832345600001234',
      '4111111111111112',
      ']C04111111111111111',
      '1A4060300020081000006609',
      'D'.repeat(24),
      `ORD-DAQY1234562`,
    ])('but stores %s like any other code', (text) => {
      desk.scan(text)
      expect(desk.texts()).toEqual([text])
    })
  })

  describe('stores any text, up to its first 500 characters', () => {
    it.each([
      ['an empty text', '', ''],
      ['NUL', 'a\0b', 'a\0b'],
      ['every control character', '\u0001\u001d\u001e\u0004\u007f\u009f', '\u0001\u001d\u001e\u0004\u007f\u009f'],
      ['a lone surrogate', 'a\ud83cb', 'a\ufffdb'],
      ['a character split by the cut', `${'x'.repeat(499)}🌿y`, `${'x'.repeat(499)}\ufffd`],
      ['SQL and markup', `'); DROP TABLE scan; --<script>`, `'); DROP TABLE scan; --<script>`],
      ['a text that reverses the writing direction', 'a\u202eb', 'a\u202eb'],
      ['2,000 characters', 'ä'.repeat(2_000), 'ä'.repeat(500)],
      ['8,000 control characters', '\u0001'.repeat(8_000), '\u0001'.repeat(500)],
    ])('%s', (_what, text, kept) => {
      desk.scan(text, voyager)
      desk.scan('after', { symbology: `]Q1\0${'x'.repeat(8_000)}`, device: { id: 'x', name: '\ud83c'.repeat(8_000) } })
      const [after, hostile] = desk.journal.recent().scans
      expect(hostile?.raw).toEqual({ text: kept, length: text.length })
      expect(JSON.stringify(hostile).length).toBeLessThan(4_000)
      expect(after?.raw?.text).toBe('after')
      expect([after?.symbology?.length, after?.device?.length]).toEqual([20, 200])
      expect(desk.warned).toEqual([])
    })
  })

  it('leaves out of the meaning what the text already says', () => {
    desk.scan('neither this nor that')
    desk.scan('\u001d010950600013435210AB', { ...voyager, symbology: ']Q3' })
    const stored = desk.db.prepare('SELECT meaning FROM scan').pluck()
    expect(desk.journal.recent().scans.map(({ meaning }) => meaning)).toMatchObject([
      { kind: 'gs1', text: '', gtin: '09506000134352' },
      { kind: 'unknown', text: '', reason: 'other' },
    ])
    expect(JSON.stringify(stored.all())).not.toContain('neither')
  })
})
