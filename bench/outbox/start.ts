import { median } from '../figures'
import { openDatabase, openOutbox } from './desk'

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
