import { makeOwnFolder } from './files'

export type StartErrorCode =
  | 'store/in-use'
  | 'store/damaged'
  | 'store/newer'
  | 'store/no-access'
  | 'station/damaged'
  | 'practice/unusable'
  | 'policy/invalid'

/** Countertag can't start on this data folder, and why. Nothing that was saved was changed. */
export class AppStartError extends Error {
  constructor(
    readonly code: StartErrorCode,
    /** What to tell a person, in plain words. */
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** What went wrong while a store was opened, as the one error that hosts know. */
export function asStartError(file: string, cause: unknown): AppStartError {
  if (cause instanceof AppStartError) return cause
  const code = codeOf(cause)
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new AppStartError('store/in-use', `Another Countertag is already running on ${file}.`, { cause })
  }
  return new AppStartError('store/no-access', `Countertag can't read and write ${file} (${code}).`, { cause })
}

/** SQLite read the file, and it is not what it should be. */
export const isDamage = (cause: unknown) => /^SQLITE_(CORRUPT|NOTADB|IOERR_CORRUPTFS)/.test(codeOf(cause))

const codeOf = (cause: unknown) =>
  typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string'
    ? cause.code
    : 'unknown'

/** Makes a folder, and those above it. Throws AppStartError. */
export function makeFolder(folder: string): void {
  try {
    makeOwnFolder(folder)
  } catch (cause) {
    throw asStartError(folder, cause)
  }
}
