import { z } from 'zod'
import { AppError } from '../errors'
import { CaseId, DeliveryId, PackageUid, ShortUuid, TagId } from '../ids'
import { CountView } from './count-view'
import { OperationView } from './operation-view'
import { CaseState, CaseView, ImportState, Knowledge } from './receiving-view'

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

/** An operation that a step over many did not take, and why. */
export const Refused = z.object({
  caseId: CaseId.nullable(),
  packagedProductId: ShortUuid.nullable(),
  productName: z.string().nullable(),
  error: AppError,
})
export type Refused = z.infer<typeof Refused>

/** What became of a step over many: each one by itself, saved or refused. */
export const ManyDone = z.object({ saved: z.array(OperationView), refused: z.array(Refused) })
export type ManyDone = z.infer<typeof ManyDone>

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
