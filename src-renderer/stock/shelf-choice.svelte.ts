import type { Client } from '../../src-shared/ipc/client'
import type { ShelfChoices, ShelfScope } from '../../src-shared/ipc/contract/stock'
import { type ScanOutcome, refusal } from '../scan/strip.svelte'
import { Ask } from '../ui/ask.svelte'

export type ScopeKind = ShelfScope['kind']
export const scopeKinds: readonly ScopeKind[] = ['all', 'product', 'brand', 'case', 'sample']

/** Products of a random sample, until a person says how many. */
const usualSample = 5

/** A product, brand or case that can be counted. */
export interface Countable {
  key: string
  name: string
  note: string
  scope: ShelfScope
}

/** What to count, as it is being chosen. */
export class ShelfChoice {
  kind = $state<ScopeKind>('all')
  /** What is searched for among the products, brands or cases. */
  text = $state('')
  /** The product, brand or case that was chosen. */
  chosen = $state.raw<Countable | null>(null)
  products = $state(usualSample)
  readonly #choices = new Ask<ShelfChoices>()
  readonly #client: Client

  error = $derived(this.#choices.error)
  isLoading = $derived(this.#choices.isBusy)
  /** What was found; null until the first answer. */
  found = $derived(this.#choices.value && countablesOf(this.kind, this.#choices.value))
  /** Null until it is complete. */
  scope = $derived.by((): ShelfScope | null => {
    if (this.kind === 'all') return { kind: 'all' }
    if (this.kind === 'sample') return { kind: 'sample', products: this.products }
    return this.chosen?.scope ?? null
  })

  constructor(client: Client) {
    this.#client = client
  }

  /** Chooses another kind; what was chosen before doesn't count any longer. */
  choose(kind: ScopeKind): void {
    this.kind = kind
    this.text = ''
    this.chosen = null
    if (kind === 'product' || kind === 'brand' || kind === 'case') void this.search()
  }

  /** Finds what can be counted. */
  async search(): Promise<void> {
    const text = this.text.trim()
    await this.#choices.ask(() => this.#client.call('stock.choices', { text }))
  }

  /** Chooses the case of a label. */
  async scanCase(identifier: string): Promise<ScanOutcome> {
    this.kind = 'case'
    this.text = identifier
    this.chosen = null
    const answer = await this.#choices.ask(() => this.#client.call('stock.choices', { text: identifier }))
    if (!answer.ok) return refusal(answer.error)
    const one = countablesOf('case', answer.value).find(({ key, note }) => key === identifier || note === identifier)
    if (!one) {
      return {
        tone: 'attention',
        what: { key: 'stock.choose.no-case' },
        detail: { key: 'stock.choose.no-case.detail' },
      }
    }
    this.chosen = one
    const what = { key: 'stock.choose.case-chosen', values: { name: one.name } } as const
    return { tone: 'good', what, detail: { key: 'stock.choose.start-next' } }
  }
}

function countablesOf(kind: ScopeKind, { products, brands, cases }: ShelfChoices): Countable[] {
  if (kind === 'product')
    return products.map(({ productId, productName, brandName }) => ({
      ...{ key: productId, name: productName, note: brandName ?? '', scope: { kind, productId } },
    }))
  if (kind === 'brand') return brands.map((name) => ({ key: name, name, note: '', scope: { kind, brandName: name } }))
  return cases.map(({ caseId, identifier, productName }) => ({
    ...{ key: caseId, name: productName ?? identifier, note: identifier, scope: { kind: 'case', caseId } },
  }))
}
