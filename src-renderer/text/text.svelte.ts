import { IntlMessageFormat } from 'intl-messageformat'
import type { Locale } from '../../src-shared/ipc/contract/app'
import { type MessageKey, en } from './en'
import { es } from './es'

interface Language {
  /** The language's own name. */
  name: string
  /** How dates, times and numbers are written. */
  format: string
  texts: Record<MessageKey, string>
}

/** The languages of the screens. Spanish is written as in the United States: dates, times and decimal points are the shop's. */
export const languages: Record<Locale, Language> = {
  en: { name: 'English', format: 'en-US', texts: en },
  es: { name: 'Español', format: 'es-US', texts: es },
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
}

export const language = new LanguageInForce()

/** By language and key. */
const compiled: Partial<Record<string, IntlMessageFormat>> = {}
const listFormats: Partial<Record<Locale, Intl.ListFormat>> = {}

/** The text of a key in a language. Throws when a value is missing: that is a bug. */
export function write(locale: Locale, key: MessageKey, values: Values = {}): string {
  const { format, texts } = languages[locale]
  const text = texts[key]
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
