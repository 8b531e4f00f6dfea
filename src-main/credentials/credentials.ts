import type { AppError } from '../../src-shared/errors'
import { type Result, ok } from '../../src-shared/result'
import type { ServiceProduct } from '../../src-shared/service/token'

export interface ClientCredentials {
  clientId: string
  clientSecret: string
}

/** Client id and secret of one profile's accounts, an entry a product. They leave it for the token request only. */
export interface Credentials {
  /**
   * Null when none are stored. `authUrl` is where they are about to go. Errors: keychain/missing, -locked, -denied,
   * -failing: they may be there, and can't be had; keychain/vanished; keychain/mismatch: they are not for that address.
   */
  read(product: ServiceProduct, authUrl: string): Promise<Result<ClientCredentials | null, AppError>>
}

/** One account a product; a product without one has no credentials. */
export type Accounts = Partial<Record<ServiceProduct, ClientCredentials>>

/** Credentials that live as long as the process: those of the practice store, which are no secret. */
export const inMemoryCredentials = (accounts: Accounts): Credentials => ({
  read: (product) => Promise.resolve(ok(accounts[product] ?? null)),
})
