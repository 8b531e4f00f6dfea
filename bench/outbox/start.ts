import { median } from '../figures'
import { openDatabase, openOutbox } from './desk'

const starts = 9

/** Milliseconds from nothing to an outbox that gives out work, on a file that was closed as an app closes it. */
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
