import { IntlMessageFormat } from 'intl-messageformat'
import type { Locale } from '../../src-shared/ipc/contract/app'
import type { MessageKey } from './en'
import { first } from './en/first'

interface Language {
  /** The language's own name. */
  name: string
  /** How dates, times and numbers are written. */
  format: string
}

/** The languages of the screens. Spanish is written as in the United States: dates, times and decimal points are the shop's. */
export const languages: Record<Locale, Language> = {
  en: { name: 'English', format: 'en-US' },
  es: { name: 'Español', format: 'es-US' },
}

type Texts = Record<MessageKey, string>

/** The texts that are loaded: what the page begins with in English, more with its screens, another language when it is chosen. */
const loaded: { en: Partial<Texts> } & Partial<Record<Locale, Partial<Texts>>> = { en: first }
const loaders: Record<Exclude<Locale, 'en'>, () => Promise<Texts>> = { es: async () => (await import('./es')).es }

/** Loads the texts of a language. Rejects if its file can't be had. */
export async function loadTexts(locale: Locale): Promise<Partial<Texts>> {
  return locale === 'en' ? loaded.en : (loaded[locale] ??= await loaders[locale]())
}

/** Adds the English texts of screens that were loaded. */
export function addEnglish(texts: Partial<Texts>): void {
  loaded.en = { ...loaded.en, ...texts }
  language.parts += 1
}

type Plain = string | number | Date

/** A list, written as the language lists things: "a, b, and c". */
export type List = readonly (string | Text)[]

/**
 * Values for the placeholders of a message: numbers, dates and lists are written as the language writes them, a Text is
 * translated first.
 */
export type Values = Record<string, Plain | Text | List>

/** A text that is not written yet: state keeps this, so that changing the language changes texts that are already shown. */
export interface Text {
  key: MessageKey
  values?: Values
}

class LanguageInForce {
  locale = $state<Locale>('en')
  /** Of the English texts, how many are loaded. */
  parts = $state(1)
  #wanted: Locale = 'en'

  /** Shows a language, at once if its texts are loaded. If they can't be had, the screens keep the language they have. */
  async show(locale: Locale): Promise<void> {
    this.#wanted = locale
    if (!loaded[locale]) {
      const texts = await loadTexts(locale).catch(() => undefined)
      // Meanwhile another was chosen.
      if (!texts || this.#wanted !== locale) return
    }
    this.locale = locale
  }
}

export const language = new LanguageInForce()

/** By language and key. */
const compiled: Partial<Record<string, IntlMessageFormat>> = {}
const listFormats: Partial<Record<Locale, Intl.ListFormat>> = {}

/** The text of a key in a language. Throws when a value is missing: that is a bug. */
export function write(locale: Locale, key: MessageKey, values: Values = {}): string {
  const { format } = languages[locale]
  const text = loaded[locale]?.[key] ?? loaded.en[key]
  if (text === undefined) {
    // Of a screen that is still being loaded: it is written again once there are more parts.
    void language.parts
    return ''
  }
  // Most texts have no placeholder; making a message of each would cost a quarter of the page's start.
  if (!text.includes('{')) return text
  const message = (compiled[`${locale} ${key}`] ??= new IntlMessageFormat(text, format, undefined, { ignoreTag: true }))
  const plain: Record<string, Plain> = {}
  for (const [name, value] of Object.entries(values)) plain[name] = writeValue(locale, value)
  const written = message.format(plain)
  return typeof written === 'string' ? written : ''
}

function writeValue(locale: Locale, value: Plain | Text | List): Plain {
  if (typeof value !== 'object' || value instanceof Date) return value
  return 'key' in value ? write(locale, value.key, value.values) : writeList(locale, value)
}

function writeList(locale: Locale, list: List): string {
  const format = (listFormats[locale] ??= new Intl.ListFormat(languages[locale].format))
  return format.format(list.map((one) => (typeof one === 'string' ? one : write(locale, one.key, one.values))))
}

/** The text of a key in the language in force; inside a component it follows the language. */
export const t = (key: MessageKey, values?: Values): string => write(language.locale, key, values)

export const say = (text: Text): string => t(text.key, text.values)

/** The last of a list that was cut: "2 more". */
export const more = (count: number): Text => ({ key: 'list.more', values: { count } })

/** A list in the language in force; inside a component it follows the language. */
export const listed = (list: List): string => writeList(language.locale, list)

/** In ms. Texts count in minutes, so this is often enough.*/
const lookAgain = 15_000

/** The time in ms, for texts like "5 min ago"; it is renewed while the component that made it is mounted. */
export function createNow(every = lookAgain) {
  let now = $state(Date.now())
  $effect(() => {
    const timer = setInterval(() => {
      now = Date.now()
    }, every)
    return () => clearInterval(timer)
  })
  return {
    get current() {
      return now
    },
  }
}
