import type { CaseId, PackageUid } from '../../src-shared/ids'
import type { CaseView, ImportState } from '../../src-shared/ipc/receiving-view'
import type { PackageCase, PackageCases } from '../../src-shared/service/package-uids'
import type { Clock } from '../clock'
import type { Known } from '../memory/lookup'
import type { CaseInBrief, Memory } from '../memory/store'
import type { Operation } from '../outbox/operation'
import type { Outbox } from '../outbox/outbox'
import { caseKey } from '../outbox/payload'
import type { Reporting } from '../outbox/reporting'
import { importStateOf, stateOfUnread } from './import-state'
import type { SeenSince } from './seen-since'

/** What a package look-up says of a case: undefined when it does not list it, null when nobody could be asked. */
export type Entry = PackageCase | undefined | null

/** Cases as a screen shows them: what the service says of them, joined with what this station did. Asks nobody. */
export interface CaseViews {
  /** `askedAt`: the moment before the service was asked; left out for what is only remembered. */
  view(known: Known<CaseInBrief>, entry: Entry, askedAt?: number): CaseView
  /** Now, counted in reports on cases that the service took: an answer to a question from before one is outdated. */
  moment(): number
  /** One state for a whole case; of one that was never read (null), by what is known without. */
  stateOf(caseId: CaseId, found: CaseView | null, entry: Entry): ImportState
  /** What the package look-ups that are remembered say of a case; null when there are none. Reads each once. */
  rememberedEntries(): (caseId: CaseId, packageUids: PackageUid[]) => Entry
}

export interface CaseViewsParts {
  seen: Memory
  outbox: Outbox
  view: Reporting['view']
  seenSince: SeenSince
  clock: Clock
  ownDispensaryId: string | null
}

export function createCaseViews({ seen, outbox, view, seenSince, clock, ownDispensaryId }: CaseViewsParts): CaseViews {
  const operationsOn = (caseId: CaseId) => outbox.read.byKey(caseKey(caseId))
  let accepted = 0
  const lastAccepted = new Map<CaseId, number>()
  outbox.onChange(({ payload, state }) => {
    if (state === 'accepted' && payload && 'caseId' in payload && payload.caseId !== null) {
      lastAccepted.set(payload.caseId, ++accepted)
    }
  })

  return {
    view({ value: facts, knowledge }, entry, askedAt = -1) {
      const operations = operationsOn(facts.caseId)
      // Asked before a report of ours was taken, and answered after: the report knows better.
      const isFresh = knowledge.source === 'now' && askedAt >= (lastAccepted.get(facts.caseId) ?? 0)
      // Of an answer of now that order is known exactly; of what is remembered, by the times.
      const isSince = (report: Operation) =>
        knowledge.source === 'now' ? isFresh : seenSince(report, Date.parse(knowledge.knownAt))
      return {
        caseId: facts.caseId,
        identifier: facts.identifier,
        name: facts.name,
        tagCount: facts.tagCount,
        requiredCount: facts.requiredCount,
        packageUids: facts.packageUids,
        knowledge,
        packagedProducts: facts.packagedProducts.map(({ tagIds, coa, isImported, ...product }) => ({
          ...product,
          tagCount: tagIds.length,
          coa: { ...coa, isExpired: coa.expiresOn !== null && Date.parse(coa.expiresOn) < clock.now() },
          importState: importStateOf(
            {
              caseId: facts.caseId,
              packagedProductId: product.packagedProductId,
              isImported,
              isFresh,
              isSince,
              entry,
              ownDispensaryId,
              operations,
            },
            view,
          ),
        })),
      }
    },
    moment: () => accepted,
    stateOf: (caseId, found, entry) =>
      (found && neediest(found)) ?? stateOfUnread({ entry, ownDispensaryId, operations: operationsOn(caseId) }, view),
    rememberedEntries() {
      const read = new Map<PackageUid, PackageCases | undefined>()
      const ofPackage = (uid: PackageUid) => {
        if (!read.has(uid)) read.set(uid, seen.package(uid)?.value)
        return read.get(uid)
      }
      return (caseId, packageUids) => {
        const remembered = packageUids.flatMap((uid) => ofPackage(uid) ?? [])
        const entry = remembered.flatMap((cases) => cases.case_ids[caseId] ?? [])[0]
        return entry ?? (remembered.length > 0 ? undefined : null)
      }
    },
  }
}

/** Of a case with several packaged products, the state of the first that still needs somebody; without any, none. */
function neediest(found: CaseView): ImportState | undefined {
  const states = found.packagedProducts.map((product) => product.importState)
  const order: ImportState['kind'][] = ['refused', 'pending', 'to-import', 'imported-here']
  const needs = order.flatMap((kind) => states.find((one) => one.kind === kind) ?? [])
  return needs[0] ?? states[0]
}
