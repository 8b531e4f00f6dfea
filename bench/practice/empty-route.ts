import { Hono } from 'hono'
import { listenerOf } from '../../src-practice/http/adapter'
import { listen } from '../../src-practice/listener'

/** The minimal practice service: the same adapter, one answer. */
const app = new Hono()
app.get('/', (c) => c.json({ ok: true }))
app.post('/', async (c) => {
  await c.req.text()
  return c.json({ ok: true })
})

const listener = await listen(0)
listener.serve(() => Promise.resolve(listenerOf((request, env) => app.fetch(request, env))))
process.stdout.write(`Empty route: ${JSON.stringify({ baseUrl: listener.origin })}\n`)
process.once('SIGTERM', () => void listener.close())
