import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Ctx } from './context'

/** The answers that every endpoint shares. Spec: Errors. */

export const notFound = (c: Ctx) => c.json({ detail: 'Not found.' }, 404)

export const forbidden = (c: Ctx) => c.json({ detail: 'You do not have permission to perform this action.' }, 403)

/** 401 carries no body. */
export const unauthorized = (c: Ctx) => c.body(null, 401, { 'WWW-Authenticate': 'Bearer' })

export const methodNotAllowed = (c: Ctx, allowed: string) =>
  c.json({ detail: `Method "${c.req.method}" not allowed.` }, 405, { Allow: allowed })

/** A refusal of a request that was understood: a body of the specification, as it is. */
export interface Refusal {
  body: Record<string, unknown> | string[]
}

export const refuse = (c: Ctx, { body }: Refusal, status: ContentfulStatusCode = 400) => c.json(body, status)
