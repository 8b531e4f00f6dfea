import { z } from 'zod'
import { AppError } from '../errors'
import { CaseId, DeliveryId, PackageUid, TagId } from '../ids'
import { CountView } from './count-view'
import { OperationView } from './operation-view'
import { CaseView, ImportState, Knowledge } from './receiving-view'

/** What a clerk receives in one go: packages with their cases, and cases that were scanned by themselves. */

/** A package of the delivery. `knowledge` is null while nobody could be asked what it holds. */
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
  importState: ImportState,
  /** Null until it was read, or when it could not be. */
  case: CaseView.nullable(),
  error: AppError.nullable(),
  /** It is being asked about: an event `receiving.cases` follows. */
  isReading: z.boolean(),
})
export type DeliveryCase = z.infer<typeof DeliveryCase>

/** Which delivery, and since when. Instants are ISO 8601. */
export const DeliveryHead = z.object({ id: DeliveryId, startedAt: z.iso.datetime() })
export type DeliveryHead = z.infer<typeof DeliveryHead>

export const DeliveryView = DeliveryHead.extend({
  packages: z.array(DeliveryPackage),
  cases: z.array(DeliveryCase),
  /** Imports of cases that nobody has seen yet; each becomes a case of the delivery once the service tells which. */
  blind: z.array(OperationView),
  /** How many imports "undo all" would take back now. */
  undoable: z.number().int().nonnegative(),
})
export type DeliveryView = z.infer<typeof DeliveryView>

/** An operation that a step over many did not take, and why. */
export const Refused = z.object({ caseId: CaseId.nullable(), productName: z.string().nullable(), error: AppError })
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
