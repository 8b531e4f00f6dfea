import type { Hono } from 'hono'
import { methodNotAllowed } from '../http/answers'
import type { Env, Parts } from '../http/context'

/**
 * `GET /openapi.json` and `GET /docs`: what this service serves, for machines and for people. No token: they tell
 * nothing about anybody. The document is made when it is first asked for.
 */
export function documentEndpoints(app: Hono<Env>, { origin }: Parts): void {
  let made: Promise<{ json: string; page: string; policy: string }> | undefined
  const documents = () => (made ??= make(origin))

  app.get('/openapi.json', async (c) => c.body((await documents()).json, 200, { 'Content-Type': 'application/json' }))
  app.get('/docs', async (c) => {
    const { page, policy } = await documents()
    return c.body(page, 200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    })
  })
  for (const path of ['/openapi.json', '/docs']) app.all(path, (c) => methodNotAllowed(c, 'GET'))
}

async function make(origin: string) {
  // Loaded when it is needed: a start should not wait for the schemas of a document that few ask for.
  const [{ openApiDocument }, { page, pagePolicy }] = await Promise.all([
    import('../openapi/document'),
    import('../openapi/page'),
  ])
  const document = openApiDocument({ baseUrl: origin, authUrl: `${origin}/auth` })
  return { json: JSON.stringify(document), page: page(document), policy: pagePolicy }
}
