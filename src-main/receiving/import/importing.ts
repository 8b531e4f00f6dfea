import { nowByService } from '../../core/clock'
import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { AppError, ResultOf } from '../../../src-shared/errors'
import type { GateQuestion } from '../../../src-shared/gates'
import {
  type CaseId,
  CaseId as CaseIdSchema,
  DeliveryId,
  type OperationId,
  type PackageUid,
  parseId,
} from '../../../src-shared/ids'
import type { ManyDone } from '../../../src-shared/ipc/contract/receiving'
import type { OperationView } from '../../../src-shared/ipc/contract/outbox'
import type { BlindImportForm, ImportForm } from '../../../src-shared/ipc/contract/receiving'
import { type Result, err, ok } from '../../../src-shared/result'
import type { PackagedProductFacts } from '../../../src-shared/service/facts'
import { certificateFaults } from '../../memory/certificate'
import type { ImportKey } from '../../hub/port'
import type { CachedPackagedProduct, Memory } from '../../memory/store'
import type { NotSaved } from '../../database/saved'
import type { NotActed } from '../../outbox/actions'
import { type Operation, isFinished } from '../../outbox/operation'
import type { Outbox } from '../../outbox/outbox'
import { type Payload, caseKey, scannedKey } from '../../outbox/payload'
import type { DeliveryRows } from '../delivery/delivery-rows'
import type { Pos } from '../manifest/pos'
import type { ReceivingContext } from '../receiving-context'
import { isSeenSince } from './import-state'
import type { SharedImports } from './shared-imports'

/** Saved without a break; scans and screens are served between two such pieces. */
const atOnce = 25

type NotImported = NotActed | 'receiving/already-importing' | 'receiving/importing-elsewhere'
type Elsewhere = (key: ImportKey) => string | undefined

/** Importing: each import is saved before anything else, and noted in the delivery under way in the same commit. */
export class Importing {
  readonly #context: ReceivingContext
  readonly #seen: Memory
  readonly #outbox: Outbox
  readonly #rows: DeliveryRows
  readonly #pos: Pick<Pos, 'remember'>
  readonly #shared: Pick<SharedImports, 'take' | 'taken'> | undefined

  /** `shared`: the other stations of the store, if there is a hub: none imports what another one is importing. */
  constructor(context: ReceivingContext, pos: Pick<Pos, 'remember'>, shared?: Pick<SharedImports, 'take' | 'taken'>) {
    this.#context = context
    this.#seen = context.seen
    this.#outbox = context.outbox
    this.#rows = context.deliveries
    this.#pos = pos
    this.#shared = shared
    // Remembers what the POS calls the imported product, if it is known which product that is.
    context.events.on('import.identified', 'receiving/import/importing.ts', (form) => {
      this.#remember([{ form, shown: this.#remembered(form).shown }])
    })
  }

  /** The gate that these imports pass; null if none is against a failed or expired certificate. */
  gateOf(forms: ImportForm[]): GateQuestion | null {
    const [first, ...others] = forms.filter((form) => this.#isAgainstCertificate(form))
    if (!first) return null
    const { product, shown } = this.#remembered(first)
    if (others.length > 0) return { gate: 'import-against-certificate', count: others.length + 1, name: null }
    return { ...this.#questionAbout(product), name: shown?.productName ?? null }
  }

  /**
   * Imports a case, or corrects an import that was refused. A refusal of the service is in the operation's view.
   * `because`: the reason with which the gate let it pass.
   */
  import(form: ImportForm, because?: string): Promise<ResultOf<OperationView, NotImported>> {
    return this.#inStore([form], (elsewhere): Promise<ResultOf<OperationView, NotImported>> => {
      const planned = this.#plan(form, elsewhere)
      const [saved]: ResultOf<Operation, NotImported>[] = planned.ok ? this.#save([planned.value], because) : [planned]
      return saved ? this.#context.reporting.report(saved) : Promise.resolve(this.#importing(form.caseId))
    })
  }

  /** Imports each by itself, without waiting for the service. */
  importMany(forms: ImportForm[], because?: string): Promise<ResultOf<ManyDone, NotSaved>> {
    return this.#inStore(forms, (elsewhere) => this.#importAll(forms, elsewhere, because))
  }

  /** The gate that a blind import passes, by what is remembered of its case; null if the case is not known. */
  gateOfBlind(form: BlindImportForm): GateQuestion | null {
    const { found } = this.#namedBy(form)
    const products = (found && this.#seen.caseInBrief(found)?.value.packagedProducts) ?? []
    // Which of them it imports is found out later: a fault of any is asked about.
    const bad = products.find((product) => this.#isFaulty(product))
    return bad ? { ...this.#questionAbout(bad), name: bad.productName } : null
  }

  /**
   * Imports a case that the service could not be asked about; starts a delivery if there is none.
   * `because`: the reason with which the gate let it pass.
   */
  importBlind(form: BlindImportForm, because?: string): Promise<ResultOf<OperationView, NotImported>> {
    const { found } = this.#namedBy(form)
    const keys = found === undefined ? [] : [{ caseId: found, packagedProductId: null }]
    return this.#inStore(keys, (elsewhere): Promise<ResultOf<OperationView, NotImported>> => {
      const station = keys.map(elsewhere).find((name) => name !== undefined)
      return station === undefined ? this.#importUnseen(form, because) : Promise.resolve(this.#importingAt(station))
    })
  }

  #importing(caseId: string) {
    return err({ code: 'receiving/already-importing', caseId } as const)
  }

  /** Imports what no other station is importing: `elsewhere` names the one that is. */
  async #inStore<Done extends Result<unknown, AppError>>(
    keys: ImportKey[],
    run: (elsewhere: Elsewhere) => Promise<Done>,
  ): Promise<Done | ResultOf<never, NotSaved>> {
    if (!this.#shared || keys.length === 0) return run(() => undefined)
    const elsewhere = await this.#shared.take(keys)
    if (!elsewhere.ok) return elsewhere
    try {
      return await run(elsewhere.value)
    } finally {
      this.#shared.taken(keys)
    }
  }

  #importingAt(station: string) {
    return err({ code: 'receiving/importing-elsewhere', station } as const)
  }

  #remembered(form: ImportForm) {
    const known = this.#seen.caseInBrief(form.caseId)
    const product = known?.value.packagedProducts.find((one) => one.packagedProductId === form.packagedProductId)
    // While the form is open, the case may be read again without the product. The import keeps the name that the form
    // showed, so that its refusal by the service can be recognized.
    const shown = product ?? this.#seen.packaged(form.packagedProductId)
    return { product, shown, identifier: known?.value.identifier, seenAt: known?.seenAt ?? 0 }
  }

  /** Whether an accepted import is still in place, judging by what the station last read from the service. */
  #stillStands(operation: Operation, product: PackagedProductFacts | undefined, seenAt: number) {
    return product?.isImported === true || !isSeenSince(operation, seenAt, this.#outbox)
  }

  /** Notes an imported case in the delivery under way, in the same commit as the import. */
  #noteIn(caseId: CaseId, packageUid: PackageUid) {
    return ({ seq }: Operation) => {
      const open = this.#rows.open()
      if (!open) return
      this.#rows.addCase(open.seq, { caseId, packageUid })
      this.#rows.link(open.seq, seq)
    }
  }

  #remember(imported: Pick<Plan, 'form' | 'shown'>[]) {
    const entries = imported.flatMap(({ form, shown }) => (shown ? { ...form, productId: shown.productId } : []))
    if (entries.length === 0) return
    try {
      this.#pos.remember(entries)
    } catch (cause) {
      // The imports are saved, and prefilling the next ones is only a convenience.
      this.#context.log.warn('the ids of imports could not be remembered', { cause })
    }
  }

  /** Whether the certificate of a product failed or has expired. */
  #faultsOf({ coa }: PackagedProductFacts) {
    return certificateFaults(coa, nowByService(this.#context))
  }

  #isFaulty(product: PackagedProductFacts) {
    return this.#faultsOf(product).length > 0
  }

  #questionAbout(product: PackagedProductFacts | undefined): Omit<GateQuestion, 'name'> {
    const isFailed = product !== undefined && this.#faultsOf(product).includes('failed')
    const certificate = product && { expiredOn: isFailed ? null : product.coa.expiresOn }
    return { gate: 'import-against-certificate', count: 1, ...(certificate && { certificate }) }
  }

  #isAgainstCertificate(form: ImportForm) {
    const { product } = this.#remembered(form)
    return product !== undefined && this.#isFaulty(product)
  }

  /** What a form leads to: a new operation, the correction of a refused one, or nothing. */
  #plan(
    form: ImportForm,
    elsewhere: Elsewhere,
  ): ResultOf<Plan, 'receiving/already-importing' | 'receiving/importing-elsewhere'> {
    const station = elsewhere(form)
    if (station !== undefined) return this.#importingAt(station)
    const { product, shown, identifier, seenAt } = this.#remembered(form)
    // Blind imports count too, because their case may turn out to be this one.
    const own = [
      ...(identifier === undefined ? [] : this.#outbox.read.byKey(scannedKey(identifier))),
      ...this.#outbox.read.byKey(caseKey(form.caseId)).filter(({ payload }) => concerns(payload, form)),
    ].sort((a, b) => a.seq - b.seq)
    const open = own.findLast((one) => !isFinished(one.state) && isImport(one))
    if (open && open.state !== 'rejected') return this.#importing(form.caseId)
    const newest = own.findLast((one) => one.state !== 'cancelled' && one.state !== 'rejected')
    if (newest?.kind === 'import' && newest.state === 'accepted' && this.#stillStands(newest, product, seenAt)) {
      return this.#importing(form.caseId)
    }
    const payload: Payload = {
      kind: 'import',
      ...form,
      // After a restart: as it was called by the operations that were saved before.
      productName: shown?.productName ?? own.map(nameOf).findLast((name) => name !== null) ?? null,
      itemCount: product?.tagIds.length ?? 0,
    }
    // A refused import is corrected in its place, so that the sales behind it wait for the correction.
    const isBad = product !== undefined && this.#isFaulty(product)
    return ok({
      form,
      payload,
      shown,
      isBad,
      corrects: open?.id ?? null,
      note: this.#noteIn(form.caseId, form.packageUid),
    })
  }

  #correct(id: OperationId, { payload, note }: Pick<Plan, 'payload' | 'note'>, because?: string) {
    const corrected = this.#outbox.correct(id, payload, because)
    if (!corrected.ok) return corrected
    try {
      note(corrected.value)
    } catch (cause) {
      // It is saved, and already linked unless it was first tried before this delivery.
      this.#context.log.warn('a corrected import could not be noted in its delivery', { cause })
    }
    return corrected
  }

  /** `permitted`: the reason for what is imported against its certificate. */
  #save(plans: Plan[], permitted?: string): ResultOf<Operation, NotActed>[] {
    const becauseOf = ({ isBad }: Plan) => (isBad ? permitted : undefined)
    const fresh = plans.filter(({ corrects }) => corrects === null)
    const enqueued = this.#outbox.enqueueMany(
      fresh.map((one) => ({ payload: one.payload, alongside: one.note, because: becauseOf(one) })),
    )
    const results = new Map(fresh.map((one, index) => [one, enqueued[index]]))
    const done = plans.map((one) => {
      const saved = one.corrects === null ? results.get(one) : this.#correct(one.corrects, one, becauseOf(one))
      if (!saved) throw new Error('the outbox gave fewer answers than it was given operations')
      return saved
    })
    this.#remember(plans.filter((_, index) => done[index]?.ok))
    return done
  }

  async #importAll(forms: ImportForm[], elsewhere: Elsewhere, because?: string): Promise<ResultOf<ManyDone, NotSaved>> {
    const done: ManyDone = { saved: [], refused: [] }
    for (let from = 0; from < forms.length; from += atOnce) {
      if (from > 0) await setImmediate()
      const plans: Plan[] = []
      const refuse = (form: ImportForm, error: AppError) => {
        const { caseId, packagedProductId } = form
        done.refused.push({
          caseId,
          packagedProductId,
          productName: this.#remembered(form).shown?.productName ?? null,
          error,
        })
      }
      for (const form of forms.slice(from, from + atOnce)) {
        const planned = plans.some((one) => concerns(one.payload, form))
          ? this.#importing(form.caseId)
          : this.#plan(form, elsewhere)
        if (planned.ok) plans.push(planned.value)
        else refuse(form, planned.error)
      }
      for (const [index, saved] of this.#save(plans, because).entries()) {
        const form = plans[index]?.form
        if (saved.ok) done.saved.push(this.#context.reporting.view(saved.value))
        else if (form) refuse(form, saved.error)
      }
      this.#context.sender.wake()
    }
    return ok(done)
  }

  /** The case that the label names, and the one it is known to be of. */
  #namedBy({ scanned }: BlindImportForm) {
    const id = parseId(scanned)
    const caseId = id === undefined ? null : CaseIdSchema.parse(id)
    // If the label's case is known by now, an import of that case must not be saved twice.
    return { caseId, found: caseId ?? this.#seen.case(scanned)?.value.caseId }
  }

  #importUnseen(
    form: BlindImportForm,
    because?: string,
  ): Promise<ResultOf<OperationView, NotActed | 'receiving/already-importing'>> {
    const { caseId, found } = this.#namedBy(form)
    const own = [
      ...(caseId === null ? this.#outbox.read.byKey(scannedKey(form.scanned)) : []),
      ...(found === undefined ? [] : this.#outbox.read.byKey(caseKey(found))),
    ].sort((a, b) => a.seq - b.seq)
    const open = own.findLast((one) => !isFinished(one.state) && isImport(one))
    if (open && open.state !== 'rejected') return Promise.resolve(this.#importing(caseId ?? form.scanned))
    // The refused import that this corrects may have been identified before.
    const corrected = open?.payload && 'caseId' in open.payload ? open.payload.caseId : null
    const payload: Payload = { kind: 'blind-import', ...form, caseId: caseId ?? corrected }
    const note = ({ seq }: Operation) => {
      const under = this.#rows.open() ?? this.#rows.start(DeliveryId.parse(randomUUID()), this.#context.clock.now())
      this.#rows.link(under.seq, seq)
      this.#context.unread.forget(form.scanned)
    }
    if (open) return this.#context.reporting.report(this.#correct(open.id, { payload, note }, because))
    return this.#context.reporting.report(this.#outbox.enqueue(payload, { alongside: note, because }))
  }
}

interface Plan {
  form: ImportForm
  payload: Payload
  /** The product, if it is known. */
  shown: CachedPackagedProduct | undefined
  /** Its certificate failed or has expired. */
  isBad: boolean
  /** The refused operation that it replaces. */
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
