import type { Context, Hono } from 'hono'
import { z } from 'zod'
import type { ServiceProduct } from '../../src-shared/service/token'
import { AccountProduct } from '../data/people'
import { methodNotAllowed } from '../http/endpoint'
import { mediaType, readText } from '../http/body'
import { type Caller, type Env, type Parts, secretMatches } from '../http/context'
import { query } from '../store/query'

const Account = z
  .object({
    client_id: z.string(),
    secret_hash: z.string(),
    product: AccountProduct,
    company_uuid: z.string(),
    brand_uuid: z.string().nullable(),
    dispensary_uuid: z.string().nullable(),
  })
  .transform((row) => ({
    secretHash: row.secret_hash,
    caller: {
      clientId: row.client_id,
      product: row.product,
      companyUuid: row.company_uuid,
      brandUuid: row.brand_uuid,
      dispensaryUuid: row.dispensary_uuid,
    } satisfies Caller,
  }))

type OAuthError = 'invalid_request' | 'unsupported_grant_type' | 'invalid_client'

/**
 * The token endpoint: `/auth/o/token/` serves both products, and each product also has its own address
 * (`/auth/retail/o/token/`, `/auth/sourcing/o/token/`). Spec: Authentication > 2, 3; errors follow RFC 6749, 5.2.
 */
export function tokenEndpoint(app: Hono<Env>, { store, settings, tokens }: Parts): void {
  const account = query(store, 'SELECT * FROM accounts WHERE client_id = ?', Account)

  const answer = async (c: Context<Env>, product: ServiceProduct | undefined) => {
    const refuse = (error: OAuthError, status: 400 | 401) =>
      c.json({ error }, status, { 'Cache-Control': 'no-store', Pragma: 'no-cache' })
    const form = await readForm(c)
    if (form === undefined) return refuse('invalid_request', 400)
    const grantType = form.get('grant_type')
    if (grantType === undefined) return refuse('invalid_request', 400)
    if (grantType !== 'client_credentials') return refuse('unsupported_grant_type', 400)
    const clientId = form.get('client_id')
    const secret = form.get('client_secret')
    if (clientId === undefined || secret === undefined) return refuse('invalid_request', 400)
    const found = account.get(clientId)
    const isWelcome = found !== undefined && (product === undefined || serves(found.caller.product, product))
    if (!isWelcome || !secretMatches(secret, found.secretHash)) return refuse('invalid_client', 401)
    return c.json(
      {
        // A product's own address gives a token for that product, also to an account for both.
        access_token: tokens.issue({ ...found.caller, product: product ?? found.caller.product }),
        token_type: 'Bearer',
        expires_in: settings.expiresIn,
        scope: 'read write',
      },
      200,
      { 'Cache-Control': 'no-store', Pragma: 'no-cache' },
    )
  }

  const paths = [
    ['/auth/o/token/', undefined],
    ['/auth/retail/o/token/', 'retail'],
    ['/auth/sourcing/o/token/', 'sourcing'],
  ] as const
  for (const [path, product] of paths) {
    app.post(path, (c) => answer(c, product))
    app.all(path, (c) => methodNotAllowed(c, 'POST'))
  }
}

const serves = (own: AccountProduct, product: ServiceProduct) => own === product || own === 'both'

/** The form fields without empty ones; undefined if the body isn't a form, or a field occurs twice (RFC 6749, 3.2). */
async function readForm(c: Context<Env>): Promise<Map<string, string> | undefined> {
  if (mediaType(c.req.header('Content-Type') ?? '') !== 'application/x-www-form-urlencoded') return undefined
  const text = await readText(c)
  if (!text.ok) return undefined
  const pairs = [...new URLSearchParams(text.value)].filter(([, value]) => value !== '')
  const form = new Map(pairs)
  return form.size === pairs.length ? form : undefined
}
