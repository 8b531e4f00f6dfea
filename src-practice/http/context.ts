import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import type { AccountProduct } from '../data/people'
import type { Pictures } from '../payloads/pictures'
import type { Settings } from '../store/settings'
import type { Store } from '../store/query'
import type { TokenBook } from './tokens'

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
