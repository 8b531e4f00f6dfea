import { type Server, createServer } from 'node:http'
import { securityHeaders } from '../content-security-policy'
import { startPagePolicy } from '../support/start-page'
import { isOwnRequest } from './session'

/** Serves the page of a start that failed to a browser on this machine, on a port of its own. Gives its address. */
export async function serveStartProblem(html: string): Promise<string> {
  const server = createServer((request, response) => {
    const headers = { ...securityHeaders(), 'content-security-policy': `${startPagePolicy}; frame-ancestors 'none'` }
    const isReading = request.method === 'GET' || request.method === 'HEAD'
    const status = !isOwnRequest(request, portOf(server), false) || !isReading ? 403 : request.url === '/' ? 200 : 404
    response.writeHead(status, { ...headers, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    response.end(status === 200 ? html : '')
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return `http://127.0.0.1:${portOf(server)}/`
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}
