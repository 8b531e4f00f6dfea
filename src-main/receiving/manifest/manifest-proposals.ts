import type { ManifestRow, ProposedBy } from '../../../src-shared/ipc/contract/manifest'
import { comparable, searchable } from '../../../src-shared/text'

/** A product of a package, as its line is looked for. */
export interface Candidate {
  productName: string
  sku: string | null
  count: number
}
type LineWords = Pick<ManifestRow, 'productName' | 'sku' | 'count'>

/** A regulator's number before a name: "M00001234: Blue Dune, 3.5 g". */
const prefix = /^\s*([a-z0-9]{0,4}\d{4,20}[a-z0-9]{0,4})\s?(?:[:|]|[-\u2013\u2014]\s)\s*(?=\S)/i
/** "1000mg: Gummy": a strength or a weight, a part of the name. */
const strength = /\d(?:mcg|mg|g|kg|oz|lb|ml|l|thc|cbd|ct|pk)$/i

/** A name, and the regulator's number before it; null if it has none. */
function partsOf(name: string): { number: string | null; name: string } {
  const [whole = '', number = ''] = prefix.exec(name) ?? []
  const isNumber = number !== '' && !strength.test(number)
  return isNumber ? { number: comparable(number), name: name.slice(whole.length) } : { number: null, name }
}
const withoutPrefix = (name: string): string => partsOf(name).name

/** Two numbers of the regulator are two products, whatever their names are. */
function isOtherNumber(one: string, other: string): boolean {
  const [own, its] = [partsOf(one).number, partsOf(other).number]
  return own !== null && its !== null && own !== its
}

/** Letters and digits only. */
const plain = (text: string) => searchable(text).replace(/[^\p{L}\p{N}]/gu, '')
/** Shorter ones stand in many names. */
const shortestSku = 4

/** "3.5g" and "3.5 g" are the same two words. */
const wordsOf = (name: string) => new Set(searchable(withoutPrefix(name)).match(/\d+(?:[.,]\d+)?|\p{L}+/gu))
/** Two words at least, one of them a name: "3.5 g" is in every second name. */
const isTelling = (words: ReadonlySet<string>) => words.size >= 2 && [...words].some((word) => /\p{L}{3}/u.test(word))

function isContained(one: string, other: string): boolean {
  const [shorter, longer] = [wordsOf(one), wordsOf(other)].sort((a, b) => a.size - b.size)
  if (shorter === undefined || longer === undefined) return false
  return isTelling(shorter) && [...shorter].every((word) => longer.has(word))
}

function isSkuLike({ sku, productName }: LineWords, product: Candidate): boolean {
  const [said, own] = [sku, product.sku].map((one) => (one === null ? '' : plain(one)))
  if (said !== '' && said === own) return true
  const isIn = (code = '', name: string | null) =>
    code.length >= shortestSku && name !== null && plain(name).includes(code)
  return isIn(own, productName) || isIn(said, product.productName)
}

/** The likeliest first. */
const likely: Record<ProposedBy, (said: LineWords, product: Candidate) => boolean> = {
  prefix: ({ productName }, product) =>
    productName !== null &&
    !isOtherNumber(productName, product.productName) &&
    comparable(withoutPrefix(productName)) === comparable(withoutPrefix(product.productName)),
  sku: isSkuLike,
  name: ({ productName, count }, product) =>
    productName !== null &&
    count === product.count &&
    !isOtherNumber(productName, product.productName) &&
    isContained(productName, product.productName),
}

/**
 * Proposes the product that an open line probably means: by its name without a regulator's number, by a SKU in another form, or
 * by a name that contains the other with the same number of items. One at most for a line, and only if no other line or product
 * could be meant. Pure.
 */
export function proposalsFor<Row extends LineWords, Product extends Candidate>(
  rows: readonly Row[],
  products: readonly Product[],
): Map<Row, { product: Product; by: ProposedBy }> {
  const proposals = new Map<Row, { product: Product; by: ProposedBy }>()
  const free = new Set(products)
  for (const by of ['prefix', 'sku', 'name'] as const) {
    const open = rows.filter((row) => !proposals.has(row))
    const pairs = open.flatMap((row) =>
      [...free].filter((product) => likely[by](row, product)).map((product) => ({ row, product })),
    )
    for (const { row, product } of pairs) {
      const isOnly = pairs.every((one) => (one.row === row) === (one.product === product))
      if (!isOnly) continue
      proposals.set(row, { product, by })
      free.delete(product)
    }
  }
  return proposals
}
