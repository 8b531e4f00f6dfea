import { setImmediate } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import type { AppError } from '../../../src-shared/errors'
import type { TagId } from '../../../src-shared/ids'
import type { ShelfResults } from '../../../src-shared/ipc/contract/stock'
import { type Result, err, ok } from '../../../src-shared/result'
import type { TagFacts } from '../../../src-shared/service/facts'
import { noteCommit, saved } from '../../database/saved'
import { candidatesOf } from './candidates'
import type { CountRow, CountRows } from './count-rows'
import { type FoundItem, type NewLine, type ProductSums, createDifferenceRows } from './difference-rows'
import { createFoundTally } from './found-tally'
import type { Ledger } from '../../stock/ledger'
import { whyOf } from '../../stock/shelf-status'

interface DifferenceFinderParts {
  db: Database
  ledger: Ledger
  scans: Pick<CountRows, 'watch' | 'nameScan'>
  cached: (tagId: TagId) => TagFacts | undefined
  /** Lets other work run. */
  pause?: (() => Promise<unknown>) | undefined
  /** Items of a slice. */
  atOnce?: number | undefined
}

/** `round`: the finding whose differences count with these results. `isChanged`: some difference came, went, or is another one. */
export interface FoundDifferences {
  results: ShelfResults
  round: number
  isChanged: boolean
}

/** Some ms of work, also if all of them are missing. */
const defaultAtOnce = 400

const reopened: Result<never, AppError> = err({ code: 'app/reopened' })

export type DifferenceFinder = ReturnType<typeof createDifferenceFinder>

/**
 * Finds what differs in counts, one after the other, in slices of some ms between which everything else goes on. Each slice prepares
 * the differences of some items; the last one looks at what has changed since its slice, and makes all of them count in one
 * commit. Rules: counting.md.
 */
export function createDifferenceFinder(parts: DifferenceFinderParts) {
  const { db, ledger, scans, cached, pause = () => setImmediate(), atOnce = defaultAtOnce } = parts
  const rows = createDifferenceRows(db)
  const inOne = db.transaction((work: () => Result<boolean, AppError>) => work())
  /** Items that the finding under way looks at before it ends. */
  const due = new Set<TagId>()
  let isUnderWay = false
  let queue: Promise<unknown> = Promise.resolve()

  /** What one finding knows. */
  const begin = (count: CountRow) => {
    const { seq, round } = count
    const tally = createFoundTally()
    let isChanged = false
    let last = rows.lastPosition(seq)

    /** Items as they are now. What is known by now of those of which nothing was is kept with their scans. */
    const namedItems = (tagIds: readonly TagId[]): FoundItem[] => {
      const items = rows.found(count, tagIds)
      const isNamed = ({ tagId, why, product }: FoundItem): boolean => {
        const facts = why === 'unknown' && product === '' ? cached(tagId) : undefined
        return facts !== undefined && scans.nameScan(seq, tagId, facts)
      }
      return items.filter(isNamed).length > 0 ? rows.found(count, tagIds) : items
    }

    /** Looks at items as they are now, and prepares what differs. Call inside a transaction. Returns whether there are more due. */
    const look = (tagIds: readonly TagId[]): boolean => {
      const missing: NewLine[] = []
      const unexpected: NewLine[] = []
      const unprepared: TagId[] = []
      const gone: TagId[] = []
      const back: TagId[] = []
      for (const item of namedItems(tagIds)) {
        tally.note(item)
        const { tagId, result, shown, prepared } = item
        const why = item.why === 'unknown' ? whyOf(cached(tagId)) : item.why
        const isLine = result === 'missing' || result === 'unexpected'
        const isSame = shown !== null && shown.result === result && shown.why === why
        if (!isSame && (isLine || shown !== null)) isChanged = true
        if (shown?.isGone === true && isSame) back.push(tagId)
        if (shown?.isGone === false && !isSame) gone.push(tagId)
        if (prepared !== null && (isSame || !isLine)) unprepared.push(tagId)
        if (!isLine) continue
        const position = shown?.position ?? prepared ?? ++last
        const line = { tagId, position, round: isSame ? shown.round : round + 1, why }
        if (result === 'missing') missing.push(line)
        else unexpected.push(line)
      }
      if (back.length > 0) rows.setGone(count, back, false)
      if (gone.length > 0) rows.setGone(count, gone, true)
      if (unprepared.length > 0) rows.dropPrepared(count, unprepared)
      if (missing.length > 0) rows.writeMissing(seq, missing)
      if (unexpected.length > 0) rows.writeUnexpected(seq, unexpected)
      for (const tagId of tagIds) due.delete(tagId)
      return due.size > 0
    }
    const keepProducts = (products: readonly ProductSums[]) => {
      const before = new Map(rows.products(seq).map((sums) => [sums.product, sums]))
      for (const sums of products) {
        const known = before.get(sums.product)
        before.delete(sums.product)
        if (!known || !isSameSums(known, sums)) rows.writeProduct(seq, sums)
      }
      for (const { product } of before.values()) rows.dropProduct(seq, product)
    }
    return {
      look,
      candidates: () => candidatesOf({ rows, count, atOnce, isKnown: tally.isKnown }),
      /** Ends it, inside the transaction that makes it count. */
      end(): FoundDifferences {
        look([...due])
        const products = tally.products()
        keepProducts(products)
        const counts = isChanged ? round + 1 : round
        const open = rows.open({ seq, round: counts })
        return { results: { ...sumOf(products), moved: tally.moved(), open }, round: counts, isChanged }
      },
    }
  }

  const run = async (
    check: () => Result<CountRow, AppError>,
    conclude: (row: CountRow, found: FoundDifferences) => void,
  ): Promise<Result<null, AppError>> => {
    const checked = check()
    if (!checked.ok) return checked
    const count = checked.value
    /** A slice, if the count still is as it was wanted; then other work. Says whether there is more to do. */
    const slice = async (work: () => boolean): Promise<Result<boolean, AppError>> => {
      const done = inOne.immediate(() => {
        const now = check()
        return now.ok ? ok(work()) : now
      })
      if (!done.ok) return done
      await pause()
      return ledger.isStopped() ? reopened : done
    }

    for (;;) {
      const tidied = await slice(() => rows.tidy(count, atOnce))
      if (!tidied.ok) return tidied
      if (!tidied.value) break
    }
    const comparison = begin(count)
    for (const tagIds of comparison.candidates()) {
      const looked = await slice(() => comparison.look(tagIds))
      if (!looked.ok) return looked
    }
    for (;;) {
      await ledger.catchUp()
      if (ledger.isStopped()) return reopened
      if (!ledger.isCaughtUp()) continue
      if (due.size <= atOnce) break
      const looked = await slice(() => comparison.look([...due].slice(0, atOnce)))
      if (!looked.ok) return looked
    }
    let round = count.round
    const done = inOne.immediate(() => {
      const now = check()
      if (!now.ok) return now
      const found = comparison.end()
      conclude(now.value, found)
      round = found.round
      return ok(true)
    })
    if (!done.ok) return done
    noteCommit()
    if (round > count.round) await tidyAfter({ ...count, round })
    return ok(null)
  }
  /** Deletes the differences that a finding left out. If the disk refuses, the next one does. */
  const tidyAfter = async (count: CountRow) => {
    for (;;) {
      await pause()
      if (ledger.isStopped()) return
      const tidied = saved(() => inOne.immediate(() => ok(rows.tidy(count, atOnce))))
      if (!tidied.ok || !tidied.value) return
    }
  }
  /** Something is known of an item, or was scanned: a finding under way looks at it again. */
  const learned = (tagId: TagId): void => {
    if (isUnderWay) due.add(tagId)
  }
  const watched = async (work: () => Promise<Result<null, AppError>>): Promise<Result<null, AppError>> => {
    if (ledger.isStopped()) return reopened
    due.clear()
    isUnderWay = true
    const stops = [ledger.rows.watch(learned), scans.watch(learned)]
    try {
      return await work()
    } finally {
      for (const stop of stops) stop()
      isUnderWay = false
    }
  }

  return {
    /**
     * Finds what differs in the count that `check` gives, if it still gives it at the end; then `conclude` keeps the results, in
     * the commit that makes the differences count. Errors: those of `check`; app/reopened. Rejects if the disk refuses: then
     * nothing counts.
     */
    find(
      check: () => Result<CountRow, AppError>,
      conclude: (row: CountRow, found: FoundDifferences) => void,
    ): Promise<Result<null, AppError>> {
      const found = queue.then(() => watched(() => run(check, conclude)))
      queue = found.catch(() => undefined)
      return found
    },
    learned,
    /** Differences without a reason. */
    open: rows.open,
  }
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
