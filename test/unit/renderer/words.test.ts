import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IntlMessageFormat } from 'intl-messageformat'
import { describe, expect, it } from 'vitest'
import { Locale } from '../../../src-shared/ipc/contract/app'
import { en } from '../../../src-renderer/text/en'
import { es } from '../../../src-renderer/text/es'
import { write } from '../../../src-renderer/text/text.svelte'

const catalogues = { en, es }
const sources = join(import.meta.dirname, '../../../src-renderer')

/** The renderer's sources, without its tables of texts. */
const code = readdirSync(sources, { recursive: true, withFileTypes: true })
  .filter((file) => file.isFile() && /\.(ts|svelte)$/.test(file.name))
  .map((file) => join(file.parentPath, file.name))
  .filter((path) => !/text[/\\](en|es)([/\\]|\.ts$)/.test(path))
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n')

const escaped = (text: string) => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')

/** Keys whose beginning is another key or a code: a pattern that begins with a placeholder would match any key. */
const begun = [
  /^hub\.(awaited|copy|rival)\.means$/,
  /^import-state\.[\w-]+\.(earlier|today)$/,
  /^scanner\/[\w-]+\.(fix|title)$/,
]

/** The keys that the code puts together, like `operation.${kind}`, as expressions. */
const patterns = [...code.matchAll(/`([^`\n]*\$\{[^`\n]*)`/g)].flatMap(([, template = '']) => {
  const parts = template.split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/)
  if (parts[0] === '') return []
  return /[./]\w{3}|\w{3}[./]/.test(parts.join('')) ? [new RegExp(`^${parts.map(escaped).join('.+')}$`)] : []
})

/** True where they are: files and photos are not added. */
const allowed = new Set(['error.receiving/photo-unusable.means', 'error.receiving/unknown-package.means'])

describe('the texts', () => {
  it('are all used', () => {
    const isUsed = (key: string) =>
      code.includes(`'${key}'`) || [...patterns, ...begun].some((pattern) => pattern.test(key))
    expect(Object.keys(en).filter((key) => !isUsed(key))).toEqual([])
  })

  /** Placeholders that stand for a number, wherever they are used. */
  const numbers = [
    ...['count', 'total', 'done', 'counted', 'imported', 'required', 'difference', 'expected', 'scanned', 'returned'],
    ...['sold', 'line', 'most', 'least', 'volume', 'number', 'sent', 'missing', 'refused', 'took'],
  ]

  it.each(Locale.options)('write no number without the language’s format: %s', (locale) => {
    const plain = Object.entries(catalogues[locale]).filter(([, text]) =>
      numbers.some((name) => text.includes(`{${name}}`)),
    )
    expect(plain).toEqual([])
  })

  it.each(Locale.options)('name no file of the source: %s', (locale) => {
    const named = Object.entries(catalogues[locale]).filter(([, text]) =>
      /\b(docs|src|test)[-/]|\.(md|ts|mjs|svelte)\b|README/.test(text),
    )
    expect(named).toEqual([])
  })

  it.each([
    [/no code we know|does not hold what it should|never hears|trouble of its own|of its own kind/],
    [/Nothing here counts|nothing is reported to anyone/],
    [/\bIt was not added\./],
    [/sent by itself|could not be sent|It is tried again/],
    [/earlier reports?}? that it depends on/],
    [/Import against the certificate|failed or has expired\. It is imported anyway/],
    [/Its items can be sold/],
    [/[Tt]imes without the service|made without the service/],
    [/were not sold\. Keep them here/],
    [/Leave practice \(/],
    [/\bGo on\b/],
    // What was refused may have been dismissed since.
    [/nothing was refused/i],
    [/\b(nobody|whoever|somebody|tells of|as far as|all the same|licences?|cancelled)\b/i],
  ])('say nothing false or odd: %s', (odd) => {
    const own = Object.entries(en).filter(([key]) => !allowed.has(key))
    expect(own.filter(([, text]) => odd.test(wordsOf(text)))).toEqual([])
  })

  it('call a report "informe" in Spanish, everywhere', () => {
    const others = Object.entries(es).filter(([, text]) => /\breport(es?|a|ar|an|ad[ao]s?|ó)\b/i.test(text))
    expect(others).toEqual([])
  })

  it('write numbers and percentages as the language does', () => {
    expect(write('en', 'import-state.partly', { imported: 1_200, total: 3_400 })).toBe(
      '1,200 of 3,400 products imported',
    )
    expect(write('en', 'sound.value', { volume: 50 })).toBe('50%')
    expect(write('es', 'sound.value', { volume: 50 })).toMatch(/^50\s?%$/)
  })
})

/** A text's own words, without placeholders: those of every case of a plural or a choice. */
function wordsOf(message: string): string {
  const literal: number = 0
  const read = (elements: ReturnType<IntlMessageFormat['getAst']>): string =>
    elements
      .map((element) => {
        if ('options' in element)
          return Object.values(element.options)
            .map(({ value }) => read(value))
            .join(' ')
        const type: number = element.type
        return type === literal && 'value' in element ? element.value : '…'
      })
      .join(' ')
  return read(new IntlMessageFormat(message, 'en', undefined, { ignoreTag: true }).getAst())
}

describe('words that were replaced', () => {
  const replaced: Record<Locale, RegExp[]> = {
    en: [
      ...[/\bnobody\b/i, /\bwhoever\b/i, /\bsomebody\b/i, /\bwho serves\b/i, /\bserves\b/i, /\bgo(es)? on\b(?! with)/i],
      ...[
        /\bis no (?!longer\b|server\b)/i,
        /\b(all|the) the same\?/i,
        /\ball the same\b/i,
        /\bas far as\b/i,
        /\bnever hears\b/i,
      ],
      ...[/\bstands?\b/i, /\bas it stands\b/i, /trouble of its own/i, /code we know/i, /looked at lately/i],
      ...[/\bask again\b/i, /\basked at\b/i, /\bwhich column is which\b/i, /\bnothing fits\b/i, /\bmust look\b/i],
      ...[/beginnings?\b/i, /scanners? that type/i, /of its own kind/i, /put the guide away/i, /withdrawn/i],
      ...[/catalogue/i, /licence/i, /cancelled/i, /\bpractis/i, /\btick(ed|s)?\b/i, /\btills?\b/i, /\banew\b/i],
      ...[/\bclient id\b/, /\bid\b/, /any more\b/i, /taken back/i, /take (it|them) back/i],
    ],
    // One word for one thing: computadora, agregar, Envíos, informar, lectura, client ID; a register isn't a case. The accounts
    // are those of venta and suministro.
    es: [
      ...[/\bequipos?\b/i, /\baña[dn]/i, /bandeja de salida/i, /report(ó|ado)/i, /\bescaneo\b/i, /client id\b/],
      ...[/minorista/i, /abastecimiento/i],
      ...[/\botra caja\b(?! registradora)/i, /no superada/i, /\bquién atiende\b/i, /rellen/i, /\bpunto de venta\b/i],
      ...[/\b(tú|tu|tus|tienes|puedes|debes|vosotros|pulsa|escribe|elige)\b/i, /retenid/i],
    ],
  }

  it.each(Locale.options)('are in no text: %s', (locale) => {
    const found = Object.entries(catalogues[locale]).flatMap(([key, text]) => {
      const words = wordsOf(text)
      return replaced[locale].filter((word) => word.test(words)).map((word) => `${key}: ${String(word)}: ${words}`)
    })
    expect(found).toEqual([])
  })
})
