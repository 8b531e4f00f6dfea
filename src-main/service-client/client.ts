import type { Profile } from '../profile'
import type { Http } from './http'
import type { Reply } from './reply'
import { createRequests } from './requests'
import type { Tokens } from './tokens'
import { type V12Client, createV12 } from './v12'
import { type V15Client, createV15 } from './v15'

/** The whole service: both versions, each with the tokens of its product. Spec: Versioning. */
export interface ServiceClient {
  v12: V12Client
  v15: V15Client
}

export interface ServiceClientParts {
  profile: Profile
  http: Http
  tokens: Tokens
  /** Told of every reply: connectivity is what requests show. */
  onReply: (reply: Reply) => void
}

export function createServiceClient({ profile, ...rest }: ServiceClientParts): ServiceClient {
  const baseUrl = profile.baseUrl.replace(/\/+$/, '')
  return {
    v12: createV12(createRequests({ ...rest, baseUrl, product: 'retail', ids: 'short' })),
    v15: createV15(createRequests({ ...rest, baseUrl, product: 'sourcing', ids: 'long' })),
  }
}
