import { z } from 'zod'
import { actionTexts } from '../../src-shared/scan/meaning'
import { longestCode } from '../../src-shared/scan/classify'
import { shortIdOf } from './tags'

/** Texts of one kind, as they may come from a label, a stuck key or an attacker. */
export interface TextClass {
  name: string
  texts: string[]
  /** Whether GS1 parsers handle them. */
  isGs1?: boolean
}

const each = 64
const numbers = Array.from({ length: each }, (_, n) => n)
const gs = '\u001d'
const gtin = '09506000134352'
const tooLong = 2_000

/** As external input arrives: one flat string, not a concatenation of pieces. */
const flat = (text: string): string => z.string().parse(JSON.parse(JSON.stringify(text)))
const filled = (length: number, piece: string) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
const kind = (name: string, textOf: (n: number) => string, isGs1 = false): TextClass => ({
  name,
  texts: numbers.map((n) => flat(textOf(n))),
  isGs1,
})
/** One text of the maximum length that is read, and one that is longer. */
const long = (name: string, textOf: (length: number, n: number) => string, isGs1 = false): TextClass[] => [
  kind(`${longestCode} characters: ${name}`, (n) => textOf(longestCode, n), isGs1),
  kind(`2,000 characters: ${name}`, (n) => textOf(tooLong, n)),
]

const real = [
  ...[1, 2, 3].map((n) => `https://tag.example/${shortIdOf(n)}`),
  `]Q1https://tag.example/case/${shortIdOf(4)}`,
  shortIdOf(5),
  '1A4060300020081000006609',
  'HTTPS://1A4.COM/5LN8CBN1UB33DON9CHKX',
  actionTexts.complete,
  `01${gtin}10AB-12${gs}2177`,
  'ORD-10482',
  '10482',
  '9506000134352',
]

/** The inputs on which `classify` must be fast. The first is scanned all day; the others must not slow it down. */
export const textClasses: TextClass[] = [
  kind('real codes of every kind', (n) => real[n % real.length] ?? ''),
  kind('base57, nearly an id', (n) => `${shortIdOf(n).slice(0, 21)}${['', 'l', '0zz', 'O'][n % 4] ?? ''}`),
  kind('22 times z, not an id', (n) => `${'z'.repeat(22)}${n % 2 ? '' : '\r\n'}`),
  kind('%ZZ in an address', (n) => `https://tag.example/case/${n}%ZZ`),
  kind('GS1, all elements', (n) => `]d201${gtin}17261130310300012310AB-${n}${gs}21SER${n}${gs}240X${n}`, true),
  ...long('digits', (length, n) => filled(length, `${1_234_567_890 + n}`)),
  ...long('letters', (length, n) => filled(length, `aBcDeFgHiJkLm${n}x`)),
  ...long('%ZZ over and over', (length, n) => filled(length, `%ZZ${n}`)),
  ...long('an address of %ZZ', (length, n) =>
    filled(length, '%ZZ').replace(/^.{30}/, `https://tag.example/case/${n}/ab`),
  ),
  ...long('an address of 240 folders', (length, n) => `https://tag.example/${filled(length - 20, `a/${n % 10}/`)}`),
  ...long('nearly an address', (length, n) => `http:/${filled(length - 6, `/?#${n}:`)}`),
  ...long('nothing but GS', (length, n) => `01${gtin}${gs.repeat(length - 18)}${10 + n}`, true),
  ...long('GS1, short elements', (length, n) => `01${gtin}${filled(length - 16, `10${n % 10}${gs}21A${gs}`)}`, true),
  ...long('GS1, wrong at the end', (length, n) => `01${gtin}${filled(length - 19, `10${n % 10}${gs}`)}${gs}~~`, true),
  ...long('GS1 in brackets', (length, n) => `(01)${gtin}${filled(length - 18, `(10)${n % 10}(21)A`)}`, true),
  ...long('brackets', (length, n) => `(01)${filled(length - 4, `(((${n}`)}`, true),
  ...long('unicode', (length, n) => filled(length, `\u{1f33f}\u00e9\u4e2d${n}`)),
  ...long('halves of surrogates', (length, n) => filled(length - 1, `ab${n}`) + '\ud83c'),
  ...long('white space', (length, n) => `${n} ${filled(length - 4, ' \t')}${n}`),
]
