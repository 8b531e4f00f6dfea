import { z } from 'zod'
import { AppError } from '../../errors'
import { CaseId, OperationId, PackageUid, ShortUuid } from '../../ids'
import { CoaFacts, PackagedProductFacts } from '../../service/facts'
import { call, done, gated, mostAtOnce, nothing } from './call'
import { OperationView, ReportLine } from './outbox'

/** An id or a SKU in the POS. */
const PosText = z.string().trim().min(1).max(100)

/** Whether a packaged product of a case is in an inventory, and in which one. Instants are ISO 8601. */
export const ImportState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('to-import') }),
  /** This station's import or removal, not accepted by the service yet. */
  z.object({ kind: z.literal('pending'), operation: OperationView }),
  /** Another station of the store imports it, and its import is not settled yet. */
  z.object({ kind: z.literal('importing-elsewhere'), station: z.string(), at: z.string().nullable() }),
  z.object({
    kind: z.literal('imported-here'),
    at: z.string().nullable(),
    packageUid: z.string().nullable(),
    operation: OperationView.nullable(),
    /** The other station of the store that imported it, if it is known. */
    station: z.string().optional(),
  }),
  z.object({
    kind: z.literal('imported-by-company'),
    at: z.string().nullable(),
    dispensary: z.string(),
    /** This station does not know which dispensary is its own. */
    mayBeOwn: z.literal(true).optional(),
  }),
  z.object({ kind: z.literal('imported-elsewhere'), at: z.string().nullable() }),
  z.object({ kind: z.literal('refused'), operation: OperationView }),
  /** The service could not be asked. */
  z.object({ kind: z.literal('unknown') }),
])
export type ImportState = z.infer<typeof ImportState>

/** The state of a whole case: the state of its packaged products that most needs a person. */
export const CaseState = z.discriminatedUnion('kind', [
  ...ImportState.options,
  /** Some of its packaged products are in an inventory, others may still be imported, and none is refused or unsettled. */
  z.object({ kind: z.literal('partly'), imported: z.number().int(), total: z.number().int() }),
])
export type CaseState = z.infer<typeof CaseState>

/**
 * What a certificate comes to, decided by main for every place that shows it: `failed` before `expired`, both before the
 * verdict over its tests. `no-results`: there is a certificate, but no test in it; `none`: there is no certificate.
 */
export const CertificateWord = z.enum(['failed', 'expired', 'partly-tested', 'passed', 'no-results', 'none'])
export type CertificateWord = z.infer<typeof CertificateWord>

/** Verdict over all `tests_performed`: `passed` all of them, `partly-tested` some were not, `failed` anything else. */
export const CoaVerdict = CoaFacts.extend({ isExpired: z.boolean(), word: CertificateWord })
export type CoaVerdict = z.infer<typeof CoaVerdict>

export const PackagedProductView = PackagedProductFacts.omit({ tagIds: true, isImported: true }).extend({
  tagCount: z.number().int().nonnegative(),
  coa: CoaVerdict,
  importState: ImportState,
  /** Whether it may be imported now. */
  canImport: z.boolean(),
  /**
   * Why it is imported only if a person picks its case: a refused import would be refused again; a bad certificate; its last
   * import was taken back.
   */
  heldBack: z.enum(['refused', 'coa', 'undone']).nullable(),
})
export type PackagedProductView = z.infer<typeof PackagedProductView>

/** The source of an answer: asked `now`, or the station's `stored` copy of what it saw at `knownAt` (ISO 8601). */
export const Knowledge = z.object({ source: z.enum(['now', 'stored']), knownAt: z.iso.datetime() })
export type Knowledge = z.infer<typeof Knowledge>

export const CaseView = z.object({
  caseId: CaseId,
  identifier: z.string(),
  name: z.string().nullable(),
  tagCount: z.number().int().nonnegative(),
  /** `required_items_per_caseid`; null if the service gives none. */
  requiredCount: z.number().int().nonnegative().nullable(),
  packagedProducts: z.array(PackagedProductView),
  /** The gravest certificate of its products, and how many have such a one; null if all passed. */
  worstCoa: z.object({ word: CertificateWord, count: z.number().int().positive() }).nullable(),
  /** The packages in which its items are now, newest first; usually one. */
  packageUids: z.array(z.string()),
  knowledge: Knowledge,
})
export type CaseView = z.infer<typeof CaseView>

/** A case of a package: its entry in the package look-up, and the case itself once it is read. */
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

/** What a clerk enters to import a case that the service could not be asked about. `scanned`: its CaseID, or the identifier on its label. */
export const BlindImportForm = z.object({ scanned: z.string().trim().min(1).max(500), ...posIds })
export type BlindImportForm = z.infer<typeof BlindImportForm>

const UndoRequest = z.object({ operationId: OperationId, ...gated })

/**
 * First and last day, `YYYY-MM-DD` in this computer's time zone; null: no limit. `text` is searched for in ids and
 * names.
 */
export const HistoryFilter = z.object({
  from: z.iso.date().nullable(),
  to: z.iso.date().nullable(),
  text: z.string().trim().max(200),
})
export type HistoryFilter = z.infer<typeof HistoryFilter>

/** An import, a removal or a change of a case that this station reported. */
export const HistoryEntry = z.object({
  operation: OperationView,
  /** What the label of its case says, if it is known. */
  identifier: z.string().nullable(),
  posProductId: z.string().nullable(),
  posInventoryId: z.string().nullable(),
  sku: z.string().nullable(),
})
export type HistoryEntry = z.infer<typeof HistoryEntry>

/** A page of entries, newest first. `total`: all entries of the filter. */
export const HistoryPage = z.object({ entries: z.array(HistoryEntry), total: z.number().int().nonnegative() })
export type HistoryPage = z.infer<typeof HistoryPage>

/** A product in a package, to look up its POS ids: remembered from imports, or loaded from the POS's catalogue. */
export const PosPair = z.object({ productId: ShortUuid, packageUid: PackageUid })
export type PosPair = z.infer<typeof PosPair>

/** A suggested value and its source: `remembered` at `at` (ISO 8601), or line `line` of the catalogue. */
export const Suggestion = z.object({
  value: z.string(),
  source: z.enum(['remembered', 'catalogue']),
  /** True if it was used for this package, false if for the product in another package. */
  isOfPackage: z.boolean(),
  /** It certainly fits this product: filled in without asking if it is the only suggestion. */
  isCertain: z.boolean(),
  at: z.iso.datetime(),
  line: z.number().int().positive().nullable(),
})
export type Suggestion = z.infer<typeof Suggestion>

/** Suggestions for each field, best first. A single certain one is filled in; from others a person chooses. */
export const Prefill = PosPair.extend({
  posProductId: z.array(Suggestion),
  posInventoryId: z.array(Suggestion),
  sku: z.array(Suggestion),
})
export type Prefill = z.infer<typeof Prefill>

/** A row of the POS catalogue. `line`: its number in the file. */
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

/** Larger catalogues are refused. */
export const mostCatalogueRows = 250_000

/** A catalogue is sent in parts, in order; `start` rows were sent before. The last part replaces the old catalogue. */
export const CataloguePart = z.object({
  fileName: z.string().trim().min(1).max(300),
  start: z.number().int().nonnegative(),
  rows: z.array(CatalogueRow).max(300),
  isLast: z.boolean(),
})
export type CataloguePart = z.infer<typeof CataloguePart>

/** An operation that a bulk action refused, and why. */
const Refused = z.object({
  caseId: CaseId.nullable(),
  packagedProductId: ShortUuid.nullable(),
  productName: z.string().nullable(),
  error: AppError,
})
type Refused = z.infer<typeof Refused>

/** The outcome of a bulk action: each operation is saved or refused by itself. */
export const ManyDone = z.object({ saved: z.array(OperationView), refused: z.array(Refused) })
export type ManyDone = z.infer<typeof ManyDone>

/** The history of receiving, for a file in the words and the time of the screen. */
export const HistoryExport = z.object({
  fileName: z.string(),
  lines: z.array(
    ReportLine.extend({
      /** What is printed on the case. */
      identifier: z.string().nullable(),
      productName: z.string().nullable(),
      itemCount: z.number().int().nonnegative().nullable(),
      posProductId: z.string().nullable(),
      posInventoryId: z.string().nullable(),
      sku: z.string().nullable(),
    }),
  ),
})
export type HistoryExport = z.infer<typeof HistoryExport>

/** Cases and packages one by one, POS ids, and the history of receiving. */
export const receivingCalls = {
  'receiving.package': call(z.object({ packageUid: PackageUid }), PackageView),
  'receiving.case': call(z.object({ identifier: z.string().trim().min(1).max(500) }), CaseView),
  /** Saves the import, then waits up to 2 s for the service; the view shows the state reached. */
  'receiving.import': call(ImportForm.extend(gated), OperationView),
  /** Saves an import of a case that could not be looked up: the case and its product are identified before sending. */
  'receiving.importBlind': call(BlindImportForm.extend(gated), OperationView),
  /** Saves all of them without waiting for the service; the outcomes arrive as the event `outbox.changed`. */
  'receiving.importMany': call(z.object({ imports: z.array(ImportForm).min(1).max(mostAtOnce), ...gated }), ManyDone),
  /**
   * Withdraws an operation that was never attempted, otherwise queues its inverse: a removal for an import, restoring
   * for an item taken out, taking out for items put in. Returns the operation or its inverse.
   */
  'receiving.undo': call(UndoRequest, OperationView),
  'receiving.prefills': call(z.object({ pairs: z.array(PosPair).max(mostAtOnce) }), z.array(Prefill)),
  'receiving.catalogue': call(nothing, CatalogueView.nullable()),
  /** Returns the catalogue in force after the last part, null before. */
  'receiving.loadCatalogue': call(CataloguePart, CatalogueView.nullable()),
  'receiving.forgetCatalogue': call(nothing, done),
  /** At most 100; starts after `before` (a `seq`). */
  'receiving.history': call(
    z.object({ filter: HistoryFilter, before: z.number().int().positive().nullable() }),
    HistoryPage,
  ),
  'receiving.exportHistory': call(z.object({ filter: HistoryFilter }), HistoryExport),
} as const
