import { TagId } from '../../src-shared/ids'
import type { Member, ThingLink, ThingView } from '../../src-shared/ipc/find-view'
import { expiryOf } from './coa-thing'
import { facts, text, when } from './facts'

/** What only the station and the moment tell of a thing: which certificates have ended, our own sales of items, the batches of a product. */
export interface Moment {
  /** By the service's clock, ms since 1970. */
  now: number
  ownSale: (tagId: TagId) => { orderId: string; at: string } | undefined
  /** The batches of a product, as far as they were seen. */
  batchesOf: (productId: string) => ThingLink[]
}

/** The view as it stands at a moment: also of one that was stored long before. */
export function asOf(view: ThingView, { now, ownSale, batchesOf }: Moment): ThingView {
  const isOver = (expiresOn: string | null | undefined) => expiresOn != null && Date.parse(expiresOn) < now
  switch (view.kind) {
    case 'tag':
      return {
        ...view,
        coas: view.coas.map((coa) => ({ ...coa, isExpired: isOver(coa.expiresOn) })),
        ...sold(view, ownSale(TagId.parse(view.ref.id))),
      }
    case 'collection': {
      // Of what the service shows as sold our own reports need not be read.
      const ofMember = (one: Member) => (one.soldOn === null ? { ...one, soldOn: ownSale(one.tagId)?.at ?? null } : one)
      return {
        ...view,
        coas: view.coas.map((coa) => ({ ...coa, isExpired: isOver(coa.expiresOn) })),
        items: view.items.map(ofMember),
        removedItems: view.removedItems.map(ofMember),
      }
    }
    case 'batch':
      return { ...view, coas: view.coas.map((coa) => ({ ...coa, isExpired: isOver(coa.expiresOn) })) }
    case 'coa':
      return { ...view, isExpired: isOver(expiryOf(view)) }
    case 'product':
      return { ...view, batches: batchesOf(view.ref.id) }
    case 'package':
      return view
  }
}

/** Our own order goes before the day that the service shows, for it says more. */
function sold(view: Extract<ThingView, { kind: 'tag' }>, ownSale: ReturnType<Moment['ownSale']>) {
  if (!ownSale) return {}
  const { orderId, at } = ownSale
  const others = view.facts.filter(({ name }) => name !== 'sold-on')
  return {
    sale: { orderId, at, by: 'this-station' as const },
    facts: [...others, ...facts(when('sold-on', at), text('sold-in-order', orderId))],
  }
}
