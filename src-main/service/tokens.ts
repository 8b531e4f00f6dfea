import { z } from 'zod'
import type { AppError } from '../../src-shared/errors'
import { type Result, err, ok } from '../../src-shared/result'
import { type ServiceProduct, Token, type TokenRequest } from '../../src-shared/service/token'
import { createBackoff } from '../core/backoff'
import type { Clock } from '../core/clock'
import type { Credentials } from '../credentials/store'
import { type Profile, accountOf, tokenUrlOf } from '../credentials/profile'
import type { Secrets } from '../credentials/secrets'
import type { Http } from './http'
import { errorOfReply, pathOf } from './read'
import type { Reply } from './reply'

interface TokenParts {
  profile: Profile
  credentials: Credentials
  http: Pick<Http, 'send'>
  clock: Clock
  /** Called with every token and client secret. If omitted, they are not removed from answers. */
  secrets?: Pick<Secrets, 'add'>
  /** Returns [0, 1), for the jitter. */
  random?: () => number
}

/** A token is renewed this long before it expires, or halfway through its life if that comes later. In ms. */
const margin = 60_000
/** The shortest time a token is used, in ms, so that not every request needs a new token. */
const shortestUse = 5_000
const longestLife = 30 * 86_400_000
/** Between two requests while the credentials are refused, in ms: asking more often could lock the account. */
const betweenRefusals = 300_000
/** An unreachable endpoint is asked more often, since that can't lock an account. In ms. */
const longestOffline = 10_000
/** Every request waits for a token, so the token request gets less time; after a long wait, the pause is short. In ms. */
const patience = 8_000
const longestAfterWait = 2_000
/** A token that worked this long, in ms, expired normally. */
const settled = 60_000
/** If no token was needed for this long, in ms, the problem with the last one may be over. */
const stale = 120_000

/** Spec: RFC 6750, 2.1. OAuth services don't issue longer tokens. */
const UsableToken = Token.extend({
  access_token: z
    .string()
    .max(8_192)
    .regex(/^[A-Za-z0-9\-._~+/]+=*$/),
  token_type: z.string().regex(/^bearer$/i),
})

/** The tokens for each product: from its own account, or from the account for both products. */
export function createTokens(parts: TokenParts) {
  const sources = { retail: createTokenSource(parts, 'retail'), sourcing: createTokenSource(parts, 'sourcing') }
  const all = Object.values(sources)
  return {
    of: (product: ServiceProduct): TokenSource => sources[accountOf(parts.profile, product).product],
    /** Since when an account has been without a token; the earlier of the two. */
    lackingSince: (): number | null =>
      all.map((one) => one.lackingSince()).reduce((a, b) => (a === null || b === null ? (a ?? b) : Math.min(a, b))),
    askNow() {
      for (const one of all) one.askNow()
    },
  }
}

export type Tokens = ReturnType<typeof createTokens>

/**
 * Access tokens of one account (Client Credentials grant), kept in memory only; one token request at a time. Errors:
 * service/credentials-missing, -refused, those of the keychain and of every request. Spec: Authentication.
 */
function createTokenSource(
  { profile, credentials, http, clock, secrets, random }: TokenParts,
  forProduct: ServiceProduct,
) {
  const { product, authUrl } = accountOf(profile, forProduct)
  let current: { token: string; fetchedAt: number; renewAt: number; hasWorked: boolean } | undefined
  let pending: Promise<Result<string, AppError>> | undefined
  /** Failures of the token endpoint. */
  const failures = createBackoff(clock, random)
  let failure: AppError = { code: 'service/unreachable' }
  /** Refusals of issued tokens by the service. */
  const refusals = createBackoff(clock, random)
  let freshRefused = 0
  let shortLived = 0
  let lacking: { since: number; wantedAt: number } | null = null

  const lackingSince = () => (lacking === null || clock.now() - lacking.wantedAt > stale ? null : lacking.since)

  const failed = (error: AppError, reply: Reply, askedAt: number): Result<never, AppError> => {
    failure = error
    // A request that was not made needs no pause.
    if (reply.kind === 'no-answer') failures.failed(null, tooSlow.has(reply.code) ? longestAfterWait : longestOffline)
    else if (reply.kind === 'answer' && error.code === 'service/credentials-refused') {
      failures.rest(Math.max(betweenRefusals, reply.retryAfterMs ?? 0))
    } else if (reply.kind === 'answer') failures.failed(reply.retryAfterMs)
    lacking = isLack(reply, error) ? { since: lackingSince() ?? askedAt, wantedAt: clock.now() } : null
    return err(error)
  }

  const request = async (): Promise<Result<string, AppError>> => {
    const read = await credentials.read(product, authUrl)
    if (!read.ok) return read
    const client = read.value
    if (!client) return err({ code: 'service/credentials-missing' })
    secrets?.add(client.clientId)
    secrets?.add(client.clientSecret)
    const form: TokenRequest = {
      grant_type: 'client_credentials',
      client_id: client.clientId,
      client_secret: client.clientSecret,
    }
    const askedAt = clock.now()
    const reply = await http.send({
      method: 'POST',
      url: tokenUrlOf(authUrl),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
      expects: 'token',
      patience,
    })
    const token = tokenIn(reply)
    if (!token.ok) return failed(token.error, reply, askedAt)
    secrets?.add(token.value.access_token)
    failures.clear()
    lacking = null
    const fetchedAt = clock.now()
    const life = Math.min(token.value.expires_in * 1_000, longestLife)
    const renewAt = fetchedAt + Math.max(life - margin, life / 2, shortestUse)
    current = { token: token.value.access_token, fetchedAt, renewAt, hasWorked: false }
    return ok(current.token)
  }

  /** Whether the token worked for a normal time. */
  const hasSettled = ({ fetchedAt }: { fetchedAt: number }) => clock.now() - fetchedAt >= settled

  return {
    /** A token; or, while the token endpoint is paused, at once the last error. */
    get(): Promise<Result<string, AppError>> {
      if (current && clock.now() < current.renewAt) return Promise.resolve(ok(current.token))
      if (refusals.isResting()) return Promise.resolve(err({ code: 'service/credentials-refused' }))
      if (failures.isResting()) {
        if (lacking) lacking.wantedAt = clock.now()
        return Promise.resolve(err(failure))
      }
      pending ??= request().finally(() => {
        pending = undefined
      })
      return pending
    },
    /** The service accepted this token. */
    worked(token: string) {
      if (current?.token !== token) return
      current.hasWorked = true
      freshRefused = 0
      if (!hasSettled(current)) return
      shortLived = 0
      refusals.clear()
    },
    /** The service refused this token: the next `get` requests a new one. Ignored if the token isn't the current one. */
    refused(token: string) {
      if (current?.token !== token) return
      const was = current
      current = undefined
      if (was.hasWorked && hasSettled(was)) return
      shortLived += 1
      if (!was.hasWorked) freshRefused += 1
      // A token that ended early is renewed at once, then less and less often.
      if (freshRefused >= 2) refusals.rest(betweenRefusals)
      else if (shortLived > 1) refusals.failed(null)
    },
    /** Drops a token that can't be put into a header. Returns the error to report. */
    unusable(token: string): AppError {
      failure = { code: 'service/unreadable', path: 'access_token' }
      if (current?.token === token) {
        current = undefined
        failures.failed(null)
      }
      return failure
    },
    /**
     * Since when the token endpoint has answered without a token, in ms since 1970; null while it issues tokens, can't be
     * reached or refuses the credentials.
     */
    lackingSince,
    /** A person chose to try now: ends the pauses. */
    askNow() {
      failures.clear()
      refusals.clear()
    },
  }
}

type TokenSource = ReturnType<typeof createTokenSource>

/** The token in an answer. */
function tokenIn(reply: Reply): Result<Token, AppError> {
  if (reply.kind !== 'answer') return err(errorOfReply(reply, 'token'))
  const { status, body } = reply
  if (status >= 400 && status < 500 && status !== 429) {
    if (body.kind === 'page' || body.kind === 'unusable') return err({ code: 'service/unreadable', path: null })
    // These come from a proxy that can't reach the service.
    if (status === 407 || status === 408) return err({ code: 'service/failing', status })
    // The specification doesn't say how wrong credentials are answered; any other 4xx here can only mean them.
    return err({ code: 'service/credentials-refused' })
  }
  if (status !== 200) return err(errorOfReply(reply, 'token'))
  const token = UsableToken.safeParse(body.kind === 'json' ? body.value : undefined)
  return token.success ? ok(token.data) : err({ code: 'service/unreadable', path: pathOf(token.error) })
}

/** Codes for an endpoint that was reached but is too slow; with any other code the line may be down. */
const tooSlow = new Set(['DEADLINE', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])

/** Whether the endpoint responds without issuing a token, for a reason the status bar doesn't show otherwise. */
const isLack = (reply: Reply, error: AppError) =>
  reply.kind === 'no-answer'
    ? tooSlow.has(reply.code)
    : reply.kind === 'answer' && error.code !== 'service/credentials-refused'
