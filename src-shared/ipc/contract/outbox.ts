import { z } from 'zod'
import { AppError } from '../../errors'
import { CaseId, OperationId, ShortUuid, TagId } from '../../ids'
import { call, done, gated, nothing } from './call'

/** `unreadable`: saved by another version of Countertag; kept and never sent. */
export const OperationKind = z.enum([
  'import',
  /** An import of a case that was never read: becomes an `import` once the service has identified the case. */
  'blind-import',
  'import-removal',
  /** Changes of collections and their contents. Spec: Collections (v1.5). */
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
 * `rejected` the service said no, it needs a person; `cancelled` withdrawn or dismissed.
 */
export const OperationState = z.enum(['queued', 'sending', 'unknown', 'accepted', 'rejected', 'cancelled'])
export type OperationState = z.infer<typeof OperationState>

/**
 * What reading the service showed about a report that is still unsettled. Items of a sale, return or void: `other-time`
 * sold at another moment than ours, `part` some as reported and some not, `sold`, `free`. A case: `imported`,
 * `imported-elsewhere`, `not-imported`. A collection: `as-before` unchanged. `nothing`: the service shows nothing about
 * it.
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

/** Another operation in brief, so that a person can identify it. */
export const OperationName = z.object({
  id: OperationId,
  kind: OperationKind,
  state: OperationState,
  orderId: z.string().nullable(),
  caseId: CaseId.nullable(),
  /** The collection of a change, if it isn't a case or the service could not be asked what it is; null otherwise. */
  collectionId: ShortUuid.nullable(),
  productName: z.string().nullable(),
})
export type OperationName = z.infer<typeof OperationName>

/**
 * What a person can do to an operation in the Outbox. `date`: say when it was done; `confirm`: the service has it; `retry`: send it again; `reopen`: put
 * its items back into the cart; `amend`: send it again without items that the service named; `dismiss`: give it up; `undo`:
 * take back one that waits.
 */
export const OperationAction = z.enum(['date', 'confirm', 'retry', 'reopen', 'amend', 'dismiss', 'undo'])
export type OperationAction = z.infer<typeof OperationAction>

/** A report to the service, as a screen shows it. Instants are ISO 8601. */
export const OperationView = z.object({
  id: OperationId,
  seq: z.number().int().positive(),
  kind: OperationKind,
  state: OperationState,
  /** What the report is about: the order of a sale, the case of an import. */
  orderId: z.string().nullable(),
  caseId: CaseId.nullable(),
  /** Null unless the operation is an import or its removal, and for an import whose case is not identified yet. */
  packagedProductId: ShortUuid.nullable(),
  /** As in a name. */
  collectionId: ShortUuid.nullable(),
  packageUid: z.string().nullable(),
  productName: z.string().nullable(),
  itemCount: z.number().int().nonnegative(),
  performedAt: z.iso.datetime({ offset: true }),
  attempts: z.number().int().nonnegative(),
  /** When the next attempt is due; null unless the operation waits for a retry. */
  nextAttemptAt: z.iso.datetime().nullable(),
  /** The number of earlier operations that it waits for. */
  waitsFor: z.number().int().nonnegative(),
  /** The first operation this one waits for; null if none. */
  heldUpBy: OperationName.nullable(),
  /** Why the last attempt failed; for a rejected operation, the service's reason. */
  reason: AppError.nullable(),
  /**
   * `already-processed`, `found-by-reading`: accepted because the service has it from an attempt whose answer was
   * lost. `confirmed`: accepted because a person confirmed that the service has it. `reopened`: cancelled, its items put
   * back into the cart and sent again. `taken-back`: the same, but not all were sent again: it needs attention.
   */
  note: z.enum(['already-processed', 'found-by-reading', 'confirmed', 'reopened', 'taken-back']).nullable(),
  /** The items of a refused report that was taken back, and that no later report has; none otherwise. */
  missing: z.array(z.object({ tagId: TagId, productName: z.string().nullable() })),
  /** Set if an attempt may have reached the service and a person has to decide about it; null otherwise. */
  unsettled: z.object({ shown: Shown.nullable() }).nullable(),
  /** What undo would do now: withdraw the unsent operation, or queue its inverse; null if neither is possible. */
  undo: z.enum(['withdraw', 'inverse']).nullable(),
  /** What the Outbox offers now. */
  actions: z.array(OperationAction),
  /** The reason a person gave for dismissing it. */
  dismissedBecause: z.string().nullable(),
})
export type OperationView = z.infer<typeof OperationView>

/** A change that a gate let pass for a reason, with the moment and the reason. */
export const PermittedChange = z.object({ at: z.iso.datetime(), operation: OperationView, reason: z.string() })
export type PermittedChange = z.infer<typeof PermittedChange>

/** One step in the life of an operation. `person`: done by a person at the station; `station`: done by Countertag. */
export const JournalEntry = z.object({
  /** ISO 8601, by the station's own clock. */
  at: z.iso.datetime(),
  actor: z.enum(['person', 'station']),
  what: z.enum([
    'saved',
    /** A gate let it pass: the reason, if one was wanted, is in `because`. */
    'permitted',
    'claimed',
    /** The service identified the case of a blind import. */
    'identified',
    'accepted',
    'rejected',
    'retry',
    'unknown',
    'withdrawn',
    'sent again',
    'corrected',
    /** Its time was corrected: by the steady clock, or by a person. */
    'dated',
    'reopened',
    /** It was taken back, and all its items are in a later report; or no longer, because that was canceled. */
    'resent',
    'missing again',
    'dismissed',
    /** A person confirmed that the service has it. */
    'confirmed',
    'found sending at start',
    'salvaged',
    /** Written by another version of Countertag. */
    'other',
  ]),
  from: OperationState.nullable(),
  to: OperationState,
  /** Why an attempt failed. */
  reason: AppError.nullable(),
  /** What reading the service showed before the step, if that settled nothing. */
  shown: Shown.nullable(),
  /** The text that a person entered. */
  because: z.string().nullable(),
  /** The person signed in, and another one who permitted it, as they were named then; null if no one was, or Countertag did it. */
  name: z.string().nullable(),
  approvedBy: z.string().nullable(),
})
export type JournalEntry = z.infer<typeof JournalEntry>

/** When unsent operations become a warning. */
export const UnsentLimits = z.object({
  count: z.number().int().min(1).max(100_000),
  hours: z.number().int().min(1).max(720),
})
export type UnsentLimits = z.infer<typeof UnsentLimits>

const count = z.number().int().nonnegative()
/** At most so many operations are stepped by one call. */
const mostAtOnce = 1_000
export const OperationIds = z.array(OperationId).min(1).max(mostAtOnce)
/** At most so many items are taken out of refused orders by one call. */
export const mostTakenOut = 5_000

/** Reports that need attention for one cause and that a person can decide about together. */
export const OutboxGroup = z.object({
  /** A group keeps its key in later answers. */
  key: z.string(),
  count: count.min(1),
  /** What all of them were refused for, or the doubt about them; null if each names another thing. */
  reason: AppError.nullable(),
  /** The reason is that of each, in every detail. */
  isSameReason: z.boolean(),
  /** All are about the same order, package, case or collection. */
  isOneSubject: z.boolean(),
  /** The newest of them. */
  operations: z.array(OperationView).min(1),
  /** Those that can be sent again or dismissed, shown or not. */
  canRetry: z.array(OperationId),
  canDismiss: z.array(OperationId),
  /** Orders that can be sent without their refused items, and these items: of orders that hold others too. */
  canAmend: z.object({
    operationIds: z.array(OperationId),
    without: z.array(z.object({ tagId: TagId, productName: z.string().nullable() })).max(mostTakenOut),
  }),
  /** Cases that sales were refused for as not imported, but for those imported since; null if none of them is known. */
  casesToImport: z.array(CaseId).nullable(),
})
export type OutboxGroup = z.infer<typeof OutboxGroup>

export const OutboxOverview = z.object({
  groups: z.array(OutboxGroup),
  /** All reports that need attention, grouped or not. */
  total: count,
  /**
   * Reports performed today (the service's day) that the service has, the sales, returns and voids among them, and those taken
   * back or dismissed.
   */
  today: z.object({ accepted: count, sales: count, cancelled: count }),
})
export type OutboxOverview = z.infer<typeof OutboxOverview>

/** What became of a step on many operations: each was done or refused by itself. */
export const ManyDone = z.object({
  done: count,
  refused: z.array(z.object({ operationId: OperationId, error: AppError })),
})
export type ManyDone = z.infer<typeof ManyDone>

/** A report as a line of a file; the page writes it in the words and the time of the screen. */
export const ReportLine = OperationView.pick({
  kind: true,
  state: true,
  performedAt: true,
  reason: true,
  note: true,
  unsettled: true,
  dismissedBecause: true,
  caseId: true,
  packageUid: true,
})
export type ReportLine = z.infer<typeof ReportLine>

/** Every report, for a file; never a customer, whose number only the service gets. */
export const OutboxExport = z.object({
  fileName: z.string(),
  lines: z.array(
    ReportLine.extend({
      seq: z.number().int().positive(),
      id: OperationId,
      orderId: z.string().nullable(),
      budtenderId: z.string().nullable(),
      tagIds: z.array(z.string()),
      attempts: z.number().int().nonnegative(),
      /** The collection, or the package that a case is added to. */
      collection: z.string().nullable(),
    }),
  ),
})
export type OutboxExport = z.infer<typeof OutboxExport>

/** Unsettled operations, and the decisions of a person about them. */
export const outboxCalls = {
  'outbox.export': call(nothing, OutboxExport),
  /** The first 300 of `total` at most. Waiting ones oldest first, the others newest first. */
  'outbox.list': call(
    z.object({ show: z.enum(['waiting', 'attention', 'recent']) }),
    z.object({ operations: z.array(OperationView), total: z.number().int().nonnegative() }),
  ),
  /** What needs attention, by cause: groups of several first, then the newest; and the day's figures. */
  'outbox.overview': call(nothing, OutboxOverview),
  /** Every step in the life of an operation, oldest first. */
  'outbox.journal': call(z.object({ operationId: OperationId }), z.array(JournalEntry)),
  'outbox.limits': call(nothing, UnsentLimits),
  'outbox.setLimits': call(UnsentLimits, done),
  /** What passes a gate and was never permitted is asked about, here and for many. */
  'outbox.retry': call(z.object({ operationId: OperationId, ...gated }), OperationView),
  /**
   * A person confirms that the service has it; `reason` may say where they saw it. Errors: outbox/not-found,
   * outbox/wrong-state.
   */
  'outbox.confirm': call(
    z.object({ operationId: OperationId, reason: z.string().trim().max(500).optional() }),
    OperationView,
  ),
  /**
   * A person says when it was done, because the clock was wrong then: it's sent with that time. Errors: outbox/not-found,
   * outbox/wrong-state, outbox/impossible-time.
   */
  'outbox.date': call(
    z.object({ operationId: OperationId, performedAt: z.iso.datetime({ offset: true }) }),
    OperationView,
  ),
  /** Withdraws an unsent operation; nothing is sent. */
  'outbox.withdraw': call(z.object({ operationId: OperationId }), OperationView),
  'outbox.dismiss': call(
    z.object({ operationId: OperationId, reason: z.string().trim().min(1).max(500) }),
    OperationView,
  ),
  /** Steps many operations, each by itself: a refused one does not keep the others from being done. */
  'outbox.retryMany': call(z.object({ operationIds: OperationIds, ...gated }), ManyDone),
  'outbox.dismissMany': call(
    z.object({ operationIds: OperationIds, reason: z.string().trim().min(1).max(500) }),
    ManyDone,
  ),
  /** Makes every operation that waits for a retry due now. */
  'outbox.sendNow': call(nothing, done),
  /** A person has acknowledged the outcome of a salvage. */
  'store.acknowledgeSalvage': call(nothing, done),
  /** Backs up now; `isNew` is false if nothing changed since the last backup. Errors: store/no-backup. */
  'store.backUp': call(nothing, z.object({ isNew: z.boolean() })),
} as const

export const outboxEvents = {
  'outbox.changed': OperationView,
} as const
