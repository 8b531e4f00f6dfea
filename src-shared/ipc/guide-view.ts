import { z } from 'zod'

/** Whether this station was never told what it is to be: practice, or a store's own connection. */
export const Welcome = z.object({ isNew: z.boolean() })
export type Welcome = z.infer<typeof Welcome>

/** What a newcomer does in the practice store, in this order: a delivery, a sale that is voided, a sale without a network. */
export const GuideStep = z.enum([
  'package',
  'cases',
  'pos-ids',
  'import',
  'checkout',
  'items',
  'complete',
  'void',
  'offline',
  'saved',
  'sent',
])
export type GuideStep = z.infer<typeof GuideStep>

/** How far the guide got with this practice store. */
export const GuideProgress = z.object({
  /** When it was begun, ISO 8601; null when nobody did. */
  startedAt: z.iso.datetime().nullable(),
  done: z.array(GuideStep).max(GuideStep.options.length),
  /** False while it is put away. */
  isOpen: z.boolean(),
})
export type GuideProgress = z.infer<typeof GuideProgress>

export const notBegun: GuideProgress = { startedAt: null, done: [], isOpen: false }
