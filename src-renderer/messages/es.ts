import type { MessageKey } from './en'
import { checkout } from './es/checkout'
import { errors } from './es/errors'
import { outbox } from './es/outbox'
import { receiving } from './es/receiving'
import { shell } from './es/shell'

export const es = { ...shell, ...receiving, ...checkout, ...outbox, ...errors } satisfies Record<MessageKey, string>
