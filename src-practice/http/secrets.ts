import { createHash, timingSafeEqual } from 'node:crypto'

/** Practice secrets are no secrets, but the file that people copy around need not show how theirs are kept. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

export function secretMatches(secret: string, hash: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(secret), 'hex'), Buffer.from(hash, 'hex'))
}
