import { createHash } from 'node:crypto'
import { z } from 'zod'

/** The hash of the service and dispensary that a station reports to: two stores must not share a hub by mistake. */
export const storeHashOf = ({ baseUrl, dispensaryId }: { baseUrl: string; dispensaryId: string | null }): string =>
  createHash('sha256')
    .update(`${baseUrl}\n${dispensaryId ?? ''}`)
    .digest('base64url')

const keyLength = 32

/** The store's key: 32 random bytes in Base64, made by the first station of a store. It seals customers, and is never at the hub. */
export const StoreKey = z.string().refine(
  (text) => {
    const bytes = Buffer.from(text, 'base64')
    return bytes.length === keyLength && bytes.toString('base64') === text
  },
  { error: 'not a key' },
)

/**
 * The identity of a store: random as its key, from which it is made, so that a code with another key is of another store. For
 * people to compare, such as "3F2A-91BC-77D0-1E4A"; it can't be turned back into the key.
 */
export function storeIdOf(storeKey: string): string {
  const hash = createHash('sha256').update(`countertag store\n${storeKey}`).digest('hex').toUpperCase()
  return (hash.slice(0, 16).match(/.{4}/g) ?? []).join('-')
}
