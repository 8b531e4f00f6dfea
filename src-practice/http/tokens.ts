import { randomBytes } from 'node:crypto'
import type { Caller } from './context'

/** The access tokens in force. They live in memory: a restart ends them, which a client has to bear anyway. */
export interface TokenBook {
  /** A new token, good for `expiresIn` seconds. */
  issue(caller: Caller): string
  /** Whom a token speaks for; undefined when it is unknown or expired. */
  callerOf(token: string): Caller | undefined
  expireAll(): void
}

export function createTokenBook(expiresIn: number, now: () => Date): TokenBook {
  const entries = new Map<string, { caller: Caller; expiresAt: number }>()
  const prune = () => {
    for (const [token, { expiresAt }] of entries) if (expiresAt <= now().getTime()) entries.delete(token)
  }
  return {
    issue(caller) {
      prune()
      const token = randomBytes(24).toString('base64url')
      entries.set(token, { caller, expiresAt: now().getTime() + expiresIn * 1000 })
      return token
    },
    callerOf(token) {
      const entry = entries.get(token)
      return entry !== undefined && entry.expiresAt > now().getTime() ? entry.caller : undefined
    },
    expireAll: () => entries.clear(),
  }
}
