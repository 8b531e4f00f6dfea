import { systemClock } from '../core/clock'
import type { Profile } from '../credentials/profile'
import type { Reply } from './reply'
import { type OnAsk, type ReportRequest, type RequestContext, createRequests } from './requests'
import { createV12 } from './v12'
import { createV15 } from './v15'

/** The client for both API versions, each with the tokens of its product. Without `onAsk`, connectivity isn't watched. Spec: Versioning. */
export function createServiceClient(
  profile: Profile,
  {
    onAsk = unwatched,
    clock = systemClock,
    ...others
  }: Pick<RequestContext, 'http' | 'tokens'> & Partial<RequestContext>,
) {
  const baseUrl = profile.baseUrl.replace(/(?<!\/)\/+$/, '')
  const retail = createRequests({ ...others, clock, onAsk }, { baseUrl, product: 'retail', ids: 'short' })
  // A till sells with its retail account, so trouble with the sourcing account doesn't count as a lost connection.
  const ofSourcing: OnAsk = (isUpload) => {
    const answered = onAsk(isUpload)
    return (reply) => {
      answered(reply === null || isOfAccount(reply) ? null : reply)
    }
  }
  const sourcing = createRequests(
    { ...others, clock, onAsk: ofSourcing },
    { baseUrl, product: 'sourcing', ids: 'long' },
  )
  return {
    v12: createV12(retail),
    v15: createV15(sourcing),
    /** Sends a report of the outbox with the account for its API version. */
    report: ({ version, ...request }: ReportRequest): Promise<Reply> =>
      (version === 'v1.5' ? sourcing : retail).send(request),
    /** A person chose to try now: ends the pauses of tokens and reads. */
    askNow: () => {
      others.tokens.askNow()
      retail.askNow()
      sourcing.askNow()
    },
  }
}

const unwatched: OnAsk = () => () => undefined

export type ServiceClient = ReturnType<typeof createServiceClient>

/** True if a reply only says something about an account: it could not get a token, or the token was refused. */
export const isOfAccount = (reply: Reply) =>
  reply.kind === 'not-asked' || (reply.kind === 'answer' && reply.status === 401)
