import { type Server, type Socket, createServer } from 'node:net'
import { type TLSSocket, createServer as createTlsServer } from 'node:tls'
import type { TestCertificate } from '../../fixtures/certificate'

/** A server's view of a connection; `requests` counts the complete requests on all connections so far. */
export interface Visit {
  socket: Socket
  requests: number
}

export interface RawOptions {
  onConnection?: (visit: Visit) => void
  /** Called after every complete request. */
  onRequest?: (visit: Visit) => void
  /** Uses TLS with this certificate; data is then counted after the handshake. */
  certificate?: TestCertificate
}

/** A server below HTTP, on loopback. It sends exactly the bytes a test wants, and counts what arrives. */
export async function startRawServer({ onConnection, onRequest, certificate }: RawOptions) {
  const sockets = new Set<Socket>()
  let connections = 0
  let bytes = 0
  let requests = 0

  const take = (socket: Socket | TLSSocket) => {
    connections++
    sockets.add(socket)
    // The tests check broken connections at the client.
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      text += chunk.toString('latin1')
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      const end = text.indexOf('\r\n\r\n')
      if (end === -1 || text.length < end + 4 + length) return
      text = ''
      requests++
      onRequest?.({ socket, requests })
    })
    onConnection?.({ socket, requests })
  }

  const server: Server = certificate ? createTlsServer(certificate, take) : createServer(take)
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  return {
    port,
    connections: () => connections,
    /** Connections that are open now. */
    open: () => sockets.size,
    /** Bytes of the requests that arrived. */
    bytes: () => bytes,
    requests: () => requests,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
export type RawServer = Awaited<ReturnType<typeof startRawServer>>
