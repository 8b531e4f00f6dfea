import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import type { AccountProduct } from '../data/people'
import type { Pictures } from '../payloads/pictures'
import type { Settings, Store } from '../store/query'

/** Practice secrets aren't confidential, but people may copy the database: it stores hashes only. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

export function secretMatches(secret: string, hash: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(secret), 'hex'), Buffer.from(hash, 'hex'))
}

/**
 * The valid access tokens, each valid for `expiresIn` seconds. They are in memory: a restart ends them, which clients
 * must handle anyway.
 */
export function createTokenBook(expiresIn: number, now: () => Date) {
  const entries = new Map<string, { caller: Caller; expiresAt: number }>()
  return {
    issue(caller: Caller): string {
      const at = now().getTime()
      // All tokens live equally long and a map keeps their order, so the expired ones come first.
      for (const [token, { expiresAt }] of entries) {
        if (expiresAt > at) break
        entries.delete(token)
      }
      const token = randomBytes(24).toString('base64url')
      entries.set(token, { caller, expiresAt: at + expiresIn * 1000 })
      return token
    },
    /** The caller of a token; undefined if it is unknown or expired. */
    callerOf(token: string): Caller | undefined {
      const entry = entries.get(token)
      return entry !== undefined && entry.expiresAt > now().getTime() ? entry.caller : undefined
    },
    expireAll: () => {
      entries.clear()
    },
  }
}
export type TokenBook = ReturnType<typeof createTokenBook>

/** The account that an access token was issued to. Spec: Authentication > 6. */
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

/** The dependencies of every resource. */
export interface Parts {
  store: Store
  settings: Settings
  tokens: TokenBook
  /** The current time, for new records and the age of tokens. */
  now: () => Date
  /** `http://127.0.0.1:PORT`, for addresses inside payloads. */
  origin: string
  pictures: Pictures
}
