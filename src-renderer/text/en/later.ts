import { orders } from './orders'
import { posDay } from './pos-day'
import { find } from './find'
import { outages } from './outages'
import { stock } from './stock'
import { join } from './join'
import { hosting } from './hosting'
import { people } from './people'

/** What only screens say that are loaded after the first paint. */
export const later = {
  ...orders,
  ...posDay,
  ...find,
  ...outages,
  ...stock,
  ...join,
  ...hosting,
  ...people,
}
