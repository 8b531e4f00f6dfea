import { type Server, type Socket, createServer } from 'node:net'
import { z } from 'zod'

/** What a server answers to a connection, in bytes; `greets`: before anything was sent. It ends the connection afterwards. */
export interface Answering {
  bytes: Uint8Array | string
  greets?: boolean
  /** It waits for more, and never says anything again. */
  stays?: boolean
}

/** An ErrorResponse of PostgreSQL's protocol, as servers and poolers send it before a sign-in. */
export function errorResponse(code: string, message: string): Buffer {
  const fields = ['SFATAL', 'VFATAL', `C${code}`, `M${message}`].map((field) => `${field}\0`).join('')
  const body = Buffer.from(`${fields}\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** A server on loopback that gives every connection one answer. */
export async function startAnswering({ bytes, greets = false, stays = false }: Answering) {
  const sockets = new Set<Socket>()
  const answer = (socket: Socket) => {
    socket.write(bytes)
    if (!stays) socket.end()
  }
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    if (greets) answer(socket)
    else
      socket.once('data', () => {
        answer(socket)
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return {
    port,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
