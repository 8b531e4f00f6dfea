import type { AppError } from '../../../src-shared/errors'
import { type Result, ok } from '../../../src-shared/result'

/** All entries of a list, or the error that ended it. */
export async function collect<T>(list: AsyncIterable<Result<T, AppError>>): Promise<Result<T[], AppError>> {
  const entries: T[] = []
  for await (const entry of list) {
    if (!entry.ok) return entry
    entries.push(entry.value)
  }
  return ok(entries)
}
