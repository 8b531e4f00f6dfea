import type { CaseId, PackageUid, ShortUuid } from '../../../src-shared/ids'
import type {
  ManifestExtra,
  ManifestLine,
  ManifestPackage,
  ManifestRow,
  ManifestState,
  ManifestSums,
  MatchedBy,
} from '../../../src-shared/ipc/contract/manifest'
import { comparable } from '../../../src-shared/text'
import { proposalsFor } from './manifest-proposals'

/** A product of a case, with its items: those counted, or those the case lists. */
export interface HeldProduct {
  productId: ShortUuid
  productName: string
  sku: string | null
  count: number
  isCounted: boolean
}

/** A case of the delivery. `products`: null until it was read. */
export interface HeldCase {
  caseId: CaseId
  /** The package it is in or was imported into; null if that is none or several. */
  packageUid: PackageUid | null
  identifier: string
  products: HeldProduct[] | null
}

/** What is in a delivery. */
export interface DeliveryContents {
  /** Scanned packages. `isKnown`: which cases it holds was ever said, and it holds any. */
  packages: { packageUid: PackageUid; isKnown: boolean }[]
  cases: HeldCase[]
  /** Packages into which cases were imported that nothing is known of yet. */
  blind: ReadonlySet<PackageUid>
}

/** Tells by what a line and a product are the same; undefined if nothing says so. */
export type SameProduct = (row: ManifestRow, product: HeldProduct, by: MatchedBy) => boolean

export interface Compared {
  packages: ManifestPackage[]
  extras: ManifestExtra[]
  sums: ManifestSums
}

/** The surest first: a product that one of them gives to a line is not looked for by the next. */
const criteria: readonly MatchedBy[] = ['said', 'sku', 'pos-id', 'name']

/** Compares a manifest with a delivery. Pure: the same whatever the order of the scans. */
export function compareManifest(rows: ManifestRow[], held: DeliveryContents, isSame: SameProduct): Compared {
  const casesIn = Map.groupBy(held.cases, ({ packageUid }) => packageUid)
  const scanned = new Map(held.packages.map((one) => [one.packageUid, one]))
  const extras: ManifestExtra[] = []
  const ofPackage = Map.groupBy(rows, ({ packageUid }) => packageUid)

  const packages = [...ofPackage].map(([packageUid, own]): ManifestPackage => {
    const cases = casesIn.get(packageUid) ?? []
    const isHere = scanned.has(packageUid) || cases.length > 0 || held.blind.has(packageUid)
    const isRead =
      cases.every(({ products }) => products !== null) &&
      (cases.length > 0 || scanned.get(packageUid)?.isKnown === true) &&
      !held.blind.has(packageUid)
    if (!isHere || !isRead) {
      const state: ManifestState = { kind: isHere ? 'unread' : 'missing' }
      return { packageUid, state, lines: own.map((row) => lineOf(row, { state })) }
    }
    const { lines, left } = matchLines(own, productsOf(cases), isSame, scanned.has(packageUid))
    for (const { productId, productName, count } of left) {
      extras.push({ kind: 'product', packageUid, productId, productName, count })
    }
    return { packageUid, state: gravest(lines.map(inPackage)), lines }
  })

  for (const { packageUid } of held.packages) {
    if (!ofPackage.has(packageUid)) {
      extras.push({ kind: 'package', packageUid, count: itemsIn(casesIn.get(packageUid) ?? []) })
    }
  }
  for (const one of held.cases) {
    const isListed = one.packageUid !== null && (ofPackage.has(one.packageUid) || scanned.has(one.packageUid))
    if (isListed) continue
    const { caseId, identifier, products } = one
    const names = new Set((products ?? []).map(({ productName }) => productName))
    const productName = names.size === 0 ? null : [...names].join(', ')
    extras.push({ kind: 'case', caseId, identifier, productName, count: itemsIn([one]) })
  }
  return { packages, extras, sums: sumsOf(packages, extras) }
}

/** The products of some cases, each once. */
function productsOf(cases: HeldCase[]): HeldProduct[] {
  const products = new Map<ShortUuid, HeldProduct>()
  for (const product of cases.flatMap((one) => one.products ?? [])) {
    const before = products.get(product.productId)
    products.set(product.productId, {
      ...product,
      count: product.count + (before?.count ?? 0),
      isCounted: product.isCounted && before?.isCounted !== false,
    })
  }
  return [...products.values()]
}

/** Gives each line the products that are certainly its own. `isWhole`: the package was scanned. `left`: products of no line. */
function matchLines(rows: ManifestRow[], products: HeldProduct[], isSame: SameProduct, isWhole: boolean) {
  const free = new Set(products)
  const given = new Map<ManifestRow, { products: HeldProduct[]; by: MatchedBy | null }>()
  for (const by of criteria) {
    for (const row of rows) {
      if (given.has(row)) continue
      const own = [...free].filter((product) => isSame(row, product, by))
      if (own.length === 0) continue
      given.set(row, { products: own, by })
      for (const product of own) free.delete(product)
    }
  }
  // A line that names no product means what the others leave.
  for (const row of rows) {
    if (given.has(row) || namesProduct(row)) continue
    given.set(row, { products: [...free], by: null })
    free.clear()
  }
  // What stands in the place of a line's product is no extra: a person may say that it is the same.
  const instead = [...free]
  const open = rows.filter((row) => !given.has(row))
  const proposals = proposalsFor(open, instead)
  const proposedProducts = new Set([...proposals.values()].map(({ product }) => product))
  // Nothing stands in its place, and the other cases of the package may still come.
  const mayCome = !isWhole && instead.every((product) => proposedProducts.has(product))
  const lines = rows.map((row) => {
    const own = given.get(row)
    if (!own) {
      const state = { kind: 'other-product' as const, instead: instead.map(inPlace) }
      const proposed = proposals.get(row)
      if (!proposed) return lineOf(row, mayCome ? { state: { kind: 'missing' } } : { state, found: 0 })
      return lineOf(row, { state, proposal: { ...inPlace(proposed.product), by: proposed.by } })
    }
    const found = own.products.reduce((sum, { count }) => sum + count, 0)
    const [first] = own.products
    const isCounted = first !== undefined && own.products.every((product) => product.isCounted)
    return lineOf(row, {
      state: stateOf(row.count, found, !isWhole && !isCounted),
      found,
      isCounted,
      matched:
        first && own.by !== null ? { productId: first.productId, productName: first.productName, by: own.by } : null,
    })
  })
  return { lines, left: open.length > 0 ? [] : instead }
}

const inPlace = ({ productId, productName, count }: HeldProduct) => ({ productId, productName, count })

const namesProduct = ({ productName, sku, posProductId }: ManifestRow) =>
  productName !== null || sku !== null || posProductId !== null

function lineOf(
  { packageUid: _, ...row }: ManifestRow,
  {
    state,
    found = null,
    isCounted = false,
    matched = null,
    proposal,
  }: Pick<ManifestLine, 'state'> & Partial<ManifestLine>,
): ManifestLine {
  return { ...row, state, found, isCounted, matched, ...(proposal && { proposal }) }
}

/** `mayCome`: what is short may still come. */
function stateOf(expected: number | null, found: number, mayCome: boolean): ManifestState {
  if (expected === null || expected === found) return { kind: 'here' }
  if (expected < found) return { kind: 'over', by: found - expected }
  return { kind: 'short', by: expected - found, ...(mayCome && { isPartly: true }) }
}

/** What a line says of its package, of which something is here. */
const inPackage = ({ state, count }: ManifestLine): ManifestState =>
  state.kind === 'missing' ? { kind: 'short', by: count ?? 0, isPartly: true } : state

const gravity: Record<ManifestState['kind'], number> = {
  here: 0,
  unread: 1,
  over: 2,
  short: 3,
  'other-product': 4,
  missing: 5,
}

/** The gravest state of some lines; of several that are short or over, their sum. */
function gravest(states: ManifestState[]): ManifestState {
  const [worst = { kind: 'here' as const }] = states.toSorted((a, b) => gravity[b.kind] - gravity[a.kind])
  if (worst.kind !== 'short' && worst.kind !== 'over') return worst
  const alike = states
    .filter((one) => one.kind === 'short' || one.kind === 'over')
    .filter(({ kind }) => kind === worst.kind)
  const by = alike.reduce((sum, one) => sum + one.by, 0)
  if (worst.kind === 'over') return { kind: 'over', by }
  const isPartly = alike.every((one) => one.kind === 'short' && one.isPartly === true)
  return { kind: 'short', by, ...(isPartly && { isPartly: true }) }
}

const itemsIn = (cases: HeldCase[]): number | null =>
  cases.length === 0 || cases.some(({ products }) => products === null)
    ? null
    : cases.flatMap(({ products }) => products ?? []).reduce((sum, { count }) => sum + count, 0)

/** All that differs in its products is a proposal. */
const isProposed = ({ state, lines }: ManifestPackage): boolean =>
  state.kind === 'other-product' &&
  lines.every((line) => line.state.kind !== 'other-product' || line.proposal !== undefined)

function sumsOf(packages: ManifestPackage[], extras: ManifestExtra[]): ManifestSums {
  const inState = (kind: ManifestState['kind']) => packages.filter(({ state }) => state.kind === kind).length
  const missing = inState('missing')
  const partly = packages.filter(({ state }) => state.kind === 'short' && state.isPartly === true).length
  const proposed = packages.filter(isProposed).length
  const extraOf = (kind: ManifestExtra['kind']) => extras.filter((one) => one.kind === kind).length
  return {
    packages: packages.length,
    here: packages.length - missing,
    missing,
    unread: inState('unread'),
    short: inState('short') - partly,
    partly,
    over: inState('over'),
    otherProduct: inState('other-product') - proposed,
    proposed,
    extra: extras.length,
    ...(extras.length > 0 && {
      extraOf: { package: extraOf('package'), case: extraOf('case'), product: extraOf('product') },
    }),
    isComplete: inState('here') === packages.length && extras.length === 0,
  }
}

/** What the POS and a person say of products, for `sameProductBy`. */
export interface ProductNames {
  /** The product that a person said a line means. */
  saidFor: (row: ManifestRow) => ShortUuid | undefined
  /** What the POS calls a product. */
  posIdsOf: (product: Pick<HeldProduct, 'productId' | 'productName' | 'sku'>) => {
    posProductIds: ReadonlySet<string>
    skus: ReadonlySet<string>
  }
}

/** A line is about a product by what a person said, its SKU, its id in the POS, or its name: never by likeness. */
export function sameProductBy({ saidFor, posIdsOf }: ProductNames): SameProduct {
  return (row, product, by) => {
    switch (by) {
      case 'said':
        return saidFor(row) === product.productId
      case 'sku': {
        const sku = row.sku === null ? null : comparable(row.sku)
        if (sku === null) return false
        return (product.sku !== null && comparable(product.sku) === sku) || posIdsOf(product).skus.has(sku)
      }
      case 'pos-id':
        return row.posProductId !== null && posIdsOf(product).posProductIds.has(comparable(row.posProductId))
      case 'name':
        return row.productName !== null && comparable(row.productName) === comparable(product.productName)
    }
  }
}
