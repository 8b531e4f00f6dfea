import { words } from './words'
import { shell } from './shell'
import { receiving } from './receiving'
import { record } from './record'
import { delivery } from './delivery'
import { manifest } from './manifest'
import { checkout } from './checkout'
import { outbox } from './outbox'
import { settings } from './settings'
import { scanners } from './scanners'
import { gates } from './gates'
import { store } from './store'
import { errors } from './errors'

/** What the page may say before its other screens are loaded, and the rest of what belongs to it. */
export const first = {
  ...words,
  ...shell,
  ...receiving,
  ...record,
  ...delivery,
  ...manifest,
  ...checkout,
  ...outbox,
  ...settings,
  ...scanners,
  ...gates,
  ...store,
  ...errors,
}
