import { first } from './en/first'
import { later } from './en/later'

/** The English texts fix the keys; every other language must have exactly these. The page loads them in two parts. */
export const en = { ...first, ...later }

export type MessageKey = keyof typeof en
