import { z } from 'zod'

/** Digits, so that it can be typed on a till's number pad. */
export const Pin = z.string().regex(/^\d{4,12}$/)

export const SecurityView = z.object({
  /** A manager's PIN was set: without one nothing is locked. */
  hasPin: z.boolean(),
  isLocked: z.boolean(),
  /** Minutes without a person's doing after which it locks by itself. */
  autoLockMinutes: z.number().int().min(1).max(240),
  /** Set by the company's policy: those minutes can't be changed. */
  isAutoLockFixed: z.boolean(),
  /** By the company's policy the PIN can't be removed, and what it stands before is locked until there is one. */
  isPinRequired: z.boolean(),
})
export type SecurityView = z.infer<typeof SecurityView>
