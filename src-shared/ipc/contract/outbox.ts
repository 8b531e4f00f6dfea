import { z } from 'zod'
import { AppError } from '../../errors'
import { CaseId, OperationId, ShortUuid } from '../../ids'
import { ExportFile } from './call'
import { call, done, nothing } from './call'

/** `unreadable`: saved by another version of Countertag; kept, never sent. */
export const OperationKind = z.enum([
  'import',
  /** An import of a case that nobody has seen yet: it becomes an `import` once the service tells which case it is. */
  'blind-import',
  'import-removal',
  /** Changes of collections and of what they hold. Spec: Collections (v1.5). */
  'add-items',
  'remove-item',
  'restore-item',
  'remove-collection',
  'restore-collection',
  'add-case',
  'complete',
  'void',
  'return',
  'unreadable',
])
export type OperationKind = z.infer<typeof OperationKind>

/**
 * `queued` to be sent; `sending` on the wire; `unknown` sent without an answer; `accepted` the service has it;
 * `rejected` the service said no, a person must look; `cancelled` withdrawn or dismissed.
 */
export const OperationState = z.enum(['queued', 'sending', 'unknown', 'accepted', 'rejected', 'cancelled'])
export type OperationState = z.infer<typeof OperationState>

/**
 * What reading showed of the report, when it settled nothing. Items of a sale, return or void: `other-time` sold at a
 * moment that is not ours, `part` some as reported and some not, `sold`, `free`. A case: `imported`, `imported-elsewhere`,
 * `not-imported`. A collection: `as-before` the change. `nothing`: it shows nothing of it.
 */
export const Shown = z.enum([
  'other-time',
  'part',
  'sold',
  'free',
  'imported',
  'imported-elsewhere',
  'not-imported',
  'as-before',
  'nothing',
])
export type Shown = z.infer<typeof Shown>

/** Another operation, in so many words that a person knows which one is meant. */
export const OperationName = z.object({
  id: OperationId,
  kind: OperationKind,
  state: OperationState,
  orderId: z.string().nullable(),
  caseId: CaseId.nullable(),
  /** Of a change of a collection that is no case, or that nobody could be asked about; null otherwise. */
  collectionId: ShortUuid.nullable(),
  productName: z.string().nullable(),
})
export type OperationName = z.infer<typeof OperationName>

/** One report to the service, as a screen shows it. Instants are ISO 8601. */
export const OperationView = z.object({
  id: OperationId,
  seq: z.number().int().positive(),
  kind: OperationKind,
  state: OperationState,
  /** What it is about: of a sale the order, of an import the case. */
  orderId: z.string().nullable(),
  caseId: CaseId.nullable(),
  /** Of an import or its removal; null of every other operation, and of an import that is not identified yet. */
  packagedProductId: ShortUuid.nullable(),
  /** As in a name. */
  collectionId: ShortUuid.nullable(),
  packageUid: z.string().nullable(),
  productName: z.string().nullable(),
  itemCount: z.number().int().nonnegative(),
  performedAt: z.iso.datetime({ offset: true }),
  attempts: z.number().int().nonnegative(),
  /** Null unless it waits for a time of its own (retry). */
  nextAttemptAt: z.iso.datetime().nullable(),
  /** How many earlier operations it waits for. */
  waitsFor: z.number().int().nonnegative(),
  /** The first in the queue before it: what has to happen before anything else; null when it waits for nobody. */
  heldUpBy: OperationName.nullable(),
  /** Why the last attempt did not succeed; of a rejected one, the service's reason. */
  reason: AppError.nullable(),
  /**
   * `already-processed`, `found-by-reading`: accepted because the service proved to have it from an attempt whose answer
   * was lost. `confirmed`: accepted because a person said that the service has it. `reopened`: cancelled, and its items
   * put back into the cart.
   */
  note: z.enum(['already-processed', 'found-by-reading', 'confirmed', 'reopened']).nullable(),
  /**
   * An attempt may have reached the service, and what became of it is for a person to say (`outbox.confirm`,
   * `outbox.retry`, `outbox.dismiss`). Null for every other operation.
   */
  unsettled: z.object({ shown: Shown.nullable() }).nullable(),
  /** What undo would do now: withdraw it unsent, or queue its inverse; null when neither is possible. */
  undo: z.enum(['withdraw', 'inverse']).nullable(),
  /** The reason a person gave when dismissing it. */
  dismissedBecause: z.string().nullable(),
})
export type OperationView = z.infer<typeof OperationView>

/** One step in the life of an operation. `person`: somebody at the station; `station`: Countertag itself. */
export const JournalEntry = z.object({
  /** ISO 8601, by the station's own clock. */
  at: z.iso.datetime(),
  actor: z.enum(['person', 'station']),
  what: z.enum([
    'saved',
    'claimed',
    /** A blind import: the service told which case it is. */
    'identified',
    'accepted',
    'rejected',
    'retry',
    'unknown',
    'withdrawn',
    'sent again',
    'corrected',
    'reopened',
    'dismissed',
    /** A person said that the service has it. */
    'confirmed',
    'found sending at start',
    'salvaged',
    /** Written by another version of Countertag. */
    'other',
  ]),
  from: OperationState.nullable(),
  to: OperationState,
  /** Why an attempt did not succeed. */
  reason: AppError.nullable(),
  /** What reading showed before it, where that settled nothing. */
  shown: Shown.nullable(),
  /** What a person wrote. */
  because: z.string().nullable(),
})
export type JournalEntry = z.infer<typeof JournalEntry>

/** When unsent operations become a warning. */
export const UnsentLimits = z.object({
  count: z.number().int().min(1).max(100_000),
  hours: z.number().int().min(1).max(720),
})
export type UnsentLimits = z.infer<typeof UnsentLimits>

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
