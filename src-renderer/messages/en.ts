import { checkout } from './en/checkout'
import { errors } from './en/errors'
import { outbox } from './en/outbox'
import { receiving } from './en/receiving'
import { shell } from './en/shell'
import { warnings } from './en/warnings'

/** The English texts fix the keys; every other language must have exactly these. */
export const en = { ...shell, ...warnings, ...receiving, ...checkout, ...outbox, ...errors }

export type MessageKey = keyof typeof en
