import type { AppError } from '../../src-shared/errors'
import { CaseId, type PackageUid } from '../../src-shared/ids'
import type { CaseView, PackageCaseView, PackageView } from '../../src-shared/ipc/receiving-view'
import { type Result, ok } from '../../src-shared/result'
import type { PackageCase } from '../../src-shared/service/package-uids'
import { type Lookup, briefOf } from '../memory/lookup'
import { askEntry } from './ask-entry'
import type { CaseViews } from './case-views'
import type { Turns } from '../turns'

/** Looking a package or a case up, apart from any delivery. */
export interface Receiving {
  package(packageUid: PackageUid): Promise<Result<PackageView, AppError>>
  case(identifier: string): Promise<Result<CaseView, AppError>>
}

export interface ReceivingParts {
  lookup: Lookup
  views: CaseViews
  /** Shared with whoever else reads many cases. */
  turns: Turns
}

export function createReceiving({ lookup, views, turns }: ReceivingParts): Receiving {
  const viewPackageCase = async (caseId: CaseId, entry: PackageCase): Promise<PackageCaseView> => {
    const askedAt = views.moment()
    const known = await lookup.case(caseId)
    if (!known.ok) return { caseId, importState: { kind: 'unknown' }, case: null, error: known.error }
    const found = views.view(briefOf(known.value), entry, askedAt)
    return { caseId, importState: views.stateOf(caseId, found, entry), case: found, error: null }
  }

  return {
    async package(packageUid) {
      const known = await lookup.package(packageUid)
      if (!known.ok) return known
      const entries = Object.entries(known.value.value.case_ids)
      const cases = await Promise.all(
        entries.map(([caseId, entry]) => turns(() => viewPackageCase(CaseId.parse(caseId), entry))),
      )
      return ok({ packageUid, cases, knowledge: known.value.knowledge })
    },
    async case(identifier) {
      const askedAt = views.moment()
      const known = await lookup.case(identifier)
      if (!known.ok) return known
      return ok(views.view(briefOf(known.value), await askEntry(known.value.value, lookup), askedAt))
    },
  }
}
