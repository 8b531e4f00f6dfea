import type { Locale } from '../../src-shared/ipc/app-view'
import { type FirstKey, en } from './en'
import { es } from './es'

export interface LanguageTexts {
  /** As its speakers call it. */
  name: string
  /** How dates, times and numbers are written. */
  format: string
  /** The texts that are there from the start. Those of the other screens are listed in `later.ts`. */
  first: Record<FirstKey, string>
}

/** The languages of the screens. Spanish is written as in the United States: dates, times and decimal points are the shop's. */
export const languages: Record<Locale, LanguageTexts> = {
  en: { name: 'English', format: 'en-US', first: en },
  es: { name: 'Español', format: 'es-US', first: es },
}
