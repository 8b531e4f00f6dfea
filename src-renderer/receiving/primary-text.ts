import { assertNever } from '../../src-shared/result'
import { resultOf } from '../checkout/result'
import { type ScanOutcome, refusal } from '../scan/strip.svelte'
import { type Text, listed, t } from '../text/text.svelte'
import type { Missing } from './import-form.svelte'
import type { Importable } from './import-many.svelte'
import type { Primary } from './importing.svelte'

const attention = (what: Text, detail?: Text): ScanOutcome => ({ tone: 'attention', what, ...(detail && { detail }) })

/** What imports of one case are called on the button and in the strip: "Lemon Ferry, 24 items"; several products are counted. */
export function nameOf(imports: Pick<Importable, 'product'>[]): Text {
  const count = imports.reduce((sum, { product }) => sum + product.tagCount, 0)
  const [first] = imports
  return first && imports.length === 1
    ? { key: 'delivery.named', values: { product: first.product.productName, count } }
    : { key: 'delivery.named.products', values: { products: imports.length, count } }
}

/** How many cases an import left out, and what is missing of them: each reason once. Null if it took all. */
export function leftOutText(leftOut: Missing[]): Text | null {
  if (leftOut.length === 0) return null
  const why = listed([...new Set(leftOut)].map((one) => t(`delivery.missing.${one}`)))
  return { key: 'delivery.left-out', values: { count: leftOut.length, why } }
}

/** What the primary action of Receiving came to, as the scan strip says it. */
export function outcomeOf(primary: Primary): ScanOutcome {
  switch (primary.kind) {
    case 'importing':
      return { tone: 'good', what: { key: 'scan.action.importing', values: { count: primary.count } } }
    case 'saved':
      return savedOutcome(primary)
    case 'refused':
      return primary.error ? refusal(primary.error) : attention({ key: 'scan.action.incomplete' })
    case 'incomplete': {
      const { product, left } = primary
      const what: Text = { key: 'scan.action.incomplete.product', values: { product } }
      return attention(what, left === null ? undefined : { key: 'scan.action.left', values: { product: left } })
    }
    case 'finishing':
      return attention({ key: 'scan.action.finishing' })
    case 'shown':
      return primary.outcome
    case 'nothing':
      return attention({ key: 'scan.action.nothing-to-import' })
    default:
      return assertNever(primary)
  }
}

function savedOutcome({ operation, product }: Extract<Primary, { kind: 'saved' }>): ScanOutcome {
  const { sound, title, detail } = resultOf(operation)
  // A refusal has made its sound on its own.
  const base = { tone: sound, report: operation.id, isSilent: sound === 'bad' }
  if (product === null) return { ...base, what: title, ...(detail && { detail }) }
  const values = { product, count: operation.itemCount, state: operation.state }
  return {
    ...base,
    what: { key: 'scan.action.import', values },
    ...(operation.state !== 'accepted' && { detail: title }),
  }
}
