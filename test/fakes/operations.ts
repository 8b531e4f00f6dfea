import { type Operation, untouched } from '../../src-main/outbox/operation'
import type { Payload } from '../../src-main/outbox/payload'
import { keysOf } from '../../src-main/outbox/kinds/kinds'
import { type OwnReports, createOwnReports } from '../../src-main/outbox/evidence'
import { OperationId } from '../../src-shared/ids'

/** An operation as the outbox returns it: in flight, after an attempt with a lost answer. */
export const operationOf = (payload: Payload | null, change: Partial<Operation> = {}): Operation => ({
  seq: 100,
  id: OperationId.parse('00000000-0000-4000-8000-000000000100'),
  kind: payload?.kind ?? 'unreadable',
  payload,
  performedAt: '2026-11-21T14:00:00.123Z',
  ...untouched,
  state: 'sending',
  attempts: 2,
  faults: 1,
  isUncertain: true,
  ...change,
})

const readOf = (operations: Operation[]) => ({
  recent: (limit: number) =>
    operations
      .filter(({ state }) => state === 'accepted' || state === 'cancelled')
      .sort((a, b) => b.seq - a.seq)
      .slice(0, limit),
  byKey: (key: string) =>
    operations.filter(({ payload }) => payload && keysOf(payload, () => undefined).some((held) => held.key === key)),
})

/** What this station reported, if these are all its operations. */
export const ownReportsOf = (operations: Operation[]): OwnReports => createOwnReports(readOf(operations))
