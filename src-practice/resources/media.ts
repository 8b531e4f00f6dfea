import type { Hono } from 'hono'
import { createMediaReader } from '../catalogue/media'
import { methodNotAllowed, notFound } from '../http/answers'
import type { Env, Parts } from '../http/context'
import { parameter } from '../http/endpoint'

/** `GET /media/<file>`: the files that payloads point to. No token: an image element sends none. */
export function mediaEndpoint(app: Hono<Env>, { pictures, store }: Parts): void {
  const uploaded = createMediaReader(store)

  function find(file: string): { bytes: Uint8Array<ArrayBuffer>; type: string } | undefined {
    const picture = pictures.get(file)
    if (picture !== undefined) return picture
    const found = uploaded(file)
    return found && { bytes: new Uint8Array(found.bytes), type: found.mime_type }
  }

  app.get('/media/:file', (c) => {
    const found = find(parameter(c, 'file'))
    if (found === undefined) return notFound(c)
    return c.body(found.bytes, 200, {
      'Content-Type': found.type,
      // A picture or a film is shown where a page puts it; anything else is for the disk, not for this origin.
      'Content-Disposition': /^(image|video)\//.test(found.type) ? 'inline' : 'attachment',
      // An SVG opened by itself is a page of this origin: it must not be able to run anything.
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'public, max-age=3600',
    })
  })
  app.all('/media/:file', (c) => methodNotAllowed(c, 'GET'))
}
