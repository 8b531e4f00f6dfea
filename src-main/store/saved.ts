import { AsyncLocalStorage } from 'node:async_hooks'
import Sqlite from 'better-sqlite3'
import { z } from 'zod'
import type { AppError } from '../../src-shared/errors'
import { type Result, err } from '../../src-shared/result'

/** The disk's ways to say no, as opposed to our own mistakes. */
const diskFaults = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|PERM)/
const fileFaults = z.object({
  code: z.enum(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO']),
  syscall: z.string(),
})

/**
 * Runs a change of the store. A disk that refuses (full, read-only, gone) is the error `store/not-saved`, not an
 * exception: the person at the counter must hear that nothing was saved before anything is called done.
 */
export function saved<T>(change: () => Result<T, AppError>): Result<T, AppError> {
  const before = commitsMade()
  try {
    const result = change()
    if (result.ok) noteCommit()
    return result
  } catch (cause) {
    const isOfDatabase = cause instanceof Sqlite.SqliteError && diskFaults.test(cause.code)
    // What the disk refuses after the commit is not the change.
    const isSaved = commitsMade() !== before
    if (!isSaved && (isOfDatabase || fileFaults.safeParse(cause).success)) return err({ code: 'store/not-saved' })
    throw cause
  }
}

/** Whether what a call asked for stands on the disk, whatever happens after. */
interface Commits {
  hasAny: boolean
}

const current = new AsyncLocalStorage<Commits>()
let made = 0

/** Runs what answers a call, and notes its commits from there on, also behind an `await`. */
export const notingCommits = <T>(commits: Commits, answer: () => T): T => current.run(commits, answer)

/** A change is on the disk: the call that made it must not be answered as if it were not. */
export function noteCommit(): void {
  made++
  const commits = current.getStore()
  if (commits) commits.hasAny = true
}

/** How many commits were noted so far: the same before and after means that there was none between. */
const commitsMade = () => made
