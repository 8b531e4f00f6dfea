import { z } from 'zod'
import { AppError } from '../../src-shared/errors'
import { OperationId } from '../../src-shared/ids'
import { OperationKind, OperationState, Shown } from '../../src-shared/ipc/contract/outbox'
import { parseStored } from '../database/settings'
import { Payload } from './payload'

/** What reading showed: stored beside a reason, in the same JSON. */
export const WithShown = z.object({ shown: Shown })

const flag = z.union([z.literal(0), z.literal(1)]).transform((value) => value === 1)

/** A row of the table `operation`, as SQLite gives it. */
export const OperationRow = z
  .object({
    seq: z.number().int(),
    id: OperationId,
    // A kind that another version saved must not keep the rows around it from being read.
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
    note: z.enum(['already-processed', 'found-by-reading', 'confirmed', 'reopened']).nullable().catch(null),
    dismissed_because: z.string().nullable(),
    undoes: OperationId.nullable().catch(null),
    unsettled: flag,
  })
  .transform((row) => ({
    seq: row.seq,
    id: row.id,
    kind: row.kind,
    /** Null if this version can't read it: the operation is kept and shown, never sent. */
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
    /** A person has to say what became of it; meanwhile it is still tried. */
    isUnsettled: row.unsettled,
    /** What reading last showed, stored beside the reason; null if nothing was read. */
    shown: row.reason === null ? null : (parseStored(WithShown, row.reason)?.shown ?? null),
  }))
export type Operation = z.output<typeof OperationRow>

/** The part of an operation that is the same for every new one. */
export const untouched = {
  state: 'queued',
  attempts: 0,
  faults: 0,
  nextAttemptAt: 0,
  isUncertain: false,
  blockers: 0,
  reason: null,
  note: null,
  dismissedBecause: null,
  undoes: null,
  isUnsettled: false,
  shown: null,
} as const satisfies Partial<Operation>

const IsoMoment = z.iso.datetime({ offset: true })

/** What can still be read of a damaged row. */
const DamagedRow = z.object({
  seq: z.number().int(),
  id: OperationId.optional().catch(undefined),
  state: OperationState.catch('rejected'),
  performed_at_raw: z.number().catch(0),
  attempts: z.number().int().nonnegative().catch(0),
  faults: z.number().int().nonnegative().catch(0),
  next_attempt_at: z.number().int().nonnegative().catch(0),
  uncertain: flag.catch(true),
  blockers: z.number().int().nonnegative().catch(0),
})

/** The latest time that a year of four digits can express, in ms since 1970. */
const latestMoment = Date.UTC(9999, 11, 31)

/** Parses a row. A damaged one becomes an operation of kind `unreadable` with its number, so that lists don't fail over it. */
export function operationOf(row: unknown): Operation {
  const whole = OperationRow.safeParse(row)
  if (whole.success && IsoMoment.safeParse(whole.data.performedAt).success) return whole.data
  const left = DamagedRow.parse(row)
  const at = left.performed_at_raw
  return {
    seq: left.seq,
    id: left.id ?? idOfSeq(left.seq),
    kind: 'unreadable',
    payload: null,
    performedAt: new Date(at >= 0 && at <= latestMoment ? at : 0).toISOString(),
    ...untouched,
    state: left.state,
    attempts: left.attempts,
    faults: left.faults,
    nextAttemptAt: left.next_attempt_at,
    isUncertain: left.uncertain,
    blockers: left.blockers,
    reason: { code: 'outbox/unreadable' },
  }
}

/** The id given to an operation whose own can't be read; `seqOfId` finds the row by it. */
const idOfSeq = (seq: number): OperationId => OperationId.parse(`${unreadableId}${seq.toString(16).padStart(12, '0')}`)
const unreadableId = '00000000-0000-8000-8000-'

/** The row number in an id made by `idOfSeq`; undefined for any other id. */
export const seqOfId = (id: OperationId): number | undefined =>
  id.startsWith(unreadableId) ? Number.parseInt(id.slice(unreadableId.length), 16) : undefined

/** What an attempt did to its operation. `afterMs`: how long the service asked to wait; null if it didn't. */
export type Outcome =
  /** The service has it. The note says how that is known, unless it was a plain 200. */
  | { kind: 'accepted'; note: 'already-processed' | 'found-by-reading' | null }
  /** The service refused it, for this reason. */
  | { kind: 'rejected'; reason: AppError }
  /** The service certainly didn't act: try again. */
  | { kind: 'retry'; reason: AppError; afterMs: number | null }
  /** The service may have acted: find out before sending again. */
  | { kind: 'unknown'; reason: AppError; afterMs: number | null; shown?: Shown }

/** A finished operation blocks no other. */
export const isFinished = (state: OperationState) => state === 'accepted' || state === 'cancelled'

/**
 * The refusals that the service or this station gives, each with whether it leaves open what became of an earlier attempt:
 * because that attempt caused it, or because it comes before the report is looked at. A false that should be true lets a
 * sale that was refused after a lost answer go back into a cart, to be sold twice.
 */
const refusals = {
  'outbox/customer-lost': true,
  // Nothing was sent.
  'outbox/time-unknown': false,
  'outbox/unreadable': true,
  'service/already-imported': true,
  'service/already-processed': true,
  'service/forbidden': true,
  'service/items-missing': false,
  'service/malformed-tags': false,
  'service/not-imported': false,
  'service/other-dispensary': false,
  'service/package-unknown': true,
  'service/unknown-tags': false,
} satisfies Partial<Record<AppError['code'], boolean>>

/** A refusal that the answers of a kind may name (`kinds/rules.ts`). */
export type RefusalCode = keyof typeof refusals

const leavesOpen: ReadonlySet<string> = new Set(
  Object.entries(refusals).flatMap(([code, isOpen]) => (isOpen ? [code] : [])),
)

/**
 * The service refused it and a person took it back into the cart, and not all its items were sent again. It was given up, so it
 * blocks nothing and holds no item; but it needs attention (`isUnsettled`) until they are, or are given a reason.
 */
export const isTakenBack = ({ state, isUnsettled }: Pick<Operation, 'state' | 'isUnsettled'>) =>
  state === 'cancelled' && isUnsettled

/** Refused, in doubt, or taken back. */
export const needsAttention = ({ state, isUnsettled }: Pick<Operation, 'state' | 'isUnsettled'>) =>
  state === 'rejected' || isUnsettled

/** The service may have it, and only a person can tell. */
export function isForPerson(operation: Operation): boolean {
  const { state, isUnsettled, isUncertain, reason } = operation
  if (isTakenBack(operation)) return false
  return isUnsettled || (state === 'rejected' && isUncertain && reason !== null && leavesOpen.has(reason.code))
}

/** A refusal of this code judged the report itself: an earlier attempt was not taken either. */
const judges = (code: AppError['code']) =>
  code === 'service/refused' || code === 'service/invalid-fields' || (code in refusals && !leavesOpen.has(code))

/** Whether the service has it: `unknown` if an attempt may have been taken and nothing says whether it was. */
export function whetherReported(operation: Operation): 'yes' | 'no' | 'unknown' {
  const { state, isUncertain, reason } = operation
  if (state === 'accepted') return 'yes'
  if (state === 'sending' || state === 'unknown' || isForPerson(operation)) return 'unknown'
  // What a person gave up while it was unclear stays unclear.
  const isOpen = state !== 'rejected' && isUncertain && !(reason && judges(reason.code))
  return isOpen ? 'unknown' : 'no'
}

/** The service certainly doesn't have it: it can be withdrawn without a trace. */
export const isWithdrawable = (operation: Operation) => operation.state === 'queued' && !operation.isUncertain
