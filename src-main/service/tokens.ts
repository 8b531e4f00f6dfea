import { z } from 'zod'
import { type Result, err, ok } from '../../src-shared/result'
import { type ServiceProduct, Token, type TokenRequest } from '../../src-shared/service/token'
import { createBackoff } from '../core/backoff'
import type { Clock } from '../core/clock'
import type { Credentials } from '../credentials/store'
import { type Profile, accountOf, tokenUrlOf } from '../credentials/profile'
import type { Secrets } from '../credentials/secrets'
import type { Http } from './http'
import { errorOfReply, pathOf } from './read'
import type { Reply, ServiceError } from './reply'

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
  const sources = { retail: new TokenSource(parts, 'retail'), sourcing: new TokenSource(parts, 'sourcing') }
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
 * Access tokens of one account (Client Credentials grant), kept in memory only; one token request at a time.
 * Spec: Authentication.
 */
class TokenSource {
  readonly #credentials: TokenParts['credentials']
  readonly #http: TokenParts['http']
  readonly #clock: TokenParts['clock']
  readonly #secrets: TokenParts['secrets']
  readonly #product: 'retail' | 'sourcing'
  readonly #authUrl: string
  #current: { token: string; fetchedAt: number; renewAt: number; hasWorked: boolean } | undefined
  #pending: Promise<Result<string, ServiceError>> | undefined
  /** Failures of the token endpoint. */
  readonly #failures: ReturnType<typeof createBackoff>
  #failure: ServiceError = { code: 'service/unreachable' }
  /** Refusals of issued tokens by the service. */
  readonly #refusals: ReturnType<typeof createBackoff>
  #freshRefused = 0
  #shortLived = 0
  #lacking: { since: number; wantedAt: number } | null = null

  constructor({ profile, credentials, http, clock, secrets, random }: TokenParts, forProduct: ServiceProduct) {
    this.#credentials = credentials
    this.#http = http
    this.#clock = clock
    this.#secrets = secrets
    const { product, authUrl } = accountOf(profile, forProduct)
    this.#product = product
    this.#authUrl = authUrl
    this.#failures = createBackoff(this.#clock, random)
    this.#refusals = createBackoff(this.#clock, random)
  }

  /**
   * Since when the token endpoint has answered without a token, in ms since 1970; null while it issues tokens, can't be
   * reached or refuses the credentials.
   */
  lackingSince() {
    return this.#lacking === null || this.#clock.now() - this.#lacking.wantedAt > stale ? null : this.#lacking.since
  }

  /** A token; or, while the token endpoint is paused, at once the last error. */
  get(): Promise<Result<string, ServiceError>> {
    if (this.#current && this.#clock.now() < this.#current.renewAt) return Promise.resolve(ok(this.#current.token))
    if (this.#refusals.isResting()) return Promise.resolve(err({ code: 'service/credentials-refused' }))
    if (this.#failures.isResting()) {
      if (this.#lacking) this.#lacking.wantedAt = this.#clock.now()
      return Promise.resolve(err(this.#failure))
    }
    this.#pending ??= this.#request().finally(() => {
      this.#pending = undefined
    })
    return this.#pending
  }

  /** The service accepted this token. */
  worked(token: string) {
    if (this.#current?.token !== token) return
    this.#current.hasWorked = true
    this.#freshRefused = 0
    if (!this.#hasSettled(this.#current)) return
    this.#shortLived = 0
    this.#refusals.clear()
  }

  /** The service refused this token: the next `get` requests a new one. Ignored if the token isn't the current one. */
  refused(token: string) {
    if (this.#current?.token !== token) return
    const was = this.#current
    this.#current = undefined
    if (was.hasWorked && this.#hasSettled(was)) return
    this.#shortLived += 1
    if (!was.hasWorked) this.#freshRefused += 1
    // A token that ended early is renewed at once, then less and less often.
    if (this.#freshRefused >= 2) this.#refusals.rest(betweenRefusals)
    else if (this.#shortLived > 1) this.#refusals.failed(null)
  }

  /** Drops a token that can't be put into a header. Returns the error to report. */
  unusable(token: string): ServiceError {
    this.#failure = { code: 'service/unreadable', path: 'access_token' }
    if (this.#current?.token === token) {
      this.#current = undefined
      this.#failures.failed(null)
    }
    return this.#failure
  }

  /** A person chose to try now: ends the pauses. */
  askNow() {
    this.#failures.clear()
    this.#refusals.clear()
  }

  #failed(error: ServiceError, reply: Reply, askedAt: number): Result<never, ServiceError> {
    this.#failure = error
    // A request that was not made needs no pause.
    if (reply.kind === 'no-answer')
      this.#failures.failed(null, tooSlow.has(reply.code) ? longestAfterWait : longestOffline)
    else if (reply.kind === 'answer' && error.code === 'service/credentials-refused') {
      this.#failures.rest(Math.max(betweenRefusals, reply.retryAfterMs ?? 0))
    } else if (reply.kind === 'answer') this.#failures.failed(reply.retryAfterMs)
    this.#lacking = isLack(reply, error) ? { since: this.lackingSince() ?? askedAt, wantedAt: this.#clock.now() } : null
    return err(error)
  }

  async #request(): Promise<Result<string, ServiceError>> {
    const read = await this.#credentials.read(this.#product, this.#authUrl)
    if (!read.ok) return read
    const client = read.value
    if (!client) return err({ code: 'service/credentials-missing' })
    this.#secrets?.add(client.clientId)
    this.#secrets?.add(client.clientSecret)
    const form: TokenRequest = {
      grant_type: 'client_credentials',
      client_id: client.clientId,
      client_secret: client.clientSecret,
    }
    const askedAt = this.#clock.now()
    const reply = await this.#http.send({
      method: 'POST',
      url: tokenUrlOf(this.#authUrl),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
      expects: 'token',
      patience,
    })
    const token = tokenIn(reply)
    if (!token.ok) return this.#failed(token.error, reply, askedAt)
    this.#secrets?.add(token.value.access_token)
    this.#failures.clear()
    this.#lacking = null
    const fetchedAt = this.#clock.now()
    const life = Math.min(token.value.expires_in * 1_000, longestLife)
    const renewAt = fetchedAt + Math.max(life - margin, life / 2, shortestUse)
    this.#current = { token: token.value.access_token, fetchedAt, renewAt, hasWorked: false }
    return ok(this.#current.token)
  }

  /** Whether the token worked for a normal time. */
  #hasSettled({ fetchedAt }: { fetchedAt: number }) {
    return this.#clock.now() - fetchedAt >= settled
  }
}

/** The token in an answer. */
function tokenIn(reply: Reply): Result<Token, ServiceError> {
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
const isLack = (reply: Reply, error: ServiceError) =>
  reply.kind === 'no-answer'
    ? tooSlow.has(reply.code)
    : reply.kind === 'answer' && error.code !== 'service/credentials-refused'
