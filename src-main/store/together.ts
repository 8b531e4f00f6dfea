import type { Database } from 'better-sqlite3'

/** A write that waits for its commit. */
interface Waiting {
  write: () => void
  resolve: () => void
  reject: (cause: unknown) => void
}

/**
 * Commits the writes of one turn of the event loop together: they wait for the disk once. Each promise resolves when its
 * write is on the disk. If one write fails, none of its commit is made, and all reject.
 */
export function createTogether(db: Database): (write: () => void) => Promise<void> {
  let waiting: Waiting[] = []
  const writeAll = db.transaction((all: Waiting[]) => {
    for (const { write } of all) write()
  })
  const commit = () => {
    const all = waiting
    waiting = []
    try {
      writeAll.immediate(all)
      for (const { resolve } of all) resolve()
    } catch (cause) {
      for (const { reject } of all) reject(cause)
    }
  }
  return (write) =>
    new Promise((resolve, reject) => {
      waiting.push({ write, resolve, reject })
      if (waiting.length === 1) setImmediate(commit)
    })
}
