import { z } from 'zod'
import { AppError } from '../../errors'
import { CaseId, OperationId, PackageUid, ShortUuid } from '../../ids'
import { CoaFacts, PackagedProductFacts } from '../../service/facts'
import { call, done, ExportFile, mostAtOnce, nothing } from './call'
import { OperationView } from './outbox'

/** A text that the POS knows something by. */
const PosText = z.string().trim().min(1).max(100)

/** Whether a packaged product of a case is in an inventory, and in whose. Instants are ISO 8601. */
export const ImportState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('to-import') }),
  /** This station's import or removal, not accepted by the service yet. */
  z.object({ kind: z.literal('pending'), operation: OperationView }),
  z.object({
    kind: z.literal('imported-here'),
    at: z.string().nullable(),
    packageUid: z.string().nullable(),
    operation: OperationView.nullable(),
  }),
  z.object({ kind: z.literal('imported-by-company'), at: z.string().nullable(), dispensary: z.string() }),
  z.object({ kind: z.literal('imported-elsewhere'), at: z.string().nullable() }),
  z.object({ kind: z.literal('refused'), operation: OperationView }),
  /** The service could not be asked. */
  z.object({ kind: z.literal('unknown') }),
])
export type ImportState = z.infer<typeof ImportState>

/** The state of a whole case: of its packaged products, what needs a person first. */
export const CaseState = z.discriminatedUnion('kind', [
  ...ImportState.options,
  /** Some of its packaged products are imported here, and none of the others is refused or on its way. */
  z.object({ kind: z.literal('partly'), imported: z.number().int(), total: z.number().int() }),
])
export type CaseState = z.infer<typeof CaseState>

/** Verdict over all `tests_performed`: `passed` all of them, `partly-tested` some were not, `failed` anything else. */
export const CoaVerdict = CoaFacts.extend({ isExpired: z.boolean() })
export type CoaVerdict = z.infer<typeof CoaVerdict>

export const PackagedProductView = PackagedProductFacts.omit({ tagIds: true, isImported: true }).extend({
  tagCount: z.number().int().nonnegative(),
  coa: CoaVerdict,
  importState: ImportState,
  /** Whether it may be imported now. */
  canImport: z.boolean(),
})
export type PackagedProductView = z.infer<typeof PackagedProductView>

/** Where an answer comes from: asked `now`, or the station's `stored` copy of what it saw at `knownAt` (ISO 8601). */
export const Knowledge = z.object({ source: z.enum(['now', 'stored']), knownAt: z.iso.datetime() })
export type Knowledge = z.infer<typeof Knowledge>

export const CaseView = z.object({
  caseId: CaseId,
  identifier: z.string(),
  name: z.string().nullable(),
  tagCount: z.number().int().nonnegative(),
  /** `required_items_per_caseid`; null when the service names none. */
  requiredCount: z.number().int().nonnegative().nullable(),
  packagedProducts: z.array(PackagedProductView),
  /** The packages in which its items are now, newest first; usually one. */
  packageUids: z.array(z.string()),
  knowledge: Knowledge,
})
export type CaseView = z.infer<typeof CaseView>

/** A case of a package: what the look-up said, and the case itself once it was read. */
export const PackageCaseView = z.object({
  caseId: CaseId,
  importState: CaseState,
  /** Null if the service answered for the package but not for this case. */
  case: CaseView.nullable(),
  error: AppError.nullable(),
})
export type PackageCaseView = z.infer<typeof PackageCaseView>

export const PackageView = z.object({
  packageUid: PackageUid,
  cases: z.array(PackageCaseView),
  knowledge: Knowledge,
})
export type PackageView = z.infer<typeof PackageView>

const posIds = {
  packageUid: PackageUid,
  posProductId: PosText,
  posInventoryId: PosText,
  sku: z.string().trim().max(100).optional(),
}

/** What a clerk enters to import one packaged product of a case. Spec: Import request. */
export const ImportForm = z.object({ caseId: CaseId, packagedProductId: ShortUuid, ...posIds })
export type ImportForm = z.infer<typeof ImportForm>

/** The same for a case that the service could not be asked about: `scanned` is its CaseID or the identifier on its label. */
export const BlindImportForm = z.object({ scanned: z.string().trim().min(1).max(500), ...posIds })
export type BlindImportForm = z.infer<typeof BlindImportForm>

const UndoRequest = z.object({ operationId: OperationId })

/** What was received, and when: every import, removal and change of a case that this station ever reported. */

/** Days are dates of this computer (`YYYY-MM-DD`), both included; null is open. `text` is sought in ids and names. */
export const HistoryFilter = z.object({
  from: z.iso.date().nullable(),
  to: z.iso.date().nullable(),
  text: z.string().trim().max(200),
})
export type HistoryFilter = z.infer<typeof HistoryFilter>

export const HistoryEntry = z.object({
  operation: OperationView,
  posProductId: z.string().nullable(),
  posInventoryId: z.string().nullable(),
  sku: z.string().nullable(),
})
export type HistoryEntry = z.infer<typeof HistoryEntry>

/** A page of it, newest first; `total` is of the whole filter. */
export const HistoryPage = z.object({ entries: z.array(HistoryEntry), total: z.number().int().nonnegative() })
export type HistoryPage = z.infer<typeof HistoryPage>

/** What the POS calls things: remembered from imports, or loaded from the POS's catalogue. Never guessed. */

/** Whose ids are asked for: one product in one package. */
export const PosPair = z.object({ productId: ShortUuid, packageUid: PackageUid })
export type PosPair = z.infer<typeof PosPair>

/** A value that may be meant, and where it comes from: `remembered` at `at` (ISO 8601), or line `line` of the catalogue. */
export const Suggestion = z.object({
  value: z.string(),
  source: z.enum(['remembered', 'catalogue']),
  /** Whether it was of this very package, or of the product in another one. */
  isOfPackage: z.boolean(),
  /** It is of this very product as far as anybody can tell: alone, it may be filled in without asking. */
  isCertain: z.boolean(),
  at: z.iso.datetime(),
  line: z.number().int().positive().nullable(),
})
export type Suggestion = z.infer<typeof Suggestion>

/** For each field none, one that is filled in and marked if it is certain, or several that a person chooses from; best first. */
export const Prefill = PosPair.extend({
  posProductId: z.array(Suggestion),
  posInventoryId: z.array(Suggestion),
  sku: z.array(Suggestion),
})
export type Prefill = z.infer<typeof Prefill>

/** A line of the POS's catalogue. `line` is its number in the file. */
export const CatalogueRow = z.object({
  line: z.number().int().positive(),
  packageUid: PosText.nullable(),
  productName: PosText.nullable(),
  posProductId: PosText,
  posInventoryId: PosText.nullable(),
  sku: PosText.nullable(),
})
export type CatalogueRow = z.infer<typeof CatalogueRow>

export const CatalogueView = z.object({
  fileName: z.string(),
  loadedAt: z.iso.datetime(),
  rows: z.number().int().nonnegative(),
})
export type CatalogueView = z.infer<typeof CatalogueView>

/** More rows than any shop sells products: a catalogue with more is refused. */
export const mostCatalogueRows = 250_000

/** A catalogue comes in parts, in order: `start` rows came before these. The last part replaces the one before. */
export const CataloguePart = z.object({
  fileName: z.string().trim().min(1).max(300),
  start: z.number().int().nonnegative(),
  rows: z.array(CatalogueRow).max(300),
  isLast: z.boolean(),
})
export type CataloguePart = z.infer<typeof CataloguePart>

/** An operation that a step over many did not take, and why. */
const Refused = z.object({
  caseId: CaseId.nullable(),
  packagedProductId: ShortUuid.nullable(),
  productName: z.string().nullable(),
  error: AppError,
})
type Refused = z.infer<typeof Refused>

/** What became of a step over many: each one by itself, saved or refused. */
export const ManyDone = z.object({ saved: z.array(OperationView), refused: z.array(Refused) })
export type ManyDone = z.infer<typeof ManyDone>

/** Cases and packages one by one, what the POS calls them, and what was received. */
export const receivingCalls = {
  'receiving.package': call(z.object({ packageUid: PackageUid }), PackageView),
  'receiving.case': call(z.object({ identifier: z.string().trim().min(1).max(500) }), CaseView),
  /** Saves the import, then waits up to 2 s for the service: the view says how far it got. */
  'receiving.import': call(ImportForm, OperationView),
  /** Saves an import of a case that nobody could be asked about: which it is, and of what, is found out before sending. */
  'receiving.importBlind': call(BlindImportForm, OperationView),
  /** Saves them all and waits for none: what becomes of each arrives as the event `outbox.changed`. */
  'receiving.importMany': call(z.object({ imports: z.array(ImportForm).min(1).max(mostAtOnce) }), ManyDone),
  /**
   * Withdraws what was never attempted, otherwise queues its inverse: of an import its removal, of an item taken out its
   * restoring, of items put in their taking out. Gives back the operation or its inverse.
   */
  'receiving.undo': call(UndoRequest, OperationView),
  'receiving.prefills': call(z.object({ pairs: z.array(PosPair).max(mostAtOnce) }), z.array(Prefill)),
  'receiving.catalogue': call(nothing, CatalogueView.nullable()),
  /** Gives the catalogue in force once the last part is there, null before. */
  'receiving.loadCatalogue': call(CataloguePart, CatalogueView.nullable()),
  'receiving.forgetCatalogue': call(nothing, done),
  /** At most 100, those before `before` (a `seq`). */
  'receiving.history': call(
    z.object({ filter: HistoryFilter, before: z.number().int().positive().nullable() }),
    HistoryPage,
  ),
  'receiving.exportHistory': call(z.object({ filter: HistoryFilter }), ExportFile),
} as const
