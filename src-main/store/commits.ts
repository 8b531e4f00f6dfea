import { AsyncLocalStorage } from 'node:async_hooks'

/** Whether what a call asked for stands on the disk, whatever happens after. */
export interface Commits {
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
export const commitsMade = () => made
