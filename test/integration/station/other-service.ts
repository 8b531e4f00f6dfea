import { createServer } from 'node:http'

/** Another service on this computer that records its requests, except sign-ins without a client id or secret. */
export async function startOther() {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const isSignIn = request.url?.endsWith('/o/token/') === true
    let body = ''
    request.setEncoding('utf8').on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      // The test of a connection looks for the sign-in server without an account.
      if (!isSignIn || /client_(id|secret)/.test(body))
        asked.push(`${request.method ?? ''} ${request.url ?? ''} ${body}`)
      response.writeHead(503).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('not listening on a port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
