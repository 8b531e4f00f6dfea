import type { MessageKey } from './en'
import { shell } from './es/shell'
import { checkout } from './es/checkout'
import { delivery } from './es/delivery'
import { errors } from './es/errors'
import { gates } from './es/gates'
import { find } from './es/find'
import { orders } from './es/orders'
import { outbox } from './es/outbox'
import { receiving } from './es/receiving'
import { scanners } from './es/scanners'
import { settings } from './es/settings'

export const es = {
  ...shell,
  ...receiving,
  ...delivery,
  ...checkout,
  ...orders,
  ...find,
  ...outbox,
  ...settings,
  ...scanners,
  ...gates,
  ...errors,
} satisfies Record<MessageKey, string>
