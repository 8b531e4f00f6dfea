import { type Clock, systemClock } from '../core/clock'
import type { Profile } from '../credentials/profile'
import type { Http } from './http'
import type { Reply } from './reply'
import { type OnAsk, type ReportRequest, createRequests } from './requests'
import type { Tokens } from './tokens'
import { createV12 } from './v12'
import { createV15 } from './v15'

interface ServiceClientParts {
  profile: Profile
  http: Http
  tokens: Tokens
  /** If omitted, the computer's clock. */
  clock?: Clock
  /** Called when a request begins; the returned function with its reply. If omitted, connectivity isn't watched. */
  onAsk?: OnAsk
}

/** The client for both API versions, each with the tokens of its product. Spec: Versioning. */
export function createServiceClient({
  profile,
  onAsk = unwatched,
  clock = systemClock,
  ...others
}: ServiceClientParts) {
  const baseUrl = profile.baseUrl.replace(/(?<!\/)\/+$/, '')
  const rest = { ...others, clock }
  const retail = createRequests({ ...rest, baseUrl, product: 'retail', ids: 'short', onAsk })
  const sourcing = createRequests({
    ...rest,
    baseUrl,
    product: 'sourcing',
    ids: 'long',
    // A till sells with its retail account, so trouble with the sourcing account doesn't count as a lost connection.
    onAsk: (isUpload) => {
      const answered = onAsk(isUpload)
      return (reply) => {
        answered(reply === null || isOfAccount(reply) ? null : reply)
      }
    },
  })
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
