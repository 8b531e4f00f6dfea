import { z } from 'zod'
import { OperationId } from '../../ids'
import { JournalEntry, OperationView, UnsentLimits } from '../operation-view'
import { ExportFile } from '../receiving-history-view'
import { call, nothing, done } from './call'

/** What waits to be sent, and what a person decides about it. */
export const outboxCalls = {
  'outbox.export': call(nothing, ExportFile),
  /** What stands first: at most 300 of `total`. Waiting ones oldest first, the others newest first. */
  'outbox.list': call(
    z.object({ show: z.enum(['waiting', 'attention', 'recent']) }),
    z.object({ operations: z.array(OperationView), total: z.number().int().nonnegative() }),
  ),
  /** Every step in the life of an operation, oldest first. */
  'outbox.journal': call(z.object({ operationId: OperationId }), z.array(JournalEntry)),
  'outbox.limits': call(nothing, UnsentLimits),
  'outbox.setLimits': call(UnsentLimits, done),
  'outbox.retry': call(z.object({ operationId: OperationId }), OperationView),
  /** A person saw that the service has it; `reason` may say where. Errors: outbox/not-found, outbox/wrong-state. */
  'outbox.confirm': call(
    z.object({ operationId: OperationId, reason: z.string().trim().max(500).optional() }),
    OperationView,
  ),
  /** Takes an unsent operation back without a trace at the service. */
  'outbox.withdraw': call(z.object({ operationId: OperationId }), OperationView),
  'outbox.dismiss': call(
    z.object({ operationId: OperationId, reason: z.string().trim().min(1).max(500) }),
    OperationView,
  ),
  /** Tries everything that waits for its next attempt now. */
  'outbox.sendNow': call(nothing, done),
  /** A person has taken note of what became of a damaged database. */
  'store.acknowledgeSalvage': call(nothing, done),
} as const

export const outboxEvents = {
  'outbox.changed': OperationView,
} as const
