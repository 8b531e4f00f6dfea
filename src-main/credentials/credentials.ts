import type { ServiceProduct } from '../../src-shared/service/token'
import type { Profile } from '../profile'

export interface ClientCredentials {
  clientId: string
  clientSecret: string
}

/** Where the client id and secret of a profile's accounts are kept, one entry a product. They leave it for the token request only. */
export interface Credentials {
  /** Null when none are stored. */
  read(profile: Profile, product: ServiceProduct): Promise<ClientCredentials | null>
}

/** Credentials of the only account, that live as long as the process: those of the practice store, which are no secret. */
export const inMemoryCredentials = (credentials: ClientCredentials | null): Credentials => ({
  read: () => Promise.resolve(credentials),
})
