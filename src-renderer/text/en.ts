import { shell } from './en/shell'
import { checkout } from './en/checkout'
import { delivery } from './en/delivery'
import { errors } from './en/errors'
import { gates } from './en/gates'
import { find } from './en/find'
import { orders } from './en/orders'
import { outbox } from './en/outbox'
import { receiving } from './en/receiving'
import { scanners } from './en/scanners'
import { settings } from './en/settings'

/** The English texts fix the keys; every other language must have exactly these. */
export const en = {
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
}

export type MessageKey = keyof typeof en
