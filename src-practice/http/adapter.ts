import type { RequestListener } from 'node:http'
import { getRequestListener, type HttpBindings } from '@hono/node-server'

type Fetch = (request: Request, env: HttpBindings) => Response | Promise<Response>

/** The adapter would replace the process's global Request and Response, which other code in the process may use. */
const adapter = { overrideGlobalObjects: false }

/** Answers requests of Node's HTTP server with `fetch`. */
export const listenerOf =
  (fetch: Fetch): RequestListener =>
  (incoming, outgoing) => {
    // Closing over the pair: the adapter's own are typed for HTTP/2 as well, which this server never speaks.
    const answer = getRequestListener((request) => fetch(request, { incoming, outgoing }), adapter)
    void answer(incoming, outgoing)
  }
