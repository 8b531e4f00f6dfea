import type { Hono } from 'hono'
import { methodNotAllowed, notFound } from '../http/answers'
import type { Env, Parts } from '../http/context'
import { parameter } from '../http/endpoint'

/** `GET /media/<file>`: the pictures that payloads point to. No token: an image element sends none. */
export function mediaEndpoint(app: Hono<Env>, { pictures }: Parts): void {
  app.get('/media/:file', (c) => {
    const picture = pictures.get(parameter(c, 'file'))
    if (picture === undefined) return notFound(c)
    return c.body(picture.bytes, 200, {
      'Content-Type': picture.type,
      // An SVG opened by itself is a page of this origin: it must not be able to run anything.
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'public, max-age=3600',
    })
  })
  app.all('/media/:file', (c) => methodNotAllowed(c, 'GET'))
}
