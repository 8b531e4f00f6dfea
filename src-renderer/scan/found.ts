import { explain } from '../messages/errors'
import { caseChip, isImportable } from '../receiving/import-state'
import type { Found, Receiving } from '../receiving/receiving.svelte'
import type { Outcome } from './strip.svelte'

/** What the strip says of a package or case that a scan added to the delivery. */
export function foundOutcome(found: Found, receiving: Receiving): Outcome {
  return { ...told(found), ...(found.isNew && { undo: () => dropped(found, receiving) }) }
}

function told(found: Found): Outcome {
  if (found.kind === 'package') {
    const { packageUid, knowledge, error } = found.package
    const what = { key: 'scan.found.package', values: { packageUid } } as const
    if (!knowledge) {
      return { tone: 'attention', what, detail: error ? explain(error).what : { key: 'scan.found.package.unseen' } }
    }
    return { tone: 'good', what, detail: { key: 'scan.found.package.detail', values: { count: found.cases.length } } }
  }
  const { case: view, error, importState } = found.case
  if (!view) return { tone: 'attention', what: error ? explain(error).what : { key: 'scan.found.case.unread' } }
  const products = view.packagedProducts
  const name = products[0]?.productName ?? view.identifier
  const what = { key: 'scan.found.case', values: { name, products: products.length } } as const
  // Whoever only hears the sound must look at a case that is not to be imported.
  if (products.length === 0) return { tone: 'attention', what, detail: { key: 'receiving.no-product' } }
  if (!products.some((product) => isImportable(product.importState)))
    return { tone: 'attention', what, detail: caseChip(view, importState, new Date()).text }
  return { tone: 'good', what, detail: { key: 'scan.found.case.detail', values: { count: view.tagCount } } }
}

async function dropped(found: Found, receiving: Receiving): Promise<Outcome> {
  if (found.kind === 'package') await receiving.steps.dropPackage(found.package.packageUid)
  else await receiving.steps.dropCase(found.case.caseId)
  const { error } = receiving.steps
  if (error) return { tone: 'bad', what: explain(error).what, detail: explain(error).means }
  return { tone: 'good', what: { key: 'scan.dropped' } }
}
