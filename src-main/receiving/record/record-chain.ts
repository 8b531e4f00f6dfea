import { createHash } from 'node:crypto'
import type { RecordCheck } from '../../../src-shared/ipc/contract/record'

/**
 * Marks of records. Each record and correction carries the SHA-256 of the mark before it and of its own text, so a text that
 * was changed in the database, or an entry that was taken out, no longer fits. A mark doesn't cover the columns beside the text:
 * the text names delivery, version and time too, and they are compared (`record.ts`). The last entry has none after it that
 * would miss it, and a person who can write the database can compute new marks from any entry on: then only the marks on
 * paper show the change. A printed record has the marks of its version and of its corrections.
 */

/** An entry as it is stored. */
export interface ChainEntry {
  body: string
  /** The mark of the entry before; empty for the first. */
  before: string
  mark: string
}

/** JSON with the fields of objects in the order of their names, so that one record has one text. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

/** In hex. */
export const hashOf = ({ body, before }: Pick<ChainEntry, 'body' | 'before'>): string =>
  createHash('sha256').update(before).update('\n').update(body).digest('hex')

/** Whether an entry fits its mark and its neighbours; undefined where there is none. */
export function checkOf(
  entry: ChainEntry,
  previous: ChainEntry | undefined,
  next: ChainEntry | undefined,
): Exclude<RecordCheck, 'unreadable'> {
  if (hashOf(entry) !== entry.mark) return 'altered'
  const fitsPrevious = entry.before === (previous?.mark ?? '')
  return fitsPrevious && (next === undefined || next.before === entry.mark) ? 'intact' : 'unlinked'
}
