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

export type ProductMatch = ReturnType<typeof createProductMatch>

/**
 * Which products of the POS are which of ours: by the POS product id; if none of ours has that, by the SKU; if none has
 * that either, by the name. Products that are the same for one of the POS are compared together.
 */
export function createProductMatch(ours: Iterable<NamedHere>, theirs: Iterable<NamedByPos>) {
  const parents = new Map<string, string>()
  const names = new Map<string, string | null>()
  const rootOf = (node: string): string => {
    let root = node
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next
    // Shortens the way for the next question.
    for (let at = node; at !== root;) {
      const next = parents.get(at) ?? root
      parents.set(at, root)
      at = next
    }
    return root
  }
  const join = (one: string, other: string) => {
    const [a, b] = [rootOf(one), rootOf(other)]
    if (a !== b) parents.set(b, a)
  }

  const index = {
    id: new Map<string, Set<string>>(),
    sku: new Map<string, Set<string>>(),
    name: new Map<string, Set<string>>(),
  }
  const note = (table: Map<string, Set<string>>, word: string | null, key: string) => {
    if (word === null || word.trim() === '') return
    const compared = comparable(word)
    const known = table.get(compared)
    if (known) known.add(key)
    else table.set(compared, new Set([key]))
  }
  const known = new Set<string>()
  for (const { key, name, posProductIds, skus } of ours) {
    known.add(key)
    if (name !== null || !names.has(`here ${key}`)) names.set(`here ${key}`, name)
    for (const id of posProductIds) note(index.id, id, key)
    for (const sku of skus) note(index.sku, sku, key)
    note(index.name, name, key)
  }
  const sameAs = ({ posProductId, sku, productName }: NamedByPos): string[] => {
    const by = (table: Map<string, Set<string>>, word: string | null) =>
      word === null ? [] : [...(table.get(comparable(word)) ?? [])]
    for (const found of [by(index.id, posProductId), by(index.sku, sku), by(index.name, productName)]) {
      if (found.length > 0) return found
    }
    return []
  }

  /** What becomes of a product of the POS. */
  const statuses = new Map<number, 'compared' | 'untracked' | 'unknown'>()
  for (const product of theirs) {
    const node = `pos ${product.id}`
    const same = sameAs(product)
    names.set(node, product.productName ?? product.sku ?? product.posProductId)
    if (product.isTracked === false) statuses.set(product.id, 'untracked')
    else if (same.length === 0 && product.isTracked === null) statuses.set(product.id, 'unknown')
    else statuses.set(product.id, 'compared')
    if (statuses.get(product.id) === 'compared') for (const key of same) join(`here ${key}`, node)
  }

  return {
    /** Whether the items of a product of the POS are compared; `unknown`: a person must say. */
    statusOf: (id: number) => statuses.get(id) ?? 'unknown',
    /** The group in which a product is compared. */
    ofPos: (id: number): string => rootOf(`pos ${id}`),
    ofHere: (key: string): string => rootOf(`here ${key}`),
    /** Whether the product was known when this was made. */
    knows: (key: string): boolean => key === unnamed || known.has(key),
    /** The name of a group; ours, if the product is ours. */
    nameOf: (group: string): string | null => names.get(group) ?? null,
  }
}
