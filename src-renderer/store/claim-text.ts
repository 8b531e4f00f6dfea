import type { ClaimMark, ClaimedBy } from '../../src-shared/claim'
import { moment } from '../text/moments'
import type { Text, Values } from '../text/text.svelte'
import type { ChipTone } from '../ui/tones'
import { stationName } from './station-text'

/** The values of the texts that name the other station's order. */
export const claimValues = ({ station, orderId, since, isSold }: ClaimedBy): Values => ({
  station: stationName(station),
  orderId: orderId ?? '',
  at: moment(since),
  order: orderId === null ? 'none' : 'numbered',
  isSold: isSold ? 'yes' : 'no',
})

/** The product, or the end of the code while the product is unknown. */
export const itemName = ({ productName, tagId }: { productName: string | null; tagId: string }): string =>
  productName ?? `…${tagId.slice(-6)}`

/** What the store says of an item besides its verdict. */
export const claimText = (claim: ClaimMark): Text => {
  if (claim.kind === 'held') return { key: 'claim.held', values: claimValues(claim.by) }
  const { awaited } = claim
  return awaited ? { key: 'claim.awaited', values: { stations: awaited } } : { key: 'claim.unchecked' }
}

export const claimTone = ({ kind }: ClaimMark): ChipTone => (kind === 'held' ? 'bad' : 'attention')
