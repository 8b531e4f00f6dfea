import { checkoutLater } from './checkout-later'
import { connection } from './connection'
import { delivery } from './delivery'
import { errorsLater } from './errors-later'
import { errorsStation } from './errors-station'
import { find } from './find'
import { guide } from './guide'
import { orders } from './orders'
import { outbox } from './outbox'
import { receivingLater } from './receiving-later'
import { scanners } from './scanners'
import { security } from './security'
import { settings } from './settings'
import { support } from './support'

/** The texts of the screens that are not there from the start. */
export const later = {
  ...checkoutLater,
  ...connection,
  ...delivery,
  ...errorsLater,
  ...errorsStation,
  ...find,
  ...guide,
  ...orders,
  ...outbox,
  ...receivingLater,
  ...scanners,
  ...security,
  ...settings,
  ...support,
}
