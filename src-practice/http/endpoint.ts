import type { Hono } from 'hono'
import { methodNotAllowed } from './answers'
import type { Ctx, Env, Guard } from './context'

/**
 * Serves one path with one method; its other methods are 405. The guards come first either way: who may not enter is
 * not told what is inside.
 */
export function endpoint(
  app: Hono<Env>,
  method: 'GET' | 'POST',
  path: string,
  guards: Guard[],
  handler: (c: Ctx) => Response | Promise<Response>,
): void {
  app.use(path, ...guards)
  app.on([method], [path], async (c) => handler(c))
  app.all(path, (c) => methodNotAllowed(c, method))
}

/** A path parameter, decoded. */
export function parameter(c: Ctx, name: string): string {
  return c.req.param(name) ?? ''
}
