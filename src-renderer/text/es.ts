import type { MessageKey } from './en'
import { shell } from './es/shell'
import { checkout } from './es/checkout'
import { delivery } from './es/delivery'
import { errors } from './es/errors'
import { gates } from './es/gates'
import { find } from './es/find'
import { join } from './es/join'
import { hosting } from './es/hosting'
import { people } from './es/people'
import { manifest } from './es/manifest'
import { orders } from './es/orders'
import { outages } from './es/outages'
import { outbox } from './es/outbox'
import { posDay } from './es/pos-day'
import { receiving } from './es/receiving'
import { record } from './es/record'
import { scanners } from './es/scanners'
import { stock } from './es/stock'
import { store } from './es/store'
import { settings } from './es/settings'
import { words } from './es/words'

export const es = {
  ...words,
  ...shell,
  ...receiving,
  ...record,
  ...delivery,
  ...manifest,
  ...checkout,
  ...orders,
  ...posDay,
  ...find,
  ...outbox,
  ...outages,
  ...settings,
  ...scanners,
  ...gates,
  ...store,
  ...stock,
  ...join,
  ...hosting,
  ...people,
  ...errors,
} satisfies Record<MessageKey, string>
