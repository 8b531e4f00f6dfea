import type { AppError } from '../../src-shared/errors'
import { type Result, err, ok } from '../../src-shared/result'
import { type ServiceProduct, Token, type TokenRequest } from '../../src-shared/service/token'
import type { Clock } from '../clock'
import type { Credentials } from '../credentials/credentials'
import { type Profile, accountOf, tokenUrlOf } from '../profile'
import type { Http } from './http'
import { errorOfReply, pathOf } from './read'

/** Access tokens of one account, in memory only. One request in flight at a time, however many ask. */
export interface TokenSource {
  get(): Promise<Result<string, AppError>>
  /** The service refused this token: the next `get` asks for a new one. An older token than the current is ignored. */
  invalidate(token: string): void
}

/** The tokens of a product: of its own account, or of the one that serves both. */
export interface Tokens {
  of(product: ServiceProduct): TokenSource
}

export interface TokenParts {
  profile: Profile
  credentials: Credentials
  http: Http
  clock: Clock
}

/** A token is renewed this long before it ends, or at half its life if that is sooner. */
const margin = 60_000

export function createTokens(parts: TokenParts): Tokens {
  const sources = { retail: createTokenSource(parts, 'retail'), sourcing: createTokenSource(parts, 'sourcing') }
  return { of: (product) => sources[accountOf(parts.profile, product).product] }
}

/** Client Credentials grant. Errors: service/credentials-missing, -refused, those of the keychain and of every request. Spec: Authentication. */
function createTokenSource({ profile, credentials, http, clock }: TokenParts, forProduct: ServiceProduct): TokenSource {
  const { product, authUrl } = accountOf(profile, forProduct)
  let current: { token: string; renewAt: number } | undefined
  let pending: Promise<Result<string, AppError>> | undefined

  const request = async (): Promise<Result<string, AppError>> => {
    const read = await credentials.read(product, authUrl)
    if (!read.ok) return read
    const client = read.value
    if (!client) return err({ code: 'service/credentials-missing' })
    const form: TokenRequest = {
      grant_type: 'client_credentials',
      client_id: client.clientId,
      client_secret: client.clientSecret,
    }
    const reply = await http.send({
      method: 'POST',
      url: tokenUrlOf(authUrl),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    })
    // The specification leaves open how wrong credentials are answered: any 4xx here but "wait" can only mean them.
    const isRefusal = reply.kind === 'answer' && reply.status >= 400 && reply.status < 500 && reply.body.kind !== 'page'
    if (isRefusal && ![407, 408, 429].includes(reply.status)) {
      return err({ code: 'service/credentials-refused' })
    }
    if (reply.kind !== 'answer' || reply.status !== 200) return err(errorOfReply(reply, 'token'))
    const token = Token.safeParse(reply.body.kind === 'json' ? reply.body.value : undefined)
    if (!token.success) return err({ code: 'service/unreadable', path: pathOf(token.error) })
    const life = token.data.expires_in * 1_000
    current = { token: token.data.access_token, renewAt: clock.now() + Math.max(life - margin, life / 2) }
    return ok(current.token)
  }

  return {
    get() {
      if (current && clock.now() < current.renewAt) return Promise.resolve(ok(current.token))
      pending ??= request().finally(() => {
        pending = undefined
      })
      return pending
    },
    invalidate(token) {
      if (current?.token === token) current = undefined
    },
  }
}
