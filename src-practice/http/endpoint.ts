import type { Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Caller, Ctx, Env, Guard, Parts, RetailCaller } from './context'

export const notFound = (c: Ctx) => c.json({ detail: 'Not found.' }, 404)

export const forbidden = (c: Ctx) => c.json({ detail: 'You do not have permission to perform this action.' }, 403)

/** 401 carries no body. */
const unauthorized = (c: Ctx) => c.body(null, 401, { 'WWW-Authenticate': 'Bearer' })

export const methodNotAllowed = (c: Ctx, allowed: string) =>
  c.json({ detail: `Method "${c.req.method}" not allowed.` }, 405, { Allow: allowed })

/** A refusal of a valid request, with a body of the specification. */
export interface Refusal {
  body: Record<string, unknown> | string[]
}

export const refuse = (c: Ctx, { body }: Refusal, status: ContentfulStatusCode = 400) => c.json(body, status)

/** Lets a request with a valid token pass, and stores its caller. Spec: Authentication > 4, 5. */
export function requireToken({ tokens }: Parts): Guard {
  return async (c, next) => {
    const token = /^Bearer +(\S+) *$/i.exec(c.req.header('Authorization') ?? '')?.[1]
    const caller = token === undefined ? undefined : tokens.callerOf(token)
    if (caller === undefined) return unauthorized(c)
    c.set('caller', caller)
    return next()
  }
}

/** Only the sourcing product writes in the catalogue of `/api/v1.5`; of a collection its owner decides. */
export const requireSourcing: Guard = async (c, next) => {
  if (c.get('caller').product === 'retail') return forbidden(c)
  return next()
}

/** Only a retail account with a dispensary has an inventory and makes sales. */
export const requireDispensary: Guard = async (c, next) => {
  if (retailCaller(c.get('caller')) === undefined) return forbidden(c)
  return next()
}

function retailCaller(caller: Caller): RetailCaller | undefined {
  const { dispensaryUuid } = caller
  return caller.product !== 'sourcing' && dispensaryUuid !== null ? { ...caller, dispensaryUuid } : undefined
}

/** The caller after `requireDispensary`. */
export function retail(c: Ctx): RetailCaller {
  const caller = retailCaller(c.get('caller'))
  if (caller === undefined) throw new Error('This route misses its guard requireDispensary')
  return caller
}

/** The specification does not show it. Spec: Conventions, "Paged lists". */
const pageSize = 50

/** The requested page of a list, from 1; undefined if it isn't a page number. */
function pageNumber(c: Ctx): number | undefined {
  const asked = c.req.queries('page') ?? ['1']
  const [text] = asked
  return asked.length === 1 && text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}

/** A list that is read in pages, in an order that new entries do not disturb. */
export interface Listed<Entry> {
  count: number
  slice(limit: number, offset: number): Entry[]
}

/** A page that does not exist, including the second of a list that fits on the first. */
const invalidPage = (c: Ctx) => c.json({ detail: 'Invalid page.' }, 404)

/** Answers the requested page, with the addresses of its neighbors. The first page may be empty. */
export function pageOf<Entry>(c: Ctx, origin: string, list: Listed<Entry>): Response {
  const page = pageNumber(c)
  const last = Math.max(1, Math.ceil(list.count / pageSize))
  if (page === undefined || page > last) return invalidPage(c)
  const address = (number: number) => `${origin}${c.req.path}?page=${number}`
  return c.json({
    count: list.count,
    next: page < last ? address(page + 1) : null,
    previous: page > 1 ? address(page - 1) : null,
    results: list.slice(pageSize, (page - 1) * pageSize),
  })
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Method = (typeof methods)[number]

type Handler = (c: Ctx) => Response | Promise<Response>

/**
 * Serves a path with one handler per method; other methods are answered 405. The guards run first in both cases, so
 * that a caller without access learns nothing about the path.
 */
export function endpoints(
  app: Hono<Env>,
  path: string,
  guards: Guard[],
  handlers: Partial<Record<Method, Handler>>,
): void {
  app.use(path, ...guards)
  const served = methods.filter((method) => handlers[method] !== undefined)
  for (const method of served) {
    const handler = handlers[method]
    if (handler !== undefined) app.on([method], [path], async (c) => handler(c))
  }
  app.all(path, (c) => methodNotAllowed(c, served.join(', ')))
}

/** A path with a single method. */
export function endpoint(app: Hono<Env>, method: Method, path: string, guards: Guard[], handler: Handler): void {
  endpoints(app, path, guards, { [method]: handler })
}

/** A path parameter, decoded. */
export function parameter(c: Ctx, name: string): string {
  return c.req.param(name) ?? ''
}
