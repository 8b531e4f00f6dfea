import { AsyncLocalStorage } from 'node:async_hooks'
import Sqlite from 'better-sqlite3'
import { z } from 'zod'
import type { AppError } from '../../src-shared/errors'
import { type Result, err } from '../../src-shared/result'
import { isOutOfFiles } from '../open-files'

/** Disk errors, as opposed to bugs in the app. */
const diskFaults = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|PERM)/
const fileFaults = z.object({
  code: z.enum(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO']),
  syscall: z.string(),
})

/**
 * Runs a change of the store. A disk error (full, read-only, gone) becomes the error `store/not-saved`, too many open files
 * `store/out-of-files`, not an exception: the person at the counter must be told that nothing was saved.
 */
export function saved<T>(change: () => Result<T, AppError>): Result<T, AppError> {
  const before = commitsMade()
  try {
    const result = change()
    if (result.ok) noteCommit()
    return result
  } catch (cause) {
    const isOfDatabase = cause instanceof Sqlite.SqliteError && diskFaults.test(cause.code)
    // After the commit, a disk error doesn't affect the change.
    const isSaved = commitsMade() !== before
    if (!isSaved && isOutOfFiles(cause)) return err({ code: 'store/out-of-files' })
    if (!isSaved && (isOfDatabase || fileFaults.safeParse(cause).success)) return err({ code: 'store/not-saved' })
    throw cause
  }
}

/** Whether a call has committed anything, regardless of later failures. */
interface Commits {
  hasAny: boolean
}

const current = new AsyncLocalStorage<Commits>()
let made = 0

/** Runs the handler of a call and records its commits, including those after an `await`. */
export const notingCommits = <T>(commits: Commits, answer: () => T): T => current.run(commits, answer)

/** Records that the current call has committed, so that its answer doesn't say otherwise. */
export function noteCommit(): void {
  made++
  const commits = current.getStore()
  if (commits) commits.hasAny = true
}

/** The number of commits recorded so far. The same number before and after means no commit in between. */
const commitsMade = () => made
