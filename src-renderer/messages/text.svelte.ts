import { IntlMessageFormat } from 'intl-messageformat'
import { Locale } from '../../src-shared/ipc/app-view'
import type { MessageKey } from './en'
import { languages } from './languages'

type Plain = string | number | Date

/** What a message may name: numbers and dates are written as the language writes them, and so is a text in a text. */
export type Values = Record<string, Plain | Text>

/** A text that is not written yet: state keeps this, so that changing the language changes what already stands there. */
export interface Text {
  key: MessageKey
  values?: Values
}

type Catalogue = Partial<Record<MessageKey, string>>

const firstOf = (locale: Locale): Catalogue => languages[locale].first
const later: Partial<Record<Locale, Catalogue>> = {}
/** By language and key. */
const compiled: Partial<Record<string, IntlMessageFormat>> = {}

/** Adds the texts of a screen that is loaded later. */
export function addTexts(texts: Record<Locale, Catalogue>): void {
  for (const locale of Locale.options) later[locale] = { ...later[locale], ...texts[locale] }
  language.added++
}

class Language {
  locale = $state<Locale>('en')
  /** Grows when texts are added: what waits for one is then written anew. */
  added = $state(0)
}

export const language = new Language()

/** Stands where a text is still being fetched, for a moment at the start. */
const fetching = '…'

/** The text of a key in a language. Throws when a value is missing: that is a bug. */
export function write(locale: Locale, key: MessageKey, values: Values = {}): string {
  const name = `${locale} ${key}`
  let message = compiled[name]
  if (!message) {
    const text = firstOf(locale)[key] ?? later[locale]?.[key]
    if (text === undefined) return waiting()
    message = new IntlMessageFormat(text, languages[locale].format, undefined, { ignoreTag: true })
    compiled[name] = message
  }
  const plain: Record<string, Plain> = {}
  for (const [named, value] of Object.entries(values)) plain[named] = writeValue(locale, value)
  const written = message.format(plain)
  return typeof written === 'string' ? written : ''
}

/** Reads what grows when texts are added, so that whoever shows this is drawn again. */
const waiting = () => (language.added >= 0 ? fetching : '')

const writeValue = (locale: Locale, value: Plain | Text): Plain =>
  typeof value === 'object' && 'key' in value ? write(locale, value.key, value.values) : value

/** The text of a key in the language in force; inside a component it follows the language. */
export const t = (key: MessageKey, values?: Values): string => write(language.locale, key, values)

export const say = (text: Text): string => t(text.key, text.values)
