import { IntlMessageFormat } from 'intl-messageformat'
import { Locale } from '../../src-shared/ipc/app-view'
import { type MessageKey, en } from './en'
import { es } from './es'

type Plain = string | number | Date

/** What a message may name: numbers and dates are written as the language writes them, and so is a text in a text. */
export type Values = Record<string, Plain | Text>

/** A text that is not written yet: state keeps this, so that changing the language changes what already stands there. */
export interface Text {
  key: MessageKey
  values?: Values
}

type Catalogue = Partial<Record<MessageKey, string>>

const catalogues: Record<Locale, Catalogue> = { en, es }
/** Spanish as it is written in the United States: dates, times and decimal points are the shop's. */
const formats: Record<Locale, string> = { en: 'en-US', es: 'es-US' }
const compiled: Record<Locale, Map<MessageKey, IntlMessageFormat>> = { en: new Map(), es: new Map() }

/** Adds the texts of a screen that is loaded later. */
export function addTexts(texts: Record<Locale, Catalogue>): void {
  for (const locale of Locale.options) catalogues[locale] = { ...catalogues[locale], ...texts[locale] }
}

class Language {
  locale = $state<Locale>('en')
}

export const language = new Language()

/** The text of a key in a language. Throws when a value is missing: that is a bug. */
export function write(locale: Locale, key: MessageKey, values: Values = {}): string {
  let message = compiled[locale].get(key)
  if (!message) {
    message = new IntlMessageFormat(textOf(locale, key), formats[locale], undefined, { ignoreTag: true })
    compiled[locale].set(key, message)
  }
  const plain: Record<string, Plain> = {}
  for (const [name, value] of Object.entries(values)) plain[name] = writeValue(locale, value)
  const written = message.format(plain)
  return typeof written === 'string' ? written : ''
}

function textOf(locale: Locale, key: MessageKey): string {
  const text = catalogues[locale][key]
  if (text === undefined) throw new Error(`the text ${key} is not loaded`)
  return text
}

const writeValue = (locale: Locale, value: Plain | Text): Plain =>
  typeof value === 'object' && 'key' in value ? write(locale, value.key, value.values) : value

/** The text of a key in the language in force; inside a component it follows the language. */
export const t = (key: MessageKey, values?: Values): string => write(language.locale, key, values)

export const say = (text: Text): string => t(text.key, text.values)
