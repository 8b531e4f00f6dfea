import { isOutOfFiles } from '../core/open-files'
import { makeOwnFolder } from './files'

export type StartErrorCode =
  | 'store/in-use'
  | 'store/damaged'
  | 'store/newer'
  | 'store/no-access'
  | 'store/out-of-files'
  | 'station/damaged'
  | 'practice/unusable'
  | 'policy/invalid'

/** The reason why Countertag can't start with this data folder. No saved data was changed. */
export class AppStartError extends Error {
  constructor(
    readonly code: StartErrorCode,
    /** A plain message for a person. */
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** Converts any failure to open a store into AppStartError, the only error that hosts handle. */
export function asStartError(file: string, cause: unknown): AppStartError {
  if (cause instanceof AppStartError) return cause
  const code = codeOf(cause)
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new AppStartError('store/in-use', `Another Countertag is already running on ${file}.`, { cause })
  }
  if (isOutOfFiles(cause)) {
    return new AppStartError('store/out-of-files', `This computer can't open ${file}: too many files are open.`, {
      cause,
    })
  }
  return new AppStartError('store/no-access', `Countertag can't read and write ${file} (${code}).`, { cause })
}

/** Whether SQLite could read the file but found it damaged. An error of the disk is none (`SQLITE_IOERR_…`). */
export const isDamage = (cause: unknown) => /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(cause))

export const codeOf = (cause: unknown) =>
  typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string'
    ? cause.code
    : 'unknown'

/** Creates a folder and its parents. Throws AppStartError. */
export function makeFolder(folder: string): void {
  try {
    makeOwnFolder(folder)
  } catch (cause) {
    throw asStartError(folder, cause)
  }
}
