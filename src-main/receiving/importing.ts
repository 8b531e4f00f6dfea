import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { AppError } from '../../src-shared/errors'
import {
  type CaseId,
  CaseId as CaseIdSchema,
  DeliveryId,
  type OperationId,
  type PackageUid,
  parseId,
} from '../../src-shared/ids'
import type { ManyDone } from '../../src-shared/ipc/delivery-view'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import type { BlindImportForm, ImportForm } from '../../src-shared/ipc/receiving-view'
import { type Result, err, ok } from '../../src-shared/result'
import type { PackagedProductFacts } from '../../src-shared/service/facts'
import type { Clock } from '../clock'
import type { Log } from '../log'
import type { SeenPackaged, SeenStore } from '../lookup/seen'
import type { Sender } from '../outbox/sender'
import { type Operation, isFinished } from '../outbox/operation'
import type { Outbox } from '../outbox/outbox'
import { type Payload, caseKey, scannedKey } from '../outbox/payload'
import type { Reporting } from '../outbox/reporting'
import type { DeliveryRows } from './delivery-rows'
import type { Pos } from './pos'
import type { SeenSince } from './seen-since'

/** Importing: each saved before anything else, and noted in the delivery under way in the same commit. */
export interface Importing {
  /** Corrects an import that was refused. Errors: receiving/already-importing, store/not-saved. A refusal of the service is in the operation's view. */
  import(form: ImportForm): Promise<Result<OperationView, AppError>>
  /** The same, each by itself; waits for none of them. */
  importMany(forms: ImportForm[]): Promise<Result<ManyDone, AppError>>
  /** Of a case that nobody could be asked about; begins a delivery when there is none. Errors as `import`. */
  importBlind(form: BlindImportForm): Promise<Result<OperationView, AppError>>
  /** Remembers what the POS calls what is imported, if it is known what that is. Never fails. */
  remember(form: ImportForm): void
}

export interface ImportingParts {
  seen: SeenStore
  outbox: Outbox
  reporting: Reporting
  sender: Pick<Sender, 'wake'>
  rows: DeliveryRows
  pos: Pick<Pos, 'remember'>
  seenSince: SeenSince
  clock: Clock
  log: Log
}

/** Saved in one go: then scans and screens have their turn. */
const atOnce = 25

export function createImporting(parts: ImportingParts): Importing {
  const { seen, outbox, reporting, sender, rows, pos, seenSince, clock, log } = parts
  const importing = (caseId: string) => err({ code: 'receiving/already-importing', caseId } as const)

  const remembered = (form: ImportForm) => {
    const known = seen.caseInBrief(form.caseId)
    const product = known?.value.packagedProducts.find((one) => one.packagedProductId === form.packagedProductId)
    // Its items may be taken out, and its case read again, while the form is open: the import keeps the name that the form
    // showed. The service will refuse it, and nobody could tell by a CaseID alone what was refused.
    const shown = product ?? seen.packaged(form.packagedProductId)
    return { product, shown, identifier: known?.value.identifier, seenAt: known?.seenAt ?? 0 }
  }

  /** That the service took it, and that nobody has seen it gone since. */
  const stillStands = (operation: Operation, product: PackagedProductFacts | undefined, seenAt: number) =>
    product?.isImported === true || !seenSince(operation, seenAt)

  /** In the same commit as the import: a case that is imported is one of the delivery. */
  const noteIn =
    (caseId: CaseId, packageUid: PackageUid) =>
    ({ seq }: Operation) => {
      const open = rows.open()
      if (!open) return
      rows.addCase(open.seq, { caseId, packageUid })
      rows.link(open.seq, seq)
    }

  const remember = (form: ImportForm, shown = remembered(form).shown) => {
    if (!shown) return
    try {
      pos.remember({ ...form, productId: shown.productId })
    } catch (cause) {
      // The import is saved: what is prefilled next time is a convenience.
      log.warn('the ids of an import could not be remembered', { cause })
    }
  }

  /** What a form leads to: a new operation, the correction of a refused one, or nothing. */
  const plan = (form: ImportForm): Result<Plan, AppError> => {
    const { product, shown, identifier, seenAt } = remembered(form)
    // Blind imports hold the case too: what they will be of is found out later.
    const own = [
      ...(identifier === undefined ? [] : outbox.read.byKey(scannedKey(identifier))),
      ...outbox.read.byKey(caseKey(form.caseId)).filter(({ payload }) => concerns(payload, form)),
    ].sort((a, b) => a.seq - b.seq)
    const open = own.findLast((one) => !isFinished(one.state) && isImport(one))
    if (open && open.state !== 'rejected') return importing(form.caseId)
    const newest = own.findLast((one) => one.state !== 'cancelled' && one.state !== 'rejected')
    if (newest?.kind === 'import' && newest.state === 'accepted' && stillStands(newest, product, seenAt)) {
      return importing(form.caseId)
    }
    const payload: Payload = {
      kind: 'import',
      ...form,
      // After a restart, by what was saved of it before: the refused one that this corrects, above all.
      productName: shown?.productName ?? own.map(nameOf).findLast((name) => name !== null) ?? null,
      itemCount: product?.tagIds.length ?? 0,
    }
    // A refused one is what this one corrects: in its place, so that the sales behind it wait for the correction.
    return ok({ form, payload, shown, corrects: open?.id ?? null, note: noteIn(form.caseId, form.packageUid) })
  }

  const correct = (id: OperationId, { payload, note }: Pick<Plan, 'payload' | 'note'>) => {
    const corrected = outbox.correct(id, payload)
    if (!corrected.ok) return corrected
    try {
      note(corrected.value)
    } catch (cause) {
      // It is saved, and of its delivery already unless it was first tried before that one.
      log.warn('a corrected import could not be noted in its delivery', { cause })
    }
    return corrected
  }
  const save = (plans: Plan[]): Result<Operation, AppError>[] => {
    const fresh = plans.filter(({ corrects }) => corrects === null)
    const enqueued = outbox.enqueueMany(fresh.map(({ payload, note }) => ({ payload, alongside: note })))
    const results = new Map(fresh.map((one, index) => [one, enqueued[index]]))
    return plans.map((one) => {
      const saved = one.corrects === null ? results.get(one) : correct(one.corrects, one)
      if (!saved) throw new Error('the outbox gave fewer answers than it was given operations')
      if (saved.ok) remember(one.form, one.shown)
      return saved
    })
  }

  return {
    import(form) {
      const planned = plan(form)
      const [saved] = planned.ok ? save([planned.value]) : [planned]
      return saved ? reporting.report(saved) : Promise.resolve(importing(form.caseId))
    },
    async importMany(forms) {
      const done: ManyDone = { saved: [], refused: [] }
      for (let from = 0; from < forms.length; from += atOnce) {
        if (from > 0) await setImmediate()
        const plans: Plan[] = []
        const refuse = (form: ImportForm, error: AppError) => {
          const productName = remembered(form).shown?.productName ?? null
          done.refused.push({ caseId: form.caseId, productName, error })
        }
        for (const form of forms.slice(from, from + atOnce)) {
          const planned = plans.some((one) => concerns(one.payload, form)) ? importing(form.caseId) : plan(form)
          if (planned.ok) plans.push(planned.value)
          else refuse(form, planned.error)
        }
        for (const [index, saved] of save(plans).entries()) {
          const form = plans[index]?.form
          if (saved.ok) done.saved.push(reporting.view(saved.value))
          else if (form) refuse(form, saved.error)
        }
        sender.wake()
      }
      return ok(done)
    },
    importBlind(form) {
      const id = parseId(form.scanned)
      const caseId = id === undefined ? null : CaseIdSchema.parse(id)
      // Found out meanwhile which case the label is of: an import of it is not to be saved beside the first.
      const found = caseId ?? seen.case(form.scanned)?.value.caseId
      const own = [
        ...(caseId === null ? outbox.read.byKey(scannedKey(form.scanned)) : []),
        ...(found === undefined ? [] : outbox.read.byKey(caseKey(found))),
      ].sort((a, b) => a.seq - b.seq)
      const open = own.findLast((one) => !isFinished(one.state) && isImport(one))
      if (open && open.state !== 'rejected') return Promise.resolve(importing(caseId ?? form.scanned))
      // A refused one that this corrects was found to be of a case already.
      const corrected = open?.payload && 'caseId' in open.payload ? open.payload.caseId : null
      const payload: Payload = { kind: 'blind-import', ...form, caseId: caseId ?? corrected }
      const note = ({ seq }: Operation) => {
        const under = rows.open() ?? rows.start(DeliveryId.parse(randomUUID()), clock.now())
        rows.link(under.seq, seq)
      }
      if (open) return reporting.report(correct(open.id, { payload, note }))
      return reporting.report(outbox.enqueue(payload, { alongside: note }))
    },
    remember,
  }
}

interface Plan {
  form: ImportForm
  payload: Payload
  /** What it is of, as far as that is known. */
  shown: SeenPackaged | undefined
  /** The refused operation that it takes the place of. */
  corrects: OperationId | null
  note: (saved: Operation) => void
}

const nameOf = ({ payload }: Operation) =>
  payload?.kind === 'import' || payload?.kind === 'import-removal' ? payload.productName : null

const isImport = ({ kind }: Operation) => kind === 'import' || kind === 'blind-import'

function concerns(payload: Payload | null, form: ImportForm): boolean {
  if (payload?.kind === 'blind-import') return payload.caseId === form.caseId
  const isOfCase = payload?.kind === 'import' || payload?.kind === 'import-removal'
  return isOfCase && payload.caseId === form.caseId && payload.packagedProductId === form.packagedProductId
}
