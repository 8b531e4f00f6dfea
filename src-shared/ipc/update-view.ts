import { z } from 'zod'

/** A newer Countertag that is here already, and waits for a person to restart. */
export const UpdateView = z.object({
  /** Null: there is none. */
  version: z.string().nullable(),
  /** Somebody said so: it restarts as soon as nothing is on its way to the service. */
  isAgreed: z.boolean(),
})
export type UpdateView = z.infer<typeof UpdateView>
