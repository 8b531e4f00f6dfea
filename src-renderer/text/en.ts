import { shell } from './en/shell'
import { checkout } from './en/checkout'
import { delivery } from './en/delivery'
import { errors } from './en/errors'
import { gates } from './en/gates'
import { find } from './en/find'
import { join } from './en/join'
import { hosting } from './en/hosting'
import { manifest } from './en/manifest'
import { orders } from './en/orders'
import { outages } from './en/outages'
import { outbox } from './en/outbox'
import { posDay } from './en/pos-day'
import { receiving } from './en/receiving'
import { record } from './en/record'
import { scanners } from './en/scanners'
import { stock } from './en/stock'
import { store } from './en/store'
import { settings } from './en/settings'
import { words } from './en/words'

/** The English texts fix the keys; every other language must have exactly these. */
export const en = {
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
  ...errors,
}

export type MessageKey = keyof typeof en
