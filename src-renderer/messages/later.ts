import type { Locale } from '../../src-shared/ipc/app-view'
import type { LaterKey } from './en'
import { later as en } from './en/later'
import { later as es } from './es/later'
import { addTexts } from './text.svelte'

/** The texts of the screens that are not there from the start: whoever shows one of those imports this. */
export const later: Record<Locale, Record<LaterKey, string>> = { en, es }

addTexts(later)
