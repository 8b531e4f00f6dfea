/** Failures are values: `ok` decides which half is there. Exceptions are reserved for bugs. */
export type Result<T, E> = { ok: true; value: T } | { ok: false; error: E }

export const ok = <T>(value: T): { ok: true; value: T } => ({ ok: true, value })

export const err = <const E>(error: E): { ok: false; error: E } => ({ ok: false, error })

/** Ends a switch over a union: a member that is not handled above does not compile. */
export function assertNever(value: never): never {
  throw new Error(`A case was not handled: ${JSON.stringify(value)}`)
}
