import { median, percentile } from '../figures'
import { tagCode } from './data'
import { type LongTasks, type Screen, reset, watched } from './screen'
import type { DeliveryStation } from './station'

/** Scans into a count on the screen, one after the other: ms from the scan to the updated figure. */
export interface Counted extends LongTasks {
  p50: number
  p99: number
  /** Length of the longest answer, in characters. */
  largest: number
}

/** Items `first` to `first + count - 1`; the count expects `total`. */
export async function benchCount(
  station: DeliveryStation,
  { page, seen }: Screen,
  { first, count, total }: { first: number; count: number; total: number },
): Promise<Counted> {
  await seen('.figure', `0 of ${total.toLocaleString('en')}`)
  await reset(page)
  const took: number[] = []
  for (let n = 1; n <= count; n++) {
    const shown = seen('.figure', `${n.toLocaleString('en')} of ${total.toLocaleString('en')}`)
    const began = performance.now()
    station.scan(tagCode(first + n - 1))
    await shown
    took.push(performance.now() - began)
  }
  const { longest, count: longTasks, largest } = await watched(page)
  return { p50: median(took), p99: percentile(took, 99), count: longTasks, longest, largest }
}
