import type { Operation } from '../../src-main/outbox/operation'
import type { Payload } from '../../src-main/outbox/payload'
import { keysOf } from '../../src-main/outbox/kinds/kinds'
import { type OwnImports, createOwnImports } from '../../src-main/outbox/own-imports'
import { type Sales, createSales } from '../../src-main/outbox/sales'
import { OperationId } from '../../src-shared/ids'

/** An operation as the outbox would give it: on the wire, after an attempt whose answer was lost. */
export const operationOf = (payload: Payload | null, change: Partial<Operation> = {}): Operation => ({
  seq: 100,
  id: OperationId.parse('00000000-0000-4000-8000-000000000100'),
  kind: payload?.kind ?? 'unreadable',
  payload,
  state: 'sending',
  performedAt: '2026-11-21T14:00:00.123Z',
  attempts: 2,
  faults: 1,
  nextAttemptAt: 0,
  isUncertain: true,
  blockers: 0,
  reason: null,
  note: null,
  dismissedBecause: null,
  undoes: null,
  isUnsettled: false,
  shown: null,
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

/** The sales among some operations, by the rule of the outbox itself. */
export const salesOf = (operations: Operation[]): Sales => createSales(readOf(operations))

/** The imports among them. */
export const importsOf = (operations: Operation[]): OwnImports => createOwnImports(readOf(operations))
