import type { Locale } from '../../src-shared/ipc/app-view'
import type { StartProblemCode } from './start-problem'
import { english } from './start-texts/en'
import { spanish } from './start-texts/es'

/** What happened, what it means, and what to do: before anything is open, and so without the renderer's catalogues. */
export interface StartText {
  /** Where the usual one, that Countertag can't start, is not so. */
  title?: string
  what: string
  means: string
  next: string[]
}

export interface StartLanguage {
  lang: Locale
  title: string
  meansTitle: string
  nextTitle: string
  dataDir: string
  reportFile: string
  /** Above the one sentence with the file's name. */
  detail: string
  problems: Record<StartProblemCode, StartText>
}

export const startLanguages: Record<Locale, StartLanguage> = { en: english, es: spanish }
