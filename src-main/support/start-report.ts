import { appendFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeOwnFolder } from '../store/files'
import { AppStartError } from '../store/start-error'

const reportName = 'countertag-start.log'

/**
 * Writes down why a start failed, for whoever helps: the log of a profile is not open by then. Beside the data, or with
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
