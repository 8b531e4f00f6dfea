import type { CaseId } from '../../src-shared/ids'
import type { CallInput } from '../../src-shared/ipc/contract'
import type { PackagedProductView } from '../../src-shared/ipc/contract/receiving'
import type { CaseRow } from './delivery.svelte'
import type { ImportFormState } from './import-form.svelte'

/** A packaged product of a case that can be imported, and what is entered for it. */
export interface Importable {
  row: CaseRow
  product: PackagedProductView
  form: ImportFormState
}

/** What the primary action does with the ticked cases, or with all cases if none is ticked. */
export interface ImportPlan {
  isTicked: boolean
  /** An import of one of them is being saved. */
  isBusy: boolean
  /** Cases for which everything is entered, and their products. */
  ready: CaseRow[]
  imports: Importable[]
  /** Cases whose ids or package are missing; `lacksPackage`: the package of at least one of them. */
  incomplete: CaseRow[]
  lacksPackage: boolean
  /** Ticked cases that are imported, on their way, or not read yet. */
  skipped: CaseRow[]
  /** Cases with a failed or expired certificate: imported only if they are ticked. */
  leftOut: CaseRow[]
}

/** Sorts the cases by what is still missing. What main holds back is imported only if its case is ticked. */
export function planOf(
  rows: CaseRow[],
  ticked: ReadonlySet<CaseId>,
  formOf: (row: CaseRow, product: PackagedProductView) => ImportFormState,
): ImportPlan {
  const isTicked = ticked.size > 0
  const plan: ImportPlan = {
    isTicked,
    isBusy: false,
    ready: [],
    imports: [],
    incomplete: [],
    lacksPackage: false,
    skipped: [],
    leftOut: [],
  }
  for (const row of rows) {
    if (isTicked && !ticked.has(row.caseId)) continue
    const open = (row.view?.packagedProducts ?? [])
      .filter(({ canImport, heldBack }) => canImport && (isTicked || heldBack !== 'refused'))
      .map((product) => ({ row, product, form: formOf(row, product) }))
    if (open.some(({ form }) => form.isBusy)) plan.isBusy = true
    else if (open.length === 0) {
      if (isTicked) plan.skipped.push(row)
    } else if (!isTicked && open.some(({ product }) => product.heldBack === 'coa')) plan.leftOut.push(row)
    else if (open.every(({ form }) => form.isComplete)) {
      plan.ready.push(row)
      plan.imports.push(...open)
    } else {
      plan.incomplete.push(row)
      plan.lacksPackage ||= open.some(({ form }) => form.packageUid.trim() === '')
    }
  }
  return plan
}

/** As the contract wants it. */
export const requestOf = ({ row, product, form }: Importable): CallInput<'receiving.import'> => ({
  caseId: row.caseId,
  packagedProductId: product.packagedProductId,
  ...form.values,
})
