import { z } from 'zod'
import { AppError } from '../errors'
import { CaseId, OperationId, PackageUid, ShortUuid } from '../ids'
import { CoaFacts, PackagedProductFacts } from '../service/facts'
import { OperationView } from './operation-view'
import { PosText } from './pos-view'

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

export const UndoRequest = z.object({ operationId: OperationId })
