import type { ServiceProduct } from '../../src-shared/service/token'

/**
 * The part of the token URL before `/o/token/` (origin and path), for each product that has an account. A profile with
 * one URL has one account for both products. Spec: What the service does; Authentication.
 */
export type AuthUrls = { retail: string; sourcing?: string } | { retail?: never; sourcing: string }

/** One connection to a service. Exactly one profile is active. */
export interface Profile {
  kind: 'practice' | 'test' | 'production'
  /** The name shown in the status bar, e.g. the store's name. */
  name: string
  baseUrl: string
  authUrls: AuthUrls
  /** The service's id of this dispensary, to tell its imports from those of a sister store; null if unknown. */
  dispensaryId: string | null
  /** Whether imports include the POS's SKU. */
  sendsSku: boolean
  /** File of certificates trusted in addition to the system's; null for none. */
  caFile: string | null
}

/** The account used for a product: its entry in the credentials, and the URL of its tokens. */
export function accountOf({ authUrls }: Pick<Profile, 'authUrls'>, product: ServiceProduct) {
  const own = authUrls[product]
  if (own !== undefined) return { product, authUrl: own }
  return authUrls.retail === undefined
    ? { product: 'sourcing' as const, authUrl: authUrls.sourcing }
    : { product: 'retail' as const, authUrl: authUrls.retail }
}

/** The token URL of an account. Spec: Authentication. */
export const tokenUrlOf = (authUrl: string): string => new URL(`${authUrl}/o/token/`).href

/** The only origins that a profile's requests may go to. */
export function originsOf({ baseUrl, authUrls }: Pick<Profile, 'baseUrl' | 'authUrls'>): Set<string> {
  const urls = [baseUrl, authUrls.retail, authUrls.sourcing].filter((url) => url !== undefined)
  return new Set(urls.map((url) => new URL(url).origin))
}

/**
 * Whether a profile may change the contents of cases, which belong to the sourcing product. A single account for both
 * products is entered for both. Only the service knows whether the account may change a particular case.
 */
export const canChangeCases = ({ authUrls }: Pick<Profile, 'authUrls'>) => authUrls.sourcing !== undefined
