import { z } from 'zod'
import { AppError } from '../../errors'
import { CaseId, DeliveryId, PackageUid, TagId } from '../../ids'
import { CountView } from './count'
import { CaseState, CaseView, ImportState, Knowledge, ManyDone } from './receiving'
import { call, done, nothing } from './call'
import { OperationView } from './outbox'

/** What a clerk receives in one go: packages with their cases, and cases that were scanned by themselves. */

/** A package of the delivery. `knowledge` is null as long as the service could not be asked what it holds. */
export const DeliveryPackage = z.object({
  packageUid: PackageUid,
  knowledge: Knowledge.nullable(),
  /** Why it could not be asked about, the last time. */
  error: AppError.nullable(),
})
export type DeliveryPackage = z.infer<typeof DeliveryPackage>

/** A case of the delivery, in the order of arrival. */
export const DeliveryCase = z.object({
  caseId: CaseId,
  /** The package it was listed by, or, scanned by itself, the one it is in now; null when that is none or several. */
  packageUid: PackageUid.nullable(),
  importState: CaseState,
  /** Null until it was read, or if it could not be read. */
  case: CaseView.nullable(),
  error: AppError.nullable(),
  /** It is being asked about: an event `receiving.changed` follows. */
  isReading: z.boolean(),
})
export type DeliveryCase = z.infer<typeof DeliveryCase>

/** Which delivery, and since when. Instants are ISO 8601. */
export const DeliveryHead = z.object({ id: DeliveryId, startedAt: z.iso.datetime() })
export type DeliveryHead = z.infer<typeof DeliveryHead>

export const DeliveryView = DeliveryHead.extend({
  packages: z.array(DeliveryPackage),
  cases: z.array(DeliveryCase),
  /** Imports of cases that were never read, oldest first; each becomes a case once the service tells which case it is. */
  blind: z.array(OperationView),
  /** How many imports "undo all" would take back now. */
  undoable: z.number().int().nonnegative(),
})
export type DeliveryView = z.infer<typeof DeliveryView>

/** What changed in the delivery under way: whole views, to be shown in place of those with the same key. */
export const DeliveryChange = z.object({
  /** Null when it was finished. Another delivery than before begins empty. */
  delivery: DeliveryHead.nullable(),
  packages: z.array(DeliveryPackage),
  cases: z.array(DeliveryCase),
  /** Taken off the list. */
  dropped: z.object({ packageUids: z.array(PackageUid), caseIds: z.array(CaseId) }),
  /** All of them if one changed; null if none did. */
  blind: z.array(OperationView).nullable(),
})
export type DeliveryChange = z.infer<typeof DeliveryChange>

/** A delivery in the list of those that were. */
export const DeliverySummary = DeliveryHead.extend({
  finishedAt: z.iso.datetime().nullable(),
  packageUids: z.array(z.string()),
  caseCount: z.number().int().nonnegative(),
  /** Cases with an accepted import of ours, and such with one that is on its way or was refused. */
  imported: z.number().int().nonnegative(),
  pending: z.number().int().nonnegative(),
  refused: z.number().int().nonnegative(),
})
export type DeliverySummary = z.infer<typeof DeliverySummary>

/** One line of the printed report: a packaged product of a case. */
export const ReportLine = z.object({
  packageUid: z.string().nullable(),
  caseId: CaseId.nullable(),
  identifier: z.string(),
  productName: z.string().nullable(),
  brandName: z.string().nullable(),
  batchName: z.string().nullable(),
  useBy: z.string().nullable(),
  tagCount: z.number().int().nonnegative().nullable(),
  requiredCount: z.number().int().nonnegative().nullable(),
  /** Null when it was never counted. */
  counted: z.number().int().nonnegative().nullable(),
  missing: z.array(TagId),
  importState: ImportState,
  posProductId: z.string().nullable(),
  posInventoryId: z.string().nullable(),
  sku: z.string().nullable(),
})
export type ReportLine = z.infer<typeof ReportLine>

export const DeliveryReport = z.object({
  summary: DeliverySummary,
  storeName: z.string(),
  madeAt: z.iso.datetime(),
  lines: z.array(ReportLine),
  counts: z.array(CountView),
})
export type DeliveryReport = z.infer<typeof DeliveryReport>

/** The delivery under way, and those before it. */
export const deliveryCalls = {
  /** The delivery that is being received, as the station knows it, without asking the service; null if there is none. */
  'receiving.delivery': call(nothing, DeliveryView.nullable()),
  /**
   * Asks what a package holds and adds it to the delivery, also if the service can't be asked; its cases are read after
   * that. Answers what was found; `isNew`: it was not listed before.
   */
  'receiving.addPackage': call(
    z.object({ packageUid: PackageUid }),
    z.object({ delivery: DeliveryHead, package: DeliveryPackage, caseIds: z.array(CaseId), isNew: z.boolean() }),
  ),
  /** Reads a case and adds it. */
  'receiving.addCase': call(
    z.object({ identifier: z.string().trim().min(1).max(500) }),
    z.object({ delivery: DeliveryHead, case: DeliveryCase, isNew: z.boolean() }),
  ),
  /** Asks again about everything in the delivery; what is found arrives by event. */
  'receiving.refresh': call(nothing, done),
  /** Takes a package or case off the list; what was imported stays imported. */
  'receiving.dropPackage': call(z.object({ packageUid: PackageUid }), done),
  'receiving.dropCase': call(z.object({ caseId: CaseId }), done),
  'receiving.finishDelivery': call(z.object({ deliveryId: DeliveryId }), done),
  /** Takes back every import of the delivery, each as `receiving.undo` does. */
  'receiving.undoDelivery': call(z.object({ deliveryId: DeliveryId }), ManyDone),
  /** Newest first, the one under way included. */
  'receiving.deliveries': call(nothing, z.array(DeliverySummary)),
  'receiving.report': call(z.object({ deliveryId: DeliveryId }), DeliveryReport),
} as const

/** A change is announced before the command that made it is answered. */
export const deliveryEvents = {
  'receiving.changed': DeliveryChange,
} as const
