import { checkout } from './en/checkout'
import { errors } from './en/errors'
import { outbox } from './en/outbox'
import { receiving } from './en/receiving'
import { shell } from './en/shell'
import type { scanners } from './en/scanners'
import type { settings } from './en/settings'
import { warnings } from './en/warnings'

/** The English texts fix the keys; every other language must have exactly these. */
export const en = { ...shell, ...warnings, ...receiving, ...checkout, ...outbox, ...errors }

/** The texts that are there from the start. */
export type FirstKey = keyof typeof en
/** Those, and those that come with their screen (`later.ts`). */
export type MessageKey = FirstKey | keyof typeof scanners | keyof typeof settings
