import { z } from 'zod'
import { AppError } from '../../src-shared/errors'
import { OperationId } from '../../src-shared/ids'
import { OperationKind, OperationState } from '../../src-shared/ipc/operation-view'
import { parseStored } from '../store/settings'
import { Payload } from './payload'

const flag = z.union([z.literal(0), z.literal(1)]).transform((value) => value === 1)

/** A row of the table `operation`, as SQLite gives it. */
export const OperationRow = z
  .object({
    seq: z.number().int(),
    id: OperationId,
    // What another version wrote must not keep the operations around it from being read.
    kind: OperationKind.catch('unreadable'),
    payload: z.string(),
    state: OperationState,
    performed_at: z.string(),
    attempts: z.number().int(),
    faults: z.number().int(),
    next_attempt_at: z.number().int(),
    uncertain: flag,
    blockers: z.number().int(),
    reason: z.string().nullable(),
    note: z.enum(['already-processed', 'found-by-reading', 'reopened']).nullable().catch(null),
    dismissed_because: z.string().nullable(),
    undoes: OperationId.nullable().catch(null),
  })
  .transform((row) => ({
    seq: row.seq,
    id: row.id,
    kind: row.kind,
    /** Null when this version can't read it: the operation is kept and shown, never sent. */
    payload: parseStored(Payload, row.payload) ?? null,
    state: row.state,
    performedAt: row.performed_at,
    attempts: row.attempts,
    faults: row.faults,
    nextAttemptAt: row.next_attempt_at,
    isUncertain: row.uncertain,
    blockers: row.blockers,
    reason: row.reason === null ? null : (parseStored(AppError, row.reason) ?? null),
    note: row.note,
    dismissedBecause: row.dismissed_because,
    undoes: row.undoes,
  }))
export type Operation = z.output<typeof OperationRow>

/** Finished operations block nobody. */
export const isFinished = (state: OperationState) => state === 'accepted' || state === 'cancelled'

/** The service certainly does not have it and will not get it unless we send it: it can be taken back without a trace. */
export const isWithdrawable = (operation: Operation) => operation.state === 'queued' && !operation.isUncertain
