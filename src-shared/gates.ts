import { z } from 'zod'
import { Shown } from './people'

/**
 * A change of the regulator's view outside a normal sale, which is confirmed before it is saved. `un-import`: an import
 * that may have been sent is taken back; `import-against-certificate`: a case whose certificate failed or has expired;
 * `sign-count`: a count of the shelf is signed, which reports nothing and can't be changed afterwards.
 */
export const Gate = z.enum([
  'un-import',
  'import-against-certificate',
  'void',
  'take-out',
  'remove-collection',
  'put-back',
  'add-items',
  'add-case',
  'restore-collection',
  'sign-count',
])
export type Gate = z.infer<typeof Gate>

/** What a gate wants: a confirmation, a reason, or the manager's PIN and a reason. */
export const GateLevel = z.enum(['ask', 'reason', 'pin'])
export type GateLevel = z.infer<typeof GateLevel>

/** The levels of a station that has set none. */
export const usualGateLevels: Record<Gate, GateLevel> = {
  'un-import': 'pin',
  'import-against-certificate': 'pin',
  void: 'reason',
  'take-out': 'reason',
  'remove-collection': 'reason',
  'put-back': 'ask',
  'add-items': 'ask',
  'add-case': 'ask',
  'restore-collection': 'ask',
  'sign-count': 'pin',
}

/** The levels that were set; the others are the usual ones. */
export const GateLevels = z.partialRecord(Gate, GateLevel)
export type GateLevels = z.infer<typeof GateLevels>

/** What a gate asks about, for the sentence that names the consequence. */
export const GateQuestion = z.object({
  gate: Gate,
  /** Items, imports or cases that are changed. */
  count: z.number().int().nonnegative(),
  /** The order, case, product or collection; null if several are changed, or if it has no name. */
  name: z.string().nullable(),
  /** What speaks against the certificate, if it is one product's and known: its date if it expired, null if a test failed. */
  certificate: z.object({ expiredOn: z.string().nullable() }).optional(),
})
export type GateQuestion = z.infer<typeof GateQuestion>

/**
 * A person's confirmation, with the reason and the manager's PIN or a lead where they are wanted. No PIN is kept. `asked`: the question as it
 * was shown: an approval is for that one, not for what it became since.
 */
export const Approval = z.object({
  asked: GateQuestion.optional(),
  reason: z.string().trim().max(300).optional(),
  pin: z.string().trim().max(20).optional(),
  /** The lead who permits it, in a store with people; the person who is signed in stays so. */
  by: Shown.optional(),
})
export type Approval = z.infer<typeof Approval>
