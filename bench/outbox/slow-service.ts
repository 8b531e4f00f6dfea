import { createServer } from 'node:http'

/** A service 50 ms away that accepts everything, in a separate process so that its cost isn't counted as ours. */
const latency = 50

const server = createServer((request, response) => {
  request.resume()
  request.once('end', () => {
    const body = request.url?.includes('/o/token/')
      ? '{"access_token":"t","token_type":"Bearer","expires_in":36000,"scope":"read write"}'
      : '{"status":"success"}'
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    }, latency)
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  console.log(`Slow service: ${JSON.stringify({ baseUrl: `http://127.0.0.1:${port}` })}`)
})
process.once('SIGTERM', () => {
  process.exit(0)
})
