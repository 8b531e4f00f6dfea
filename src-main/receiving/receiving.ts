import type { AppError } from '../../src-shared/errors'
import { CaseId, type OperationId, type PackageUid } from '../../src-shared/ids'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import type {
  CaseView,
  ImportForm,
  ImportState,
  PackageCaseView,
  PackageView,
} from '../../src-shared/ipc/receiving-view'
import { type Result, err, ok } from '../../src-shared/result'
import type { CaseFacts } from '../../src-shared/service/facts'
import type { PackageCase } from '../../src-shared/service/package-uids'
import type { Clock } from '../clock'
import type { Known, Lookup } from '../lookup/lookup'
import type { SeenStore } from '../lookup/seen'
import { isFinished } from '../outbox/operation'
import type { Outbox } from '../outbox/outbox'
import { type Payload, caseKey } from '../outbox/payload'
import type { Reporting } from '../outbox/reporting'
import { importStateOf } from './import-state'

/** What a clerk does on delivery day: look a package or a case up, import it, take an import back. */
export interface Receiving {
  package(packageUid: PackageUid): Promise<Result<PackageView, AppError>>
  case(identifier: string): Promise<Result<CaseView, AppError>>
  /** Corrects an import that was refused. Errors: receiving/already-importing, store/not-saved. A refusal of the service is in the operation's view. */
  import(form: ImportForm): Promise<Result<OperationView, AppError>>
  /** Errors: outbox/not-found, outbox/wrong-state, store/not-saved. */
  undo(operationId: OperationId): Promise<Result<OperationView, AppError>>
}

export interface ReceivingParts {
  lookup: Lookup
  seen: SeenStore
  outbox: Outbox
  reporting: Reporting
  clock: Clock
  ownDispensaryId: string | null
}

/** A case rarely has its items in more packages than one: these many are asked about. */
const packagesAsked = 3

export function createReceiving({
  lookup,
  seen,
  outbox,
  reporting,
  clock,
  ownDispensaryId,
}: ReceivingParts): Receiving {
  const { view, report } = reporting

  const viewCase = ({ value: facts, knowledge }: Known<CaseFacts>, entry: PackageCase | undefined | null): CaseView => {
    const operations = outbox.read.byKey(caseKey(facts.caseId))
    return {
      caseId: facts.caseId,
      identifier: facts.identifier,
      name: facts.name,
      tagCount: facts.tags.length,
      requiredCount: facts.requiredCount,
      packageUids: facts.packageUids,
      knowledge,
      packagedProducts: facts.packagedProducts.map(({ tagIds, coa, isImported, productId: _, ...product }) => ({
        ...product,
        tagCount: tagIds.length,
        coa: { ...coa, isExpired: coa.expiresOn !== null && Date.parse(coa.expiresOn) < clock.now() },
        importState: importStateOf(
          {
            caseId: facts.caseId,
            packagedProductId: product.packagedProductId,
            isImported,
            isFresh: knowledge.source === 'now',
            entry,
            ownDispensaryId,
            operations,
          },
          view,
        ),
      })),
    }
  }

  const viewPackageCase = async (caseId: CaseId, entry: PackageCase): Promise<PackageCaseView> => {
    const known = await lookup.case(caseId)
    if (!known.ok) return { caseId, importState: { kind: 'unknown' }, case: null, error: known.error }
    const found = viewCase(known.value, entry)
    return { caseId, importState: summary(found), case: found, error: null }
  }

  /** What the package look-ups say of a case that was scanned by itself; null when they could not be asked. */
  const entryOf = async (facts: CaseFacts): Promise<PackageCase | undefined | null> => {
    const answers = await Promise.all(facts.packageUids.slice(0, packagesAsked).map((uid) => lookup.package(uid)))
    const entries = answers.flatMap((answer) => (answer.ok ? (answer.value.value.case_ids[facts.caseId] ?? []) : []))
    return entries[0] ?? (answers.every((answer) => answer.ok) ? undefined : null)
  }

  return {
    async package(packageUid) {
      const known = await lookup.package(packageUid)
      if (!known.ok) return known
      const entries = Object.entries(known.value.value.case_ids)
      const cases = await Promise.all(entries.map(([caseId, entry]) => viewPackageCase(CaseId.parse(caseId), entry)))
      return ok({ packageUid, cases, knowledge: known.value.knowledge })
    },
    async case(identifier) {
      const known = await lookup.case(identifier)
      if (!known.ok) return known
      return ok(viewCase(known.value, await entryOf(known.value.value)))
    },
    import(form) {
      const open = outbox.read
        .byKey(caseKey(form.caseId))
        .filter(({ payload }) => payload?.kind === 'import' && payload.packagedProductId === form.packagedProductId)
        .findLast((one) => !isFinished(one.state))
      // A refused one is what this one corrects: in its place, so that the sales behind it wait for the correction.
      if (open && open.state !== 'rejected') {
        return Promise.resolve(err({ code: 'receiving/already-importing', caseId: form.caseId }))
      }
      const product = seen
        .case(form.caseId)
        ?.value.packagedProducts.find((one) => one.packagedProductId === form.packagedProductId)
      const payload: Payload = {
        kind: 'import',
        ...form,
        productName: product?.productName ?? null,
        itemCount: product?.tagIds.length ?? 0,
      }
      return report(open ? outbox.correct(open.id, payload) : outbox.enqueue(payload))
    },
    undo(operationId) {
      const operation = outbox.read.byId(operationId)
      const payload = operation?.payload
      if (!operation || payload?.kind !== 'import') return Promise.resolve(err({ code: 'outbox/not-found' }))
      const undo = outbox.undoOf(operation)
      if (undo === null) return Promise.resolve(err({ code: 'outbox/wrong-state', state: operation.state }))
      if (undo === 'withdraw') {
        const withdrawn = outbox.withdraw(operationId)
        return Promise.resolve(withdrawn.ok ? ok(view(withdrawn.value)) : withdrawn)
      }
      const { caseId, packagedProductId, packageUid, productName, itemCount } = payload
      return report(
        outbox.enqueue(
          { kind: 'import-removal', caseId, packagedProductId, packageUid, productName, itemCount },
          { undoes: operationId },
        ),
      )
    },
  }
}

/** One state for a case with several packaged products: that of the first that still needs somebody. */
function summary(found: CaseView): ImportState {
  const states = found.packagedProducts.map((product) => product.importState)
  const order: ImportState['kind'][] = ['refused', 'pending', 'to-import', 'imported-here']
  for (const kind of order) {
    const state = states.find((one) => one.kind === kind)
    if (state) return state
  }
  return states[0] ?? { kind: 'unknown' }
}
