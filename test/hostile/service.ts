import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, type Server, type ServerResponse, createServer as createHttp } from 'node:http'
import { type Socket, createServer } from 'node:net'
import { join } from 'node:path'
import { TLSSocket, createSecureContext } from 'node:tls'
import { Agent, request } from 'undici'
import { type PracticeService, startPracticeService } from '../../src-practice/start'
import type { Asked, Misbehaviour, Part, Place, Real, Secrets } from './misbehaviour'
import type { Shop } from './shop'
import { elsewhere } from './wire'

/** The real practice service, behind a front that answers as a row of the table says. */
export interface HostileService {
  /** The addresses that the station uses for the service. */
  baseUrl: string
  authUrl: string
  /** The judge compares with the service's own list. */
  admin: PracticeService['admin']
  /** Begins once no token is being requested: it would be issued after the others are expired, and hide the row. */
  misbehave(row: Misbehaviour, secrets: Secrets): Promise<void>
  /** From now on the service is well; a hanging answer goes on hanging. */
  heal(): void
  /** Number of requests or connections that got an odd answer since the misbehavior began. */
  met(): number
  /** Number of requests to a target since then, however they were answered. */
  asked(place: Place): number
  /** Number of requests to a target that only a redirect or a link names. */
  strayed(): number
  /** Every token in a request. */
  tokens: ReadonlySet<string>
  close(): Promise<void>
}

const host = '127.0.0.1'
const tlsFile = (name: string) => readFileSync(join(import.meta.dirname, '../fixtures/tls', name))
/** The certificate that makes the front trusted. */
export const authorityFile = join(import.meta.dirname, '../fixtures/tls/authority.pem')

/** A request's target, by its path. */
const placeOf = (method: string, path: string): Place =>
  path.includes('/o/token/') ? 'token' : method === 'GET' ? 'reads' : 'reports'

export async function startHostileService(shop: Shop, isBehindTls = false): Promise<HostileService> {
  const real = await startPracticeService({ data: shop.data, db: ':memory:', port: 0, picturesDir: undefined })
  const agent = new Agent({ connections: 32 })
  const open = new Set<Socket>()
  const tokens = new Set<string>()
  let row: Misbehaviour | undefined
  let secrets: Secrets = { clientSecret: '', customerId: '' }
  /** The parts of the row in effect; after the recovery only the lasting ones. */
  let parts: (Part & { left: number })[] = []
  let met = 0
  let strayed = 0
  const counts = { token: 0, reads: 0, reports: 0 }
  /** Token requests that are not answered yet. */
  const tokenRequests = new Set<ServerResponse>()

  const forward = async ({ method, path, token, contentType, body }: Asked): Promise<Real> => {
    const answer = await request(`${real.baseUrl}${path}`, {
      dispatcher: agent,
      method: method === 'POST' ? 'POST' : 'GET',
      headers: {
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(contentType === '' ? {} : { 'content-type': contentType }),
      },
      body: body.length > 0 ? body : null,
    })
    return {
      status: answer.statusCode,
      contentType: String(answer.headers['content-type'] ?? ''),
      body: Buffer.from(await answer.body.arrayBuffer()),
    }
  }

  const answerWell = ({ status, contentType, body }: Real, response: ServerResponse) => {
    response.writeHead(status, { ...(contentType !== '' && { 'content-type': contentType }) }).end(body)
  }

  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) if (Buffer.isBuffer(chunk)) chunks.push(chunk)
    const { method = 'GET', url: path = '/', headers } = incoming
    const token = /^Bearer (.*)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
    if (token.length > 20) tokens.add(token)
    if (path.startsWith(elsewhere)) strayed++
    const place = placeOf(method, path)
    if (place === 'token') {
      tokenRequests.add(response)
      response.once('close', () => tokenRequests.delete(response))
    }
    counts[place]++
    const asked: Asked = {
      place,
      method,
      path,
      token,
      contentType: headers['content-type'] ?? '',
      body: Buffer.concat(chunks),
    }
    const part = parts.find((one) => one.at === place && one.left > 0)
    if (!part) {
      answerWell(await forward(asked), response)
      return
    }
    part.left--
    met++
    const said = part.isTaken ? await forward(asked) : undefined
    const { socket } = incoming
    if (!socket.destroyed) await part.answer({ socket, asked, real: said, secrets })
  }

  const http: Server = createHttp({ maxHeaderSize: 1_000_000, keepAliveTimeout: 65_000 }, (incoming, response) => {
    serve(incoming, response).catch(() => incoming.socket.destroy())
  })
  http.on('clientError', (_, socket) => socket.destroy())

  const contexts = isBehindTls
    ? new Map(
        (['service', 'self-signed', 'other-name'] as const).map((name) => [
          name,
          createSecureContext({ key: tlsFile(`${name}.key`), cert: tlsFile(`${name}.pem`) }),
        ]),
      )
    : undefined

  const front = createServer((socket) => {
    open.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => undefined)
    socket.on('close', () => open.delete(socket))
    if (row?.onConnection) {
      met++
      if (row.onConnection(socket)) return
    }
    if (!contexts) {
      http.emit('connection', socket)
      return
    }
    const shown = row?.certificate ?? 'service'
    if (row?.certificate) met++
    if (shown === 'plain HTTP') {
      socket.end('HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n\r\n')
      return
    }
    const secureContext = contexts.get(shown)
    const secure = new TLSSocket(socket, { isServer: true, ...(secureContext && { secureContext }) })
    secure.on('error', () => socket.destroy())
    http.emit('connection', secure)
  })
  await new Promise<void>((resolve) => front.listen(0, host, resolve))
  const address = front.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const origin = `${isBehindTls ? 'https' : 'http'}://${host}:${port}`

  return {
    baseUrl: origin,
    authUrl: `${origin}/auth`,
    admin: real.admin,
    tokens,
    met: () => met,
    asked: (place) => counts[place],
    strayed: () => strayed,
    async misbehave(next, hidden) {
      for (const response of tokenRequests) await once(response, 'close')
      row = next
      secrets = hidden
      met = 0
      Object.assign(counts, { token: 0, reads: 0, reports: 0 })
      parts = next.parts.map((part) => ({ ...part, left: part.times ?? Number.POSITIVE_INFINITY }))
      // An existing token would hide what the token endpoint answers.
      if (next.parts.some(({ at }) => at === 'token')) real.admin.expireTokens()
      // A row about connections starts with a new connection.
      if (next.onConnection || next.certificate) for (const socket of open) socket.destroy()
    },
    heal() {
      row = undefined
      parts = parts.filter(({ lasts }) => lasts)
    },
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => front.close(resolve))
      http.close()
      await agent.destroy()
      await real.close()
    },
  }
}
