import type { Database } from 'better-sqlite3'
import { endAfter } from './saved'

/** Makes a write in the next commit, together with others. */
export type GroupCommit = <T>(write: () => T) => Promise<T>

/**
 * Commits the writes of one turn of the event loop together: they wait for the disk once. Each promise resolves when its
 * write is on the disk. If a write fails, each is committed by itself, so that only that one rejects; it may run twice.
 */
export function createGroupCommit(db: Database): GroupCommit {
  let waiting: { write: () => void; reject: (cause: unknown) => void }[] = []
  let committed: (() => void)[] = []
  const writeAll = db.transaction((writes: (() => void)[]) => {
    for (const write of writes) write()
  })
  const commit = (writes: (() => void)[]) => {
    committed = []
    writeAll.immediate(writes)
    for (const resolve of committed) resolve()
  }
  const commitWaiting = () => {
    const all = waiting
    waiting = []
    try {
      commit(all.map(({ write }) => write))
    } catch {
      for (const { write, reject } of all) {
        try {
          commit([write])
        } catch (cause) {
          endAfter(cause)
          reject(cause)
        }
      }
    }
  }
  return (write) =>
    new Promise((resolve, reject) => {
      const writeAndResolve = () => {
        const value = write()
        committed.push(() => resolve(value))
      }
      waiting.push({ write: writeAndResolve, reject })
      if (waiting.length === 1) setImmediate(commitWaiting)
    })
}
