import { type AppError, isUnanswered } from '../../src-shared/errors'
import { explain } from '../text/errors'
import { caseCoaChip, chipOf } from '../receiving/case-text'
import type { CaseRow } from '../receiving/delivery.svelte'
import type { Receiving, ScanAddition, Target } from '../receiving/receiving.svelte'
import { type Screens, belongsInCheckout } from './elsewhere'
import { type ScanOutcome, type ScanStrip, type StripAction, refusal, refusalWithNext } from './strip.svelte'

interface DeliveryScansParts extends Screens {
  strip: ScanStrip
  receiving: Receiving
}

/** Scans of packages and cases: they are added to the delivery. */
export class DeliveryScans {
  readonly #parts: DeliveryScansParts

  constructor(parts: DeliveryScansParts) {
    this.#parts = parts
  }

  /** On its own screen, adds to the delivery; elsewhere, offers to. */
  async scan(target: Target): Promise<ScanOutcome> {
    return this.#parts.screen() === 'receiving' ? this.add(target) : this.#belongsInReceiving(target)
  }

  async add(target: Target): Promise<ScanOutcome> {
    const { receiving } = this.#parts
    const found = await receiving.add(target, true)
    return found.ok ? foundOutcome(found.value, receiving) : this.#refusal(target, found.error)
  }

  #refusal(target: Target, error: AppError): ScanOutcome {
    const { screen, strip } = this.#parts
    if (error.code === 'scan/wrong-place' && error.found === 'tag') return belongsInCheckout(this.#parts)
    if (target.kind === 'case' && isUnanswered(error))
      return { tone: 'attention', what: { key: 'scan.unseen-case' }, detail: { key: 'scan.unseen-case.detail' } }
    if (canRepeat(error)) {
      const again: StripAction = {
        label: { key: 'action.try-again' },
        run: () => void strip.act(() => this.add(target)),
        isOffered: () => screen() === 'receiving',
      }
      return refusalWithNext(error, [again])
    }
    if (error.code !== 'receiving/unknown-package') return refusalWithNext(error)
    const anyway: StripAction = {
      label: { key: 'scan.add-anyway' },
      run: () => void strip.act(() => this.add(meant(error.packageUid))),
      isOffered: () => screen() === 'receiving',
    }
    return refusalWithNext(error, [anyway])
  }

  #belongsInReceiving(target: Target): ScanOutcome {
    const { screen, go, strip } = this.#parts
    const run = () => {
      go('receiving')
      void strip.act(() => this.add(target))
    }
    const error: AppError = { code: 'scan/wrong-place', found: target.kind, expected: 'tag' }
    const open: StripAction = {
      label: { key: 'scan.open-in-receiving' },
      run,
      isOffered: () => screen() !== 'receiving',
    }
    return refusal(error, [open], 'attention')
  }
}

/** Whether the same scan may go well a moment later. */
const canRepeat = (error: AppError): boolean =>
  isUnanswered(error) || error.code === 'ipc/disconnected' || error.code === 'store/not-saved'

const meant = (packageUid: string): Target => ({ kind: 'package', packageUid, isMeant: true })

type CaseOutcome = Pick<ScanOutcome, 'tone' | 'what' | 'detail'>

/** What the strip says of a package or case that a scan added to the delivery. */
function foundOutcome(found: ScanAddition, receiving: Receiving): ScanOutcome {
  return { ...told(found, receiving), ...(found.isNew && { undo: () => dropped(found, receiving) }) }
}

function told(found: ScanAddition, { delivery }: Receiving): CaseOutcome {
  if (found.kind === 'package') {
    const { packageUid } = found
    const { knowledge = null, error = null } = delivery.packages.find((one) => one.packageUid === packageUid) ?? {}
    const what = { key: 'operation.package', values: { packageUid } } as const
    if (!knowledge) {
      return { tone: 'attention', what, detail: error ? explain(error).what : { key: 'scan.found.package.unseen' } }
    }
    return { what, ...toldOfCases(found.caseIds.map((caseId) => delivery.row(caseId))) }
  }
  return toldOfCase(delivery.row(found.caseId))
}

/** What all cases of a package come to. Those that are not read yet may be as they should. */
function toldOfCases(rows: (CaseRow | undefined)[]): Pick<CaseOutcome, 'tone' | 'detail'> {
  const count = rows.length
  const outcomes = rows.map((row) => (row?.view ? toldOfCase(row) : null))
  const tones = outcomes.map((outcome) => outcome?.tone ?? 'good')
  const isAnyGood = tones.includes('good')
  // The service answers in the same way about a package that doesn't exist and about one of another store.
  if (count === 0 || isAnyGood) {
    return { tone: isAnyGood ? 'good' : 'attention', detail: { key: 'scan.found.package.detail', values: { count } } }
  }
  const [only, ...others] = outcomes
  const detail = others.length === 0 ? only?.detail : ({ key: 'scan.found.package.none', values: { count } } as const)
  return { tone: tones.every((tone) => tone === 'bad') ? 'bad' : 'attention', ...(detail && { detail }) }
}

function toldOfCase(row: CaseRow | undefined): CaseOutcome {
  if (!row?.view) {
    return { tone: 'attention', what: row?.error ? explain(row.error).what : { key: 'scan.found.case.unread' } }
  }
  const { view, importState } = row
  const products = view.packagedProducts
  const name = products[0]?.productName ?? view.identifier
  const what = { key: 'scan.found.case', values: { name, products: products.length } } as const
  // Another sound for a case that can't be imported: staff often only listen.
  if (products.length === 0) return { tone: 'attention', what, detail: { key: 'receiving.no-product' } }
  if (!products.some((product) => product.canImport))
    return { tone: 'attention', what, detail: chipOf(importState, new Date()).text }
  const certificate = caseCoaChip(view)
  if (certificate) return { tone: 'bad', what, detail: certificate.text }
  return { tone: 'good', what, detail: { key: 'scan.found.case.detail', values: { count: view.tagCount } } }
}

async function dropped(found: ScanAddition, { steps }: Receiving): Promise<ScanOutcome> {
  const error = await (found.kind === 'package' ? steps.dropPackage(found.packageUid) : steps.dropCase(found.caseId))
  if (error) return { tone: 'bad', what: explain(error).what, detail: explain(error).means }
  return { tone: 'good', what: { key: 'scan.dropped' } }
}
