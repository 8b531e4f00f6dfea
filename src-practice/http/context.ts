import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import type { AccountProduct } from '../data/people'
import type { Pictures } from '../payloads/pictures'
import type { Settings, Store } from '../store/query'

/** Practice secrets are no secrets, but the file that people copy around need not show how theirs are kept. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

export function secretMatches(secret: string, hash: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(secret), 'hex'), Buffer.from(hash, 'hex'))
}

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

/** Whom an access token speaks for. Spec: Authentication > 6. */
export interface Caller {
  clientId: string
  product: AccountProduct
  companyUuid: string
  brandUuid: string | null
  dispensaryUuid: string | null
}

/** A caller that may report for its dispensary. */
export interface RetailCaller extends Caller {
  dispensaryUuid: string
}

export interface Env {
  Bindings: HttpBindings
  Variables: { caller: Caller }
}

export type Ctx = Context<Env>
export type Guard = MiddlewareHandler<Env>

/** What every resource is built from. */
export interface Parts {
  store: Store
  settings: Settings
  tokens: TokenBook
  /** The moment that new records carry, and from which tokens age. */
  now: () => Date
  /** `http://127.0.0.1:PORT`, for addresses inside payloads. */
  origin: string
  pictures: Pictures
}
