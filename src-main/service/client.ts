import { type Clock, systemClock } from '../clock'
import type { Profile } from '../profile'
import type { Http } from './http'
import type { Reply } from './reply'
import { type ReportRequest, createRequests } from './requests'
import type { Tokens } from './tokens'
import { createV12 } from './v12'
import { createV15 } from './v15'

export interface ServiceClientParts {
  profile: Profile
  http: Http
  tokens: Tokens
  /** Left out, the computer's own. */
  clock?: Clock
  /** Called with every reply: connectivity is what requests show. */
  onReply: (reply: Reply) => void
}

/** The whole service: both versions, each with the tokens of its product. Spec: Versioning. */
export function createServiceClient({ profile, onReply, clock = systemClock, ...others }: ServiceClientParts) {
  const baseUrl = profile.baseUrl.replace(/(?<!\/)\/+$/, '')
  const rest = { ...others, clock }
  const retail = createRequests({ ...rest, baseUrl, product: 'retail', ids: 'short', onReply })
  const sourcing = createRequests({
    ...rest,
    baseUrl,
    product: 'sourcing',
    ids: 'long',
    // A till sells by its retail account: whether it is connected is not for the other account's trouble to say.
    onReply: (reply) => {
      if (!isOfAccount(reply)) onReply(reply)
    },
  })
  return {
    v12: createV12(retail),
    v15: createV15(sourcing),
    /** A report of the outbox, by the account of its version's product. */
    report: ({ version, ...request }: ReportRequest): Promise<Reply> =>
      (version === 'v1.5' ? sourcing : retail).send(request),
    /** A person said "now": tokens and reads wait for no pause any more. */
    askNow: () => {
      others.tokens.askNow()
      retail.askNow()
      sourcing.askNow()
    },
  }
}

export type ServiceClient = ReturnType<typeof createServiceClient>

/** Whether a reply speaks of an account and of nothing else: no token could be had, or it was refused. */
export const isOfAccount = (reply: Reply) =>
  reply.kind === 'not-asked' || (reply.kind === 'answer' && reply.status === 401)
