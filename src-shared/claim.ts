import { z } from 'zod'

/** The order of another station that an item is in. `since`: when that station claimed it. */
export const ClaimedBy = z.object({
  station: z.string(),
  stationId: z.string(),
  orderId: z.string().nullable(),
  since: z.iso.datetime(),
  /** Sold there; otherwise in an order that is being filled or on hold. */
  isSold: z.boolean(),
  /** The revision of the claim, to take the item over. */
  revision: z.number().int(),
})
export type ClaimedBy = z.infer<typeof ClaimedBy>

/**
 * What a store of several stations says of an item in a sale of this one: `unchecked`: taken while the store hub did not
 * answer, or didn't know what all stations hold; `held`: in an order of another station too.
 */
export const ClaimMark = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('unchecked'),
    /** Since the hub was made anew or restored, these stations have not announced what they hold. */
    awaited: z.array(z.string()).optional(),
  }),
  z.object({
    kind: z.literal('held'),
    by: ClaimedBy,
    /** The order can't be completed with it: false while the hub doesn't answer, if items are taken unchecked then. */
    isRefused: z.boolean(),
  }),
])
export type ClaimMark = z.infer<typeof ClaimMark>
