import { IntlMessageFormat } from 'intl-messageformat'
import type { Locale } from '../../src-shared/ipc/app-view'
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

const catalogues: Record<Locale, Record<MessageKey, string>> = { en, es }
/** Spanish as it is written in the United States: dates, times and decimal points are the shop's. */
const formats: Record<Locale, string> = { en: 'en-US', es: 'es-US' }
const compiled: Record<Locale, Map<MessageKey, IntlMessageFormat>> = { en: new Map(), es: new Map() }

class Language {
  locale = $state<Locale>('en')
}

export const language = new Language()

/** The text of a key in a language. Throws when a value is missing: that is a bug. */
export function write(locale: Locale, key: MessageKey, values: Values = {}): string {
  let message = compiled[locale].get(key)
  if (!message) {
    message = new IntlMessageFormat(catalogues[locale][key], formats[locale], undefined, { ignoreTag: true })
    compiled[locale].set(key, message)
  }
  const plain: Record<string, Plain> = {}
  for (const [name, value] of Object.entries(values)) plain[name] = writeValue(locale, value)
  const written = message.format(plain)
  return typeof written === 'string' ? written : ''
}

const writeValue = (locale: Locale, value: Plain | Text): Plain =>
  typeof value === 'object' && 'key' in value ? write(locale, value.key, value.values) : value

/** The text of a key in the language in force; inside a component it follows the language. */
export const t = (key: MessageKey, values?: Values): string => write(language.locale, key, values)

export const say = (text: Text): string => t(text.key, text.values)
