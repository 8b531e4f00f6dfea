import { checkout } from './en/checkout'
import { errors } from './en/errors'
import type { later } from './en/later'
import { receiving } from './en/receiving'
import { shell } from './en/shell'
import { warnings } from './en/warnings'

/** The English texts fix the keys; every other language must have exactly these. */
export const en = { ...shell, ...warnings, ...receiving, ...checkout, ...errors }

/** The texts that are there from the start. */
export type FirstKey = keyof typeof en
/** Those that come with their screen (`later.ts`). */
export type LaterKey = keyof typeof later
export type MessageKey = FirstKey | LaterKey
