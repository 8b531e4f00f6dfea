import type { TagId } from '../../../src-shared/ids'
import type { ShelfResults } from '../../../src-shared/ipc/contract/stock'
import type { TagFacts } from '../../../src-shared/service/facts'
import { whyOf } from '../../stock/shelf-status'
import { candidatesOf } from './candidates'
import type { ShelfCountRow } from './count-rows'
import type { DifferenceRows, FoundItem, NewLine, ProductSums } from './difference-rows'
import { FoundTally } from './found-tally'
import type { ShelfScanRows } from './scan-rows'

/** `round`: the finding whose differences count with these results. `isChanged`: some difference came, went, or is another one. */
export interface FoundDifferences {
  results: ShelfResults
  round: number
  isChanged: boolean
}

interface FindingContext {
  rows: DifferenceRows
  scans: Pick<ShelfScanRows, 'name'>
  cached: (tagId: TagId) => TagFacts | undefined
  /** Items of a slice. */
  atOnce: number
}

const isSameSums = (one: ProductSums, other: ProductSums) =>
  one.productName === other.productName &&
  one.brandName === other.brandName &&
  one.found === other.found &&
  one.missing === other.missing &&
  one.unexpected === other.unexpected

function sumOf(products: readonly ProductSums[]) {
  const sum = (of: 'found' | 'missing' | 'unexpected') => products.reduce((all, one) => all + one[of], 0)
  const [found, missing, unexpected] = [sum('found'), sum('missing'), sum('unexpected')] as const
  const expected = found + missing
  return { expected, found, missing, unexpected, accuracy: expected === 0 ? null : found / expected }
}

/** What one finding knows of a count: it prepares the differences of some items at a time, and makes all of them count at its end. */
export class Finding {
  readonly #context: FindingContext
  readonly #count: ShelfCountRow
  readonly #tally = new FoundTally()
  #isChanged = false
  #last: number

  constructor(context: FindingContext, count: ShelfCountRow) {
    this.#context = context
    this.#count = count
    this.#last = context.rows.lastPosition(count.seq)
  }

  /** The items of which the count may say something, in slices. */
  candidates(): Generator<TagId[]> {
    const { rows, atOnce } = this.#context
    return candidatesOf(rows, this.#count, atOnce, (tagId) => this.#tally.isKnown(tagId))
  }

  /** Looks at items as they are now, and prepares what differs. Call inside a transaction. */
  look(tagIds: readonly TagId[]): void {
    const { rows, cached } = this.#context
    const missing: NewLine[] = []
    const unexpected: NewLine[] = []
    const unprepared: TagId[] = []
    const gone: TagId[] = []
    const back: TagId[] = []
    for (const item of this.#namedItems(tagIds)) {
      this.#tally.note(item)
      const { tagId, result, shown, prepared } = item
      const why = item.why === 'unknown' ? whyOf(cached(tagId)) : item.why
      const isLine = result === 'missing' || result === 'unexpected'
      const isSame = shown !== null && shown.result === result && shown.why === why
      if (!isSame && (isLine || shown !== null)) this.#isChanged = true
      if (shown?.isGone === true && isSame) back.push(tagId)
      if (shown?.isGone === false && !isSame) gone.push(tagId)
      if (prepared !== null && (isSame || !isLine)) unprepared.push(tagId)
      if (!isLine) continue
      const position = shown?.position ?? prepared ?? ++this.#last
      const line = { tagId, position, round: isSame ? shown.round : this.#count.round + 1, why }
      if (result === 'missing') missing.push(line)
      else unexpected.push(line)
    }
    if (back.length > 0) rows.setGone(this.#count, back, false)
    if (gone.length > 0) rows.setGone(this.#count, gone, true)
    if (unprepared.length > 0) rows.dropPrepared(this.#count, unprepared)
    if (missing.length > 0) rows.writeMissing(this.#count.seq, missing)
    if (unexpected.length > 0) rows.writeUnexpected(this.#count.seq, unexpected)
  }

  /** Ends it, inside the transaction that makes it count. */
  end(): FoundDifferences {
    const { seq, round: before } = this.#count
    const products = this.#tally.products()
    this.#keepProducts(products)
    const round = this.#isChanged ? before + 1 : before
    const open = this.#context.rows.open({ seq, round })
    return { results: { ...sumOf(products), moved: this.#tally.moved, open }, round, isChanged: this.#isChanged }
  }

  /** Items as they are now. What is known by now of those of which nothing was is kept with their scans. */
  #namedItems(tagIds: readonly TagId[]): FoundItem[] {
    const { rows, scans, cached } = this.#context
    const isNamed = ({ tagId, why, product }: FoundItem): boolean => {
      const facts = why === 'unknown' && product === '' ? cached(tagId) : undefined
      return facts !== undefined && scans.name(this.#count.seq, tagId, facts)
    }
    const items = rows.found(this.#count, tagIds)
    return items.filter(isNamed).length > 0 ? rows.found(this.#count, tagIds) : items
  }

  #keepProducts(products: readonly ProductSums[]): void {
    const { rows } = this.#context
    const { seq } = this.#count
    const before = new Map(rows.products(seq).map((sums) => [sums.product, sums]))
    for (const sums of products) {
      const known = before.get(sums.product)
      before.delete(sums.product)
      if (!known || !isSameSums(known, sums)) rows.writeProduct(seq, sums)
    }
    for (const { product } of before.values()) rows.dropProduct(seq, product)
  }
}
