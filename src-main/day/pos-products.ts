import { comparable } from '../../src-shared/text'

/** A product as the POS's file names it. `isTracked`: what a person said of it; null: nothing. */
export interface NamedByPos {
  id: number
  posProductId: string | null
  sku: string | null
  productName: string | null
  isTracked: boolean | null
}

/** A product of this store, with every POS product id and SKU that it is known by. `key`: its id, or its name without one. */
export interface NamedHere {
  key: string
  name: string | null
  posProductIds: string[]
  skus: string[]
}

/** Tells apart products that the POS names otherwise; null stays null. */
export const productKeyOf = ({ posProductId, sku, productName }: Omit<NamedByPos, 'id' | 'isTracked'>): string =>
  JSON.stringify([posProductId, sku, productName].map((text) => (text === null ? null : comparable(text))))

/** Items of a product that isn't known yet. */
export const unnamed = 'unnamed'

/** What becomes of a product of the POS: whether it is compared; `unknown`: a person must say. */
type ProductStatus = 'compared' | 'untracked' | 'unknown'

/** The products of this store by what they are known by. */
class ProductIndex {
  readonly #byId = new Map<string, Set<string>>()
  readonly #bySku = new Map<string, Set<string>>()
  readonly #byName = new Map<string, Set<string>>()

  add({ key, name, posProductIds, skus }: NamedHere): void {
    for (const id of posProductIds) note(this.#byId, id, key)
    for (const sku of skus) note(this.#bySku, sku, key)
    note(this.#byName, name, key)
  }

  /** By the POS product id; if none of ours has that, by the SKU; if none has that either, by the name. */
  sameAs({ posProductId, sku, productName }: NamedByPos): string[] {
    const found = [by(this.#byId, posProductId), by(this.#bySku, sku), by(this.#byName, productName)]
    return found.find((keys) => keys.length > 0) ?? []
  }
}

function note(table: Map<string, Set<string>>, word: string | null, key: string): void {
  if (word === null || word.trim() === '') return
  const compared = comparable(word)
  const known = table.get(compared)
  if (known) known.add(key)
  else table.set(compared, new Set([key]))
}

const by = (table: ReadonlyMap<string, Set<string>>, word: string | null): string[] =>
  word === null ? [] : [...(table.get(comparable(word)) ?? [])]

function statusOf({ isTracked }: NamedByPos, isKnown: boolean): ProductStatus {
  if (isTracked === false) return 'untracked'
  return isKnown || isTracked === true ? 'compared' : 'unknown'
}

/** Which products of the POS are which of ours. Products that are the same for one of the POS are compared together. */
export class ProductMatch {
  readonly #parents = new Map<string, string>()
  readonly #names = new Map<string, string | null>()
  readonly #known = new Set<string>()
  readonly #statuses = new Map<number, ProductStatus>()

  constructor(ours: Iterable<NamedHere>, theirs: Iterable<NamedByPos>) {
    const index = new ProductIndex()
    for (const product of ours) {
      const { key, name } = product
      this.#known.add(key)
      if (name !== null || !this.#names.has(`here ${key}`)) this.#names.set(`here ${key}`, name)
      index.add(product)
    }
    for (const product of theirs) {
      const node = `pos ${product.id}`
      const same = index.sameAs(product)
      const status = statusOf(product, same.length > 0)
      this.#names.set(node, product.productName ?? product.sku ?? product.posProductId)
      this.#statuses.set(product.id, status)
      if (status === 'compared') for (const key of same) this.#join(`here ${key}`, node)
    }
  }

  statusOf(id: number): ProductStatus {
    return this.#statuses.get(id) ?? 'unknown'
  }

  /** The group in which a product is compared. */
  ofPos(id: number): string {
    return this.#rootOf(`pos ${id}`)
  }

  ofHere(key: string): string {
    return this.#rootOf(`here ${key}`)
  }

  /** Whether the product was known when this was made. */
  knows(key: string): boolean {
    return key === unnamed || this.#known.has(key)
  }

  /** The name of a group; ours, if the product is ours. */
  nameOf(group: string): string | null {
    return this.#names.get(group) ?? null
  }

  #join(one: string, other: string): void {
    const [a, b] = [this.#rootOf(one), this.#rootOf(other)]
    if (a !== b) this.#parents.set(b, a)
  }

  #rootOf(node: string): string {
    let root = node
    for (let next = this.#parents.get(root); next !== undefined; next = this.#parents.get(root)) root = next
    // Shortens the way for the next question.
    for (let at = node; at !== root;) {
      const next = this.#parents.get(at) ?? root
      this.#parents.set(at, root)
      at = next
    }
    return root
  }
}
