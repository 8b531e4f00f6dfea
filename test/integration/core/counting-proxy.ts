import { createServer } from 'node:http'
import { request } from 'undici'

/** A proxy between a station and its service that forwards everything and counts requests in progress. */
export interface CountingProxy {
  baseUrl: string
  /** The highest number of simultaneous requests for a path that contains this text. */
  mostAtOnce(part: string): number
  count(part: string): number
  close(): Promise<void>
}

/** `alter` changes the service's answer to a request. */
export async function countingProxy(
  target: string,
  alter: (path: string, body: string) => string = (_path, body) => body,
): Promise<CountingProxy> {
  const running = new Set<{ path: string }>()
  const seen: { path: string; sideBySide: string[] }[] = []
  const server = createServer((asked, answer) => {
    const own = { path: asked.url ?? '' }
    running.add(own)
    seen.push({ path: own.path, sideBySide: [...running].map((one) => one.path) })
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of asked) if (Buffer.isBuffer(chunk)) chunks.push(chunk)
      const { authorization = '', 'content-type': type = '' } = asked.headers
      const response = await request(`${target}${own.path}`, {
        method: asked.method === 'POST' ? 'POST' : 'GET',
        headers: { authorization, ...(type === '' ? {} : { 'content-type': type }) },
        body: chunks.length > 0 ? Buffer.concat(chunks) : null,
      })
      const body = alter(own.path, await response.body.text())
      running.delete(own)
      answer.writeHead(response.statusCode, { 'content-type': String(response.headers['content-type']) })
      answer.end(body)
    })().catch(() => {
      running.delete(own)
      answer.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    baseUrl: `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`,
    mostAtOnce: (part) =>
      Math.max(0, ...seen.map((one) => one.sideBySide.filter((path) => path.includes(part)).length)),
    count: (part) => seen.filter((one) => one.path.includes(part)).length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}
