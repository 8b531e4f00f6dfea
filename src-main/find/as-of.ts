import type { ThingView } from '../../src-shared/ipc/find-view'
import { expiryOf } from './coa-thing'
import { facts, text, when } from './facts'

/** What only the station and the moment tell of a thing: which certificates have ended, and our own sale of an item. */
export interface Moment {
  /** By the service's clock, ms since 1970. */
  now: number
  ownSale: { orderId: string; at: string } | undefined
}

/** The view as it stands at a moment: also of one that was stored long before. */
export function asOf(view: ThingView, { now, ownSale }: Moment): ThingView {
  const isOver = (expiresOn: string | null | undefined) => expiresOn != null && Date.parse(expiresOn) < now
  switch (view.kind) {
    case 'tag':
      return {
        ...view,
        coas: view.coas.map((coa) => ({ ...coa, isExpired: isOver(coa.expiresOn) })),
        ...sold(view, ownSale),
      }
    case 'collection':
      return { ...view, coas: view.coas.map((coa) => ({ ...coa, isExpired: isOver(coa.expiresOn) })) }
    case 'batch':
      return { ...view, coas: view.coas.map((coa) => ({ ...coa, isExpired: isOver(coa.expiresOn) })) }
    case 'coa':
      return { ...view, isExpired: isOver(expiryOf(view)) }
    case 'package':
    case 'product':
      return view
  }
}

/** Our own order goes before the day that the service shows, for it says more. */
function sold(view: Extract<ThingView, { kind: 'tag' }>, ownSale: Moment['ownSale']) {
  if (!ownSale) return {}
  const { orderId, at } = ownSale
  const others = view.facts.filter(({ name }) => name !== 'sold-on')
  return {
    sale: { orderId, at, by: 'this-station' as const },
    facts: [...others, ...facts(when('sold-on', at), text('sold-in-order', orderId))],
  }
}
