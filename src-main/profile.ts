import type { ServiceProduct } from '../src-shared/service/token'

/**
 * What stands before `/o/token/` (origin and path), for each product that has an account. A profile with one of the two
 * has one account for both. Spec: What the service does; Authentication.
 */
export type AuthUrls = { retail: string; sourcing?: string } | { retail?: never; sourcing: string }

/** One connection to a service. Exactly one is active. */
export interface Profile {
  kind: 'practice' | 'test' | 'production'
  /** As the bar shows it, e.g. the store's name. */
  name: string
  baseUrl: string
  authUrls: AuthUrls
  /** Our own dispensary's id in the service, to tell our imports from our sister's; null when unknown. */
  dispensaryId: string | null
  /** Whether imports carry the POS's SKU. */
  sendsSku: boolean
  /** Certificates that are trusted besides those of the system; null for none. */
  caFile: string | null
}

/** The account that speaks for a product: which entry of the credentials, and where its tokens are had. */
export function accountOf({ authUrls }: Pick<Profile, 'authUrls'>, product: ServiceProduct) {
  const own = authUrls[product]
  if (own !== undefined) return { product, authUrl: own }
  return authUrls.retail === undefined
    ? { product: 'sourcing' as const, authUrl: authUrls.sourcing }
    : { product: 'retail' as const, authUrl: authUrls.retail }
}

/** Where an account's tokens are had. Spec: Authentication. */
export const tokenUrlOf = (authUrl: string): string => new URL(`${authUrl}/o/token/`).href

/** The origins that requests of a profile may go to; nothing else is ever asked. */
export function originsOf({ baseUrl, authUrls }: Pick<Profile, 'baseUrl' | 'authUrls'>): Set<string> {
  const urls = [baseUrl, authUrls.retail, authUrls.sourcing].filter((url) => url !== undefined)
  return new Set(urls.map((url) => new URL(url).origin))
}

/**
 * Whether a profile has access to what cases hold: that is the sourcing product's. One account for both products is
 * named for both. That an account with access may not change a certain case, only the service knows.
 */
export const canChangeCases = ({ authUrls }: Pick<Profile, 'authUrls'>) => authUrls.sourcing !== undefined
