import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPlainName, knownName, plainName } from '../../../src-shared/names'

const read = (text: string, most = 40) => {
  const parsed = plainName(most).safeParse(text)
  return parsed.success ? parsed.data : null
}

/** Any UTF-16, halves of surrogate pairs as well. */
const anyText = (maxLength: number) =>
  fc.array(fc.integer({ min: 0, max: 0xff_ff }), { maxLength }).map((units) => String.fromCharCode(...units))

describe('a name', () => {
  it.each([
    'Station 1',
    'Ñandú – Kasse №3',
    '東京 店',
    'متجر الزهور',
    'Café O’Brien & Söhne',
    'Till 👩‍⚕️ ❤️',
    'می‌خواهم',
  ])('may be %s', (name) => {
    expect(read(name)).toBe(name.normalize('NFC'))
  })

  it.each([
    ['nothing', ''],
    ['blanks', ' \t '],
    ['a line break', 'Station\n1'],
    ['NUL', 'Station\0'],
    ['an escape', '\u001B[31mStation'],
    ['a line separator', 'Station\u20281'],
    ['an override of the reading direction', 'Till \u202Egnp.exe'],
    ['an isolate', 'Till \u20661'],
    ['an Arabic letter mark', 'Till\u061C1'],
    ['a lone surrogate', 'Till \uD83D'],
    ['a zero-width space', 'Sta\u200Btion'],
    ['a soft hyphen', 'Sta\u00ADtion'],
    ['a byte order mark', 'Sta\uFEFFtion'],
    ['a filler that can’t be seen', '\u3164'],
    ['joiners only', '\u200D\u200D'],
    ['a tag character', 'Till\u{E0041}'],
    ['a character of a private font', 'Till\uE000'],
    ['a noncharacter', 'Till\uFFFE'],
    ['41 characters', 'x'.repeat(41)],
  ])('is refused with %s', (_, name) => {
    expect(read(name)).toBe(null)
  })

  it('is the same in either form of its accents', () => {
    expect(read('Cafe\u0301')).toBe(read('Caf\u00E9'))
  })

  it('has its bounds, and stays the same when it is read again', () => {
    fc.assert(
      fc.property(
        fc.oneof(anyText(60), fc.string({ maxLength: 60 })),
        fc.integer({ min: 1, max: 50 }),
        (text, most) => {
          const name = read(text, most)
          if (name === null) return
          expect(name.length).toBeGreaterThan(0)
          expect(name.length).toBeLessThanOrEqual(most)
          expect(name).toBe(name.normalize('NFC').trim())
          expect(name.isWellFormed()).toBe(true)
          expect(name).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u)
          expect(read(name, most)).toBe(name)
        },
      ),
    )
  })

  it('that is here already is shown, whatever it has: it is never refused and never empty', () => {
    expect(knownName('Station 1', 40)).toBe('Station 1')
    expect(knownName('Till \u202Egnp', 40)).toBe('Till \uFFFDgnp')
    expect(knownName('', 40)).toBe('\uFFFD')
    expect(knownName('😀'.repeat(30), 41)).toBe('😀'.repeat(20))
    fc.assert(
      fc.property(anyText(80), fc.integer({ min: 2, max: 50 }), (text, most) => {
        const name = knownName(text, most)
        expect(name.length).toBeLessThanOrEqual(most)
        expect(isPlainName(name)).toBe(true)
      }),
    )
  })
})
