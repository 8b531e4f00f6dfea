import { randomUUID } from 'node:crypto'
import { toShortUuid } from '../../src-shared/ids'

/** A new id in short form. */
export function newShortUuid(): string {
  const uuid = randomUUID()
  return toShortUuid(uuid) ?? uuid
}
