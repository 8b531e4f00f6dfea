import { z } from 'zod'
import { AppError } from '../errors'
import { CaseId, OperationId } from '../ids'

/** `unreadable`: saved by another version of Countertag; kept, never sent. */
export const OperationKind = z.enum(['import', 'import-removal', 'complete', 'void', 'return', 'unreadable'])
export type OperationKind = z.infer<typeof OperationKind>

/**
 * `queued` to be sent; `sending` on the wire; `unknown` sent without an answer; `accepted` the service has it;
 * `rejected` the service said no, a person must look; `cancelled` withdrawn or dismissed.
 */
export const OperationState = z.enum(['queued', 'sending', 'unknown', 'accepted', 'rejected', 'cancelled'])
export type OperationState = z.infer<typeof OperationState>

/** One report to the service, as a screen shows it. Instants are ISO 8601. */
export const OperationView = z.object({
  id: OperationId,
  seq: z.number().int().positive(),
  kind: OperationKind,
  state: OperationState,
  /** What it is about: of a sale the order, of an import the case. */
  orderId: z.string().nullable(),
  caseId: CaseId.nullable(),
  packageUid: z.string().nullable(),
  productName: z.string().nullable(),
  itemCount: z.number().int().nonnegative(),
  performedAt: z.iso.datetime({ offset: true }),
  attempts: z.number().int().nonnegative(),
  /** Null unless it waits for a time of its own (retry). */
  nextAttemptAt: z.iso.datetime().nullable(),
  /** How many earlier operations it waits for. */
  waitsFor: z.number().int().nonnegative(),
  /** Why the last attempt did not succeed; of a rejected one, the service's reason. */
  reason: AppError.nullable(),
  /**
   * `already-processed`, `found-by-reading`: accepted because the service proved to have it from an attempt whose answer
   * was lost. `reopened`: cancelled, and its items put back into the cart.
   */
  note: z.enum(['already-processed', 'found-by-reading', 'reopened']).nullable(),
  /** What undo would do now: withdraw it unsent, or queue its inverse; null when neither is possible. */
  undo: z.enum(['withdraw', 'inverse']).nullable(),
  /** The reason a person gave when dismissing it. */
  dismissedBecause: z.string().nullable(),
})
export type OperationView = z.infer<typeof OperationView>
