import { AsyncLocalStorage } from 'node:async_hooks'
import Sqlite from 'better-sqlite3'
import { z } from 'zod'
import type { AppError, ResultOr } from '../../src-shared/errors'
import { type Result, err } from '../../src-shared/result'
import { isOutOfFiles } from '../core/open-files'
import type { Remains } from './log-end'

/** Disk errors, as opposed to bugs in the app. */
const diskFaults = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|PERM)/
const fileFaults = z.object({
  code: z.enum(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO']),
  syscall: z.string(),
})

/** The log was not written to its end, so SQLite never takes what is there for a commit. */
const incomplete = /^SQLITE_(FULL|IOERR_WRITE|READONLY|CANTOPEN|PERM)/

/** What makes sure that nothing is left of a failed commit, by open database. */
const enders = new Set<() => Remains>()

/** Has the log of an open database ended after each failed commit, until the returned function is called. */
export function endingAfterFailures(end: () => Remains): () => void {
  enders.add(end)
  return () => void enders.delete(end)
}

/**
 * Call with the cause of any change that failed, before anything is said or done about it: nothing of a commit that the
 * disk refused may come back. `unsure`: that can't be made certain.
 */
export function endAfter(cause: unknown): Remains {
  if (!(cause instanceof Sqlite.SqliteError) || !diskFaults.test(cause.code) || incomplete.test(cause.code))
    return 'gone'
  const remains = [...enders].map((end) => end())
  return remains.includes('unsure') ? 'unsure' : 'gone'
}

/** Nothing was saved: why the disk took no commit. */
export type NotSaved = 'store/not-saved' | 'store/out-of-files' | 'store/unsure'

/**
 * Runs a change of the store. A disk error (full, read-only, gone) becomes the error `store/not-saved`, too many open files
 * `store/out-of-files`, not an exception: the person at the counter must be told that nothing was saved. `store/unsure`: the
 * disk doesn't let us make that certain.
 */
export function saved<Done extends Result<unknown, AppError>>(change: () => Done): ResultOr<Done, NotSaved>
export function saved(change: () => Result<unknown, AppError>): Result<unknown, AppError> {
  const before = commitsMade()
  try {
    const result = change()
    if (result.ok) noteCommit()
    return result
  } catch (cause) {
    const isOfDatabase = cause instanceof Sqlite.SqliteError && diskFaults.test(cause.code)
    const remains = endAfter(cause)
    // After the commit, a disk error doesn't affect the change.
    const isSaved = commitsMade() !== before
    if (!isSaved && isOutOfFiles(cause) && remains === 'gone') return err({ code: 'store/out-of-files' })
    if (!isSaved && (isOfDatabase || fileFaults.safeParse(cause).success)) {
      return err({ code: remains === 'gone' ? 'store/not-saved' : 'store/unsure' })
    }
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
