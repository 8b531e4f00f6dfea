import { median, percentile } from '../figures'
import { newFile, openDatabase, openOutbox } from './desk'

const looks = 400

/** Median time of claiming the next operation with this many queued, every tenth of them blocked by another. */
export function benchClaim(queued: number): { median: number; p99: number; file: string } {
  const file = newFile()
  const { db, close } = openDatabase(file)
  const { outbox, sell } = openOutbox(db)
  db.pragma('synchronous = OFF')
  db.transaction(() => {
    for (let n = 0; n < queued; n++) sell(n, n % 10 === 9 ? n - 1 : n)
  }).immediate()
  db.pragma('synchronous = FULL')

  const took: number[] = []
  let next = queued
  for (let look = 0; look < looks; look++) {
    const start = performance.now()
    const claimed = outbox.claim()
    took.push(performance.now() - start)
    if (!claimed) throw new Error('nothing to claim')
    outbox.settle(claimed.seq, { kind: 'accepted', note: null })
    // Keeps the number of queued operations constant.
    sell(next++)
  }
  close()
  return { median: median(took), p99: percentile(took, 99), file }
}

const starts = 9

/** Milliseconds from nothing to an outbox that hands out work, on a cleanly closed database. */
export function benchStart(file: string): number {
  const took: number[] = []
  for (let n = 0; n < starts; n++) {
    const began = performance.now()
    const { db, close } = openDatabase(file)
    const { outbox } = openOutbox(db)
    outbox.read.nextDueAt()
    took.push(performance.now() - began)
    close()
  }
  return median(took)
}
