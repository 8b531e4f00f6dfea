import type { ServiceProduct } from '../src-shared/service/token'

/** One connection to a service. Exactly one is active. */
export interface Profile {
  kind: 'practice' | 'test' | 'production'
  /** As the bar shows it, e.g. the store's name. */
  name: string
  baseUrl: string
  /** Origin (and path) before `/o/token/`. */
  authUrl: string
  product: ServiceProduct
  /** Our own dispensary's id in the service, to tell our imports from our sister's; null when unknown. */
  dispensaryId: string | null
}

/** The origins that requests of a profile may go to; nothing else is ever asked. */
export const originsOf = (profile: Pick<Profile, 'baseUrl' | 'authUrl'>): Set<string> =>
  new Set([new URL(profile.baseUrl).origin, new URL(profile.authUrl).origin])
