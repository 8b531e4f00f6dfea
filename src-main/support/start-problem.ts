import { appendFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isOutOfFiles } from '../core/open-files'
import { makeOwnFolder } from '../database/files'
import { AppStartError, type StartErrorCode } from '../database/start-error'

/** Why Countertag can't start, or has nothing to show (`page/died`). `unexpected` is a bug, at the start or later. */
export type StartProblemCode = StartErrorCode | 'page/died' | 'unexpected'

/** What to tell a person if Countertag can't start or continue. Never a stack trace. */
export interface StartProblem {
  code: StartProblemCode
  /** One sentence for a command line; may name a file. */
  sentence: string
  /** The folder of this station's data. */
  dataDir: string
  /** File with details for support; null if it could not be written. */
  reportFile: string | null
}

export function startProblemOf(cause: unknown, places: Pick<StartProblem, 'dataDir' | 'reportFile'>): StartProblem {
  return { ...reasonOf(cause), ...places }
}

function reasonOf(cause: unknown): Pick<StartProblem, 'code' | 'sentence'> {
  if (cause instanceof AppStartError) return { code: cause.code, sentence: cause.message }
  // The files and connections of a host count too, such as the port that the page is served from.
  if (isOutOfFiles(cause)) return { code: 'store/out-of-files', sentence: 'This computer has too many files open.' }
  return { code: 'unexpected', sentence: 'Something went wrong inside Countertag.' }
}

/** The problem of a running app whose page crashes each time it is loaded. */
export const pageProblem = (places: Pick<StartProblem, 'dataDir' | 'reportFile'>): StartProblem => ({
  code: 'page/died',
  sentence: 'The page of Countertag ended, and could not be brought back.',
  ...places,
})

const reportName = 'countertag-start.log'

/**
 * Writes the cause of a failed start to a file for support, because the profile's log isn't open yet. The file is beside
 * the data, or among the temporary files if that folder isn't writable. Returns the file; null if nothing can be written.
 * Never throws.
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
      // Try the next folder.
    }
  }
  return null
}

/** An error with its causes. Errors of a start come from files and the app's own code, so they never hold a secret. */
function told(cause: unknown): object {
  if (!(cause instanceof Error)) return { error: typeof cause }
  return {
    ...(cause instanceof AppStartError && { code: cause.code }),
    error: cause.message,
    stack: cause.stack,
    ...(cause.cause === undefined ? {} : { cause: told(cause.cause) }),
  }
}
