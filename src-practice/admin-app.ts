import { Hono } from 'hono'
import { Faults, type PracticeAdmin } from './admin'

const description = {
  'GET /faults': 'the faults in force',
  'PUT /faults': 'replace them: {offline, dateSkewMs, rules: [{kind: latency|status|drop|stall|garbage, …}]}',
  'DELETE /faults': 'end them',
  'POST /tokens/expire': 'expire all tokens',
  'GET /transactions': 'accepted transactions',
  'GET /imports': 'imports in force',
  'GET /requests': 'the newest requests seen',
}

/** The admin API over HTTP. It has a separate port, because the service's port may be offline. */
export function createAdminApp(admin: PracticeAdmin): Hono {
  const app = new Hono()
  app.use(async (c, next) => {
    // This port needs no token, so web pages are kept out: they send an Origin, or use a rebound host name.
    const host = new URL(c.req.url).hostname
    const isLocal = host === '127.0.0.1' || host === 'localhost'
    if (!isLocal || c.req.header('Origin') !== undefined) return c.json({ detail: 'Not for web pages.' }, 403)
    return next()
  })
  app.get('/', (c) => c.json(description))
  app.get('/faults', (c) => c.json(admin.faults()))
  app.put('/faults', async (c) => {
    const text = await c.req.text()
    const parsed = Faults.safeParse(readJson(text))
    if (parsed.success) return c.json(await admin.setFaults(parsed.data))
    const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
    return c.json({ issues }, 400)
  })
  app.delete('/faults', async (c) => c.json(await admin.setFaults({})))
  app.post('/tokens/expire', (c) => {
    admin.expireTokens()
    return c.body(null, 204)
  })
  app.get('/transactions', (c) => c.json(admin.transactions()))
  app.get('/imports', (c) => c.json(admin.imports()))
  app.get('/requests', (c) => c.json(admin.requests()))
  app.notFound((c) => c.json({ detail: 'Not found.' }, 404))
  app.onError((cause, c) => c.json({ detail: cause.message }, 500))
  return app
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The schema then reports that an object is missing.
    return undefined
  }
}
