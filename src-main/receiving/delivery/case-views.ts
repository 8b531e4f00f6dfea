import { nowByService } from '../../core/clock'
import type { ResultOf } from '../../../src-shared/errors'
import { type CaseId, CaseId as CaseIdSchema, type PackageUid, type ShortUuid } from '../../../src-shared/ids'
import type {
  CaseState,
  CaseView,
  ImportState,
  PackageCaseView,
  PackageView,
} from '../../../src-shared/ipc/contract/receiving'
import { ok } from '../../../src-shared/result'
import type { CaseFacts } from '../../../src-shared/service/facts'
import type { PackageCases } from '../../../src-shared/service/imports'
import { certificateFaults, certificateWord, coaVerdict, gravestCertificate } from '../../memory/certificate'
import { type LookedUp, type Lookup, briefOf } from '../../memory/lookup'
import type { CaseInBrief } from '../../memory/store'
import type { Operation } from '../../outbox/operation'
import { caseKey } from '../../outbox/payload'
import type { ServiceCode } from '../../service/reply'
import {
  type PackageEntry,
  canImport,
  caseStateOf,
  importStateOf,
  isSeenSince,
  isTakenBack,
  stateOfUnread,
} from '../import/import-state'
import type { SharedImports } from '../import/shared-imports'
import type { ReceivingContext } from '../receiving-context'

export type CaseViews = ReturnType<typeof createCaseViews>

/**
 * Cases as a screen shows them: what the service says of them, joined with what this station did. Asks nothing. `shared`: what
 * the other stations of the store import.
 */
export function createCaseViews(context: ReceivingContext, shared?: Pick<SharedImports, 'elsewhere'>) {
  const { seen, events, outbox } = context
  const { view } = context.reporting
  const { dispensaryId: ownDispensaryId } = context.profile
  /** What another station does, or did, with an import; null for any product of the case. */
  const elsewhereOf = (caseId: CaseId, packagedProductId: ShortUuid | null) =>
    shared?.elsewhere(caseId, packagedProductId)
  const operationsOn = (caseId: CaseId) => outbox.read.byKey(caseKey(caseId))
  /** The state of a case that was never read, or holds no packaged products. */
  const unreadState = (caseId: CaseId, entry: PackageEntry): ImportState =>
    stateOfUnread(
      { entry, ownDispensaryId, operations: operationsOn(caseId), elsewhere: elsewhereOf(caseId, null) },
      view,
    )
  let acceptedReports = 0
  const lastAccepted = new Map<CaseId, number>()
  events.on('operation.changed', 'receiving/delivery/case-views.ts', ({ payload, state }) => {
    if (state === 'accepted' && payload && 'caseId' in payload && payload.caseId !== null) {
      lastAccepted.set(payload.caseId, ++acceptedReports)
    }
  })
  // An answer to a question asked before may be older.
  events.on('import.elsewhere', 'receiving/delivery/case-views.ts', ({ over }) => {
    for (const caseId of over) lastAccepted.set(caseId, ++acceptedReports)
  })

  return {
    /** `askedAt`: `acceptedSoFar()` before the service was asked; left out for what is only remembered. */
    view({ value: facts, knowledge }: LookedUp<CaseInBrief>, entry: PackageEntry, askedAt = -1): CaseView {
      const operations = operationsOn(facts.caseId)
      const now = nowByService(context)
      // If a report of ours was accepted between question and answer, the answer may be older than the report.
      const isFresh = knowledge.source === 'now' && askedAt >= (lastAccepted.get(facts.caseId) ?? 0)
      // Fresh answers compare counters, remembered ones timestamps.
      const isSince = (report: Operation) =>
        knowledge.source === 'now' ? isFresh : isSeenSince(report, Date.parse(knowledge.knownAt), outbox)
      return {
        caseId: facts.caseId,
        identifier: facts.identifier,
        name: facts.name,
        tagCount: facts.tagCount,
        requiredCount: facts.requiredCount,
        packageUids: facts.packageUids,
        worstCoa: gravestCertificate(facts.packagedProducts.map(({ coa }) => certificateWord(coa, now))),
        knowledge,
        packagedProducts: facts.packagedProducts.map(({ tagIds, coa, isImported, ...product }) => {
          const { caseId } = facts
          const { packagedProductId } = product
          const elsewhere = elsewhereOf(caseId, packagedProductId)
          const isSinceHeard =
            knowledge.source === 'now' ? isFresh : elsewhere && Date.parse(knowledge.knownAt) > elsewhere.heardAt
          const own = { caseId, packagedProductId, isImported, isFresh, isSince, entry, ownDispensaryId, operations }
          const importState = importStateOf({ ...own, elsewhere, isSinceHeard: isSinceHeard === true }, view)
          return {
            ...product,
            tagCount: tagIds.length,
            coa: coaVerdict(coa, now),
            importState,
            canImport: canImport(importState),
            heldBack: heldBackBy(importState, certificateFaults(coa, now).length > 0, isTakenBack(own)),
          }
        }),
      }
    },
    /** Number of accepted reports so far; a logical clock. */
    acceptedSoFar: () => acceptedReports,
    /** One state for a whole case; `found` is null if it was never read. */
    stateOf: (caseId: CaseId, found: CaseView | null, entry: PackageEntry): CaseState =>
      (found && caseStateOf(found)) ?? unreadState(caseId, entry),
    unreadState,
    /**
     * Returns what the remembered package look-ups say of a case, null without any. As when the service is asked, a case that
     * is in no package needs none. `packageUids`: undefined if it was never read. Reads each package once.
     */
    cachedEntries() {
      const read = new Map<PackageUid, PackageCases | undefined>()
      const ofPackage = (uid: PackageUid) => {
        if (!read.has(uid)) read.set(uid, seen.package(uid)?.value)
        return read.get(uid)
      }
      return (caseId: CaseId, packageUids: PackageUid[] | undefined): PackageEntry => {
        const cached = (packageUids ?? []).flatMap((uid) => ofPackage(uid) ?? [])
        const entry = cached.flatMap((cases) => cases.case_ids[caseId] ?? [])[0]
        return entry ?? (cached.length > 0 || packageUids?.length === 0 ? undefined : null)
      }
    },
  }
}

/** Why a product is imported only if a person picks its case; the gravest. */
function heldBackBy(
  state: ImportState,
  hasBadCoa: boolean,
  isUndone: boolean,
): CaseView['packagedProducts'][number]['heldBack'] {
  if (state.kind === 'refused') return 'refused'
  if (hasBadCoa) return 'coa'
  return isUndone && canImport(state) ? 'undone' : null
}

/** A case rarely has its items in several packages: at most this many are asked about. */
const packagesAsked = 3

/** What the package look-ups say of a case that was scanned by itself; null if they could not be asked. */
export async function askEntry(
  { caseId, packageUids }: Pick<CaseFacts, 'caseId' | 'packageUids'>,
  lookup: Pick<Lookup, 'package'>,
): Promise<PackageEntry> {
  const answers = await Promise.all(packageUids.slice(0, packagesAsked).map((uid) => lookup.package(uid)))
  const entries = answers.flatMap((answer) => (answer.ok ? (answer.value.value.case_ids[caseId] ?? []) : []))
  return entries[0] ?? (answers.every((answer) => answer.ok) ? undefined : null)
}

/** Looks a package or a case up, apart from any delivery. */
export function createReceiving({ lookup, limit }: ReceivingContext, views: CaseViews) {
  return {
    async package(packageUid: PackageUid): Promise<ResultOf<PackageView, ServiceCode>> {
      const known = await lookup.package(packageUid)
      if (!known.ok) return known
      const entries = Object.entries(known.value.value.case_ids)
      const viewCase = async (caseId: CaseId, entry: PackageEntry): Promise<PackageCaseView> => {
        const askedAt = views.acceptedSoFar()
        const found = await lookup.case(caseId)
        if (!found.ok) return { caseId, importState: { kind: 'unknown' }, case: null, error: found.error }
        const view = views.view(briefOf(found.value), entry, askedAt)
        return { caseId, importState: views.stateOf(caseId, view, entry), case: view, error: null }
      }
      const cases = await Promise.all(
        entries.map(([caseId, entry]) => limit(() => viewCase(CaseIdSchema.parse(caseId), entry))),
      )
      return ok({ packageUid, cases, knowledge: known.value.knowledge })
    },
    async case(identifier: string): Promise<ResultOf<CaseView, ServiceCode | 'scan/wrong-place'>> {
      const askedAt = views.acceptedSoFar()
      const known = await lookup.case(identifier)
      if (!known.ok) return known
      return ok(views.view(briefOf(known.value), await askEntry(known.value.value, lookup), askedAt))
    },
  }
}
