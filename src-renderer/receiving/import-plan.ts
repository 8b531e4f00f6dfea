import type { CaseId } from '../../src-shared/ids'
import type { CallInput } from '../../src-shared/ipc/contract'
import type { PackagedProductView } from '../../src-shared/ipc/receiving-view'
import { coaChip } from './case-facts'
import type { CaseRow } from './case-row.svelte'
import type { ImportFormState } from './import-form.svelte'
import { isImportable } from './import-state'

/** A packaged product of a case that can be imported, and what is entered for it. */
export interface Importable {
  row: CaseRow
  product: PackagedProductView
  form: ImportFormState
}

/** What the primary action does: of the ticked cases, or of all where none is ticked. */
export interface ImportPlan {
  isTicked: boolean
  /** An import of one of them is being saved. */
  isBusy: boolean
  /** Cases of which everything is entered, and their products. */
  ready: CaseRow[]
  imports: Importable[]
  /** Cases whose ids or package are not filled in; whether it is a package that some of them lack. */
  incomplete: CaseRow[]
  lacksPackage: boolean
  /** Ticked ones that are imported, on their way, or not known well enough. */
  skipped: CaseRow[]
  /** Those with a failed or expired certificate: never imported but by somebody who ticked them. */
  leftOut: CaseRow[]
}

/** Decides what is imported. A refused case is only imported again when it is ticked: the same would be refused again. */
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
      .filter(({ importState }) => isImportable(importState) && (isTicked || importState.kind !== 'refused'))
      .map((product) => ({ row, product, form: formOf(row, product) }))
    if (open.some(({ form }) => form.isBusy)) plan.isBusy = true
    else if (open.length === 0) {
      if (isTicked) plan.skipped.push(row)
    } else if (!isTicked && open.some(({ product }) => coaChip(product.coa).tone === 'bad')) plan.leftOut.push(row)
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
