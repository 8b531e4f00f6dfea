import type { TagId } from '../../src-shared/ids'
import { type DayVerification, type ReadBackDifference, mostDifferences } from '../../src-shared/ipc/verification-view'
import { iso } from '../clock'
import { spanOf } from './entries'
import { tallyOf } from './readback'
import type { DayItem, ReadBackRows } from './readback-rows'

export interface VerificationViews {
  /** `waitsFor`: why a day that is running is not read on at the moment. */
  view(day: string, waitsFor: 'connection' | 'sending' | null): DayVerification
  /** The items of a day as they are stored, to be changed together with the rows. */
  itemsOf(day: string): Map<TagId, DayItem>
  /** The day was begun anew. */
  forget(day: string): void
}

/** Days whose items are held in memory: the one that is read, and one that a screen looks at. */
const mostHeld = 2

export function createVerificationViews(
  rows: ReadBackRows,
  productName: (tagId: TagId) => string | null,
): VerificationViews {
  // Parsing thousands of rows for every case that was read would cost more than reading it.
  const held = new Map<string, Map<TagId, DayItem>>()

  const itemsOf = (day: string) => {
    const known = held.get(day)
    const items = known ?? new Map(rows.items(day).map((item) => [item.tagId, item]))
    held.delete(day)
    held.set(day, items)
    for (const oldest of held.keys()) if (held.size > mostHeld) held.delete(oldest)
    return items
  }

  const difference = ({ item, kind, reported, shown }: Differing): ReadBackDifference => ({
    kind,
    tagId: item.tagId,
    orderId: reported.orderId,
    productName: productName(item.tagId),
    reported: reported.by,
    reportedAt: iso(reported.at),
    shownSoldAt: typeof shown === 'number' ? iso(shown) : null,
  })

  return {
    itemsOf,
    forget: (day) => void held.delete(day),
    view(day, waitsFor) {
      const reading = rows.reading(day)
      if (!reading) return { ...never, day, total: rows.itemsNamed(spanOf(day)) }
      const { state, startedAt, finishedAt, reports } = reading
      const items = itemsOf(day)
      const { done, counts, differing } = tallyOf(items.values())
      const isFinished = state === 'finished'
      const wait = state === 'paused' ? 'person' : state === 'running' ? waitsFor : null
      return {
        day,
        state: wait === null ? state : 'paused',
        waitsFor: wait,
        startedAt: iso(startedAt),
        asOf: isFinished && finishedAt !== null ? iso(finishedAt) : null,
        total: items.size,
        done,
        asReported: counts['as-reported'] + counts['own-time'] + counts['sold-since'],
        notSettled: counts['not-settled'],
        ownTimes: counts['own-time'],
        soldSince: counts['sold-since'],
        // Before the end a difference was read only once, and the witness may still come.
        differences: isFinished ? differing.slice(0, mostDifferences).map(difference) : [],
        differenceCount: isFinished ? differing.length : 0,
        isOutOfDate: isFinished && (done < items.size || rows.reportsTaken(spanOf(day)) !== reports),
      }
    },
  }
}

type Differing = ReturnType<typeof tallyOf<DayItem>>['differing'][number]

const never = {
  state: 'none',
  waitsFor: null,
  startedAt: null,
  asOf: null,
  done: 0,
  asReported: 0,
  notSettled: 0,
  ownTimes: 0,
  soldSince: 0,
  differences: [],
  differenceCount: 0,
  isOutOfDate: false,
} satisfies Omit<DayVerification, 'day' | 'total'>
