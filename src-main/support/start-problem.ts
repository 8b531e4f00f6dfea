import { appendFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeOwnFolder } from '../store/files'
import { AppStartError, type StartErrorCode } from '../store/start-error'

/** Why a Countertag does not start, or has nothing to show (`page/died`); `unexpected` is a mistake of ours, then or later. */
export type StartProblemCode = StartErrorCode | 'page/died' | 'unexpected'

/** What the person in front of a Countertag that cannot start, or go on, is told. Never a stack trace. */
export interface StartProblem {
  code: StartProblemCode
  /** The one sentence for a command line; it may name a file. */
  sentence: string
  /** This station's data. */
  dataDir: string
  /** File with details for support; null if it could not be written. */
  reportFile: string | null
}

export function startProblemOf(cause: unknown, places: Pick<StartProblem, 'dataDir' | 'reportFile'>): StartProblem {
  const told =
    cause instanceof AppStartError
      ? { code: cause.code, sentence: cause.message }
      : { code: 'unexpected' as const, sentence: 'Something went wrong inside Countertag.' }
  return { ...told, ...places }
}

/** The problem of a running app whose page ends each time it is loaded. */
export const pageProblem = (places: Pick<StartProblem, 'dataDir' | 'reportFile'>): StartProblem => ({
  code: 'page/died',
  sentence: 'The page of Countertag ended, and could not be brought back.',
  ...places,
})

const reportName = 'countertag-start.log'

/**
 * Writes down why a start failed, for support: the profile's log is not open yet. Beside the data, or with
 * the temporary files where that folder refuses. Gives the file; null when nothing can be written. Never throws.
 */
export function writeStartReport(cause: unknown, { dataDir, version }: { dataDir: string; version: string }) {
  const line = JSON.stringify({ time: new Date().toISOString(), version, dataDir, ...told(cause) })
  for (const folder of [dataDir, tmpdir()]) {
    const file = join(folder, reportName)
    try {
      makeOwnFolder(folder)
      appendFileSync(file, `${line}\n`, { mode: 0o600 })
      return file
    } catch {
      // Then the next place.
    }
  }
  return null
}

/** An error with what caused it. Errors of a start are of files and of our own code: none of them holds a secret. */
function told(cause: unknown): object {
  if (!(cause instanceof Error)) return { error: typeof cause }
  return {
    ...(cause instanceof AppStartError && { code: cause.code }),
    error: cause.message,
    stack: cause.stack,
    ...(cause.cause === undefined ? {} : { cause: told(cause.cause) }),
  }
}
