import { readFileSync } from 'node:fs'
import { type IncomingMessage, createServer as createPlain } from 'node:http'
import { createServer as createSecure } from 'node:https'
import { type AddressInfo, type Server, type Socket, connect, createServer as createTcp } from 'node:net'
import type { Duplex } from 'node:stream'
import { join } from 'node:path'

export const fixture = (name: string) => join(import.meta.dirname, '../../fixtures/tls', name)

/** The closing steps of everything that was started. */
export type Ends = (() => Promise<unknown>)[]

const keyPair = (certificate: string) => ({
  key: readFileSync(fixture(`${certificate}.key`)),
  cert: readFileSync(fixture(`${certificate}.pem`)),
})

async function listen(server: Server, ends: Ends): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const address: AddressInfo | string | null = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

/**
 * A service over TLS with the certificate of `elsewhere.test`, reachable only through a proxy. `hang up`: it reads the
 * request and closes without an answer.
 */
export async function startService(ends: Ends, certificate = 'other-name', answer: 'ok' | 'hang up' = 'ok') {
  const asked: string[] = []
  const server = createSecure(keyPair(certificate), (request, response) => {
    asked.push(request.url ?? '')
    if (answer === 'hang up') return void request.socket.destroy()
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.on('tlsClientError', () => undefined)
  return { port: await listen(server, ends), asked }
}

/** A proxy with a record of its requests and of all readable data. */
interface SeenProxy {
  port: number
  asked: string[]
  /** Everything that arrived, encrypted or not. */
  read: () => string
}

type Answer = 'tunnel' | 'refuse' | 'hang up'

/**
 * Tunnels every CONNECT request to that port; uses TLS if given a certificate. `hang up`: it closes without an answer.
 */
export async function startHttpProxy(
  ends: Ends,
  to: number,
  answer: Answer = 'tunnel',
  certificate?: string,
): Promise<SeenProxy> {
  const asked: string[] = []
  const chunks: Buffer[] = []
  const server = certificate === undefined ? createPlain() : createSecure(keyPair(certificate))
  server.on('request', (request, response) => {
    asked.push(`in the clear: ${request.url}`)
    response.writeHead(500).end()
  })
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    asked.push(request.url ?? '')
    chunks.push(Buffer.from(JSON.stringify(request.rawHeaders)))
    socket.on('error', () => undefined)
    if (answer === 'hang up') return void socket.destroy()
    if (answer === 'refuse') return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    tunnel(socket, to, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
  })
  return { port: await listen(server, ends), asked, read: () => Buffer.concat(chunks).toString('latin1') }
}

/** A SOCKS5 proxy without a password. A `reply` other than 0 refuses. */
export async function startSocksProxy(ends: Ends, to: number, reply = 0): Promise<SeenProxy> {
  const asked: string[] = []
  const chunks: Buffer[] = []
  const server = createTcp((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.once('data', () => {
      socket.write(Buffer.from([5, 0]))
      socket.once('data', (request: Buffer) => {
        const length = request[4] ?? 0
        asked.push(`${request.subarray(5, 5 + length).toString()}:${request.readUInt16BE(5 + length)}`)
        const say = () => socket.write(Buffer.from([5, reply, 0, 1, 0, 0, 0, 0, 0, 0]))
        if (reply === 0) tunnel(socket, to, say)
        else say()
      })
    })
  })
  return { port: await listen(server, ends), asked, read: () => Buffer.concat(chunks).toString('latin1') }
}

function tunnel(socket: Duplex, to: number, onOpen: () => void) {
  const onward = connect(to, '127.0.0.1', () => {
    onOpen()
    onward.pipe(socket)
    socket.pipe(onward)
  }).on('error', () => socket.destroy())
  socket.on('close', () => onward.destroy())
}

/** A port of this computer where nothing listens. */
export async function deadPort(): Promise<number> {
  const ends: Ends = []
  const port = await listen(createTcp(), ends)
  for (const end of ends) await end()
  return port
}
