import { z } from 'zod'
import { AppError } from '../../errors'
import { CaseId, DeliveryId, PackageUid } from '../../ids'
import { CountView } from './count'
import { ManifestResult } from './manifest'
import { CaseState, CaseView, Knowledge, ManyDone } from './receiving'
import { RecordedChange, ReportLine } from './record'
import { call, done, gated, nothing } from './call'
import { OperationView } from './outbox'

/** A package of the delivery. `knowledge` is null until the service has said what the package holds. */
export const DeliveryPackage = z.object({
  packageUid: PackageUid,
  knowledge: Knowledge.nullable(),
  /** Why the last request for it failed. */
  error: AppError.nullable(),
  /** The other station of the store that listed it; null for this one. */
  station: z.string().nullable(),
})
export type DeliveryPackage = z.infer<typeof DeliveryPackage>

/** A case of the delivery, in the order of arrival. */
export const DeliveryCase = z.object({
  caseId: CaseId,
  /**
   * The package that lists the case, or, for a case scanned by itself, its current package; null if that is none or
   * several.
   */
  packageUid: PackageUid.nullable(),
  importState: CaseState,
  /** Null until the case is read, or if it can't be read. */
  case: CaseView.nullable(),
  error: AppError.nullable(),
  /** The service is being asked about the case: an event `receiving.changed` follows. */
  isReading: z.boolean(),
  /** The other station of the store that listed it; null for this one. */
  station: z.string().nullable(),
})
export type DeliveryCase = z.infer<typeof DeliveryCase>

/** Which delivery, and when it began. Instants are ISO 8601. `stations`: the others of the store that receive it too. */
export const DeliveryHead = z.object({
  id: DeliveryId,
  startedAt: z.iso.datetime(),
  stations: z.array(z.string()),
})
export type DeliveryHead = z.infer<typeof DeliveryHead>

export const DeliveryView = DeliveryHead.extend({
  packages: z.array(DeliveryPackage),
  cases: z.array(DeliveryCase),
  /** Imports of cases that were never read, oldest first; each becomes a case once the service has identified it. */
  blind: z.array(OperationView),
  /** How many imports "undo all" would undo now. */
  undoable: z.number().int().nonnegative(),
  /** The last change that this view holds: an event can overtake the answer. */
  revision: z.number().int().nonnegative(),
})
export type DeliveryView = z.infer<typeof DeliveryView>

/** What changed in the delivery under way: whole views, to be shown in place of those with the same key. */
export const DeliveryChange = z.object({
  /** Null after the delivery was finished. A new delivery begins empty. */
  delivery: DeliveryHead.nullable(),
  packages: z.array(DeliveryPackage),
  cases: z.array(DeliveryCase),
  /** Removed from the list. */
  dropped: z.object({ packageUids: z.array(PackageUid), caseIds: z.array(CaseId) }),
  /** All of them if one changed; null if none did. */
  blind: z.array(OperationView).nullable(),
  /** As in the whole view; null if more changes of the same step follow. */
  undoable: z.number().int().nonnegative().nullable(),
  /** Counts the changes since main started. */
  revision: z.number().int().nonnegative(),
})
export type DeliveryChange = z.infer<typeof DeliveryChange>

/** Cases by the state of this station's imports: accepted, not settled yet, refused. */
export const DeliverySummary = DeliveryHead.extend({
  finishedAt: z.iso.datetime().nullable(),
  /** The other station of the store that finished it; null for this one. */
  finishedAtStation: z.string().nullable(),
  /** It was finished today, and no other is under way. */
  canReopen: z.boolean(),
  packageUids: z.array(z.string()),
  caseCount: z.number().int().nonnegative(),
  /** Cases with an accepted import of this station, and cases whose import is unsettled or refused. */
  imported: z.number().int().nonnegative(),
  pending: z.number().int().nonnegative(),
  refused: z.number().int().nonnegative(),
  /** Its last record, and how often it was corrected; null if it has none. */
  record: z.object({ version: z.number().int().positive(), corrections: z.number().int().nonnegative() }).nullable(),
})
export type DeliverySummary = z.infer<typeof DeliverySummary>

/**
 * A delivery that another station of the store has begun. `alsoHere`: the label of a package or case that the delivery of this
 * station has too.
 */
export const StoreDelivery = z.object({
  id: DeliveryId,
  station: z.string(),
  startedAt: z.iso.datetime(),
  packageCount: z.number().int().nonnegative(),
  caseCount: z.number().int().nonnegative(),
  alsoHere: z.string().nullable(),
})
export type StoreDelivery = z.infer<typeof StoreDelivery>

/**
 * What other stations of the store did with a delivery that is over here: it was `finished` at `station` (null if its name isn't
 * known), or its record got a version with what they shared late (`record-added`; `station` is null). Instants are ISO 8601.
 */
export const DeliveryNotice = z.object({
  id: z.number().int(),
  what: z.enum(['finished', 'record-added']),
  deliveryId: DeliveryId,
  startedAt: z.iso.datetime(),
  station: z.string().nullable(),
})
export type DeliveryNotice = z.infer<typeof DeliveryNotice>

/** A scanned case that the service could not be asked about, and why. `scanned`: its CaseID, or the identifier on its label. */
export const UnreadCase = z.object({ scanned: z.string().min(1).max(500), error: AppError })
export type UnreadCase = z.infer<typeof UnreadCase>

export const DeliveryReport = z.object({
  summary: DeliverySummary,
  storeName: z.string(),
  madeAt: z.iso.datetime(),
  lines: z.array(ReportLine),
  counts: z.array(CountView),
  /** How it compares with its manifest; null without one. */
  manifest: ManifestResult.nullable(),
  /** Oldest first. */
  permitted: z.array(RecordedChange),
})
export type DeliveryReport = z.infer<typeof DeliveryReport>

/** The current delivery, and earlier ones. */
export const deliveryCalls = {
  /**
   * The delivery that is being received, from the station's own data, without asking the service; null if there is
   * none.
   */
  'receiving.delivery': call(nothing, DeliveryView.nullable()),
  /**
   * Asks what a package holds and adds it to the delivery, even if the service can't be asked; its cases are read
   * afterwards. `isMeant`: also if the service knows no cases in it. `caseIds`: the cases that it lists; `isNew`: the package was
   * not listed before. Errors: receiving/unknown-package.
   */
  'receiving.addPackage': call(
    z.object({ packageUid: PackageUid, isMeant: z.literal(true).optional() }),
    z.object({ packageUid: PackageUid, caseIds: z.array(CaseId), isNew: z.boolean() }),
  ),
  /** Reads a case and adds it; one that the service can't be asked about now is kept as unread. `isNew`: it was not listed before. */
  'receiving.addCase': call(
    z.object({ identifier: z.string().trim().min(1).max(500) }),
    z.object({ caseId: CaseId, isNew: z.boolean() }),
  ),
  /** The cases that were scanned and not read, oldest first, also from before the last restart. */
  'receiving.unreadCases': call(nothing, z.array(UnreadCase)),
  /** Discards one of them. */
  'receiving.forgetUnreadCase': call(UnreadCase.pick({ scanned: true }), done),
  /** Reads everything in the delivery again; results arrive by event. */
  'receiving.refresh': call(nothing, done),
  /** Removes a package or case from the list; its imports stay. */
  'receiving.dropPackage': call(z.object({ packageUid: PackageUid }), done),
  'receiving.dropCase': call(z.object({ caseId: CaseId }), done),
  /** The deliveries under way at other stations of the store, as they were read last; none without a hub. */
  'receiving.storeDeliveries': call(nothing, z.array(StoreDelivery)),
  /**
   * Receives along: from then on the packages and cases of all stations are one delivery, those of this station's own delivery
   * included; its content arrives by event. Errors: hub/unreachable, receiving/no-delivery.
   */
  'receiving.joinDelivery': call(z.object({ deliveryId: DeliveryId }), done),
  /** What no person has seen yet, newest first. */
  'receiving.deliveryNotices': call(nothing, z.array(DeliveryNotice)),
  /** A person has seen it; what is left arrives by event. */
  'receiving.seeDeliveryNotice': call(z.object({ id: z.number().int() }), done),
  /** Makes a delivery that was finished today the current one again; its content arrives by event. */
  'receiving.reopenDelivery': call(z.object({ deliveryId: DeliveryId }), done),
  /** Undoes every import of the delivery, each as `receiving.undo` does. */
  'receiving.undoDelivery': call(z.object({ deliveryId: DeliveryId, ...gated }), ManyDone),
  /** Newest first, the current one included. `text`: in their packages, cases and products; all without it. */
  'receiving.deliveries': call(
    z.union([nothing, z.object({ text: z.string().trim().max(200) })]),
    z.array(DeliverySummary),
  ),
  'receiving.report': call(z.object({ deliveryId: DeliveryId }), DeliveryReport),
} as const

/** The event of a change is sent before the answer to the command that made it. */
export const deliveryEvents = {
  'receiving.changed': DeliveryChange,
  'receiving.storeDeliveries': z.array(StoreDelivery),
  'receiving.deliveryNotices': z.array(DeliveryNotice),
} as const
