import Sqlite from 'better-sqlite3'

/**
 * One process at a time may open, mend and use a data folder. The database holds a lock of its own, but one that is
 * damaged can't be locked, and two processes must not both set it aside. An empty file beside it is locked instead, by
 * SQLite: a crash frees it.
 * Throws SQLITE_BUSY when another process holds it.
 */
export function takeLock(file: string): { release(): void } {
  // Of two that start at the same moment one must win: each looks again for a while.
  const lock = new Sqlite(file, { timeout: 250 })
  try {
    // Nothing is ever written, and a full disk must not keep anybody out: no journal file.
    lock.pragma('journal_mode = MEMORY')
    lock.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    throw cause
  }
  return { release: () => void lock.close() }
}
