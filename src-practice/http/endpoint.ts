import type { Hono } from 'hono'
import { methodNotAllowed } from './answers'
import type { Ctx, Env, Guard } from './context'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof methods)[number]

export type Handler = (c: Ctx) => Response | Promise<Response>

/**
 * Serves one path with a handler for each of its methods; every other method is 405. The guards come first either way:
 * who may not enter is not told what is inside.
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

/** A path with one method. */
export function endpoint(app: Hono<Env>, method: Method, path: string, guards: Guard[], handler: Handler): void {
  endpoints(app, path, guards, { [method]: handler })
}

/** A path parameter, decoded. */
export function parameter(c: Ctx, name: string): string {
  return c.req.param(name) ?? ''
}
