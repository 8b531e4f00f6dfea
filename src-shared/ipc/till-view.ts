import { z } from 'zod'

/** How a computer is used as a till. */
export const TillView = z.object({
  /** The window fills the display and is left in Settings only, behind the PIN where there is one. */
  isKiosk: z.boolean(),
  /** Null where the app is not installed. */
  startsWithComputer: z.boolean().nullable(),
})
export type TillView = z.infer<typeof TillView>
